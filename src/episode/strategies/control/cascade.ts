import { z } from 'zod';
import { readScreen } from '../../../core/episode/screen-text.ts';
import type { TreeNode } from '../../../core/tree.ts';
import type { Episode } from '../../verbs/episode.ts';
import { counting, defineStrategy } from '../definition.ts';
import { advance, conclude, type Strategy } from '../strategy.ts';
import { stuckAt, type StuckRule } from './monitors.ts';

interface CascadeOptions extends StuckRule {
  /** Steps of the teacher after an escalation. */
  readonly handover: number;
  /** Whether the teacher reviews the steps up to each new heading. */
  readonly milestones: boolean;
}

/**
 * The student acts. Two monitors watch it: one of being stuck, which gives a few steps to the teacher, and one of milestones, at
 * which the teacher looks at what was done since the last one. Teacher's steps and reviews are what it costs.
 */
function createCascade(options: CascadeOptions): Strategy {
  return {
    name: `cascade ${options.same}/${options.returns}/${options.idle}`,
    asksTeacher: true,
    limits: { interventions: 30 },
    run: async episode => conclude(episode, await lead(episode, options)),
  };
}

async function lead(episode: Episode, options: CascadeOptions): Promise<string | null> {
  let heading = await headingOf(episode);
  let since = episode.at();
  /** Where the last escalation ended: what lies before it does not count as stuck again. */
  let handed = 0;
  while (episode.ended() === null && episode.left('steps') > 0) {
    if ((await advance(episode)) === null && !(await escalate(episode, 'unusable output', options.handover)))
      return 'unusable output';
    const path = episode.tree.path(episode.at());
    const reason = stuckAt(path.slice(handed), startOf(episode, path, handed), options);
    if (reason !== null) {
      await escalate(episode, reason, options.handover);
      handed = episode.tree.path(episode.at()).length;
    }
    const now = await headingOf(episode);
    if (now === heading || !options.milestones) continue;
    heading = now;
    await checkMilestone(episode, since);
    since = episode.at();
  }
  return episode.ended() === 'terminated' ? null : 'out of steps';
}

function startOf({ tree }: Episode, path: readonly TreeNode[], at: number): string {
  return at === 0 ? tree.root : (path[at - 1]?.after ?? tree.root);
}

/** Gives a few steps to the teacher. False when it took none. */
async function escalate(episode: Episode, reason: string, steps: number): Promise<boolean> {
  let taken = 0;
  while (taken < steps && episode.ended() === null && episode.left('steps') > 0 && episode.left('interventions') > 0) {
    if ((await episode.correct({ reason, replaces: null })) === null) break;
    taken++;
  }
  return taken > 0;
}

/** The teacher looks at the steps since the last milestone; what it rejects is rolled back and corrected. */
async function checkMilestone(episode: Episode, since: number): Promise<void> {
  const path = episode.tree.path(episode.at());
  const branch = path.slice(path.findIndex(({ id }) => id === since) + 1);
  if (branch.length === 0 || episode.ended() !== null || episode.left('reviews') <= 0) return;
  const ruling = await episode.review(branch, { context: 3, verdict: null });
  if (ruling.accept || episode.left('interventions') <= 0 || episode.left('taken') <= 0) return;
  await episode.rollback(ruling.at.parent);
  await episode.correct({ reason: ruling.reason, replaces: ruling.at });
}

/** The first heading of the screen: another one is a milestone. */
async function headingOf(episode: Episode): Promise<string> {
  const { text } = await episode.look();
  return readScreen(text).find(({ role }) => role === 'heading')?.name ?? '';
}

export const cascade = defineStrategy({
  name: 'cascade',
  about: 'The student acts; monitors of being stuck and of milestones call the teacher, for a few steps or a look.',
  asksTeacher: true,
  evaluates: false,
  options: z.object({
    same: counting.default(3).describe('identical actions in a row that count as stuck'),
    returns: counting.default(2).describe('returns to a state that count as stuck'),
    idle: counting.default(4).describe('steps without a new state that count as stuck'),
    handover: counting.default(3).describe('steps of the teacher when the student is stuck'),
    milestones: z.boolean().default(true).describe('let the teacher look at the steps up to each new heading'),
  }),
  create: createCascade,
});
