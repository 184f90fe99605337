import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../../core/random.ts';
import type { Grid } from '../board.ts';
import { averageRanks, kendall, rankShift, spearman } from '../../ranks.ts';
import { fitItems } from './item-response.ts';
import { validityOf, type Validity } from './validity.ts';

interface Recomputed {
  readonly ranks: readonly {
    readonly x: number[];
    readonly y: number[];
    readonly spearman: number;
    readonly kendall: number;
  }[];
  readonly items: readonly {
    readonly passed: readonly (readonly number[])[];
    readonly trials: readonly (readonly number[])[];
    readonly discrimination: readonly number[];
    readonly easiness: readonly number[];
    readonly outfit: readonly number[];
    readonly abilities: readonly number[];
    readonly deviations: readonly number[];
  }[];
}

const fixture = join(import.meta.dirname, '..', '..', '..', '..', 'test', 'fixtures', 'leaderboard', 'recomputed.json');
const recomputed = JSON.parse(readFileSync(fixture, 'utf8')) as Recomputed;

describe('correlations of ranks', () => {
  it('[BOARD-6] agree with scipy, ties included', () => {
    for (const { x, y, ...scipy } of recomputed.ranks) {
      expect(spearman(x, y)).toBeCloseTo(scipy.spearman, 12);
      expect(kendall(x, y)).toBeCloseTo(scipy.kendall, 12);
    }
    expect(averageRanks([3, 1, 3, 2])).toEqual([3.5, 1, 3.5, 2]);
    // The same passes in another order: 0.6000000000000001 and 0.6.
    expect(averageRanks([1 / 5 + 2 / 5, 3 / 5])).toEqual([1.5, 1.5]);
    expect(kendall([1 / 5 + 2 / 5, 3 / 5, 1], [1, 2, 3])).toBeCloseTo(2 / Math.sqrt(6), 12);
    // Two neighbours that swapped places: one rank each, of four entrants.
    expect(rankShift([1, 2, 3, 4], [2, 1, 3, 4])).toBe(0.5);
    expect(kendall([1, 1], [1, 2])).toBeNull();
  });

  it('[BOARD-6] do not change when scores are scaled in order, and turn with them', () => {
    const values = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 4, maxLength: 12 });
    fc.assert(
      fc.property(values, fc.infiniteStream(fc.integer({ min: 0, max: 9 })), (x, stream) => {
        const y = [...stream.take(x.length)];
        const scaled = x.map(one => one ** 3 + 1);
        const turned = x.map(one => -one);
        for (const of of [spearman, kendall]) {
          const value = of(x, y) ?? 0;
          expect(of(scaled, y) ?? 0).toBeCloseTo(value, 9);
          expect(of(turned, y) ?? 0).toBeCloseTo(-value, 9);
        }
      }),
    );
  });
});

describe('item response', () => {
  it('[BOARD-7] has the discrimination, easiness, fit and abilities that scipy finds as one maximum', () => {
    for (const { passed, trials, ...scipy } of recomputed.items) {
      const entrants = passed[0]?.length ?? 0;
      const { items, abilities } = fitItems(
        passed.map((own, index) => ({ item: `i${index}`, passed: own, trials: trials[index] as readonly number[] })),
        entrants,
      );
      for (const [index, item] of items.entries()) {
        expect(item.discrimination).toBeCloseTo(scipy.discrimination[index] as number, 6);
        expect(item.easiness).toBeCloseTo(scipy.easiness[index] as number, 6);
        expect(item.outfit).toBeCloseTo(scipy.outfit[index] as number, 6);
      }
      for (const [index, { mean, deviation }] of abilities.entries()) {
        expect(mean).toBeCloseTo(scipy.abilities[index] as number, 6);
        expect(deviation).toBeCloseTo(scipy.deviations[index] as number, 6);
      }
    }
  });
});

interface Template {
  readonly a: number;
  readonly b: number;
}

