import { z } from 'zod';
import { defineEstimator } from '../contract.ts';
import { creditByRole } from './roles.ts';

/** Takes exactly `size` of a list, evenly: some more than once when there are fewer, and not all when there are more. */
export function resampled<T>(items: readonly T[], size: number): T[] {
  return Array.from({ length: size }, (_, place) => items[Math.floor((place * items.length) / size)] as T);
}

/** Multi-agent GRPO: a role that was called more or less often is brought to a fixed number of calls. */
export const mGrpo = defineEstimator({
  name: 'm-grpo',
  about: 'GRPO for each role of a team, with the calls of a role resampled to a fixed number.',
  options: z.strictObject({
    calls: z.int().min(2).default(8).meta({ description: 'trajectories of each role' }),
  }),
  estimate: ({ trajectories }, { calls }) =>
    creditByRole(trajectories, own => (own.length === 1 ? own : resampled(own, calls))),
});
