import { describe, expect, it } from 'vitest';
import { crossValidate, fitModel } from '../../../../bench/signals/fit/cross-validate.ts';
import type { LabelledFailure } from '../../../../bench/signals/fit/fit-hazard.ts';
import { featureNames } from './first-error.ts';
import { guessFirst } from './hazard-model.ts';

const templates = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
const steps = 9;

/** Failures whose wrong step is marked by a feature: the same one everywhere, or one that only the own template has. */
function marked(isShared: boolean): readonly LabelledFailure[] {
  return templates.flatMap((template, index) =>
    [1, 4, 7].map(truth => ({
      kind: truth === 4 ? ('planted' as const) : ('student' as const),
      template,
      truth,
      rows: Array.from({ length: steps }, (_, place) => [
        1,
        ...templates.map((_one, at) => Number(place === truth && at === (isShared ? 0 : index))),
      ]),
    })),
  );
}

const features = 1 + templates.length;
const shareNear = (judged: readonly { readonly distance: number }[]): number =>
  judged.filter(({ distance }) => distance <= 1).length / judged.length;

describe('the model that guesses the first wrong step', () => {
  it('[SIG-33] takes the step with the highest hazard, given that those before it were right', () => {
    // Hazards of 1/2, 1/2 and 3/4 leave chances of .5, .25 and .1875.
    const rows = [[0], [0], [1]];
    const model = { weights: [Math.log(3)], besideShare: 0 };
    const total = 0.5 + 0.25 + 0.1875;
    expect(guessFirst(rows, model)).toEqual({ index: 0, confidence: expect.closeTo(0.75 / total, 9) });
    // The step in the middle is near both others.
    expect(guessFirst(rows, { ...model, besideShare: 1 })).toEqual({ index: 1, confidence: expect.closeTo(1, 9) });
    expect(guessFirst([], model)).toBeNull();
  });

  it('[SIG-33] is fitted to what marks wrong steps', () => {
    const failures = marked(true);
    const model = fitModel(failures, features);
    expect(model.weights[1]).toBeGreaterThan(2);
    for (const { rows, truth } of failures) expect(guessFirst(rows, model)?.index).toBe(truth);
    expect(shareNear(crossValidate(failures, features))).toBe(1);
  });

  it('[SIG-33] is judged on templates that it was not fitted in', () => {
    const failures = marked(false);
    const model = fitModel(failures, features);
    const known = failures.filter(({ rows, truth }) => guessFirst(rows, model)?.index === truth);
    expect(known).toHaveLength(failures.length);
    // What a template alone shows is of no use in another.
    expect(shareNear(crossValidate(failures, features))).toBeLessThanOrEqual(1 / 3);
    expect(crossValidate(failures, features)).toHaveLength(failures.length);
  });

  it('[SIG-33] has a weight for every feature', () => {
    expect(new Set(featureNames).size).toBe(24);
  });
});
