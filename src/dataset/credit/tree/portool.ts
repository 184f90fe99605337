import { z } from 'zod';
import { quotientKeys } from '../../../analysis/quotient.ts';
import { groupSteps, valuesByClass } from '../chains.ts';
import { defineEstimator, type CreditTrajectory, type TrajectoryCredit } from '../contract.ts';
import { groupAdvantages } from '../group/grpo.ts';
import { rewardOf } from '../returns.ts';
import { meanOf } from '../statistics.ts';

interface ForkOptions {
  readonly gamma: number;
  /** Added for a step that the environment took, taken away for one that it refused. */
  readonly format: number;
}

/**
 * Each step beside the steps that were tried after the same step. The worth of a step is the mean discounted reward of
 * the leaves below it, so all leaves below share it. A step without siblings gets 0.
 */
export function forkAdvantages(trajectories: readonly CreditTrajectory[], { gamma, format }: ForkOptions): number[][] {
  const nodes = groupSteps(trajectories, quotientKeys.node);
  const outcomes = trajectories.map(trajectory => {
    const { length } = trajectory.steps;
    return trajectory.steps.map(
      ({ applied }, place) => gamma ** (length - 1 - place) * rewardOf(trajectory) + (applied ? format : -format),
    );
  });
  const worth = valuesByClass(nodes, outcomes).map(meanOf);
  const siblings = new Map<number, Set<number>>();
  for (const own of nodes.classes)
    for (const [place, node] of own.entries()) {
      const parent = place === 0 ? -1 : (own[place - 1] as number);
      const known = siblings.get(parent);
      if (known === undefined) siblings.set(parent, new Set([node]));
      else known.add(node);
    }
  const means = new Map([...siblings].map(([parent, children]) => [parent, meanOf([...children].map(at(worth)))]));
  return nodes.classes.map(own =>
    Array.from(own, (node, place) => {
      const mean = means.get(place === 0 ? -1 : (own[place - 1] as number)) as number;
      return (worth[node] as number) - mean;
    }),
  );
}

function at(values: readonly number[]): (place: number) => number {
  return place => values[place] as number;
}

const options = z.strictObject({
  gamma: z.number().min(0).max(1).default(0.95).meta({ description: 'discount of later rewards' }),
  format: z.number().nonnegative().default(0).meta({ description: 'reward of a step that the environment took' }),
  trajectory: z.number().nonnegative().default(1).meta({ description: 'weight of the trajectory beside its group' }),
  fork: z.number().nonnegative().default(1).meta({ description: 'weight of the step beside its siblings' }),
});

function blended(trajectories: readonly CreditTrajectory[], weights: z.infer<typeof options>): TrajectoryCredit[] {
  const whole = groupAdvantages(trajectories);
  const forks = forkAdvantages(trajectories, weights);
  return trajectories.map(({ id, steps }, index) => ({
    id,
    advantages: steps.map(
      (_, place) => weights.trajectory * (whole[index] as number) + weights.fork * (forks[index]?.[place] as number),
    ),
    mask: steps.map(() => true),
  }));
}

export const portool = defineEstimator({
  name: 'portool',
  about: 'GRPO plus the step beside its siblings in the tree: for trees that fork.',
  options,
  estimate: ({ trajectories }, weights) => blended(trajectories, weights),
});

export const portoolFork = defineEstimator({
  name: 'portool-fork',
  about: 'The step beside its siblings in the tree, and nothing else.',
  options: options.omit({ trajectory: true, fork: true }),
  estimate: ({ trajectories }, given) => blended(trajectories, { ...given, trajectory: 0, fork: 1 }),
});
