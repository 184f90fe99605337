import type { Signal } from './signal.ts';

/** Which agent of a team took each step: `--mask agents.executor` leaves the rows of the others. */
export const agents: Signal = {
  name: 'agents',
  about: 'The agent of a team that took each step, by its role.',
  *annotate(_episode, { steps }) {
    for (const { id, outcome } of steps)
      if (outcome.role !== undefined)
        yield { node: id, label: outcome.role.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-') };
  },
};
