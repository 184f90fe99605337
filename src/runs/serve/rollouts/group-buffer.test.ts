import { describe, expect, it } from 'vitest';
import type { SessionResult } from '../../../server/rollouts/contract.ts';
import { createGroupBuffer } from './group-buffer.ts';

const trace = {
  prompt_ids: [1],
  response_ids: [2],
  loss_mask: [1],
  response_logprobs: [-1],
  policy_versions: [0],
  logprob_versions: [0],
  finish_reason: 'stop',
  reward: 1,
};

export function resultOf(task_id: string, sample: number, reward = 1): SessionResult {
  return {
    session_id: `${task_id}/${sample}`,
    task_id,
    sample,
    status: 'completed',
    episode: `rollout/${task_id}/${sample}/1`,
    reward,
    trajectory: { status: 'completed', traces: [{ ...trace, reward }] },
    refused: [],
    min_version: 0,
    timing: { run_ms: 1, paused: 0 },
    error: null,
  };
}

const all = { groups: 9, max_staleness: 9, order: 'arrival', drop_equal_rewards: false } as const;

describe('groups in the buffer', () => {
  it('[RAS-4] have ids of their own, also when the name of a task looks like the part of another', () => {
    const buffer = createGroupBuffer();
    buffer.add('g', [resultOf('g', 0)]);
    buffer.add('g', [resultOf('g', 1)]);
    buffer.add('g#2', [resultOf('g#2', 0)]);
    buffer.add('g%232', [resultOf('g%232', 0)]);
    const ids = buffer.take(all, 0).groups.map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual(['g', 'g#2']);
    expect(new Set(ids).size).toBe(4);
  });
});
