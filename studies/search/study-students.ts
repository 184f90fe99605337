import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../../src/modules/read-file.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import type { Host } from '../../src/runs/host/host.ts';
import { trainFromExport } from '../../src/runs/train.ts';
import { measureGuide, readSolutionSteps, type GuideWeight, type GuideWeights } from './guide-weight.ts';

export function studentFile(folder: string, round: number): string {
  return join(folder, `student.round-${round}.json`);
}

/** The student of the last round that had something to learn from; null for none. */
export function studentBefore(folder: string, round: number): string | null {
  for (let earlier = round - 1; earlier > 0; earlier--) {
    const file = studentFile(folder, earlier);
    if (existsSync(file)) return file;
  }
  return null;
}

interface StudentOptions {
  readonly seed: number;
  readonly host: Host;
  readonly out: string;
}

/** Trains a student on the exports of runs, and writes down beside it what it may say in a search. */
export async function trainOnSolutions(
  runs: readonly { readonly app: string; readonly folder: string }[],
  { seed, host, out }: StudentOptions,
): Promise<void> {
  const rest = (): Promise<void> => new Promise(resolve => void host.timers.after(0, resolve));
  const weights = await measureGuide(readSolutionSteps(runs), { seed, rest });
  writeWhole(weightsFile(out), `${JSON.stringify(weights, null, 2)}\n`);
  await rest();
  trainFromExport({ folders: runs.map(({ folder }) => folder), seed, host, out });
}

function weightsFile(student: string): string {
  return student.replace(/\.json$/, '.weights.json');
}

export function weightsOf(student: string): GuideWeights {
  const { knownApps, otherApps, features = null } = readJson(weightsFile(student)) as Partial<GuideWeights>;
  return { knownApps: withLearned(knownApps), otherApps: withLearned(otherApps), features };
}

/** Files of before words were learned say nothing of them. */
function withLearned(weight: Partial<GuideWeight> = {}): GuideWeight {
  const { weight: own = 0, rows = 0, words = 0, learned = words, mixed = words, usesLearned = false } = weight;
  return { weight: own, rows, words, learned, mixed, usesLearned };
}
