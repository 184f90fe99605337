import { join } from 'node:path';
import { evaluate, pooled, type Evaluation } from '../../src/analysis/evaluate.ts';
import type { EpisodeSource } from '../../src/core/episode/journal.ts';
import { createRandom } from '../../src/core/random.ts';
import { baselineNames } from '../../src/runs/evaluation/baselines.ts';
import type { LevelOptions } from '../../src/runs/evaluation/read-evaluations.ts';
import { openRun } from '../../src/runs/folder/folder.ts';

/** Students that learned from the same rows with other training seeds. Each has a folder, with its file and its evaluation. */
export interface StudentGroup {
  readonly folder: string;
  readonly id: string;
  readonly students: number;
}

/** The folder of one of them; seeds count from 1. */
export function studentFolder({ folder, id }: StudentGroup, seed: number): string {
  return join(folder, `${id}.seed-${seed}`);
}

/** What the students of a group did, as one: the intervals have the spread of the training seeds. */
export function readGroup(group: StudentGroup, levels: LevelOptions): Evaluation {
  const evaluations = Array.from({ length: group.students }, (_, index) => {
    const own = readStudents(studentFolder(group, index + 1), levels);
    return { ...own, trials: own.trials.map(trial => ({ ...trial, seed: String(index + 1) })) };
  });
  return pooled(evaluations, { ...levels, random: createRandom(`intervals of ${group.id}`) }) as Evaluation;
}

/** The evaluation of all students in a folder that are no baselines, in one round or the only one. */
export function readStudents(folder: string, levels: LevelOptions, round?: number): Evaluation {
  return readRun(folder, store => {
    const filter = { phase: 'evaluate', ...(round === undefined ? {} : { round }) } as const;
    const own = [...store.summaries(filter)].filter(({ head }) => !baselineNames.includes(head.student));
    return evaluate(own, { ...levels, random: createRandom(folder) }) as Evaluation;
  });
}

export function readRun<T>(folder: string, read: (store: EpisodeSource) => T): T {
  const store = openRun(folder);
  try {
    return read(store);
  } finally {
    store.close();
  }
}
