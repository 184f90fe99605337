import { actionKey, type Action } from '../../core/action.ts';
import { invalidOption } from '../../core/errors.ts';
import type { Episode } from '../verbs/episode.ts';
import { isUsable, type Usable } from '../verbs/questions.ts';
import { failureReason, type Strategy } from './strategy.ts';

export interface AlternativesOptions {
  /** K: other actions that are tried in each state of the teacher's path. */
  readonly width?: number;
  /** Whether the teacher takes a step from where each of them led. */
  readonly recover?: boolean;
}

/**
 * The teacher shows the way. In every state on it the student's actions are tried as well, each taken and rolled back: what
 * they lead to is in the tree beside what was right.
 */
export function createAlternatives({ width = 4, recover = false }: AlternativesOptions = {}): Strategy {
  if (!(Number.isInteger(width) && width > 0))
    throw invalidOption(`alternatives was given ${width} as width.`, 'Expected a whole number above 0.');
  return {
    name: `alternatives ${width}${recover ? ' with recovery' : ''}`,
    asksTeacher: true,
    limits: { interventions: recover ? 30 * (width + 1) : 30 },
    async run(episode) {
      const stopped = await show(episode, width, recover);
      const verdict = await episode.verify();
      episode.leaf({ role: 'main', verdict, from: null });
      return { kind: 'verified', leaf: episode.at(), verdict, reason: failureReason(verdict, stopped) };
    },
  };
}

async function show(episode: Episode, width: number, recover: boolean): Promise<string | null> {
  while (episode.ended() === null && episode.left('steps') > 0 && episode.left('interventions') > 0) {
    const here = episode.at();
    const right = await episode.correct({ reason: 'the teacher shows the way', replaces: null });
    if (right === null) return 'the teacher knows no step';
    await episode.rollback(here);
    for (const decision of await others(episode, width, right.action)) {
      if (episode.left('taken') <= 0) break;
      if (episode.at() !== here) await episode.rollback(here);
      await episode.step(decision);
      if (episode.ended() !== null) continue;
      const isRecovered =
        recover &&
        episode.left('steps') > 0 &&
        episode.left('interventions') > 0 &&
        (await episode.correct({ reason: 'back from a step that was tried', replaces: null })) !== null;
      if (!isRecovered) await episode.keepScreen();
    }
    await episode.rollback(right.id);
  }
  if (episode.ended() === 'terminated') return null;
  return episode.left('interventions') > 0 ? 'out of steps' : 'out of interventions';
}

/** What the student would do here, or weighed; each action once, and never the teacher's. It is asked once for each that is wanted. */
async function others(episode: Episode, width: number, right: Action): Promise<readonly Usable[]> {
  const found = new Map([[actionKey(right), null as Usable | null]]);
  for (let asked = 0; asked < width && found.size <= width && episode.left('queries') > 0; asked++) {
    const decision = await episode.act();
    if (!isUsable(decision)) continue;
    for (const one of [decision, ...(decision.alternatives ?? [])])
      if (found.size <= width && !found.has(actionKey(one.action))) found.set(actionKey(one.action), one);
  }
  return [...found.values()].filter(one => one !== null);
}
