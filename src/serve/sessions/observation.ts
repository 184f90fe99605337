import type { StepOutcome } from '../../core/records.ts';
import type { BranchEnd } from '../../episode/driven/branches.ts';
import type { ServedSession } from './served-session.ts';

/** What the environment answers to a reset and to a step. */
export interface StepResult {
  readonly observation: object;
  readonly reward: number | null;
  readonly done: boolean;
}

/** 1 for a pass, 0 for none; null where there is no verdict. */
export function rewardOf(end: Pick<BranchEnd, 'verdict'> | null): number | null {
  return end === null || end.verdict === null ? null : Number(end.verdict.pass);
}

/** What there is to see where the session stands. A session that has ended shows nothing more. */
export async function look({ episode }: ServedSession, extra: object = {}): Promise<StepResult> {
  const end = episode.end();
  const node = episode.at();
  if (end !== null) {
    const ended = episode.ended() ?? 'truncated';
    return { observation: { ...extra, text: '', node, ended }, reward: rewardOf(end), done: true };
  }
  const { text } = await episode.observe();
  return { observation: { ...extra, text, node }, reward: null, done: false };
}

/** What a step led to. The last step of an episode has it verified. */
export async function afterStep(session: ServedSession, observation: object): Promise<StepResult> {
  const { episode } = session;
  const ended = episode.ended();
  const node = episode.at();
  if (ended === null) return { observation: { ...observation, node }, reward: null, done: false };
  const end = await episode.finish();
  return { observation: { ...observation, node, ended }, reward: rewardOf(end), done: true };
}

/** Why an action was refused; nothing when it was not. */
export function problemIn({ problem }: StepOutcome): object {
  return problem === undefined ? {} : { problem };
}
