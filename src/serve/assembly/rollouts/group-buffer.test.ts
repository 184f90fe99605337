import { describe, expect, it } from 'vitest';
import { batchSchema, type SessionResult } from '../../rollouts/contract.ts';
import { createGroupBuffer, type FinishedGroup } from './group-buffer.ts';

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

function resultOf(task_id: string, sample: number, reward = 1): SessionResult {
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

const groupOf = (task: string, rewards: readonly number[], more: Partial<FinishedGroup> = {}): FinishedGroup => ({
  task,
  subject: 'library/lend-to-reader/3',
  trainer: null,
  results: rewards.map((reward, sample) => resultOf(task, sample, reward)),
  ...more,
});

const all = batchSchema.parse({ groups: 9, max_staleness: 9, order: 'arrival' });

describe('groups in the buffer', () => {
  it('[RAS-4] have ids of their own, also when the name of a task looks like the part of another', () => {
    const buffer = createGroupBuffer();
    for (const task of ['g', 'g', 'g#2', 'g%232']) buffer.add(groupOf(task, [1]));
    const ids = buffer.take(all, 0).groups.map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual(['g', 'g#2']);
    expect(new Set(ids).size).toBe(4);
  });

  it('[RAS-13] get a success of an earlier group on the same task when they have none', () => {
    const buffer = createGroupBuffer();
    buffer.add(groupOf('first', [0, 1]));
    buffer.take(all, 0);
    buffer.add(groupOf('second', [0, 0]));
    buffer.add(groupOf('elsewhere', [0], { subject: 'library/return-book/1' }));
    const { groups } = buffer.take({ ...all, add_pool_success: true, drop_equal_rewards: true }, 0);
    expect(groups.map(({ id, results }) => [id, results.map(({ session_id: of, reward }) => [of, reward])])).toEqual([
      [
        'second',
        [
          ['second/0', 0],
          ['second/1', 0],
          ['first/1', 1],
        ],
      ],
    ]);
    // One that is too old for the batch stays out.
    buffer.add(groupOf('third', [0]));
    expect(buffer.take({ ...all, max_staleness: 0, add_pool_success: true }, 1).expired).toBe(1);
  });

  it('[RAS-13] of other trainers are shared, and stay for those', () => {
    const buffer = createGroupBuffer();
    for (const trainer of ['a', 'b', 'c']) buffer.add(groupOf(`of-${trainer}`, [1, 0], { trainer }));
    const { groups, kept } = buffer.take({ ...all, trainer: 'a', shared_groups: 1 }, 0);
    expect([groups.map(({ shared }) => shared), groups[0]?.id, kept]).toEqual([[false, true], 'of-a', 0]);
    expect(buffer.size()).toBe(2);
    expect(buffer.take({ ...all, trainer: 'b' }, 0).groups.map(({ id }) => id)).toEqual(['of-b']);
  });

  it('[RAS-13] have the surest steps of their rows left out of the loss', () => {
    const buffer = createGroupBuffer();
    const [result] = groupOf('g', [1]).results as [SessionResult];
    const row = {
      ...trace,
      loss_mask: [1, 1, 0, 1, 0, 1, 1],
      response_logprobs: [-0.1, -0.1, 0, -2, 0, -0.5, -0.3],
    };
    const results = [{ ...result, trajectory: { status: 'completed', traces: [row] } as const }];
    buffer.add(groupOf('g', [], { results }));
    const [group] = buffer.take({ ...all, step_share: 0.5 }, 0).groups;
    // Means 0.1, 2 and 0.4: the upper half of three steps is two.
    expect(group?.results[0]?.trajectory.traces[0]?.loss_mask).toEqual([0, 0, 0, 1, 0, 1, 1]);
  });
});
