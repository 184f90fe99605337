import { featureNames } from '../../../src/analysis/signals/diagnosis/first-error.ts';
import { wilson } from '../../../src/analysis/stats.ts';
import { figure, type Bench } from '../../measure.ts';
import { crossValidate, fitModel, type JudgedFailure } from './cross-validate.ts';
import type { LabelledFailure } from './fit-hazard.ts';
import { plantedFailures, studentFailures } from './labelled-failures.ts';

const figureOf = { planted: 'localiser.planted', student: 'localiser.students' } as const;

/**
 * Fits the model that guesses the first wrong step from the record. The figures are cross-validated: every failure is judged by a
 * model that saw no failure of its template. The weights that are printed come from all failures.
 */
export const localiserBench: Bench = {
  group: 'localiser',
  onDemand: true,
  figures: Object.values(figureOf),
  async *run(_options, { progress, line }) {
    const failures = [...(await plantedFailures(progress)), ...(await studentFailures(progress))];
    progress('fitting …');
    const judged = crossValidate(failures, featureNames.length);
    progress('');
    line('Within one step of the first wrong one, by models fitted in other templates:');
    line('failures | n | model (95 %) | exact step | first step | last step | random step');
    for (const kind of ['student', 'planted'] as const) {
      const own = judged.filter(({ failure }) => failure.kind === kind);
      line(rowOf(kind, own));
      yield figure(figureOf[kind], 'share', [shareWithin(own, 1)]);
    }
    const { weights, besideShare } = fitModel(failures, featureNames.length);
    line(`Weights from all ${failures.length} failures, with a share of ${besideShare} for the steps beside:`);
    for (const [at, name] of featureNames.entries()) line(`  '${name}': ${(weights[at] as number).toFixed(2)},`);
  },
};

function rowOf(kind: LabelledFailure['kind'], judged: readonly JudgedFailure[]): string {
  const { low, high } = wilson(judged.filter(({ distance }) => distance <= 1).length, judged.length);
  const failures = judged.map(({ failure }) => failure);
  const share = (hit: (failure: LabelledFailure) => number): string =>
    (failures.reduce((sum, failure) => sum + hit(failure), 0) / failures.length).toFixed(2);
  return [
    kind,
    judged.length,
    `${shareWithin(judged, 1).toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`,
    shareWithin(judged, 0).toFixed(2),
    share(({ truth }) => Number(truth <= 1)),
    share(({ rows, truth }) => Number(rows.length - 1 - truth <= 1)),
    share(
      ({ rows, truth }) => [truth - 1, truth, truth + 1].filter(at => at >= 0 && at < rows.length).length / rows.length,
    ),
  ].join(' | ');
}

function shareWithin(judged: readonly JudgedFailure[], steps: number): number {
  return judged.filter(({ distance }) => distance <= steps).length / judged.length;
}
