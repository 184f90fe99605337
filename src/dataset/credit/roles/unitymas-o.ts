import { z } from 'zod';
import { defineEstimator } from '../contract.ts';
import { creditByRole } from './roles.ts';

/** Every call of a role counts once, however often the role was called. */
export const unitymasO = defineEstimator({
  name: 'unitymas-o',
  about: 'GRPO for each role of a team, over all of its calls.',
  options: z.strictObject({}),
  estimate: ({ trajectories }) => creditByRole(trajectories, own => own),
});
