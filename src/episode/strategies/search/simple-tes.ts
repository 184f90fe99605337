import { z } from 'zod';
import { actionKey } from '../../../core/action.ts';
import type { TreeNode } from '../../../core/tree.ts';
import type { Episode } from '../../verbs/episode.ts';
import { createAttempts, type Attempt, type Attempts } from '../attempts.ts';
import { counting, defineStrategy } from '../definition.ts';
import { best } from '../judging.ts';
import { propose, type Proposal } from '../proposals.ts';
import { goTo, type Strategy } from '../strategy.ts';

interface SimpleTesOptions {
  readonly chains: number;
  readonly refinements: number;
  readonly local: number;
  readonly samples: number;
}

/** Parallel chains; each refines its attempt a few times, and keeps the best of a few local tries every time. */
function createSimpleTes(options: SimpleTesOptions): Strategy {
  const { chains, refinements, local } = options;
  return {
    name: `simple-tes-${chains}x${refinements}x${local}`,
    asksTeacher: false,
    limits: { leaves: chains * (1 + refinements * local) },
    async run(episode) {
      const attempts = createAttempts(episode);
      const winners: Attempt[] = [];
      for (let chain = 0; chain < chains && (chain === 0 || attempts.mayBegin()); chain++) {
        await goTo(episode, 0);
        winners.push(await refine(episode, attempts, options));
      }
      return attempts.conclude(best(winners));
    },
  };
}

async function refine(episode: Episode, attempts: Attempts, options: SimpleTesOptions): Promise<Attempt> {
  let kept = await attempts.run();
  for (let round = 0; round < options.refinements; round++) {
    const tries = [kept];
    for (let made = 0; made < options.local && attempts.mayBegin(); made++) {
      const other = await tryFrom(episode, { path: episode.tree.path(kept.leaf), rank: made, options });
      if (other === null) break;
      tries.push(await attempts.run({}, 'refinement'));
    }
    kept = best(tries);
  }
  return kept;
}

interface LocalTry {
  readonly path: readonly TreeNode[];
  /** The state to try in: 0 for the one in which the student was least sure. */
  readonly rank: number;
  readonly options: SimpleTesOptions;
}

/** Goes to one of the states in which the student was least sure, and takes an action there that was not taken yet. */
async function tryFrom(episode: Episode, { path, rank, options }: LocalTry): Promise<TreeNode | null> {
  const states = leastSureFirst(path);
  const state = states[rank % Math.max(1, states.length)];
  if (state === undefined) return null;
  await goTo(episode, state);
  if (episode.left('steps') <= 0) return null;
  const other = await untriedHere(episode, options.samples);
  return other === null ? null : episode.step(other);
}

/** The states of a path, the one first in which the student was least sure of its step. */
export function leastSureFirst(path: readonly TreeNode[]): number[] {
  const sureness = ({ confidence, prior }: TreeNode): number => confidence ?? prior ?? 1;
  return path.toSorted((a, b) => sureness(a) - sureness(b)).map(({ parent }) => parent);
}

/** The likeliest action that was not taken from here; null when the student names none. */
export async function untriedHere(episode: Episode, samples: number): Promise<Proposal | null> {
  const taken = new Set(episode.tree.children(episode.at()).map(({ action }) => actionKey(action)));
  const { proposals } = await propose(episode, { width: taken.size + 2, samples: Math.max(samples, taken.size + 1) });
  return proposals.find(({ action }) => !taken.has(actionKey(action))) ?? null;
}

export const simpleTes = defineStrategy({
  name: 'simple-tes',
  about: 'Parallel chains of attempts, each refined from the states in which the student was least sure.',
  asksTeacher: false,
  evaluates: true,
  options: z.object({
    chains: counting.default(2).describe('chains that begin at the start'),
    refinements: counting.default(2).describe('times that a chain is refined'),
    local: counting.default(2).describe('tries of a refinement, of which the best is kept'),
    samples: counting.default(4).describe('questions in a state, to a student that names one action only'),
  }),
  create: createSimpleTes,
});
