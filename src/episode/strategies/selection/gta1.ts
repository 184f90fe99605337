import { z } from 'zod';
import type { TreeNode } from '../../../core/tree.ts';
import type { Episode } from '../../verbs/episode.ts';
import { counting, defineStrategy } from '../definition.ts';
import { propose, type Proposal } from '../proposals.ts';
import { createReserve, type Reserve } from '../reserve.ts';
import { conclude, goTo, whyNothing, type Strategy } from '../strategy.ts';

interface Gta1Options {
  readonly proposals: number;
  readonly samples: number;
}

/** What the judge knows of a proposal: how likely it is, and what it led to when it was tried. */
export interface Tried {
  readonly prior: number;
  readonly applied: boolean;
  /** Whether it led to a state that this way has not been in. */
  readonly isNew: boolean;
}

/** How good a tried proposal is: its logarithm of the prior, less for what was refused or leads back. */
export function judgeTried({ prior, applied, isNew }: Tried): number {
  return Math.log(Math.max(prior, 1e-9)) - (applied ? 0 : 4) - (isNew ? 0 : 2);
}

/** In every state several proposals; each is tried and rolled back, and a judge picks one. */
function createGta1({ proposals, samples }: Gta1Options): Strategy {
  return {
    name: `gta1-${proposals}`,
    asksTeacher: false,
    async run(episode) {
      const reserve = createReserve(episode);
      const seen = new Set([episode.tree.root]);
      while (episode.ended() === null && episode.left('steps') > 0) {
        const { proposals: found } = await propose(episode, { width: proposals, samples });
        if (found.length === 0) return conclude(episode, whyNothing(episode));
        const picked = await pick(episode, { found, seen, reserve });
        seen.add(picked.after);
        await goTo(episode, picked.id);
      }
      return conclude(episode, episode.ended() === 'terminated' ? null : 'out of steps');
    },
  };
}

interface Choice {
  readonly found: readonly Proposal[];
  readonly seen: ReadonlySet<string>;
  readonly reserve: Reserve;
}

async function pick(episode: Episode, { found, seen, reserve }: Choice): Promise<TreeNode> {
  const here = episode.at();
  const tried: { readonly node: TreeNode; readonly score: number }[] = [];
  for (const decision of found) {
    if (tried.length > 0 && !(reserve.mayTry() && isClose(decision, found[0] as Proposal))) break;
    await goTo(episode, here);
    const node = await episode.step(decision);
    const isNew = node.outcome.end !== undefined || !seen.has(node.after);
    tried.push({ node, score: judgeTried({ prior: decision.prior, applied: node.outcome.applied, isNew }) });
  }
  return tried.reduce((best, one) => (one.score > best.score ? one : best)).node;
}

/** What is far less likely than the first could not win even if the first is refused and leads back. */
function isClose({ prior }: Proposal, first: Proposal): boolean {
  return judgeTried({ prior, applied: true, isNew: true }) > judgeTried({ ...first, applied: false, isNew: false });
}

export const gta1 = defineStrategy({
  name: 'gta1',
  about: 'Several proposals in every state, each tried and rolled back; a judge picks the step that is taken.',
  asksTeacher: false,
  evaluates: true,
  options: z.object({
    proposals: counting.default(4).describe('proposals in a state'),
    samples: counting.default(4).describe('questions in a state, to a student that names one action only'),
  }),
  create: createGta1,
});
