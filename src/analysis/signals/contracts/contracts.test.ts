import { describe, expect, it } from 'vitest';
import { finish, madeEpisode, type MadeStep } from '../../../../test/fixtures/signals/made-episode.ts';
import { createRandom } from '../../../core/random.ts';
import { annotate } from '../signal.ts';
import { createContractSignal, satisfaction, type Contract } from './contract.ts';
import { driftOf, jensenShannon, settledDrift } from './drift.ts';
import { createSequentialTest } from './sequential-test.ts';

const noDelete: Contract = {
  id: 'no-delete',
  hard: true,
  holds: prefix => !prefix.at(-1)?.description.includes('Delete'),
};
const moves: Contract = {
  id: 'moves',
  hard: false,
  holds: prefix => prefix.at(-1)?.node.before !== prefix.at(-1)?.node.after,
};
const signal = createContractSignal([noDelete, moves]);
const say = (steps: readonly MadeStep[]) =>
  annotate(madeEpisode({ steps }), [signal]).map(({ node, label, value }) => [node, label, value]);
const end: MadeStep = { ...finish, to: 'end' };

describe('contracts', () => {
  it('[SIG-29] a hard contract is broken at its first step; a soft one may be broken if it holds again soon', () => {
    expect(say([{ to: 'A' }, { to: 'B', text: 'click button "Delete"' }, end])).toEqual([
      [2, 'violation', undefined],
      [null, 'satisfied', 0],
      [null, 'deviation', 0],
    ]);
    expect(say([{ to: 'A' }, {}, {}, {}, end]).slice(1)).toEqual([
      [null, 'satisfied', 1],
      [null, 'deviation', 0],
    ]);
    expect(say([{ to: 'A' }, {}, {}, {}, {}, end]).slice(1)).toEqual([
      [null, 'satisfied', 0],
      [null, 'deviation', 4 / 6],
    ]);
  });

  it('[SIG-29] satisfaction is enough when the lower end of its interval is', () => {
    expect(satisfaction(19, 20).isEnough).toBe(false);
    expect(satisfaction(200, 200).isEnough).toBe(true);
  });

  it('[SIG-29] the sequential test has the published bounds, and keeps its error rates', () => {
    const { bounds } = createSequentialTest();
    expect(bounds.accept).toBeCloseTo(2.8904, 4);
    expect(bounds.reject).toBeCloseTo(-2.2513, 4);
    const until = (passed: boolean): number => {
      const test = createSequentialTest();
      let runs = 1;
      while (test.add(passed) === 'go on') runs++;
      return runs;
    };
    expect([until(true), until(false)]).toEqual([26, 3]);
    const random = createRandom('sequential');
    const accepted = (rate: number): number => {
      let count = 0;
      for (let trial = 0; trial < 2000; trial++) {
        const test = createSequentialTest();
        while (test.decision() === 'go on') test.add(random.chance(rate));
        count += Number(test.decision() === 'accept');
      }
      return count / 2000;
    };
    expect(accepted(0.85)).toBeLessThanOrEqual(0.06);
    expect(1 - accepted(0.95)).toBeLessThanOrEqual(0.11);
  });

  it('[SIG-29] drift: equal is 0, disjoint and broken is 1, and it settles where growth and pull meet', () => {
    const one = new Map([['click', 4]]);
    const other = new Map([['fill', 9]]);
    expect(jensenShannon(one, one)).toBe(0);
    expect(jensenShannon(one, other)).toBeCloseTo(1, 10);
    expect(driftOf(1, one, one)).toBe(0);
    expect(driftOf(0, one, other)).toBeCloseTo(1, 10);
    expect(settledDrift(0.02, 0.1)).toBeCloseTo(0.2, 4);
  });
});
