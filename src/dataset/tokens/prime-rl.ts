import { columns, type Row, type Table } from '../rows/columns.ts';
import { aboutColumns, aboutOf } from './about.ts';
import type { TokenSegment } from './token-segment.ts';

/** prime-rl's `TrainingSample`: prompt and completion in one, with every list as long as that. */
export const primeRl: Table = {
  name: 'tokens-prime-rl',
  columns: [
    ...columns({
      token_ids: 'ints',
      mask: 'booleans',
      logprobs: 'floats?',
      temperatures: 'floats?',
      env_name: 'string',
    }),
    ...aboutColumns,
  ],
};

export function primeRlRows(segments: readonly TokenSegment[]): readonly Row[] {
  return segments.map(segment => {
    const { prompt, completion, kinds, leaf } = segment;
    const logprobs = segment.logprobs === null ? null : [...prompt.map(() => 0), ...segment.logprobs];
    const temperatures = temperaturesOf(segment);
    return {
      token_ids: [...prompt, ...completion],
      mask: [...prompt.map(() => false), ...kinds.map(kind => kind === 'action')],
      logprobs,
      temperatures,
      env_name: leaf.record.head.task.environment,
      ...aboutOf(segment, { logprobs, temperatures }),
      ...wholeCredit(segment),
    };
  });
}

/** As long as prompt and completion together, like every list of this trainer. */
function wholeCredit({ prompt, credit }: TokenSegment) {
  if (credit === undefined) return {};
  const before = prompt.map(() => 0);
  const { advantages, mask, observationWeights } = credit;
  return {
    advantages: [...before, ...advantages],
    advantage_mask: [...before, ...mask],
    observation_weights: observationWeights === null ? null : [...before, ...observationWeights],
  };
}

/** Tokens that were not sampled have the temperature of the next that was; null when one was left to the server. */
function temperaturesOf({ prompt, turns }: TokenSegment): readonly number[] | null {
  const temperatures: number[] = [];
  for (const { call, end } of turns) {
    const { temperature } = call.sampling;
    if (temperature === undefined) return null;
    while (temperatures.length < prompt.length + end) temperatures.push(temperature);
  }
  return temperatures;
}
