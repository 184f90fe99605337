import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../src/analysis/compare.ts';
import type { Estimate } from '../../src/analysis/estimate.ts';
import type { ReportArm } from '../../src/analysis/report/data.ts';
import {
  adaptiveBranches,
  aheadClaim,
  behindClaim,
  queryClaim,
  shortBranches,
  stepsClaim,
  worldsClaims,
} from './claims.ts';

function estimate(rate: number, errored = 0): Estimate {
  const passed = Math.round(rate * 100);
  const counts = { passed, n: 100, errored, uncertified: 0 };
  return { rate, low: rate - 0.05, high: rate + 0.05, ...counts, raw: passed / (100 + errored) };
}

function arm(id: string, rounds: readonly [rate: number, queries: number][], errored = 0): ReportArm {
  const none = { rows: null, archive: null, seconds: 0, reviews: 0, corrections: 0, shown: 0, skipped: 0 };
  const episodes = { passed: 0, uncertified: 0, failed: 0, discarded: 0, errored: 0 };
  return {
    id,
    label: id,
    about: '',
    rounds: rounds.map(([rate, queries], index) => {
      const newInstances = estimate(rate, errored);
      return { round: index + 1, newInstances, heldOut: newInstances, queries, episodes, ...none };
    }),
  };
}

function ahead(mean: number, low: number, high: number): Comparison {
  return { difference: { mean, low, high }, pairs: 100, unpaired: 0, wins: 3, losses: 1, ties: 96, flips: [] };
}

describe('claims', () => {
  it('[DEMO-4] a target is held against the last point, errored episodes included; a rise against chance', () => {
    const point = (rate: number, errored: number) => {
      const own = estimate(rate, errored);
      const levels = { newInstances: own, heldOut: own, newComposition: null, unseenSkill: null, unseenApps: own };
      return { tasks: 100, apps: 9, steps: 500, students: 2, ...levels };
    };
    const holds = (rate: number, errored: number, rise: Comparison): (boolean | null)[] => {
      const levels = { newInstances: null, heldOut: rise, heldOut2: null, heldOut3: null, unseenApps: rise };
      const points = [point(0.99, 0), point(rate, errored)];
      return worldsClaims({ points, baselines: [] }, levels).map(claim => claim.holds);
    };
    expect(holds(0.96, 0, ahead(0.2, 0.1, 0.3))).toEqual([true, true, true, true, true]);
    expect(holds(0.96, 8, ahead(0.2, 0, 0.3))).toEqual([false, false, true, false, true]);
    expect(holds(0.46, 0, ahead(0.2, 0.1, 0.3))).toEqual([false, true, false, true, true]);
    // By the whole interval: 0.94 is 0.89 to 0.99, and 0.44 is 0.39 to 0.49.
    expect(holds(0.94, 0, ahead(0.2, 0.1, 0.3))).toEqual([false, true, true, true, true]);
    expect(holds(0.44, 0, ahead(0.2, 0.1, 0.3))).toEqual([false, true, false, true, false]);
  });

  it('[DEMO-4] fewer queries count after as many episodes, and only with the same success', () => {
    const arms = (queries: number): ReportArm[] => [
      arm('src-3', [
        [0.5, 300],
        [0.98, queries],
      ]),
      arm('k-1', [
        [0.5, 320],
        [0.98, 1000],
      ]),
    ];
    expect(queryClaim(arms(500), ahead(-0.01, -0.02, 0.03), shortBranches)).toMatchObject({ holds: true });
    expect(queryClaim(arms(510), ahead(0.05, 0.01, 0.09), shortBranches)).toMatchObject({ holds: false });
    // By the whole interval, as for the other claims: the mean alone may be luck.
    expect(queryClaim(arms(500), ahead(0.01, -0.05, 0.07), shortBranches)).toMatchObject({ holds: false });
    expect(queryClaim(arms(640), ahead(0, 0, 0), shortBranches).evidence).toContain(
      '640 queries against 1,000: 64\u00A0% of them; in the last round 50\u00A0%.',
    );
    expect(queryClaim(arms(500), null, shortBranches)).toMatchObject({ holds: null });
    const adaptive = arms(450).map(own => (own.id === 'src-3' ? { ...own, id: 'adaptive' } : own));
    expect(queryClaim(adaptive, ahead(0, -0.01, 0.03), adaptiveBranches)).toMatchObject({ holds: true });
    expect(queryClaim(adaptive, ahead(-0.02, -0.05, 0.03), adaptiveBranches)).toMatchObject({ holds: false });
  });

  it('[DEMO-4] ahead means more than chance explains', () => {
    expect(aheadClaim('it', ahead(0.1, 0.01, 0.2))).toMatchObject({ holds: true });
    expect(aheadClaim('it', ahead(0.1, 0, 0.2))).toMatchObject({ holds: false });
    expect(aheadClaim('it', null)).toMatchObject({ holds: null });
  });

  it('[DEMO-4] steps shown are those that the teacher read, its corrections aside; a loss is bounded', () => {
    const priced = (id: string, shown: number): ReportArm => {
      const own = arm(id, [[0.9, 10]]);
      return { ...own, rounds: own.rounds.map(round => ({ ...round, shown, corrections: 5 })) };
    };
    const claim = (shown: number) => stepsClaim([priced('a', shown), priced('b', 100)], 'it', ['a', 'b']);
    expect(claim(100)).toMatchObject({ holds: true, evidence: '100 steps shown against 100.' });
    expect(claim(101)).toMatchObject({ holds: false });
    expect(behindClaim('it', ahead(-0.05, -0.1, 0), 0.1)).toMatchObject({ holds: true });
    expect(behindClaim('it', ahead(-0.05, -0.2, 0.1), 0.1)).toMatchObject({ holds: false });
    expect(behindClaim('it', ahead(-0.11, -0.2, 0), 0.1).evidence).toContain('Behind by 11.0 points');
  });
});
