import { z } from 'zod';
import { actionKey } from '../../../core/action.ts';
import type { TreeNode } from '../../../core/tree.ts';
import type { Episode } from '../../verbs/episode.ts';
import { createAttempts, type Attempts } from '../attempts.ts';
import { counting, defineStrategy, share } from '../definition.ts';
import { propose, type Proposal } from '../proposals.ts';
import { createReserve } from '../reserve.ts';
import { goTo, type Strategy } from '../strategy.ts';

interface LatrOptions {
  readonly leaves: number;
  readonly samples: number;
  /** Least probability of an action that is branched to. */
  readonly least: number;
  /** Most that it may be below the likeliest. */
  readonly within: number;
  readonly branches: number;
  readonly lookahead: number;
  /** Most that two branches may share, as 1 − edit distance over length. */
  readonly similar: number;
}

/** A branch that was not taken: an action beside the one that was. */
interface Branch {
  readonly from: number;
  readonly decision: Proposal;
}

/** Branches where the student is unsure, looks a few steps ahead, and prunes what comes out as its sibling did. */
function createLatr(options: LatrOptions): Strategy {
  return {
    name: `latr-${options.leaves}`,
    asksTeacher: false,
    limits: { leaves: options.leaves },
    async run(episode) {
      const attempts = createAttempts(episode);
      const branches: Branch[] = [];
      const lead = { choose: (cursor: Episode) => chooseAndBranch(cursor, options, branches) };
      const first = await attempts.run(lead);
      const reserve = createReserve(episode);
      for (let next = branches.shift(); next !== undefined; next = branches.shift()) {
        if (!attempts.mayBegin() || !reserve.mayTry() || attempts.made.length >= options.leaves) break;
        await grow(episode, { branch: next, branches, attempts, options });
      }
      return attempts.conclude(first);
    },
  };
}

/** Takes the likeliest action, and notes the others that are nearly as likely. */
async function chooseAndBranch(episode: Episode, options: LatrOptions, branches: Branch[]): Promise<Proposal | null> {
  const { proposals } = await propose(episode, { width: options.branches + 1, samples: options.samples });
  const [top, ...others] = proposals;
  if (top === undefined) return null;
  for (const decision of branchable(top, others, options)) branches.push({ from: episode.at(), decision });
  return top;
}

/** Actions above the least probability that are within reach of the likeliest one. */
export function branchable(
  top: Pick<Proposal, 'prior'>,
  others: readonly Proposal[],
  { least, within, branches }: Pick<LatrOptions, 'least' | 'within' | 'branches'>,
): Proposal[] {
  return others.filter(({ prior }) => prior > least && top.prior - prior < within).slice(0, branches);
}

interface Growth {
  readonly branch: Branch;
  readonly branches: Branch[];
  readonly attempts: Attempts;
  readonly options: LatrOptions;
}

async function grow(episode: Episode, { branch, branches, attempts, options }: Growth): Promise<void> {
  await goTo(episode, branch.from);
  if (episode.left('steps') <= 0) return;
  const begun = await episode.step(branch.decision);
  const taken: TreeNode[] = [begun];
  while (taken.length < options.lookahead && episode.ended() === null && episode.left('steps') > 0) {
    const next = await chooseAndBranch(episode, options, []);
    if (next === null) break;
    taken.push(await episode.step(next));
  }
  const sibling = siblingOf(episode, begun, taken.length);
  if (isSame(taken, sibling, options.similar)) return;
  await attempts.run({ choose: cursor => chooseAndBranch(cursor, options, branches) });
}

/** The first way from the same state that was taken before, as far as it goes. */
function siblingOf({ tree }: Episode, begun: TreeNode, length: number): TreeNode[] {
  const way: TreeNode[] = [];
  let next = tree.children(begun.parent).find(({ id }) => id < begun.id);
  while (next !== undefined && way.length < length) {
    way.push(next);
    next = tree.children(next.id)[0];
  }
  return way;
}

/** Whether a branch came to a state of its sibling, or by nearly the same actions. Actions to an end are not compared. */
export function isSame(taken: readonly TreeNode[], sibling: readonly TreeNode[], similar: number): boolean {
  const last = taken.at(-1);
  if (sibling.some(({ after, outcome }) => outcome.end === undefined && after === last?.after)) return true;
  if ([...taken, ...sibling].some(({ outcome }) => outcome.end !== undefined)) return false;
  const keys = (nodes: readonly TreeNode[]): string[] => nodes.map(({ action }) => actionKey(action));
  return similarity(keys(taken), keys(sibling)) > similar;
}

/** 1 − edit distance over the longer length. */
export function similarity(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 && b.length === 0) return 1;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, one] of a.entries()) {
    const next = [i + 1];
    for (const [j, other] of b.entries())
      next.push(
        Math.min((next[j] as number) + 1, (row[j + 1] as number) + 1, (row[j] as number) + Number(one !== other)),
      );
    row = next;
  }
  return 1 - (row[b.length] as number) / Math.max(a.length, b.length);
}

export const latr = defineStrategy({
  name: 'latr',
  about: 'Rollouts that branch where the student is unsure, look ahead, and prune branches that come out alike.',
  asksTeacher: false,
  evaluates: true,
  options: z.object({
    leaves: counting.default(6).describe('rollouts at most'),
    samples: counting.default(4).describe('questions in a state, to a student that names one action only'),
    least: share.default(0.15).describe('least probability of an action that is branched to'),
    within: share.default(0.25).describe('most that it may be below the likeliest'),
    branches: counting.default(2).describe('branches in a state'),
    lookahead: counting.default(3).describe('steps before a branch is compared with its sibling'),
    similar: share.default(0.6).describe('branches that share more of their actions than this are pruned'),
  }),
  create: createLatr,
});
