import { hash32 } from '../../core/random.ts';
import { endOfEvaluationSeeds, firstEvaluationSeed } from '../../worlds/app/task-split.ts';

export { endOfEvaluationSeeds, firstEvaluationSeed, isEvaluationSeed } from '../../worlds/app/task-split.ts';

/** The first instances of a round have small seeds; more of them have seeds from another range. */
const firstInstances = 1000;
const moreInstances = 97_000;
export const mostInstances = firstInstances + moreInstances;
export const mostRounds = 998;

const collectSeeds = firstEvaluationSeed - 1;
const moreCollectSeeds = (mostRounds + 1) * moreInstances;
const evaluationBlocks = 900_000;

/** The seed of an instance in a round. No two rounds of a run share one. */
export function collectSeed(seed: number, round: number, instance: number): number {
  const start = hash32(`collect/${seed}`);
  if (instance < firstInstances) return 1 + ((start + round * firstInstances + instance) % collectSeeds);
  const place = round * moreInstances + instance - firstInstances;
  return endOfEvaluationSeeds + ((start + place) % moreCollectSeeds);
}

/** The same for all rounds: students of different rounds do the same tasks. */
export function evaluationSeed(seed: number, instance: number): number {
  return firstEvaluationSeed + (hash32(`evaluate/${seed}`) % evaluationBlocks) * firstInstances + instance;
}
