import { guessFirst, type HazardModel } from '../../../src/analysis/signals/diagnosis/hazard-model.ts';
import { fitHazard, type LabelledFailure } from './fit-hazard.ts';

const folds = 5;
/** What a model may count of the chances beside a step. */
const besideShares = [0, 0.3, 0.5, 0.7, 1];

/** A failure with the guess of a model that saw no failure of its template. */
export interface JudgedFailure {
  readonly failure: LabelledFailure;
  /** Steps between the guess and the truth. */
  readonly distance: number;
}

/** Guesses the first wrong step of every failure by a model that was fitted in other templates: weights and shares alike. */
export function crossValidate(failures: readonly LabelledFailure[], features: number): readonly JudgedFailure[] {
  const templates = [...new Set(failures.map(({ template }) => template))].toSorted();
  const foldOf = new Map(templates.map((template, index) => [template, index % folds]));
  return Array.from({ length: folds }, (_, fold) => fold).flatMap(fold => {
    const isOwn = ({ template }: LabelledFailure): boolean => foldOf.get(template) === fold;
    const own = failures.filter(isOwn);
    if (own.length === 0) return [];
    const model = fitModel(
      failures.filter(failure => !isOwn(failure)),
      features,
    );
    return own.map(failure => ({ failure, distance: distanceOf(failure, model) }));
  });
}

/** Weights, and the share that is best with them, from these failures alone. */
export function fitModel(failures: readonly LabelledFailure[], features: number): HazardModel {
  const weights = fitHazard(failures, features);
  const hits = (besideShare: number): number =>
    (['planted', 'student'] as const).reduce((sum, kind) => {
      const own = failures.filter(failure => failure.kind === kind);
      const near = own.filter(failure => distanceOf(failure, { weights, besideShare }) <= 1).length;
      return sum + (own.length === 0 ? 0 : near / own.length);
    }, 0);
  const besideShare = besideShares.reduce((best, share) => (hits(share) > hits(best) ? share : best));
  return { weights, besideShare };
}

function distanceOf({ rows, truth }: LabelledFailure, model: HazardModel): number {
  return Math.abs((guessFirst(rows, model)?.index ?? Infinity) - truth);
}
