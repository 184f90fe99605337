import { EspalierError } from '../core/errors.ts';
import type { Verdict } from '../core/records.ts';
import type { Conclusion } from './strategies/strategy.ts';
import type { Episode } from './verbs/episode.ts';

/** What a strategy hears of the verifier while a student is evaluated: nothing. */
const unsaid: Verdict = {
  pass: false,
  checks: [],
  progress: 0,
  clean: true,
  evidence: { sideEffects: [], answer: null },
};

export interface VeiledEpisode {
  readonly episode: Episode;
  /** The conclusion with the verdict on its leaf. */
  unveil(conclusion: Conclusion): Conclusion;
}

/** An episode whose strategy sees no verdict: the journal has them, and whoever chooses a leaf chooses without. */
export function veilVerdicts(open: Episode): VeiledEpisode {
  const verdicts = new Map<number, Verdict>();
  const veiled = (episode: Episode): Episode => ({
    ...episode,
    async verify() {
      verdicts.set(episode.at(), await episode.verify());
      return unsaid;
    },
    leaf: leaf => episode.leaf({ ...leaf, verdict: verdicts.get(episode.at()) ?? leaf.verdict }),
    fork: async () => veiled(await episode.fork()),
  });
  return {
    episode: veiled(open),
    unveil(conclusion) {
      if (conclusion.kind === 'discarded') return conclusion;
      const verdict = verdicts.get(conclusion.leaf);
      if (verdict === undefined) throw notVerified(conclusion.leaf);
      return { ...conclusion, verdict, reason: verdict.pass ? null : conclusion.reason };
    },
  };
}

function notVerified(leaf: number): EspalierError {
  return new EspalierError({
    boundary: 'strategy',
    code: 'out-of-range',
    message: `The strategy ended at node ${leaf}, which it did not verify.`,
    expected: 'Expected a leaf at which verify() was called.',
  });
}
