import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passAndFailure, rewarded, rounded, step, walk } from '../../../test/fixtures/credit/trajectories.ts';
import type { CreditGroup, Estimator } from './contract.ts';
import { createCredit } from './credit.ts';
import { requireCredit } from '../../../test/fixtures/require-credit.ts';
import { estimators } from './estimators.ts';
import { anchorAdvantages } from './group/gigpo.ts';

function advantagesOf(name: string, group: CreditGroup, options = {}): number[][] {
  const credit = requireCredit(createCredit(estimators.need(name), options)(group));
  return credit.map(({ advantages }) => rounded(advantages));
}

describe('grpo', () => {
  it('[CREDIT-3] is the reward beside the mean, over the sample deviation', () => {
    // Mean .25, sample deviation .5.
    expect(advantagesOf('grpo', rewarded([1, 0, 0, 0])).flat()).toEqual([1.5, -0.5, -0.5, -0.5]);
    expect(advantagesOf('dr-grpo', rewarded([1, 0, 0, 0])).flat()).toEqual([0.75, -0.25, -0.25, -0.25]);
  });

  it('[CREDIT-3] gives all steps of a trajectory the same', () => {
    expect(advantagesOf('dr-grpo', passAndFailure)).toEqual([
      [0.5, 0.5, 0.5],
      [-0.5, -0.5, -0.5, -0.5],
    ]);
  });
});

describe('gigpo', () => {
  it('[CREDIT-4] has the worked numbers of the public code', () => {
    expect(advantagesOf('gigpo', passAndFailure, { scaled: false })).toEqual([
      [1.0227, 1.2048, 0.5714],
      [-0.8798, -0.7452, -0.4286, -0.7452],
    ]);
    expect(advantagesOf('gigpo', passAndFailure)).toEqual([
      [1.7761, 2.2237, 1.069],
      [-1.5089, -1.3791, -0.8018, -1.3791],
    ]);
  });

  it('[CREDIT-4] takes means over trajectories under the name of the paper', () => {
    expect(advantagesOf('gigpo-paper', passAndFailure, { scaled: false })[0]).toEqual([0.9512, 1.1333, 0.5]);
  });

  it('[CREDIT-4] sums to zero over each state, whatever states are called', () => {
    const states = fc.stringMatching(/^[A-D]{1,6}$/);
    const walks = fc.array(fc.tuple(states, fc.constantFrom(0, 0.5, 1)), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(walks, given => {
        const trajectories = given.map(([visited, reward], index) => walk(`t${index}`, visited, { reward }));
        const renamed = given.map(([visited, reward], index) => walk(`t${index}`, visited.toLowerCase(), { reward }));
        const found = anchorAdvantages(trajectories, 0.95, false);
        const sums = new Map<string, number>();
        for (const [index, { steps }] of trajectories.entries())
          for (const [place, { state }] of steps.entries())
            sums.set(state, (sums.get(state) ?? 0) + (found[index]?.[place] as number));
        for (const sum of sums.values()) expect(sum).toBeCloseTo(0, 9);
        expect(anchorAdvantages(renamed, 0.95, false)).toEqual(found);
      }),
    );
  });
});

describe('groups without advantages', () => {
  const grpo = estimators.need('grpo');

  it('[CREDIT-2] says that no trajectory has a verdict', () => {
    expect(createCredit(grpo)(rewarded([null, null]))).toMatchObject({ kind: 'left-out', reason: 'no-verdict' });
  });

  it('[CREDIT-2] compares a trajectory without a verdict with nothing', () => {
    const credit = createCredit(grpo)(rewarded([1, null, 0]));
    expect(credit).toMatchObject({ kind: 'credited', unverified: ['t2'] });
    expect(requireCredit(credit).map(({ id }) => id)).toEqual(['t1', 't3']);
    expect(createCredit(grpo)(rewarded([1, null]))).toMatchObject({ reason: 'group-of-one' });
  });

  it('[CREDIT-2] says that a group has one trajectory, or equal rewards', () => {
    expect(createCredit(grpo)(rewarded([1]))).toMatchObject({ reason: 'group-of-one' });
    expect(createCredit(grpo)(rewarded([1, 1, 1]))).toMatchObject({ reason: 'equal-rewards' });
    const equal = createCredit(grpo)(rewarded([0, 0]));
    expect(equal).toMatchObject({ reason: 'equal-rewards', detail: '2 trajectories with the reward 0' });
  });

  it('[CREDIT-2] refuses rewards that are no numbers, and rewards of some steps only', () => {
    expect(() => createCredit(grpo)(rewarded([1, Number.NaN]))).toThrow('Trajectory t2 has the reward NaN.');
    const steps = [step('A', { reward: 1 }), step('B')];
    const group = { id: 'group', trajectories: [walk('t1', 'AB', { steps }), walk('t2', 'AB')] };
    expect(() => createCredit(grpo)(group)).toThrow('has rewards for 1 of 2 steps');
    expect(() => createCredit(grpo)({ id: 'group', trajectories: [walk('t1', '')] })).toThrow('has no steps');
  });

  it('[CREDIT-2] says that log probabilities are missing, or of another version', () => {
    const reader: Estimator = { ...grpo, needsLogprobs: true };
    const sampled = (version: string) => (id: string, reward: number) =>
      walk(id, 'A', { reward, steps: [step('A', { logprob: -1, version })] });
    expect(createCredit(reader)(rewarded([1, 0]))).toMatchObject({ reason: 'missing-logprobs' });
    const trajectories = [sampled('2')('t1', 1), sampled('1')('t2', 0)];
    expect(createCredit(reader)({ id: 'group', version: '2', trajectories })).toMatchObject({
      reason: 'stale-logprobs',
      detail: 'step 0 of t2 was sampled by version 1, not 2',
    });
    expect(createCredit(reader)({ id: 'group', trajectories })).toMatchObject({ kind: 'credited' });
  });

  it('[CREDIT-1] names an estimator that does not answer for every step', () => {
    const short: Estimator = { name: 'short', about: '', create: () => () => [{ id: 't1', advantages: [], mask: [] }] };
    expect(() => createCredit(short)(rewarded([1, 0]))).toThrow(
      'The estimator "short" gave no advantage for every step',
    );
  });
});
