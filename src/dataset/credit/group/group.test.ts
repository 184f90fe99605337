import { describe, expect, it } from 'vitest';
import {
  passAndFailure,
  rewarded,
  rootHalf,
  rootTwo,
  rounded,
  step,
  walk,
} from '../../../../test/fixtures/credit/trajectories.ts';
import type { CreditGroup } from '../contract.ts';
import { createCredit } from '../credit.ts';
import { requireCredit } from '../../../../test/fixtures/require-credit.ts';
import { estimators } from '../estimators.ts';
import { lightRewards } from './lightsearcher.ts';
import { shapedReward } from './mobilegym.ts';
import { nearness } from './srpo.ts';
import { contributions } from './spa.ts';
import { sharpened } from './xrpo.ts';

function creditOf(
  name: string,
  group: CreditGroup,
  options = {},
): { advantages: number[]; mask: readonly boolean[] }[] {
  const credit = requireCredit(createCredit(estimators.need(name), options)(group));
  return credit.map(({ advantages, mask }) => ({ advantages: rounded(advantages), mask }));
}

function advantagesOf(name: string, group: CreditGroup, options = {}): number[][] {
  return creditOf(name, group, options).map(({ advantages }) => advantages);
}

describe('hgpo', () => {
  it('[CREDIT-6] has the worked numbers', () => {
    expect(advantagesOf('hgpo', passAndFailure, { history: 1, scaled: false })).toEqual([
      [0.4512, 0.5383, 0],
      [-0.4512, -0.4117, 0, -0.3167],
    ]);
    expect(advantagesOf('hgpo', passAndFailure, { history: 1 })).toEqual([
      [1, 1.1657, 0],
      [-1, -0.8828, 0, -rootHalf],
    ]);
  });

  it('[CREDIT-6] is the step term of GiGPO without history, and the longest history with a large exponent', () => {
    const options = { history: 0, scaled: false };
    const whole = advantagesOf('gigpo', passAndFailure, { scaled: false, omega: 0 });
    const joint = advantagesOf('gigpo', passAndFailure, { scaled: false });
    const stepTerm = joint.map((own, index) => own.map((value, place) => value - (whole[index]?.[place] ?? 0)));
    const found = advantagesOf('hgpo', passAndFailure, options);
    for (const [index, own] of found.entries())
      for (const [place, value] of own.entries()) expect(value).toBeCloseTo(stepTerm[index]?.[place] as number, 3);
    // B after A: .95 beside 0, over the two steps that came from A.
    expect(advantagesOf('hgpo', passAndFailure, { history: 1, scaled: false, alpha: 200 })[0]?.[1]).toBe(0.475);
  });
});

describe('mc-grpo', () => {
  it('[CREDIT-7] has the worked numbers, and masks the trajectory in the middle', () => {
    const credit = creditOf('mc-grpo', rewarded([0.1, 0.4, 1]));
    expect(credit.map(({ advantages }) => advantages[0])).toEqual([-1.495, 0, 2.99]);
    expect(credit.map(({ mask }) => mask[0])).toEqual([true, false, true]);
  });

  it('[CREDIT-7] does not explode where the median deviation is 0, as the public code does', () => {
    // The public code: 1 / .001, times three for the one trajectory that is not the median.
    expect(advantagesOf('mc-grpo-public', rewarded([0, 0, 1])).flat()).toEqual([0, 0, 3000]);
    // Sample deviation .5774: 1.732, times three.
    expect(advantagesOf('mc-grpo', rewarded([0, 0, 1])).flat()).toEqual([0, 0, 5.1962]);
  });

  it('[CREDIT-7] flips fewer signs than GRPO under an outlier', () => {
    // True mean .35; the outlier pulls the mean of the sample to .5.
    const sample = rewarded([0.1, 0.4, 1]);
    expect(advantagesOf('grpo', sample)[1]?.[0]).toBeLessThan(0);
    expect(advantagesOf('mc-grpo', sample)[1]?.[0]).toBe(0);
  });
});

