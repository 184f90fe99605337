import { columns, type Row, type Table } from '../rows/columns.ts';
import { aboutColumns, aboutOf, actionMask, rewardOf } from './about.ts';
import type { TokenSegment } from './token-segment.ts';

/** verl's `AgentLoopOutput`. */
export const verl: Table = {
  name: 'tokens-verl',
  columns: [
    ...columns({
      prompt_ids: 'ints',
      response_ids: 'ints',
      response_mask: 'ints',
      response_logprobs: 'floats?',
      reward_score: 'float',
      num_turns: 'int',
      metrics: 'object',
    }),
    ...aboutColumns,
  ],
};

export function verlRows(segments: readonly TokenSegment[]): readonly Row[] {
  return segments.map(segment => {
    const { prompt, completion, logprobs, turns } = segment;
    const messages = turns.at(-1)?.call.messages ?? [];
    return {
      prompt_ids: prompt,
      response_ids: completion,
      response_mask: actionMask(segment),
      response_logprobs: logprobs,
      reward_score: rewardOf(segment),
      // Of the user, the assistant and tools, the last answer included.
      num_turns: messages.filter(({ role }) => role !== 'system').length + 1,
      // Times of generation and tools: none that verl would have measured.
      metrics: {},
      ...aboutOf(segment, { response_logprobs: logprobs }),
    };
  });
}
