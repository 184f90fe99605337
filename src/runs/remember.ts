import { existsSync, readFileSync } from 'node:fs';
import { foldEpisode, type EpisodeRecord } from '../core/episode/record.ts';
import { poisonGate } from '../memory/gate.ts';
import { createMemory, readMemory, type Memory } from '../memory/memory.ts';
import { isLearnable } from '../memory/writers/writer.ts';
import { closeAfter, openRun, writeWhole } from './folder/folder.ts';
import { memories } from './registry/memories.ts';

export interface RememberOptions {
  readonly folders: readonly string[];
  /** Names of writers. */
  readonly writers: readonly string[];
  /** The file of the memory; what it has stays. */
  readonly out: string;
}

export interface Remembered {
  readonly memory: Memory;
  /** Episodes that were read, and those that nothing may be learned from: held-out tasks and evaluations. */
  readonly episodes: number;
  readonly leftOut: number;
  /** Items that are new. */
  readonly added: number;
  readonly refused: number;
}

/** Writes what runs have shown into a memory. Held-out tasks and evaluations are left out. */
export function rememberRuns({ folders, writers, out }: RememberOptions): Remembered {
  const chosen = writers.map(name => memories.need(name));
  const before = existsSync(out) ? readMemory(readFileSync(out, 'utf8')) : createMemory();
  const records = folders.flatMap(recordsIn);
  const learnable = records.filter(isLearnable);
  const memory = before.write(
    chosen.flatMap(writer => writer.write(learnable)),
    poisonGate,
  );
  writeWhole(out, memory.save());
  return {
    memory,
    episodes: records.length,
    leftOut: records.length - learnable.length,
    added: memory.items.length - before.items.length,
    refused: memory.refused.length - before.refused.length,
  };
}

function recordsIn(folder: string): EpisodeRecord[] {
  const store = openRun(folder);
  try {
    return [...store.episodes()].map(foldEpisode);
  } finally {
    closeAfter(store);
  }
}
