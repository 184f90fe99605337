import type { Decision } from '../../core/episode/agents.ts';
import type { Verdict } from '../../core/records.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { Limits } from '../cursor/budget.ts';
import { failureReason } from '../cursor/result.ts';
import type { Episode } from '../verbs/episode.ts';
import { isUsable, type Usable } from '../verbs/questions.ts';

/** How a strategy says an episode ended: verified, or given up by its rules. */
export type Conclusion =
  | { readonly kind: 'verified'; readonly leaf: number; readonly verdict: Verdict; readonly reason: string | null }
  | { readonly kind: 'discarded'; readonly leaf: number; readonly reason: string };

/** The controller of one episode: all that it may do are the verbs of the episode. */
export interface Strategy {
  readonly name: string;
  /** Whether it needs a teacher. */
  readonly asksTeacher: boolean;
  /** Limits that it needs, where a run would set others by default: of leaves and forks, say. */
  readonly limits?: Partial<Limits>;
  run(episode: Episode): Promise<Conclusion>;
}

/** Answers in a row without a usable action, after which the student is not asked again. */
export const mostUnusable = 3;

/** What the student would do; null when it has nothing usable to offer. */
export async function decide(episode: Episode, hint?: string): Promise<Usable | null> {
  const decision = await decisionOrReason(episode, hint);
  return typeof decision === 'string' ? null : decision;
}

/** Why a student has nothing to offer: it may not be asked, or said nothing that can be used. */
export function whyNothing(episode: Episode): string {
  if (episode.left('queries') > 0) return 'unusable output';
  return episode.left('tokens') > 0 ? 'out of queries' : 'out of tokens';
}

/** What the student would do, or why it has nothing to offer. */
async function decisionOrReason(episode: Episode, hint?: string): Promise<Usable | string> {
  let problem: string | undefined;
  for (let asked = 0; asked < mostUnusable; asked++) {
    if (episode.left('queries') <= 0) return whyNothing(episode);
    const decision = await episode.act(hint);
    if (isUsable(decision)) return decision;
    problem = decision.problem ?? problem;
  }
  return problem === undefined ? 'unusable output' : `unusable output: ${problem}`;
}

/** One step of the student; null when it had nothing usable to offer. */
export async function advance(episode: Episode, hint?: string): Promise<TreeNode | null> {
  const decision = await decide(episode, hint);
  return decision === null ? null : episode.step(decision);
}

/** Asks the students of several cursors at once. When one fails, the others are waited for all the same. */
export async function actTogether(cursors: readonly Episode[]): Promise<readonly Decision[]> {
  const answers = await Promise.allSettled(cursors.map(cursor => cursor.act()));
  return answers.map(answer => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  });
}

/** Lets the student go on to its end by itself, and says what stopped it; null when it finished. */
export async function runAlone(episode: Episode, hint?: string): Promise<string | null> {
  while (episode.ended() === null && episode.left('steps') > 0) {
    const decision = await decisionOrReason(episode, hint);
    if (typeof decision === 'string') return decision;
    await episode.step(decision);
  }
  return episode.ended() === 'terminated' ? null : 'out of steps';
}

/** Asks the verifier where the episode stands, and ends it there. */
export async function conclude(episode: Episode, stopped: string | null): Promise<Conclusion> {
  const verdict = await episode.verify();
  episode.leaf({ role: 'main', verdict, from: null });
  return { kind: 'verified', leaf: episode.at(), verdict, reason: failureReason(verdict, stopped) };
}

/** Goes to a node, unless it stands there. */
export async function goTo(episode: Episode, node: number): Promise<void> {
  if (episode.at() !== node) await episode.rollback(node);
}

export { failureReason };
