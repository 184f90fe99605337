import { describe, expect, it } from 'vitest';
import { passAndFailure, rewarded, rootHalf, rounded, step, walk } from '../../../test/fixtures/credit/trajectories.ts';
import type { CreditGroup, TrajectoryCredit } from './contract.ts';
import { createCredit } from './credit.ts';
import { requireCredit } from '../../../test/fixtures/require-credit.ts';
import { estimators } from './estimators.ts';
import { anchorAdvantages } from './group/gigpo.ts';
import { ariseRewards, sageRewards } from './group/skill-rewards.ts';
import { resampled } from './roles/m-grpo.ts';
import { lookaheadAdvantages } from './tree/lgr.ts';
import { forkAdvantages } from './tree/portool.ts';

function creditOf(name: string, group: CreditGroup, options = {}): readonly TrajectoryCredit[] {
  return requireCredit(createCredit(estimators.need(name), options)(group));
}

function advantagesOf(name: string, group: CreditGroup, options = {}): number[][] {
  return creditOf(name, group, options).map(({ advantages }) => rounded(advantages));
}

/** Three leaves: two fork after the step `a`, the third takes `b` at the start. */
const forked: CreditGroup = {
  id: 'forked',
  trajectories: [
    ['t1', 1, ['a', 'c']],
    ['t2', 0, ['a', 'd']],
    ['t3', 0, ['b']],
  ].map(([id, reward, nodes]) => ({
    id: id as string,
    reward: reward as number,
    steps: (nodes as string[]).map((node, place) => step(place === 0 ? 'S' : 'A', { node, action: node })),
  })),
};

describe('portool', () => {
  it('[CREDIT-8] compares a step with its siblings', () => {
    // a: mean of .9 and 0 = .45, b: 0; c: 1, d: 0.
    expect(forkAdvantages(forked.trajectories, { gamma: 0.9, format: 0 }).map(rounded)).toEqual([
      [0.225, 0.5],
      [0.225, -0.5],
      [-0.225],
    ]);
    expect(advantagesOf('portool-fork', forked, { gamma: 0.9 })[0]).toEqual([0.225, 0.5]);
  });

  it('[CREDIT-8] blends both, and rewards steps that the environment took', () => {
    // Rewards 1, 0, 0: mean .3333, deviation .5774.
    expect(advantagesOf('portool', forked, { gamma: 0.9, fork: 2 })[0]).toEqual([1.6047, 2.1547]);
    const refused = forked.trajectories.map(own => ({
      ...own,
      steps: own.steps.map((at, place) => ({ ...at, applied: place === 0 })),
    }));
    expect(forkAdvantages(refused, { gamma: 0.9, format: 0.2 }).map(rounded)[0]).toEqual([0.225, 0.5]);
    const one = refused.map((own, index) => ({
      ...own,
      steps: own.steps.map(at => ({ ...at, applied: index !== 1 })),
    }));
    // d loses .2 where c gains .2.
    expect(forkAdvantages(one, { gamma: 0.9, format: 0.2 })[0]?.[1]).toBeCloseTo(0.7, 9);
  });

  it('[CREDIT-8] is 0 without siblings, and equals the step term of GiGPO with one leaf below each', () => {
    expect(forkAdvantages([walk('t1', 'AB', { reward: 1 })], { gamma: 1, format: 0 })).toEqual([[0, 0]]);
    const leaves = [
      walk('t1', 'SX', { reward: 1 }),
      walk('t2', 'SY', { reward: 0 }),
      walk('t3', 'SZ', { reward: 0.5 }),
    ];
    expect(forkAdvantages(leaves, { gamma: 0.95, format: 0 }).map(rounded)).toEqual(
      anchorAdvantages(leaves, 0.95, false).map(rounded),
    );
  });
});

describe('lgr', () => {
  it('[CREDIT-17] counts each action that was tried in a state once', () => {
    const tried = (id: string, action: string, reward: number) =>
      walk(id, 'S', { reward, steps: [step('S', { action, node: id })] });
    // Tried x: 1 and 0, y: 0, z: 1. Values .5, 0, 1 have the mean .5; the mean over tries is .5 too, but for z once more 1.
    const trajectories = [
      tried('t1', 'x', 1),
      tried('t2', 'x', 0),
      tried('t3', 'y', 0),
      tried('t4', 'z', 1),
      tried('t5', 'z', 1),
    ];
    expect(lookaheadAdvantages(trajectories, 1)).toEqual([[0], [0], [-0.5], [0.5], [0.5]]);
    expect(anchorAdvantages(trajectories, 1, false).map(rounded)[0]).toEqual([0.4]);
    expect(advantagesOf('lgr', { id: 'group', trajectories })[2]).toEqual([-0.5]);
  });
});

