import { hazardOf } from '../../../src/analysis/signals/diagnosis/hazard-model.ts';

/** A failure whose first wrong step is known. */
export interface LabelledFailure {
  /** An error that was planted, or a failure of a learned student whose truth forks tell. */
  readonly kind: 'planted' | 'student';
  /** `mail/star-message`. */
  readonly template: string;
  /** Features of every step. */
  readonly rows: readonly (readonly number[])[];
  /** Index of the first wrong step. */
  readonly truth: number;
}

const iterations = 600;
const rate = 0.05;
/** Strength of the prior that weights are small. */
const shrinkage = 1;

/** The weights under which the known first wrong steps are most likely. Both kinds of failures count alike, however many there are. */
export function fitHazard(failures: readonly LabelledFailure[], features: number): readonly number[] {
  const shares = sharesOf(failures);
  const weights = new Float64Array(features);
  const [mean, square] = [new Float64Array(features), new Float64Array(features)];
  for (let step = 1; step <= iterations; step++) {
    const gradient = gradientAt(failures, shares, weights);
    // Adam: features are of very different frequency.
    for (let at = 0; at < features; at++) {
      const slope = (gradient[at] as number) - shrinkage * (weights[at] as number);
      mean[at] = 0.9 * (mean[at] as number) + 0.1 * slope;
      square[at] = 0.999 * (square[at] as number) + 0.001 * slope * slope;
      const corrected = (mean[at] as number) / (1 - 0.9 ** step);
      const scale = Math.sqrt((square[at] as number) / (1 - 0.999 ** step)) + 1e-8;
      weights[at] = (weights[at] as number) + (rate * corrected) / scale;
    }
  }
  return [...weights];
}

/** Weights of the failures: each kind has half of the sum. */
function sharesOf(failures: readonly LabelledFailure[]): readonly number[] {
  const counts = Map.groupBy(failures, ({ kind }) => kind);
  return failures.map(({ kind }) => failures.length / counts.size / (counts.get(kind)?.length ?? 1));
}

/** The gradient of the log likelihood: right before the first wrong step, wrong at it. */
function gradientAt(
  failures: readonly LabelledFailure[],
  shares: readonly number[],
  weights: Float64Array,
): Float64Array {
  const gradient = new Float64Array(weights.length);
  const values = [...weights];
  for (const [index, { rows, truth }] of failures.entries())
    for (const [place, row] of rows.slice(0, truth + 1).entries()) {
      const error = Number(place === truth) - hazardOf(row, values);
      for (const [at, value] of row.entries())
        gradient[at] = (gradient[at] as number) + (shares[index] as number) * error * value;
    }
  return gradient;
}