describe('spa', () => {
  const key = (id: string, actions: string, reward: number) =>
    walk(id, actions, {
      reward,
      steps: [...actions].map((action, place) => step(`${place}`, { action, after: action, node: `${id} ${place}` })),
    });
  const trajectories = [key('t1', 'aKb', 1), key('t2', 'Kac', 1), key('t3', 'abc', 0), key('t4', 'bca', 0)];

  it('[CREDIT-9] finds the planted key step, and sums to the reward', () => {
    const found = contributions(trajectories);
    for (const [index, own] of found.entries())
      expect(own.reduce((sum, value) => sum + value, 0)).toBeCloseTo(trajectories[index]?.reward as number, 9);
    expect(found[0]?.indexOf(Math.max(...(found[0] ?? [])))).toBe(1);
    expect(found[1]?.indexOf(Math.max(...(found[1] ?? [])))).toBe(0);
  });

  it('[CREDIT-9] gives all steps the same in the released script, plus grounding', () => {
    const refused = key('t3', 'abc', 0).steps.map((own, place) => ({ ...own, applied: place !== 1 }));
    const group = {
      id: 'group',
      trajectories: [key('t1', 'aK', 1), key('t2', 'ab', 0), walk('t3', '', { steps: refused })],
    };
    expect(advantagesOf('spa-public', group)).toEqual([
      [1.5, 1.5],
      [0, 0],
      [0, -0.5, 0],
    ]);
    const [first] = advantagesOf('spa', group);
    expect(first?.[1]).toBeGreaterThan(first?.[0] as number);
  });
});

describe('xrpo', () => {
  it('[CREDIT-13] has the worked numbers', () => {
    const sharpen = (logprob: number) => sharpened(0.5, { logprob, groupLogprob: -0.5, novelty: 0.5, cap: 0.5 });
    expect(rounded([sharpen(-0.2), sharpen(-0.8)])).toEqual([0.5, 0.6296]);
    // However unlikely, at most half of the advantage is added.
    expect(sharpen(-100)).toBe(0.75);
  });

  it('[CREDIT-13] sharpens correct trajectories alone, weighing steps by their tokens', () => {
    const sampled = (id: string, reward: number, logprobs: readonly [number, number][]) =>
      walk(id, '', { reward, steps: logprobs.map(([logprob, tokens]) => step('A', { logprob, tokens })) });
    const group = {
      id: 'group',
      trajectories: [
        sampled('likely', 1, [[-0.2, 1]]),
        sampled('unlikely', 1, [
          [-1, 3],
          [-0.2, 1],
        ]),
        sampled('wrong', 0, [[-3, 1]]),
        sampled('other', 0, [[-0.2, 1]]),
      ],
    };
    const plain = advantagesOf('grpo', group).map(([own]) => own as number);
    const sharp = advantagesOf('xrpo', group).map(([own]) => own as number);
    // Mean log probabilities -.2, -.8, -3 and -.2: -1.05 over the group, so that nothing correct is unlikely enough.
    expect(sharp).toEqual(plain);
    const three = advantagesOf('xrpo', {
      id: 'group',
      trajectories: [...group.trajectories.slice(0, 2), sampled('wrong', 0, [[-0.2, 1]])],
    });
    const beside = advantagesOf('grpo', {
      id: 'group',
      trajectories: [...group.trajectories.slice(0, 2), walk('wrong', 'A')],
    });
    expect(three[0]).toEqual(beside[0]?.slice(0, 1));
    // -.8 beside the mean of -.4: .5 (1 - exp(-.4)) = .1648 more.
    expect(three[1]?.[0]).toBeCloseTo((beside[1]?.[0] as number) + 0.1648, 3);
    expect(three[2]).toEqual(beside[2]);
  });
});

describe('ui-s1', () => {
  it('[CREDIT-14] compares steps with the same number, and masks patches', () => {
    const patched = [step('A'), step('B', { actor: 'teacher' })];
    const group = {
      id: 'group',
      trajectories: [walk('t1', 'AB', { reward: 1, steps: patched }), walk('t2', 'CD', { reward: 0 })],
    };
    // Rewards 1 and 0: ±.7071 for the trajectory. Returns .5 and 0, then 1 and 0: ±.7071 for each step.
    const credit = creditOf('ui-s1', group);
    expect(credit.map(({ advantages }) => advantages)).toEqual([
      [rootTwo, rootTwo],
      [-rootTwo, -rootTwo],
    ]);
    expect(credit[0]?.mask).toEqual([true, false]);
  });
});