describe('r3l', () => {
  it('[CREDIT-10] has the worked numbers', () => {
    expect(advantagesOf('r3l', rewarded([0, 0, 0, 1, 0.5])).flat()).toEqual([-0.3, -0.3, -0.3, 1, 0.6]);
  });

  it('[CREDIT-10] masks everything before the pivot, in both attempts', () => {
    const group = {
      id: 'group',
      trajectories: [walk('t1', 'ABC', { reward: 0, pivot: 1 }), walk('t2', 'AXY', { reward: 1, pivot: 1 })],
    };
    expect(creditOf('r3l', group).map(({ mask }) => mask)).toEqual([
      [false, true, true],
      [false, true, true],
    ]);
    // Where no pivot is told, it is the fork: the step that both share.
    expect(creditOf('r3l', forked).map(({ mask }) => mask)).toEqual([[false, true], [false, true], [true]]);
  });
});

describe('habc', () => {
  it('[CREDIT-11] credits nothing before the last intervention, and no step of a teacher', () => {
    const taught = [step('A'), step('B', { actor: 'teacher' }), step('C'), step('D', { actor: 'human' }), step('E')];
    const group = {
      id: 'group',
      trajectories: [walk('t1', '', { reward: 1, steps: taught }), walk('t2', 'AB', { reward: 0 })],
    };
    const [first, second] = creditOf('habc', group);
    expect(first?.mask).toEqual([false, false, false, false, true]);
    expect(second?.mask).toEqual([true, true]);
    const all = [step('A'), step('B', { actor: 'teacher' })];
    const none = {
      id: 'group',
      trajectories: [walk('t1', '', { reward: 1, steps: all }), walk('t2', '', { steps: all })],
    };
    expect(createCredit(estimators.need('habc'))(none)).toMatchObject({ reason: 'nothing-credited' });
  });
});

describe('dart', () => {
  const sure = (id: string, reward: number, entropies: readonly number[]) =>
    walk(id, '', { reward, steps: entropies.map(entropy => step('A', { entropy })) });

  it('[CREDIT-12] trains on the least sure steps', () => {
    const group = { id: 'group', trajectories: [sure('t1', 1, [0.1, 0.9, 0.5]), sure('t2', 0, [0.4, 0.8])] };
    expect(creditOf('dart', group).map(({ mask }) => mask)).toEqual([
      [false, true, true],
      [true, true],
    ]);
    expect(creditOf('dart', group, { share: 0.4 }).map(({ mask }) => mask)).toEqual([
      [false, true, false],
      [false, true],
    ]);
    expect(createCredit(estimators.need('dart'))(passAndFailure)).toMatchObject({ reason: 'missing-entropies' });
  });
});

describe('echo-env', () => {
  it('[CREDIT-15] weighs observations after steps of the student alone, also where rewards are equal', () => {
    const steps = [step('A'), step('B', { actor: 'teacher' })];
    const [first] = creditOf('echo-env', {
      id: 'group',
      trajectories: [walk('t1', '', { reward: 1, steps }), walk('t2', 'A', { reward: 1 })],
    });
    expect(first).toMatchObject({ mask: [true, false], observationWeights: [0.1, 0] });
  });
});

