import type { Finish } from '../../core/chat/chat.ts';
import { columns, type Row, type Table } from '../rows/columns.ts';
import { aboutColumns, aboutOf, groupOf, rewardOf } from './about.ts';
import type { TokenCredit, TokenSegment, Turn } from './token-segment.ts';

/**
 * SkyRL's `GeneratorOutput` for step-wise training: each column is one of its lists, each row one answer of the model.
 * The two parts of its `trajectory_ids` have a column each.
 */
export const skyrl: Table = {
  name: 'tokens-skyrl',
  columns: [
    ...columns({
      prompt_token_ids: 'ints',
      response_ids: 'ints',
      rewards: 'floats',
      loss_masks: 'ints',
      stop_reasons: 'string',
      rollout_logprobs: 'floats?',
      instance_id: 'string',
      repetition_id: 'int',
      is_last_step: 'boolean',
    }),
    ...aboutColumns,
  ],
};

const stopReasons: Readonly<Record<Finish, string>> = {
  stop: 'stop',
  calls: 'tool_calls',
  length: 'length',
  filter: 'content_filter',
};

/** The answers on the way to one leaf are one trajectory: next to each other, the reward on the last token of the last. */
export function createSkyrlRows(): (segments: readonly TokenSegment[]) => readonly Row[] {
  const tries = new Map<string, number>();
  return segments => {
    const rows: Row[] = [];
    for (const own of Map.groupBy(segments, ({ leaf }) => leaf.leaf).values()) {
      const steps = own
        .flatMap(segment => answersOf(segment).map(turn => alone(segment, turn)))
        .toSorted((left, right) => left.turns[0].place - right.turns[0].place);
      const instance = groupOf(own[0] as TokenSegment);
      const repetition = tries.get(instance) ?? 0;
      tries.set(instance, repetition + 1);
      for (const [index, step] of steps.entries()) {
        const isLast = index === steps.length - 1;
        rows.push(rowOf(step, { instance_id: instance, repetition_id: repetition, is_last_step: isLast }));
      }
    }
    return rows;
  };
}

function answersOf({ turns }: TokenSegment): readonly Turn[] {
  return turns.filter(({ start, end }) => end > start);
}

/** One answer of a segment as a segment by itself. */
function alone(segment: TokenSegment, turn: Turn): TokenSegment {
  const { start, end } = turn;
  return {
    ...segment,
    prompt: [...segment.prompt, ...segment.completion.slice(0, start)],
    completion: segment.completion.slice(start, end),
    kinds: segment.kinds.slice(start, end),
    logprobs: segment.logprobs?.slice(start, end) ?? null,
    ...(segment.credit === undefined ? {} : { credit: slicedCredit(segment.credit, turn) }),
    turns: [{ ...turn, start: 0, end: end - start }],
  };
}

function slicedCredit(credit: TokenCredit, { start, end }: Turn): TokenCredit {
  return {
    ...credit,
    advantages: credit.advantages.slice(start, end),
    mask: credit.mask.slice(start, end),
    observationWeights: credit.observationWeights?.slice(start, end) ?? null,
  };
}

type Place = Readonly<{ instance_id: string; repetition_id: number; is_last_step: boolean }>;

function rowOf(step: TokenSegment, place: Place): Row {
  const { prompt, completion, logprobs, turns } = step;
  const rewards = completion.map(() => 0);
  if (place.is_last_step) rewards[rewards.length - 1] = rewardOf(step);
  return {
    prompt_token_ids: prompt,
    response_ids: completion,
    rewards,
    loss_masks: completion.map(() => 1),
    stop_reasons: stopReasons[turns[0].call.reply.finish],
    rollout_logprobs: logprobs,
    ...place,
    ...aboutOf(step, { rollout_logprobs: logprobs }),
  };
}