describe('lightsearcher', () => {
  const searched = (id: string, calls: number, reward: number) =>
    walk(id, '', { reward, steps: Array.from({ length: calls }, () => ({ ...step('A'), action: 'call search {}' })) });

  it('[CREDIT-22] counts needless calls of right answers alone', () => {
    const trajectories = [searched('t1', 4, 1), searched('t2', 6, 1), searched('t3', 90, 1), searched('t4', 90, 0)];
    expect(lightRewards(trajectories, { penalty: 0.05, floor: 0.5, calls: 'tools' })).toEqual([1, 0.9, 0.5, 0]);
    // Two clicks are no calls, and two steps: 1 and .95 where all steps count.
    const clicked = [1, 2].map(clicks => ({
      ...searched(`c${clicks}`, 0, 1),
      steps: Array.from({ length: clicks }, () => step('A')),
    }));
    const shaping = { penalty: 0.05, floor: 0.5 };
    expect(lightRewards(clicked, { ...shaping, calls: 'tools' })).toEqual([1, 1]);
    expect(lightRewards(clicked, { ...shaping, calls: 'steps' })).toEqual([1, 0.95]);
    // Rewards 1, .9, 0: mean .6333, deviation .5508.
    const three = [searched('t1', 4, 1), searched('t2', 6, 1), searched('t3', 1, 0)];
    const advantages = advantagesOf('lightsearcher', { id: 'group', trajectories: three });
    for (const [at, expected] of [0.6658, 0.4842, -1.1499].entries())
      expect(advantages[at]?.[0]).toBeCloseTo(expected, 3);
  });
});

describe('mobilegym', () => {
  it('[CREDIT-18] shapes the reward by how the trajectory ended', () => {
    expect(shapedReward({ progress: 1, clean: true, by: 'declared' })).toBe(1);
    expect(shapedReward({ progress: 1, clean: false, by: 'declared' })).toBe(0.8);
    expect(shapedReward({ progress: 1, clean: true, by: 'aborted' })).toBe(0.5);
    expect(shapedReward({ progress: 1, clean: false, by: 'overdue' })).toBe(0.4);
    expect(shapedReward({ progress: 0.5, clean: true, by: 'declared' })).toBe(0.4);
    expect(shapedReward({ progress: 0.5, clean: false, by: 'aborted' })).toBe(0.5);
  });

  it('[CREDIT-18] tells trajectories apart that both failed, and needs to know how they ended', () => {
    const ended = (id: string, progress: number) =>
      walk(id, 'A', { reward: 0, end: { progress, clean: true, by: 'overdue' } });
    expect(advantagesOf('mobilegym', { id: 'group', trajectories: [ended('t1', 0.5), ended('t2', 0)] }).flat()).toEqual(
      [rootHalf, -rootHalf],
    );
    const credit = createCredit(estimators.need('mobilegym'))(rewarded([1, 0]));
    expect(credit).toMatchObject({ kind: 'left-out', reason: 'no-verdict' });
  });
});

describe('srpo', () => {
  it('[CREDIT-26] pays a failure for how far it got along a success of its group', () => {
    // The success goes A B C D E: a failure that reached C got half of the way.
    const path = (id: string, states: string, reward: number) => {
      const steps = [...states].slice(0, -1).map((state, at) => ({ ...step(state), after: states[at + 1] as string }));
      return walk(id, '', { reward, steps });
    };
    const trajectories = [path('t1', 'ABCDE', 1), path('t2', 'ABCX', 0), path('t3', 'AYZ', 0)];
    expect(nearness(trajectories)).toEqual([1, 0.5, 0]);
    const [one, two, three] = advantagesOf('srpo', { id: 'group', trajectories }).map(([first]) => first as number);
    // Rewards 1, .3, 0: mean .4333, deviation .5132.
    for (const [at, expected] of [1.1043, -0.2598, -0.8445].entries())
      expect([one, two, three][at]).toBeCloseTo(expected, 3);
    // Without a success there is nothing to be near to: all are worth the same, as in GRPO.
    expect(nearness(trajectories.slice(1))).toEqual([0, 0]);
  });
});