/** A board of simulated entrants: θ from −2 to 2, templates by the model. */
function simulated(random: Random, templates: readonly Template[], { entrants = 12, instances = 8 } = {}): Grid {
  const environments = ['one', 'two'];
  return {
    title: 'simulated',
    environments,
    entrants: Array.from({ length: entrants }, (_, index) => ({
      id: `s${index}`,
      student: `s${index}`,
      harness: 'alone',
    })),
    baselines: [],
    cells: Array.from({ length: entrants }, (_, entrant) =>
      environments.map(environment => ({
        entrant: `s${entrant}`,
        environment,
        folder: '',
        planned: 0,
        trials: templates.flatMap(({ a, b }, template) =>
          Array.from({ length: instances }, (_unused, instance) => {
            const ability = -2 + (4 * entrant) / (entrants - 1);
            return {
              level: 'held-out' as const,
              kind: null,
              app: environment,
              template: `t${template}`,
              task: `${environment}/t${template}/${instance}`,
              trial: 0,
              seed: '1',
              passed: random.chance(1 / (1 + Math.exp(-a * (ability - b)))),
              uncertified: false,
              steps: 1,
              environment,
              episode: '',
              costs: { dollars: 0, tokens: 0, seconds: 0, questions: 1, steps: 1 },
              gamed: null,
              suspect: null,
              broke: null,
            };
          }),
        ),
      })),
    ).flat(),
  };
}

describe('validity', () => {
  const sharp = Array.from({ length: 12 }, (_, index) => ({ a: 2, b: -1.8 + index * 0.3 }));
  const good = validityOf(simulated(createRandom('good'), sharp)) as Validity;

  it('[BOARD-8] finds that ranks carry over where they do, and not where they are drawn by chance', () => {
    const other = good.predictions.find(({ by }) => by === 'environment');
    expect(other?.kendall?.value).toBeGreaterThan(0.8);
    expect(other?.kendall?.low).toBeGreaterThan(0.5);
    const noise = validityOf(
      simulated(
        createRandom('noise'),
        sharp.map(() => ({ a: 0, b: 0 })),
      ),
    ) as Validity;
    const chance = noise.predictions.find(({ by }) => by === 'environment');
    expect(Math.abs(chance?.kendall?.value ?? 1)).toBeLessThan(0.6);
    expect(noise.warnings.map(({ kind }) => kind)).toContain('unstable');
    expect(noise.warnings.map(({ kind }) => kind)).toContain('items');
    expect(good.warnings).toEqual([]);
    expect(good.fit?.model).toBeLessThan((good.fit?.entrantsAlone ?? 0) - 0.05);
  });

  it('[BOARD-8] compares months of releases, or days of one month, in the place of their names', () => {
    const grid = simulated(createRandom('good'), sharp);
    const byDate = (one: string, two: string): string[] =>
      (validityOf({ ...grid, dates: { one, two } }) as Validity).predictions
        .filter(({ by }) => by === 'date' || by === 'environment')
        .map(prediction => `${prediction.by} ${prediction.one} ${prediction.other}`);
    expect(byDate('2026-03-01', '2026-05-02')).toEqual(['date 2026-03 2026-05']);
    expect(byDate('2026-03-01', '2026-03-02')).toEqual(['date 2026-03-01 2026-03-02']);
  });

  it('[BOARD-9] chooses few templates on some seeds, and they rank the same on others', () => {
    const mixed = [...sharp.slice(0, 6), ...Array.from({ length: 14 }, () => ({ a: 0.2, b: 0 }))];
    const { subsets } = validityOf(simulated(createRandom('mixed'), mixed, { instances: 16 })) as Validity;
    expect(subsets?.quarter.templates).toHaveLength(10);
    expect(subsets?.quarter.kendall).toBeGreaterThan(0.75);
    expect(subsets?.smallest?.templates.length).toBeLessThan(10);
    const telling = subsets?.quarter.templates.filter(name => Number(/\d+$/.exec(name)?.[0]) < 6) ?? [];
    expect(telling.length).toBeGreaterThanOrEqual(8);
  });

  it('[BOARD-9] warns of templates that tell nobody apart, and of those where the better fail', () => {
    const odd = [...sharp, { a: 3, b: -9 }, { a: 3, b: 9 }, { a: -2, b: 0 }];
    const { warnings } = validityOf(simulated(createRandom('odd'), odd)) as Validity;
    expect(warnings.find(({ kind }) => kind === 'saturation')?.templates.toSorted()).toEqual([
      'one/t12',
      'one/t13',
      'two/t12',
      'two/t13',
    ]);
    expect(warnings.find(({ kind }) => kind === 'label noise')?.templates.toSorted()).toEqual(['one/t14', 'two/t14']);
    expect(validityOf({ ...simulated(createRandom('two'), sharp), entrants: [] })).toBeNull();
  });
});
