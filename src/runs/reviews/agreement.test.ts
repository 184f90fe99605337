import { describe, expect, it } from 'vitest';
import { cohensKappa } from '../../analysis/stats.ts';
import { measureAgreement } from './agreement.ts';

const both = (ann: string, ben: string): ReadonlyMap<string, string> =>
  new Map([
    ['Ann', ann],
    ['Ben', ben],
  ]);

describe('agreement of people', () => {
  it('[STUDIO-15] is measured beyond chance, on branches that several people reviewed', () => {
    const questions = [both('a', 'a'), both('a', 'b'), both('b', 'b'), both('b', 'b'), new Map([['Ann', 'a']])];
    const found = measureAgreement(questions);
    // By hand: 3 of 4 equal; chance is 2/4 · 1/4 + 2/4 · 3/4 = 1/2. Alpha: 1 − (2/8) / (1 − (3·2 + 5·4) / (8·7)).
    expect(found).toMatchObject({ questions: 4, observed: 0.75 });
    expect(found.alpha).toBeCloseTo(1 - 0.25 / (30 / 56), 12);
    expect(found.pairs).toEqual([{ people: ['Ann', 'Ben'], questions: 4, kappa: 0.5 }]);
  });

  it('[STUDIO-15] is not known where there is one opinion, or where everybody always says the same', () => {
    expect(measureAgreement([new Map([['Ann', 'a']])])).toEqual({
      questions: 0,
      observed: null,
      alpha: null,
      pairs: [],
    });
    expect(measureAgreement([both('a', 'a'), both('a', 'a')])).toMatchObject({ observed: 1, alpha: null });
    expect(
      cohensKappa([
        ['a', 'b'],
        ['b', 'a'],
      ]),
    ).toBe(-1);
  });
});
