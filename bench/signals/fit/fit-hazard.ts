import {
  hazardOf,
  type HazardWeights,
  type StepFeatures,
} from '../../../src/analysis/signals/diagnosis/hazard-model.ts';

/** A failure whose first wrong step is known. */
export interface LabelledFailure {
  /** An error that was planted, or a failure of a learned student whose truth forks tell. */
  readonly kind: 'planted' | 'student';
  /** What was planted: `wrong value`; `student` for a failure of one. */
  readonly error: string;
  /** `mail/star-message`. */
  readonly template: string;
  /** Features of every step. */
  readonly rows: readonly StepFeatures[];
  /** Index of the first wrong step. */
  readonly truth: number;
}

const iterations = 300;
const rate = 0.08;
/** Strength of the prior that weights are small. */
const shrinkage = 1;

/** The weights under which the known first wrong steps are most likely. */
export function fitHazard(failures: readonly LabelledFailure[]): HazardWeights {
  const names = [...new Set(failures.flatMap(({ rows }) => rows.flatMap(row => Object.keys(row))))];
  const placeOf = new Map(names.map((name, at) => [name, at]));
  const weights: Record<string, number> = Object.fromEntries(names.map(name => [name, 0]));
  const [mean, square] = [new Float64Array(names.length), new Float64Array(names.length)];
  // Only what a step has is added up: most features are of few steps.
  const steps = failures.flatMap(({ rows, truth }) =>
    rows.slice(0, truth + 1).map((row, place) => ({
      isWrong: place === truth,
      row: Object.fromEntries(Object.entries(row).filter(([, value]) => Number(value) !== 0)),
    })),
  );
  for (let turn = 1; turn <= iterations; turn++) {
    const gradient = new Float64Array(names.length);
    for (const { row, isWrong } of steps) {
      const error = Number(isWrong) - hazardOf(row, weights);
      for (const [name, value] of Object.entries(row)) {
        const at = placeOf.get(name) as number;
        gradient[at] = (gradient[at] as number) + error * Number(value);
      }
    }
    // Adam: features are of very different frequency.
    for (const [at, name] of names.entries()) {
      const slope = (gradient[at] as number) - shrinkage * (weights[name] as number);
      mean[at] = 0.9 * (mean[at] as number) + 0.1 * slope;
      square[at] = 0.999 * (square[at] as number) + 0.001 * slope * slope;
      const scale = Math.sqrt((square[at] as number) / (1 - 0.999 ** turn)) + 1e-8;
      weights[name] = (weights[name] as number) + (rate * (mean[at] as number)) / (1 - 0.9 ** turn) / scale;
    }
  }
  return weights;
}
