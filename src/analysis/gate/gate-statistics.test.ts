import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixedSize, nulls, shareBy, stoppingTimes, tenPoints } from '../../../bench/gate/simulate.ts';
import { isLong } from '../../../test/long-form.ts';
import { confidenceSequence, createBetting, valuesNeeded } from './betting.ts';
import { createGateRun, type Rule, type Unit } from './decide.ts';
import { signFlipTest } from '../sign-flip.ts';

interface Recomputed {
  readonly exact: readonly { readonly balances: readonly number[]; readonly above: number; readonly below: number }[];
  readonly bets: readonly {
    readonly values: readonly number[];
    readonly threshold: number;
    readonly distance: number;
    readonly above: readonly number[];
    readonly below: readonly number[];
  }[];
  readonly intervals: readonly {
    readonly values: readonly number[];
    readonly alpha: number;
    readonly distance: number;
    readonly low: number;
    readonly high: number;
  }[];
}

const fixture = join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures', 'gate', 'recomputed.json');
const recomputed = JSON.parse(readFileSync(fixture, 'utf8')) as Recomputed;

describe('the exact test', () => {
  it('[GATE-1] agrees with scipy over all signs, and with the test of McNemar where clusters are pairs', () => {
    expect(recomputed.exact.length).toBeGreaterThan(5);
    for (const { balances, above, below } of recomputed.exact) {
      const found = signFlipTest(balances);
      expect(found.above).toBeCloseTo(above, 10);
      expect(found.below).toBeCloseTo(below, 10);
    }
  });

  it('[GATE-1] does not change with the order, and swaps its sides with the signs', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -6, max: 6 }), { maxLength: 20 }), balances => {
        const found = signFlipTest(balances);
        const turned = signFlipTest(balances.map(value => -value).toReversed());
        expect(turned.above).toBeCloseTo(found.below, 12);
        expect(found.above + found.below).toBeGreaterThanOrEqual(1 - 1e-9);
      }),
    );
  });
});

describe('the sequential test', () => {
  it('[GATE-2] has the capital and the interval that Python computes from the formulas', () => {
    for (const { values, threshold, distance, above, below } of recomputed.bets)
      for (const [side, path] of [
        ['above', above],
        ['below', below],
      ] as const) {
        const betting = createBetting({ threshold, distance, side });
        for (const [index, value] of values.entries())
          expect(betting.add(value) / (path[index] as number)).toBeCloseTo(1, 9);
      }
    for (const { values, alpha, distance, low, high } of recomputed.intervals)
      expect(confidenceSequence(values, alpha, distance)).toEqual({ low, high });
  });

  it('[GATE-2] is expected not to grow where the mean lies at the threshold, whatever came before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 10 }),
        fc.double({ min: 0.05, max: 1, noNaN: true }),
        (before, size) => {
          // Two values around the threshold, each as likely as is needed for its mean.
          const [threshold, high] = [0, size];
          const low = -size / 2;
          const chance = (threshold - low) / (high - low);
          const after = (value: number): number => {
            const betting = createBetting({ threshold, distance: 0.1, side: 'above' });
            for (const seen of before) betting.add(seen);
            return betting.add(value) / (before.length === 0 ? 1 : evidenceAfter(before));
          };
          expect(chance * after(high) + (1 - chance) * after(low)).toBeCloseTo(1, 9);
        },
      ),
    );
  });

  it('[GATE-3] errs in at most 5 of 100 gates, also where templates are clusters and where some are broken altogether', () => {
    const pairs = isLong ? 10_000 : 400;
    // Three standard errors of a share of so many.
    const most = 0.05 + (isLong ? 0 : 3 * Math.sqrt((0.05 * 0.95) / pairs));
    for (const [name, truth] of Object.entries(nulls)) {
      const times = stoppingTimes({ truth, pairs, units: isLong ? 200 : 60, alpha: 0.05, seed: `test/${name}` });
      expect(shareBy(times, 200), name).toBeLessThanOrEqual(most);
    }
  });

  it('[GATE-3] does what a test over tasks does not: that one errs more often where templates are clusters', () => {
    const truth = nulls['strongly clustered'] as (typeof nulls)[string];
    const { byTask, byTemplate } = fixedSize({
      truth,
      pairs: isLong ? 4000 : 500,
      units: 30,
      alpha: 0.05,
      seed: 'test',
    });
    expect(byTask).toBeGreaterThan(0.08);
    expect(byTemplate).toBeLessThan(0.08);
  });

  it('[GATE-4] finds ten points, and needs fewer templates than a fixed size for as few errors', () => {
    const pairs = isLong ? 10_000 : 300;
    const times = stoppingTimes({ truth: tenPoints, pairs, units: 600, alpha: 0.05, seed: 'test power' }).toSorted(
      (one, other) => one - other,
    );
    const most = times[Math.ceil(0.95 * pairs) - 1] as number;
    const mean = times.reduce((sum, time) => sum + Math.min(time, most), 0) / pairs;
    expect(shareBy(times, 200)).toBeGreaterThan(0.9);
    const power = fixedSize({ truth: tenPoints, pairs, units: Math.round(mean), alpha: 0.05, seed: 'test size' });
    expect(power.byTemplate).toBeLessThan(0.95);
  });
});

const rule: Rule = { goal: 'better', test: 'sequential', alpha: 0.05, difference: 0.1 };
const unit = (fixes: number, regressions: number, pairs = 4): Unit => ({ name: 'one', pairs, fixes, regressions });

describe('a gate', () => {
  it('[GATE-5] shows, refutes, or leaves open; equal rates with swapped tasks show nothing', () => {
    const findingOf = (units: readonly Unit[], changes: Partial<Rule> = {}): string => {
      const gate = createGateRun({ ...rule, ...changes });
      for (const one of units) gate.add(one);
      return gate.evidence().finding;
    };
    const times = (count: number, one: Unit): Unit[] => Array.from({ length: count }, () => one);
    expect(findingOf(times(12, unit(3, 0)))).toBe('shown');
    expect(findingOf(times(12, unit(0, 3)))).toBe('refuted');
    expect(findingOf(times(40, unit(2, 2)))).toBe('open');
    expect(findingOf([...times(20, unit(4, 0)), ...times(20, unit(0, 4))], { test: 'exact' })).toBe('open');
    expect(findingOf(times(5, unit(1, 0)), { test: 'exact' })).toBe('shown');
    expect(findingOf(times(4, unit(1, 0)), { test: 'exact' })).toBe('open');
    expect(findingOf(times(60, unit(0, 0)), { goal: 'no-worse' })).toBe('shown');
    expect(findingOf(times(60, unit(0, 0)))).toBe('open');
  });

  it('[GATE-6] says how many more would be enough; a unit without pairs is no evidence', () => {
    const gate = createGateRun(rule);
    for (let place = 0; place < 6; place++) gate.add(unit(place % 2, 0));
    gate.add(unit(0, 0, 0));
    const { needed, units } = gate.evidence();
    expect(units).toBe(6);
    let more = 0;
    while (gate.add(unit(more % 2, 0)).finding === 'open') more++;
    expect(needed?.asSeen).toBeGreaterThan(0.4 * more);
    expect(needed?.asSeen).toBeLessThan(2.5 * more);
    expect(valuesNeeded([0, 0, 0], { threshold: 0, distance: 0.1 }, 0.05).asSeen).toBeNull();
    expect(gate.evidence().needed).toBeNull();
  });
});

function evidenceAfter(values: readonly number[]): number {
  const betting = createBetting({ threshold: 0, distance: 0.1, side: 'above' });
  for (const value of values) betting.add(value);
  return betting.evidence();
}
