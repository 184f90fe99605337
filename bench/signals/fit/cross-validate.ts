import { guessFirst } from '../../../src/analysis/signals/diagnosis/hazard-model.ts';
import { fitHazard, type LabelledFailure } from './fit-hazard.ts';

/** A failure with the guess of a model that saw none like it. */
export interface JudgedFailure {
  readonly failure: LabelledFailure;
  /** Steps between the guess and the truth. */
  readonly distance: number;
  readonly confidence: number;
}

const folds = 6;

/** Guesses the first wrong step of every failure by a model that saw no failure with the same `keyOf`: its template, its kind of error. */
export function crossValidate(
  failures: readonly LabelledFailure[],
  keyOf: (failure: LabelledFailure) => string,
): readonly JudgedFailure[] {
  const keys = [...new Set(failures.map(keyOf))].toSorted();
  const foldOf = new Map(keys.map((key, index) => [key, keys.length <= folds * 2 ? index : index % folds]));
  return [...new Set(foldOf.values())].flatMap(fold => {
    const isOwn = (failure: LabelledFailure): boolean => foldOf.get(keyOf(failure)) === fold;
    const weights = fitHazard(failures.filter(failure => !isOwn(failure)));
    return failures.filter(isOwn).map(failure => {
      const guess = guessFirst(failure.rows, weights);
      const distance = Math.abs((guess?.index ?? Infinity) - failure.truth);
      return { failure, distance, confidence: guess?.confidence ?? 0 };
    });
  });
}
