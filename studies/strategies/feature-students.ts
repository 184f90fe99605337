import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createStudent,
  readStudent,
  trainStudent,
  writeStudent,
  type TrainingExample,
} from '../../src/agents/learned/student.ts';
import type { Policy } from '../../src/core/episode/agents.ts';
import { foldEpisode, type EpisodeRecord } from '../../src/core/episode/record.ts';
import { collectRun } from '../../src/runs/collect.ts';
import { readConfig } from '../../src/runs/config/config.ts';
import { closeAfter, openRun, writeWhole } from '../../src/runs/folder/folder.ts';
import type { Host } from '../../src/runs/host/host.ts';

interface DemonstrationOptions {
  readonly folder: string;
  readonly environments: readonly string[];
  readonly instances: number;
  readonly seed: number;
  readonly host: Host;
  readonly signal: AbortSignal;
}

/** Episodes of the planner on training templates: what students learn from, and memories are written from. */
export async function demonstrate(options: DemonstrationOptions): Promise<EpisodeRecord[] | null> {
  const { folder, environments, instances, seed, host, signal } = options;
  const draft = { run: 'demonstrations', environments: [...environments], instances, seed };
  const config = readConfig({ ...draft, student: { kind: 'planner' }, strategy: { kind: 'linear' } }, 'The study');
  const { stopped } = await collectRun({ config, folder, host, signal });
  if (stopped) return null;
  const store = openRun(folder);
  try {
    return [...store.episodes({ run: 'demonstrations' })].map(foldEpisode);
  } finally {
    closeAfter(store);
  }
}

/** Students of these episodes, one for each training seed, kept in the folder. Each learns from its own part of them. */
export function trainStudents(
  records: readonly EpisodeRecord[],
  { folder, seeds }: { readonly folder: string; readonly seeds: number },
) {
  const files = Array.from({ length: seeds }, (_, at) => studentFile(folder, at + 1));
  for (const [at, file] of files.entries()) {
    if (existsSync(file)) continue;
    const own = records.filter((_, index) => index % (seeds + 1) !== at);
    writeWhole(file, writeStudent(trainStudent(own.flatMap(examplesOf), at + 1).weights));
  }
  const weights = files.map(file => readStudent(readFileSync(file, 'utf8')));
  return (seed: number, temperature: number): Policy =>
    createStudent({ weights: weights[seed - 1] as (typeof weights)[number], name: `feature ${seed}`, temperature });
}

/** The file of the student with this training seed. */
export function studentFile(folder: string, seed: number): string {
  return join(folder, `student.${seed}.json`);
}

function examplesOf(record: EpisodeRecord): TrainingExample[] {
  if (record.end.outcome !== 'passed') return [];
  const path = record.tree.path(record.end.leaf);
  return path.map(({ id, action }, at) => ({ situation: record.situation(id), action, stepsLeft: path.length - at }));
}
