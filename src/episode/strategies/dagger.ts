import { actionKey } from '../../core/action.ts';
import type { Episode } from '../verbs/episode.ts';
import { decide, failureReason, whyNothing, type Strategy } from './strategy.ts';

/**
 * DAgger: the student leads, and the teacher says in every state what it would do there. Its step is taken, recorded and rolled
 * back; the student's own step follows. Where the teacher finishes, so does the episode.
 */
export function createDagger(): Strategy {
  return {
    name: 'dagger',
    asksTeacher: true,
    limits: { interventions: 30 },
    async run(episode) {
      const stopped = await lead(episode);
      const verdict = await episode.verify();
      episode.leaf({ role: 'main', verdict, from: null });
      return { kind: 'verified', leaf: episode.at(), verdict, reason: failureReason(verdict, stopped) };
    },
  };
}

/** Every state takes two steps: the teacher's, which is rolled back, and the student's. */
const inState = 2;

async function lead(episode: Episode): Promise<string | null> {
  const hasMeans = (): boolean => episode.left('taken') >= inState && episode.left('interventions') > 0;
  while (episode.ended() === null && episode.left('steps') > 0 && hasMeans()) {
    const decision = await decide(episode);
    // Its answer may have taken the last tokens.
    if (decision === null || !hasMeans()) return whyNothing(episode);
    const here = episode.at();
    const label = await episode.correct({ reason: 'what the teacher does here', replaces: null });
    if (label === null) return 'the teacher knows no step';
    if (episode.ended() !== null || actionKey(label.action) === actionKey(decision.action)) continue;
    await episode.rollback(here);
    await episode.step(decision);
  }
  if (episode.ended() === 'terminated') return null;
  return episode.left('interventions') > 0 ? 'out of steps' : 'out of interventions';
}
