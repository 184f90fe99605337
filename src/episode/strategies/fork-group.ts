import { invalidOption } from '../../core/errors.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { Episode } from '../verbs/episode.ts';
import { failureReason, runAlone, type Strategy } from './strategy.ts';

export interface ForkGroupOptions {
  /** Attempts in all: each ends in a verified leaf. */
  readonly attempts?: number;
  /** Attempts that begin at the start; the others fork from their paths. */
  readonly starts?: number;
}

/**
 * A group of attempts that share prefixes. A few begin at the start. The others fork from the states of those paths in
 * which the student was least sure, so that a group compares different actions in the same states. The first attempt is
 * the result of the episode: it was chosen without looking at verdicts.
 */
export function createForkGroup({ attempts = 8, starts = 2 }: ForkGroupOptions = {}): Strategy {
  requireCount('attempts', attempts);
  requireCount('starts', starts);
  return {
    name: `fork-group-${attempts}`,
    asksTeacher: false,
    async run(episode) {
      const most = Math.min(attempts, episode.left('leaves'));
      const first = await attemptFrom(episode, 0);
      const begun = [first];
      while (begun.length < Math.min(starts, most)) begun.push(await attemptFrom(episode, 0));
      const paths = begun.map(({ leaf }) => unsureFirst(episode.tree.path(leaf)));
      for (let made = begun.length, turn = 0; made < most; made++, turn++) {
        const states = paths[turn % paths.length] as readonly number[];
        const state = states[Math.floor(turn / paths.length) % Math.max(1, states.length)] ?? 0;
        await attemptFrom(episode, state);
      }
      const { leaf, verdict, stopped } = first;
      return { kind: 'verified', leaf, verdict, reason: failureReason(verdict, stopped) };
    },
  };
}

async function attemptFrom(episode: Episode, node: number) {
  if (episode.at() !== node) await episode.rollback(node);
  const stopped = await runAlone(episode);
  const verdict = await episode.verify();
  episode.leaf({ role: 'sample', verdict, from: null });
  return { leaf: episode.at(), verdict, stopped };
}

/** The states that the steps were taken in: those with the highest entropy first, then the earlier. */
function unsureFirst(path: readonly TreeNode[]): number[] {
  return path.toSorted((a, b) => (b.entropy ?? 0) - (a.entropy ?? 0)).map(({ parent }) => parent);
}

function requireCount(what: string, count: number): void {
  if (Number.isInteger(count) && count > 0) return;
  throw invalidOption(`fork-group was given ${count} as ${what}.`, 'Expected a whole number above 0.');
}
