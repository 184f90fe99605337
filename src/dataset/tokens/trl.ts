import { columns, type Row, type Table } from '../rows/columns.ts';
import { aboutColumns, aboutOf, actionMask } from './about.ts';
import type { TokenSegment } from './token-segment.ts';

/** What `rollout_func` of TRL's GRPOTrainer returns, a row for each completion. */
export const trl: Table = {
  name: 'tokens-trl',
  columns: [
    ...columns({ prompt_ids: 'ints', completion_ids: 'ints', logprobs: 'floats?', env_mask: 'ints' }),
    ...aboutColumns,
  ],
};

export function trlRows(segments: readonly TokenSegment[]): readonly Row[] {
  return segments.map(segment => {
    const { prompt, completion, logprobs } = segment;
    return {
      prompt_ids: prompt,
      completion_ids: completion,
      logprobs,
      env_mask: actionMask(segment),
      ...aboutOf(segment, { logprobs }),
    };
  });
}
