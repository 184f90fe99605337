import { describe, expect, it } from 'vitest';
import { createRandom } from '../core/random.ts';
import { differenceOf, gridOf } from './capability-grid.ts';
import type { Trial } from './evaluate.ts';
import { wilson } from './stats.ts';

/** So many trials of a tier in a look, of which so many passed; each is a template of its own. */
function trials(template: string, passed: number, of: number): Trial[] {
  return Array.from({ length: of }, (_, at) => ({
    level: 'new-instances',
    kind: null,
    app: 'grid-desk',
    template: `${template}:${at}`,
    task: `grid-desk/${template}:${at}/1`,
    trial: 1,
    seed: '1',
    passed: at < passed,
    uncertified: false,
    steps: 1,
  }));
}

const options = {
  random: createRandom('grid'),
  tiers: ['one', 'two'],
  placeOf({ template, task }: Trial) {
    const [tier = '', look = ''] = template.split(':');
    return tier === 'other' ? null : { tier, look, template, task };
  },
};

describe('a grid of tiers and looks', () => {
  it('[EST-18] has the interval of Newcombe for the difference of two rates', () => {
    // Newcombe 1998, method 10: 56 of 70 against 48 of 80 is 0.2, from 0.0524 to 0.3339.
    const rate = (passed: number, of: number) => ({ mean: passed / of, ...wilson(passed, of) });
    const { mean, low, high } = differenceOf(rate(56, 70), rate(48, 80));
    expect(mean).toBeCloseTo(0.2, 9);
    expect(low).toBeCloseTo(0.0524, 4);
    expect(high).toBeCloseTo(0.3339, 4);
  });

  it('[EST-18] names the largest certain fall as the cliff, over all looks', () => {
    const all = [
      ...trials('one:own', 18, 20),
      ...trials('one:words', 16, 20),
      ...trials('two:own', 4, 20),
      ...trials('two:words', 0, 20),
      ...trials('other:own', 0, 5),
      { ...(trials('two:own', 0, 1)[0] as Trial), passed: null },
    ];
    const grid = gridOf(all, options);
    expect(grid?.looks).toEqual(['own', 'words']);
    expect(grid?.tiers.map(({ tier, rate }) => [tier, rate.mean, rate.trials])).toEqual([
      ['one', 0.85, 40],
      ['two', 0.1, 40],
    ]);
    expect(grid?.cells.map(({ tier, look, rate }) => [tier, look, rate.mean])).toEqual([
      ['one', 'own', 0.9],
      ['one', 'words', 0.8],
      ['two', 'own', 0.2],
      ['two', 'words', 0],
    ]);
    expect(grid?.cliff).toMatchObject({ from: 'one', to: 'two' });
    expect(grid?.cliff?.fall.mean).toBeCloseTo(0.75, 9);
    expect(grid?.cliff?.left).toBeCloseTo(0.1 / 0.85, 9);
  });

  it('[EST-18] has no cliff where the intervals leave none, and no grid without its templates', () => {
    const even = gridOf([...trials('one:own', 3, 6), ...trials('two:own', 2, 6)], options);
    expect(even?.falls).toHaveLength(1);
    expect(even?.cliff).toBeNull();
    expect(gridOf(trials('other:own', 3, 6), options)).toBeNull();
  });
});
