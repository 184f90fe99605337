import { hash32 } from '../../core/random.ts';

export const mostInstances = 1000;
export const mostRounds = 998;

/** Instances that are collected on have smaller seeds than these, those that are evaluated on have these: never the same. */
export const firstEvaluationSeed = 1_000_000;
const collectSeeds = firstEvaluationSeed - 1;
const evaluationBlocks = 900_000;

/** Which instance of a template this is in this round. No two rounds of a run share one. */
export function collectSeed(seed: number, round: number, instance: number): number {
  const place = round * mostInstances + instance;
  return 1 + ((hash32(`collect/${seed}`) + place) % collectSeeds);
}

/** The same for all rounds, so that students of different rounds meet on the same tasks. */
export function evaluationSeed(seed: number, instance: number): number {
  return firstEvaluationSeed + (hash32(`evaluate/${seed}`) % evaluationBlocks) * mostInstances + instance;
}
