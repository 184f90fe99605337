import type { ModelCall } from '../../../core/chat/model.ts';
import type { EpisodeRecord } from '../../../core/episode/record.ts';
import { tokenSegmentsOf, type TokenSegment } from '../../../dataset/tokens/token-segment.ts';
import type { RefusedRow, RolloutTrace } from '../../rollouts/contract.ts';
import { ImpossibleLogprobError, requireOwnLogprobs, StaleLogprobsError } from '../../rollouts/token-versions.ts';
import type { CallVersions } from './pausable-model.ts';

export interface Traces {
  readonly traces: readonly RolloutTrace[];
  readonly refused: readonly RefusedRow[];
}

/** The training rows of an episode; those whose log probabilities are of another version are refused. */
export function tracesOf(
  record: EpisodeRecord,
  readCall: (address: string) => ModelCall,
  versions: readonly CallVersions[],
): Traces {
  const { stretches, left } = tokenSegmentsOf(record, readCall);
  const traces: RolloutTrace[] = [];
  const refused: RefusedRow[] = [...new Set(left)].map(message => ({ code: 'no-tokens', message }));
  for (const segment of stretches) {
    const trace = traceOf(segment, versions);
    try {
      requireOwnLogprobs(trace);
      traces.push(trace);
    } catch (cause) {
      if (cause instanceof StaleLogprobsError) refused.push({ code: 'stale-logprobs', message: cause.message });
      else if (cause instanceof ImpossibleLogprobError)
        refused.push({ code: 'impossible-logprobs', message: cause.message });
      else throw cause;
    }
  }
  return { traces, refused };
}

function traceOf(segment: TokenSegment, versions: readonly CallVersions[]): RolloutTrace {
  const { prompt, completion, kinds, logprobs, turns, leaf } = segment;
  const [policy_versions, logprob_versions]: [number[], number[]] = [[], []];
  for (const { place, end } of turns) {
    const { sent, received } = versions[place] ?? { sent: -1, received: -2 };
    // What stands before a turn was read with it.
    while (policy_versions.length < end) policy_versions.push(sent);
    while (logprob_versions.length < end) logprob_versions.push(received);
  }
  return {
    prompt_ids: prompt,
    response_ids: completion,
    loss_mask: kinds.map(kind => Number(kind === 'action')),
    response_logprobs: logprobs,
    policy_versions,
    logprob_versions,
    finish_reason: turns.at(-1)?.call.reply.finish ?? 'stop',
    reward: leaf.verdict === null ? null : Number(leaf.verdict.pass),
  };
}
