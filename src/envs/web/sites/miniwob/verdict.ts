import type { Ending, Verdict } from '../../../../core/records.ts';
import type { MiniwobResult } from './episode.ts';

/** What a page said of its episode, as a verdict. Nothing there says what else may change, so it is always clean. */
export function createMiniwobVerdict({ done, reward, reason }: MiniwobResult, ending: Ending | null): Verdict {
  const pays = done && reward !== null && reward > 0;
  return {
    pass: pays,
    checks: [
      { id: 'ended', name: 'the page has ended the episode', pass: done },
      { id: 'reward', name: done ? rewardText(reward, reason) : 'it gives a reward', pass: pays },
    ],
    progress: done ? Math.min(1, Math.max(0, reward ?? 0)) : 0,
    clean: true,
    evidence: { sideEffects: [], answer: ending?.answer ?? null, sideEffectsKnown: false },
  };
}

function rewardText(reward: number | null, reason: string | null): string {
  const said = reason === null ? '' : `: ${reason}`;
  return `its raw reward of ${reward === null ? 'nothing' : Number(reward.toFixed(4))} is above 0${said}`;
}
