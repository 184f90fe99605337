import { z } from 'zod';
import { counting, defineStrategy } from '../definition.ts';
import { conclude, type Strategy } from '../strategy.ts';
import { searchBestFirst, type Untried } from './frontier.ts';

interface LevinOptions {
  readonly expansions: number;
  readonly width: number;
  readonly samples: number;
}

/** Levin tree search: the untried action with the least depth over probability comes first. */
function createLevin(options: LevinOptions): Strategy {
  return {
    name: `levin-${options.expansions}`,
    asksTeacher: false,
    run: async episode =>
      conclude(episode, await searchBestFirst(episode, { ...options, score: one => -levinCost(one) })),
  };
}

/** The logarithm of d / π: steps on the way over how likely the student is to take them all. */
export function levinCost({ depth, logprob }: Pick<Untried, 'depth' | 'logprob'>): number {
  return Math.log(depth) - logprob;
}

export const levin = defineStrategy({
  name: 'levin',
  about: 'Levin tree search: tries the action whose depth over its probability is least; one verdict, at the end.',
  asksTeacher: false,
  evaluates: true,
  options: z.object({
    expansions: counting.default(60).describe('steps that the search tries before it takes the best branch'),
    width: counting.default(4).describe('actions that the search considers in a state'),
    samples: counting.default(4).describe('questions in a state, to a student that names one action only'),
  }),
  create: createLevin,
});
