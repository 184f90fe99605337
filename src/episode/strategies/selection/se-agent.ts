import { z } from 'zod';
import type { TreeNode } from '../../../core/tree.ts';
import type { Episode } from '../../verbs/episode.ts';
import { createAttempts, type Attempt, type Attempts } from '../attempts.ts';
import { counting, defineStrategy } from '../definition.ts';
import { best } from '../judging.ts';
import { leastSureFirst, untriedHere } from '../search/simple-tes.ts';
import { goTo, type Strategy } from '../strategy.ts';
import { attemptsFromStart } from './judged.ts';
import { distil } from './tournament.ts';

interface SeAgentOptions {
  readonly attempts: number;
  readonly iterations: number;
  readonly samples: number;
}

/** Evolves whole attempts: revises one, recombines two, refines one; then keeps the best. */
function createSeAgent({ attempts: count, iterations, samples }: SeAgentOptions): Strategy {
  return {
    name: `se-agent-${count}+${iterations}`,
    asksTeacher: false,
    limits: { leaves: count + iterations * 3 },
    async run(episode) {
      const attempts = createAttempts(episode);
      await attemptsFromStart(episode, attempts, { count });
      for (let made = 0; made < iterations && attempts.mayBegin(); made++) {
        await revise(episode, attempts, samples);
        if (attempts.mayBegin()) await recombine(episode, attempts);
        if (attempts.mayBegin()) await refine(episode, attempts);
      }
      return attempts.conclude(best(attempts.made));
    },
  };
}

/** The attempt that looks worst, from the state in which the student was least sure, with another action there. */
async function revise(episode: Episode, attempts: Attempts, samples: number): Promise<void> {
  const worst = attempts.made.toSorted((a, b) => Number(best([a, b]) === a) - Number(best([b, a]) === b))[0] as Attempt;
  const [state] = leastSureFirst(episode.tree.path(worst.leaf));
  if (state === undefined) return;
  await goTo(episode, state);
  const other = await untriedHere(episode, samples);
  if (other === null || episode.left('steps') <= 0) return;
  await episode.step(other);
  await attempts.run({ hint: distil([worst]) }, 'revision');
}

/** Where two attempts cross: the beginning of the one that came there sooner, and the end of the other. */
export function crossing(one: readonly TreeNode[], other: readonly TreeNode[]): Crossing | null {
  for (const [at, { after, outcome }] of one.entries()) {
    if (outcome.end !== undefined) continue;
    const there = other.findIndex(step => step.after === after && step.outcome.end === undefined);
    const isShared = there === at && other[there]?.id === one[at]?.id;
    if (there < 0 || isShared || at === there) continue;
    const [short, long] = at < there ? [one.slice(0, at + 1), other] : [other.slice(0, there + 1), one];
    const rest = long.slice(Math.max(at, there) + 1);
    return { from: (short.at(-1) as TreeNode).id, rest };
  }
  return null;
}

interface Crossing {
  readonly from: number;
  readonly rest: readonly TreeNode[];
}

async function recombine(episode: Episode, attempts: Attempts): Promise<void> {
  const paths = attempts.made.map(({ leaf }) => episode.tree.path(leaf));
  for (const [at, one] of paths.entries()) {
    for (const other of paths.slice(at + 1)) {
      const found = crossing(one, other);
      if (found === null || found.rest.length === 0) continue;
      await goTo(episode, found.from);
      await retake(episode, found.rest);
      await attempts.run({}, 'recombination');
      return;
    }
  }
}

/** The best attempt again, without the steps that were refused or led back. */
async function refine(episode: Episode, attempts: Attempts): Promise<void> {
  const path = episode.tree.path(best(attempts.made).leaf);
  const kept = withoutDetours(path);
  if (kept.length === path.length) return;
  await goTo(episode, 0);
  await retake(episode, kept);
  await attempts.run({}, 'refinement');
}

/** The steps of a path that lead on: none that was refused, and none between two visits of the same state. */
export function withoutDetours(path: readonly TreeNode[]): TreeNode[] {
  const kept: TreeNode[] = [];
  for (const step of path) {
    if (!step.outcome.applied) continue;
    const back = kept.findIndex(({ before }) => before === step.after);
    if (back >= 0 && step.outcome.end === undefined) kept.splice(back);
    else kept.push(step);
  }
  return kept;
}

/** Takes recorded steps again, as long as they are accepted. */
async function retake(episode: Episode, steps: readonly TreeNode[]): Promise<void> {
  for (const { action, prior, value, confidence } of steps) {
    if (episode.ended() !== null || episode.left('steps') <= 0) return;
    const remarks = { ...(prior === undefined ? {} : { prior }), ...(value === undefined ? {} : { value }) };
    const { outcome } = await episode.step({ action, ...remarks, ...(confidence === undefined ? {} : { confidence }) });
    if (!outcome.applied) return;
  }
}

export const seAgent = defineStrategy({
  name: 'se-agent',
  about: 'Whole attempts that are revised, recombined where they cross, and refined without detours; the best is kept.',
  asksTeacher: false,
  evaluates: true,
  options: z.object({
    attempts: counting.default(3).describe('attempts to begin with'),
    iterations: counting.default(1).describe('times that all three operators are applied'),
    samples: counting.default(4).describe('questions in a state, to a student that names one action only'),
  }),
  create: createSeAgent,
});
