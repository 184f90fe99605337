import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLong } from '../../test/long-form.ts';
import { createRandom, type Random } from '../core/random.ts';
import { bootstrap, type NestedValue, nestedMean } from './bootstrap.ts';

const range = { low: 0, high: 1 };

/** Trials of a task such as `mail/star/1`. */
function nested(task: string, ...values: number[]): NestedValue[] {
  const [app = '', template = ''] = task.split('/');
  return values.map(value => ({ app, template, task, value }));
}

/** Trials whose chance differs by app, template and task, around one half. */
function simulate(random: Random, apps: number): NestedValue[] {
  const shift = (size: number): number => size * (2 * random.next() - 1);
  const values: NestedValue[] = [];
  for (let app = 0; app < apps; app++) {
    const ofApp = 0.5 + shift(0.32);
    for (let template = 0; template < 3; template++) {
      const ofTemplate = ofApp + shift(0.1);
      for (let task = 0; task < 3; task++) {
        const chance = ofTemplate + shift(0.05);
        const trials = [0, 1].map(() => Number(random.chance(chance)));
        values.push(...nested(`${app}/${template}/${task}`, ...trials));
      }
    }
  }
  return values;
}

/** Students of one arm, each better or worse than the arm on every task, around one half. */
function trainedStudents(random: Random, seeds: number): NestedValue[] {
  const shift = (size: number): number => size * (2 * random.next() - 1);
  const luck = Array.from({ length: seeds }, () => shift(0.25));
  const values: NestedValue[] = [];
  for (let template = 0; template < 30; template++) {
    const ofTemplate = 0.5 + shift(0.1);
    for (let task = 0; task < 2; task++)
      for (const [seed, ofSeed] of luck.entries()) {
        const value = Number(random.chance(ofTemplate + ofSeed));
        values.push(...nested(`mail/${template}/${task}`, value).map(item => ({ ...item, seed: String(seed) })));
      }
  }
  return values;
}

describe('hierarchical bootstrap', () => {
  it('[EST-4] is the mean of means: apps weigh alike, however many templates they have', () => {
    const values = [
      ...nested('mail/star/1', 1, 1, 0, 0),
      ...nested('mail/star/2', 1),
      ...nested('mail/move/1', 0),
      ...nested('shop/buy/1', 1),
    ];
    // mail: star (.5 + 1) / 2 = .75, move 0: .375; shop: 1.
    expect(nestedMean(values)).toBeCloseTo(0.6875, 12);
    expect(bootstrap(values, { random: createRandom(1), range }).mean).toBeCloseTo(0.6875, 12);
  });

  it('[EST-5] covers the truth about 95 times in 100 where a binomial interval does not (long form: 200 simulations)', () => {
    const random = createRandom('coverage');
    const runs = isLong ? 200 : 80;
    let covered = 0;
    let naive = 0;
    for (let run = 0; run < runs; run++) {
      const values = simulate(random, 14);
      const { low, high } = bootstrap(values, { random: random.fork(`run ${run}`), range });
      if (low <= 0.5 && high >= 0.5) covered++;
      const rate = values.reduce((sum, { value }) => sum + value, 0) / values.length;
      const half = 1.96 * Math.sqrt((rate * (1 - rate)) / values.length);
      if (Math.abs(rate - 0.5) <= half) naive++;
    }
    expect(covered / runs).toBeGreaterThan(0.92);
    expect(covered / runs).toBeLessThan(isLong ? 0.985 : 0.99);
    expect(naive / runs).toBeLessThan(0.85);
  });

  it('[EST-6] gives the same interval for the same seed, in whatever order the trials come', () => {
    const values = simulate(createRandom('order'), 4);
    const interval = bootstrap(values, { random: createRandom(7), range });
    fc.assert(
      fc.property(fc.shuffledSubarray(values, { minLength: values.length }), shuffled => {
        expect(bootstrap(shuffled, { random: createRandom(7), range })).toEqual(interval);
      }),
      { numRuns: 5 },
    );
    expect(bootstrap(values, { random: createRandom(8), range })).not.toEqual(interval);
  });

  it('[EST-7] does not take trials that are all alike for certainty', () => {
    const passes = ['1', '2', '3', '4', '5'].flatMap(task => nested(`mail/star/${task}`, 1));
    const interval = bootstrap(passes, { random: createRandom(1), range });
    expect(interval).toMatchObject({ mean: 1, high: 1 });
    expect(interval.low).toBeCloseTo(0.5655, 4);
    const alike = passes.map(item => ({ ...item, value: 0 }));
    const difference = bootstrap(alike, { random: createRandom(1), range: { low: -1, high: 1 } });
    expect(difference.low).toBeCloseTo(-0.4345, 4);
    expect(difference.high).toBeCloseTo(0.4345, 4);
  });

  it('[EST-7] counts templates, not their tasks, where all outcomes agree', () => {
    const templates = Array.from({ length: 36 }, (_, index) => `${'abc'[index % 3] ?? ''}/${index}`);
    const values = templates.flatMap(template => [1, 2, 3, 4].flatMap(task => nested(`${template}/${task}`, 1)));
    const all = bootstrap(values, { random: createRandom(1), range });
    // 36 of 36: Wilson.
    expect(all.low).toBeCloseTo(0.9036, 4);
    const [first, ...others] = values as [NestedValue, ...NestedValue[]];
    const almost = bootstrap([{ ...first, value: 0 }, ...others], { random: createRandom(1), range });
    expect(almost.low).toBeLessThan(all.low);
    // A second trial of every task tells nothing of other templates.
    expect(bootstrap([...values, ...values], { random: createRandom(1), range })).toEqual(all);
  });

  it.each([0.9, 0.97, 1])('[EST-5] covers the truth where templates pass whole or not at all, %f of them', share => {
    const random = createRandom(`degenerate ${share}`);
    const runs = isLong ? 100 : 40;
    let covered = 0;
    for (let run = 0; run < runs; run++) {
      const values = Array.from({ length: 36 }, (_, template) => {
        const value = Number(random.chance(share));
        return [1, 2].flatMap(task => nested(`mail/${template}/${task}`, value));
      }).flat();
      const { low, high } = bootstrap(values, { random: random.fork(`run ${run}`), range });
      if (low <= share && high >= share) covered++;
    }
    expect(covered / runs).toBeGreaterThan(0.92);
  });

  it('[EST-16] has the spread of training seeds in the interval: it covers where one student alone does not', () => {
    const random = createRandom('training seeds');
    const runs = isLong ? 100 : 40;
    const covered = { seeds: 0, one: 0 };
    for (let run = 0; run < runs; run++) {
      const values = trainedStudents(random, 4);
      const one = values.filter(({ seed }) => seed === '0');
      for (const [name, own] of Object.entries({ seeds: values, one })) {
        const { low, high } = bootstrap(own, { random: random.fork(`run ${run} ${name}`), range });
        if (low <= 0.5 && high >= 0.5) covered[name as keyof typeof covered]++;
      }
    }
    expect(covered.seeds / runs).toBeGreaterThan(0.9);
    expect(covered.one / runs).toBeLessThan(0.85);
  });

  it('[EST-3] refuses too few repetitions, and nothing to resample', () => {
    const values = nested('mail/star/1', 1, 0);
    const random = createRandom(1);
    expect(() => bootstrap(values, { random, range, repetitions: 500 })).toThrow('Expected at least 2000');
    expect(() => bootstrap([], { random, range })).toThrow('no values to resample');
  });
});
