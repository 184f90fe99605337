import { describe, expect, it } from 'vitest';
import { crossValidate } from '../../../../bench/signals/fit/cross-validate.ts';
import { fitHazard, type LabelledFailure } from '../../../../bench/signals/fit/fit-hazard.ts';
import { guessFirst } from './hazard-model.ts';

const templates = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
const steps = 9;

/** Failures whose wrong step is marked by a feature: the same one everywhere, or one that only the own template has. */
function marked(isShared: boolean): readonly LabelledFailure[] {
  return templates.flatMap(template =>
    [1, 4, 7].map(truth => ({
      kind: 'planted' as const,
      error: String(truth),
      template,
      truth,
      rows: Array.from({ length: steps }, (_, place) => ({
        bias: 1,
        [isShared ? 'mark' : template]: Number(place === truth),
      })),
    })),
  );
}

const byTemplate = (failure: LabelledFailure): string => failure.template;
const exact = (judged: readonly { readonly distance: number }[]): number =>
  judged.filter(({ distance }) => distance === 0).length / judged.length;

describe('the model that guesses the first wrong step', () => {
  it('[SIG-33] takes the step with the highest chance, given that those before it were right', () => {
    // Hazards of 1/2, 1/2 and 3/4 leave chances of .5, .25 and .1875.
    const rows = [{}, {}, { mark: 1 }];
    expect(guessFirst(rows, { mark: Math.log(3) })).toEqual({ index: 0, confidence: expect.closeTo(0.5 / 0.9375, 9) });
    expect(guessFirst(rows, { mark: 9, other: 5 })?.index).toBe(0);
    expect(guessFirst([{ bias: 1 }, { bias: 1, mark: true }], { bias: -2, mark: 4 })?.index).toBe(1);
    expect(guessFirst([], {})).toBeNull();
  });

  it('[SIG-33] is fitted to what marks wrong steps', () => {
    const failures = marked(true);
    const weights = fitHazard(failures);
    expect(weights['mark']).toBeGreaterThan(2);
    for (const { rows, truth } of failures) expect(guessFirst(rows, weights)?.index).toBe(truth);
    expect(exact(crossValidate(failures, byTemplate))).toBe(1);
  });

  it('[SIG-33] is judged on templates and kinds of errors that it was not fitted to', () => {
    const failures = marked(false);
    const weights = fitHazard(failures);
    for (const { rows, truth } of failures) expect(guessFirst(rows, weights)?.index).toBe(truth);
    // What a template alone shows is of no use in another.
    expect(exact(crossValidate(failures, byTemplate))).toBeLessThanOrEqual(1 / 3);
    expect(crossValidate(failures, ({ error }) => error)).toHaveLength(failures.length);
  });
});
