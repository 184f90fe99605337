import { z } from 'zod';
import { quotientKeys } from '../../../analysis/quotient.ts';
import { groupSteps } from '../chains.ts';
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
  const { keys, classes } = groupSteps(trajectories, quotientKeys.actionAndNext);
  const counts = classes.map(own => {
    const row = new Float64Array(keys.length);
    for (const transition of own) row[transition] = (row[transition] as number) + 1;
    return row;
  });
  // In the dual form there is one unknown for each trajectory, however many transitions there are.
  const kernel = counts.map((row, index) =>
    counts.map((_, column) => overlap(row, classes[column] as Int32Array) + (index === column ? ridge : 0)),
  );
  const duals = solve(kernel, trajectories.map(rewardOf));
  const weights = new Float64Array(keys.length);
  for (const [index, own] of classes.entries())
    for (const transition of own) weights[transition] = (weights[transition] as number) + (duals[index] as number);
  return trajectories.map((trajectory, index) => {
    const raw = Array.from(classes[index] as Int32Array, transition => weights[transition] as number);
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

function groundingOf({ applied }: CreditStep, grounding: number): number {
  return applied ? grounding : 0;
}

/** How many pairs of equal transitions two trajectories have. */
function overlap(counts: Float64Array, transitions: Int32Array): number {
  let sum = 0;
  for (const transition of transitions) sum += counts[transition] as number;
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
