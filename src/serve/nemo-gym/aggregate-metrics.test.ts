import { expect, it } from 'vitest';
import { aggregateMetrics, mostNames } from './aggregate-metrics.ts';

/** What `compute_aggregate_metrics` of nemo-gym gives for these, without histograms. */
it('[NG-8] aggregates as NeMo Gym does, with pass@k over tasks', async () => {
  const responses = [1, 0, 0, 1].map((reward, index) => ({
    _ng_task_index: index >> 1,
    _ng_rollout_index: index % 2,
    reward,
    steps: index + 1,
    finished: true,
    note: 'not a number',
    response: { usage: { total_tokens: 10 } },
  }));
  const { agent_metrics, group_level_metrics, key_metrics } = await aggregateMetrics(responses);
  expect(key_metrics).toEqual({ 'mean/reward': 0.5, 'mean/steps': 2.5, 'mean/finished': 1, 'mean/total_tokens': 10 });
  expect(agent_metrics).toMatchObject({
    'max/steps': 4,
    'min/steps': 1,
    'median/steps': 2.5,
    // Sample deviations of 1, 2, 3, 4 and of 1, 0, 0, 1.
    'std/steps': expect.closeTo(1.2909944, 6),
    'std/reward': expect.closeTo(0.5773503, 6),
    'pass@1/accuracy': 50,
    'pass@2/accuracy': 100,
  });
  expect(
    group_level_metrics.map(group => [group['_ng_task_index'], group['mean/steps'], group['num_rollouts']]),
  ).toEqual([
    [0, 1.5, 2],
    [1, 3.5, 2],
  ]);
});

it('[NG-8] has nothing to say of nothing', async () => {
  expect(await aggregateMetrics([])).toEqual({ group_level_metrics: [], agent_metrics: {}, key_metrics: {} });
});

it('[NG-8] counts a single rollout with a deviation of 0, and passes by the unbiased estimate', async () => {
  expect((await aggregateMetrics([{ reward: 1 }])).agent_metrics['std/reward']).toBe(0);
  const three = [1, 0, 0].map(reward => ({ reward }));
  // 1 - C(2, 2) / C(3, 2)
  expect((await aggregateMetrics(three)).agent_metrics['pass@2/accuracy']).toBeCloseTo(200 / 3, 9);
});

it('[NG-8] takes as many rollouts and tasks as a body holds', async () => {
  const one = Array.from({ length: 60_000 }, (_, index) => ({ reward: index === 0 ? 1 : 0 }));
  expect((await aggregateMetrics(one)).agent_metrics['pass@60000/accuracy']).toBe(100);
  const many = Array.from({ length: 200_000 }, (_, index) => ({ reward: 1, _ng_task_index: index }));
  expect((await aggregateMetrics(many)).agent_metrics['pass@1/accuracy']).toBe(100);
});

it('[NG-21] lets others run between the parts of many rollouts, and refuses very many names', async () => {
  const many = Array.from({ length: 60_000 }, (_, index) => ({ reward: 1, steps: index, _ng_task_index: index }));
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await aggregateMetrics(many);
  isOver = true;
  expect(turns).toBeGreaterThan(100);
  const named = (names: number) =>
    aggregateMetrics(Array.from({ length: names }, (_, index) => ({ [`number ${index}`]: 1 })));
  expect(Object.keys((await named(mostNames)).key_metrics)).toHaveLength(mostNames);
  await expect(named(mostNames + 1)).rejects.toMatchObject({ status: 422 });
});
