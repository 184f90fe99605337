import { z } from 'zod';
import { actionKey } from '../../../core/action.ts';
import type { Tree, TreeNode } from '../../../core/tree.ts';
import type { Episode } from '../../verbs/episode.ts';
import type { Usable } from '../../verbs/questions.ts';
import { createAttempts } from '../attempts.ts';
import { counting, defineStrategy } from '../definition.ts';
import { best } from '../judging.ts';
import { propose } from '../proposals.ts';
import { goTo, type Strategy } from '../strategy.ts';
import { distil } from './tournament.ts';

interface TmasOptions {
  readonly attempts: number;
  readonly width: number;
  readonly samples: number;
}

/** What attempts have shown of actions in states: those that were refused or led back are avoided later. */
export interface ExperienceBank {
  /** Takes the steps of an attempt. */
  learn(path: readonly TreeNode[]): void;
  isBad(state: string, action: string): boolean;
  /** Times that an action was taken in a state. */
  times(state: string, action: string): number;
}

export function createExperienceBank(): ExperienceBank {
  const bad = new Set<string>();
  const taken = new Map<string, number>();
  const key = (state: string, action: string): string => `${state}\n${action}`;
  return {
    learn(path) {
      const seen = new Set<string>();
      for (const { before, after, action, outcome } of path) {
        seen.add(before);
        const known = key(before, actionKey(action));
        taken.set(known, (taken.get(known) ?? 0) + 1);
        if (outcome.end === undefined && (!outcome.applied || seen.has(after))) bad.add(known);
      }
    },
    isBad: (state, action) => bad.has(key(state, action)),
    times: (state, action) => taken.get(key(state, action)) ?? 0,
  };
}

/**
 * Attempts that share two banks: experience (which actions were refused or led back, in which state) steers the choice of steps,
 * guidelines (what earlier attempts did) are told to the student.
 */
function createTmas({ attempts: count, width, samples }: TmasOptions): Strategy {
  return {
    name: `tmas-${count}`,
    asksTeacher: false,
    limits: { leaves: count },
    async run(episode) {
      const attempts = createAttempts(episode);
      const bank = createExperienceBank();
      for (let made = 0; made < count && (made === 0 || attempts.mayBegin()); made++) {
        await goTo(episode, 0);
        const hint = made === 0 ? undefined : distil([best(attempts.made)]);
        const { leaf } = await attempts.run({ hint, choose: cursor => choose(cursor, bank, { width, samples, hint }) });
        bank.learn(episode.tree.path(leaf));
      }
      return attempts.conclude(best(attempts.made));
    },
  };
}

interface Asking {
  readonly width: number;
  readonly samples: number;
  readonly hint: string | undefined;
}

/** The likeliest action that is not known to be bad; what was taken before counts half for each time. */
async function choose(episode: Episode, bank: ExperienceBank, asking: Asking): Promise<Usable | null> {
  const { proposals } = await propose(episode, asking);
  const state = stateOf(episode.tree, episode.at());
  const open = proposals.filter(({ action }) => !bank.isBad(state, actionKey(action)));
  const weight = ({ action, prior }: (typeof open)[number]): number =>
    prior / 2 ** bank.times(state, actionKey(action));
  const ranked = (open.length > 0 ? open : proposals).toSorted((a, b) => weight(b) - weight(a));
  return ranked[0] ?? null;
}

function stateOf(tree: Tree, node: number): string {
  return tree.digest(node);
}

export const tmas = defineStrategy({
  name: 'tmas',
  about: 'Attempts that share what they found: actions that were refused or led back are avoided, others are varied.',
  asksTeacher: false,
  evaluates: true,
  options: z.object({
    attempts: counting.default(4).describe('attempts of the student'),
    width: counting.default(4).describe('actions that are considered in a state'),
    samples: counting.default(2).describe('questions in a state, to a student that names one action only'),
  }),
  create: createTmas,
});