describe('roles', () => {
  const call = (id: string, role: string, reward: number) => walk(id, 'A', { reward, role });
  const team = {
    id: 'team',
    trajectories: [
      call('m1', 'main', 1),
      call('m2', 'main', 0),
      call('s1', 'search', 1),
      call('s2', 'search', 1),
      call('s3', 'search', 0.5),
      call('v1', 'verify', 1),
    ],
  };

  it('[CREDIT-16] compares a trajectory with those of its role', () => {
    const credit = creditOf('unitymas-o', team);
    // main: ±.7071; search: mean .8333, deviation .2887.
    expect(credit.map(({ advantages }) => rounded(advantages)[0])).toEqual([
      rootHalf,
      -rootHalf,
      0.5773,
      0.5773,
      -1.1547,
      0,
    ]);
    expect(credit.at(-1)?.mask).toEqual([false]);
  });

  it('[CREDIT-16] brings the calls of a role to a fixed number', () => {
    expect(resampled(['a', 'b', 'c'], 2)).toEqual(['a', 'b']);
    expect(resampled(['a', 'b'], 4)).toEqual(['a', 'a', 'b', 'b']);
    const credit = creditOf('m-grpo', team, { calls: 2 });
    expect(credit.map(({ mask }) => mask[0])).toEqual([true, true, true, true, false, false]);
    expect(() => createCredit(estimators.need('m-grpo'))(passAndFailure)).toThrow(/have no role.*team:einstein/s);
  });

  it.each(['m-grpo', 'unitymas-o'])('[CREDIT-16] %s gives the same credit in whatever order attempts come', name => {
    const byName = (credits: readonly { readonly id: string }[]) => new Map(credits.map(credit => [credit.id, credit]));
    const options = name === 'm-grpo' ? { calls: 2 } : {};
    const reversed = { ...team, trajectories: team.trajectories.toReversed() };
    expect(byName(creditOf(name, reversed, options))).toEqual(byName(creditOf(name, team, options)));
  });

  it('[TEAM-4] compares the steps of a player with those of the same player', () => {
    const played = (id: string, roles: string, reward: number) =>
      walk(id, '', { reward, steps: [...roles].map(role => ({ ...step(role), role })) });
    const trajectories = [played('t1', 'abab', 1), played('t2', 'aab', 0), played('t3', 'aa', 1)];
    const [first, second, third] = creditOf('unitymas-o', { id: 'group', trajectories });
    // a: rewards 1, 0, 1, mean .6667, deviation .5774. b: rewards 1, 0.
    expect(rounded(first?.advantages ?? [])).toEqual([0.5773, rootHalf, 0.5773, rootHalf]);
    expect(rounded(second?.advantages ?? [])).toEqual([-1.1547, -1.1547, -rootHalf]);
    expect(rounded(third?.advantages ?? [])).toEqual([0.5773, 0.5773]);
  });

  it('[CREDIT-27] pays turns for steps that were applied, and who hands over for the turn that followed', () => {
    const played = (id: string, steps: string, reward: number) =>
      walk(id, '', {
        reward,
        steps: [...steps].map(role => ({
          ...step(role),
          role: role.toLowerCase(),
          applied: role === role.toLowerCase(),
        })),
      });
    // Capitals were refused. Of b, one of three steps was: the others are 1/3 above its mean, that one 2/3 below.
    const trajectories = [played('t1', 'aba', 1), played('t2', 'abBa', 0)];
    const plain = advantagesOf('unitymas-o', { id: 'group', trajectories });
    const paid = advantagesOf('unitymas-o', { id: 'group', trajectories }, { turn: 0.3, graph: 0.6 });
    const gains = paid.map((own, at) => rounded(own.map((value, place) => value - (plain[at]?.[place] as number))));
    expect(gains).toEqual([
      [0.2, 0.1, 0],
      [-0.1, 0.1, -0.2, 0],
    ]);
  });

  it('[CREDIT-24] adds what a generation gained on the one before', () => {
    const made = (id: string, generation: number, reward: number) => walk(id, 'A', { reward, generation });
    const trajectories = [made('t1', 0, 0), made('t2', 0, 0.5), made('t3', 1, 0.5), made('t4', 1, 1)];
    // Means .25 and .75: the second generation gained .5.
    expect(advantagesOf('skill-r1', { id: 'group', trajectories }).flat()).toEqual([-0.25, 0.25, 0.25, 0.75]);
    expect(createCredit(estimators.need('skill-r1'))(passAndFailure)).toMatchObject({ reason: 'no-generation' });
  });

  it('[CREDIT-28] arise pays a pass with a memory .5 more; sage-rl also the pass before it', () => {
    const made = (id: string, reward: number, { generation = 0, followed = 0 } = {}) => {
      const walked = walk(id, 'A', { reward, generation });
      return { ...walked, steps: walked.steps.map(own => ({ ...own, followed })) };
    };
    const trajectories = [made('t1', 0), made('t2', 1), made('t3', 1, { followed: 2 }), made('t4', 0, { followed: 1 })];
    expect(ariseRewards(trajectories, 0.5)).toEqual([0, 1, 1.5, 0]);
    // Mean .625, deviation of the sample √(1.6875 / 3) = .75.
    expect(advantagesOf('arise', { id: 'group', trajectories }).flat()).toEqual(
      rounded([-0.625, 0.375, 0.875, -0.625].map(gap => gap / 0.75)),
    );
    const rounds = [
      made('t1', 1),
      made('t2', 0),
      made('t3', 1, { generation: 1, followed: 1 }),
      made('t4', 1, { generation: 1 }),
    ];
    expect(sageRewards(rounds, 0.5)).toEqual([1.5, 0, 1.5, 1]);
    expect(advantagesOf('sage-rl', { id: 'group', trajectories: rounds }).flat()[0]).toBeGreaterThan(0);
    // Nobody passed with a memory later: no reward for what it could have been written from.
    expect(sageRewards(rounds.slice(0, 2), 0.5)).toEqual([1, 0]);
  });

  it('[CREDIT-2] says which estimators credit groups whose attempts all failed or all passed', () => {
    const ended = (reward: number) => ({ role: 'a', end: { progress: reward, clean: true, by: 'declared' } }) as const;
    const credits = (reward: number): string[] => {
      const trajectories = ['AB', 'ABCD', 'ABCDE'].map((states, place) => {
        const made = walk(`t${place}`, states, { reward });
        const steps = made.steps.map(own => ({ ...own, logprob: -place - 1, entropy: place + 1 }));
        return { ...made, ...ended(reward), generation: 1, steps };
      });
      const group = { id: 'group', trajectories };
      return estimators.entries.filter(one => createCredit(one)(group).kind === 'credited').map(({ name }) => name);
    };
    expect(credits(0)).toEqual(['spa-public', 'echo-env']);
    expect(credits(1)).toEqual(expect.arrayContaining(['gigpo', 'hgpo', 'spa', 'spa-public', 'r3l', 'ui-s1']));
    expect(credits(1)).not.toContain('grpo');
  });
});
