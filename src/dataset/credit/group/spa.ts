import { z } from 'zod';
import { defineEstimator, type CreditStep, type CreditTrajectory } from '../contract.ts';
import { rewardOf } from '../returns.ts';
import { meanOf } from '../statistics.ts';

const options = z.strictObject({
  grounding: z.number().nonnegative().default(0.5).meta({ description: 'reward of a step that the environment took' }),
});

/**
 * How much each step contributed to the reward: a ridge regression of rewards on the transitions of trajectories, moved
 * evenly so that the contributions of a trajectory sum to its reward.
 */
export function contributions(trajectories: readonly CreditTrajectory[], ridge = 1): number[][] {
  const counts = trajectories.map(({ steps }) => {
    const own = new Map<string, number>();
    for (const step of steps) own.set(transitionOf(step), (own.get(transitionOf(step)) ?? 0) + 1);
    return own;
  });
  // In the dual form there is one unknown for each trajectory, however many transitions there are.
  const kernel = counts.map((left, row) =>
    counts.map((right, column) => overlap(left, right) + (row === column ? ridge : 0)),
  );
  const duals = solve(kernel, trajectories.map(rewardOf));
  const weights = new Map<string, number>();
  for (const [index, own] of counts.entries())
    for (const [transition, count] of own)
      weights.set(transition, (weights.get(transition) ?? 0) + count * (duals[index] as number));
  return trajectories.map(trajectory => {
    const raw = trajectory.steps.map(step => weights.get(transitionOf(step)) as number);
    const missing = rewardOf(trajectory) / raw.length - meanOf(raw);
    return raw.map(value => value + missing);
  });
}

/** Stepwise progress attribution: what a step contributed, and whether the environment took it, beside the mean step. */
export const spa = defineEstimator({
  name: 'spa',
  about: 'What each step contributed to the reward, by regression over the group, beside the mean step.',
  options,
  estimate({ trajectories }, { grounding }) {
    const rewards = contributions(trajectories).map((own, index) =>
      own.map((value, place) => value + groundingOf(trajectories[index]?.steps[place] as CreditStep, grounding)),
    );
    const mean = meanOf(rewards.flat());
    return trajectories.map(({ id, steps }, index) => ({
      id,
      advantages: (rewards[index] as number[]).map(reward => reward - mean),
      mask: steps.map(() => true),
    }));
  },
});

/** The released training script puts the trajectory beside the others in the place of the contributions. */
export const spaPublic = defineEstimator({
  name: 'spa-public',
  about: 'SPA as in the released script: the reward beside the mean of the others, for every step.',
  options,
  estimate({ trajectories }, { grounding }) {
    const sum = trajectories.reduce((total, trajectory) => total + rewardOf(trajectory), 0);
    return trajectories.map(trajectory => {
      const others = (sum - rewardOf(trajectory)) / (trajectories.length - 1);
      return {
        id: trajectory.id,
        advantages: trajectory.steps.map(step => rewardOf(trajectory) - others + groundingOf(step, grounding)),
        mask: trajectory.steps.map(() => true),
      };
    });
  },
});

function transitionOf({ action, after }: CreditStep): string {
  return `${action} ${after}`;
}

function groundingOf({ applied }: CreditStep, grounding: number): number {
  return applied ? grounding : 0;
}

function overlap(left: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [transition, count] of left) sum += count * (right.get(transition) ?? 0);
  return sum;
}

/** Solves for a symmetric positive definite matrix, by elimination. */
function solve(matrix: readonly (readonly number[])[], values: readonly number[]): number[] {
  const rows = matrix.map((row, index) => [...row, values[index] as number]);
  const size = rows.length;
  for (const [pivot, row] of rows.entries())
    for (const below of rows.slice(pivot + 1)) {
      const factor = (below[pivot] as number) / (row[pivot] as number);
      for (let column = pivot; column <= size; column++)
        below[column] = (below[column] as number) - factor * (row[column] as number);
    }
  const solution = values.map(() => 0);
  for (let row = size - 1; row >= 0; row--) {
    let rest = rows[row]?.[size] as number;
    for (let column = row + 1; column < size; column++)
      rest -= (rows[row]?.[column] as number) * (solution[column] as number);
    solution[row] = rest / (rows[row]?.[row] as number);
  }
  return solution;
}
