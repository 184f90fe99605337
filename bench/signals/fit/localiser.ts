import { wilson } from '../../../src/analysis/stats.ts';
import { figure, type Bench } from '../../measure.ts';
import { crossValidate, type JudgedFailure } from './cross-validate.ts';
import { fitHazard } from './fit-hazard.ts';
import { plantedFailures, studentFailures } from './labelled-failures.ts';

const figureOf = { planted: 'localiser.planted', student: 'localiser.students' } as const;

/**
 * Fits the model that guesses the first wrong step from the record. The figures are cross-validated: every failure is judged by a
 * model that saw no failure of its template. The weights that are printed come from all failures.
 */
export const localiserBench: Bench = {
  group: 'localiser',
  onDemand: true,
  figures: [...Object.values(figureOf), 'localiser.kinds'],
  async *run(_options, { progress, line }) {
    const failures = [...(await plantedFailures(progress)), ...(await studentFailures(progress))];
    progress('fitting …');
    const byTemplate = crossValidate(failures, ({ template }) => template);
    const planted = failures.filter(({ kind }) => kind === 'planted');
    const byError = crossValidate(planted, ({ error }) => error);
    progress('');
    line('The exact first wrong step, by models that saw no failure of the template, or none of the kind of error:');
    line('failures | n | exact (95 %) | mean confidence | within one step | first step | last step | random step');
    for (const kind of ['student', 'planted'] as const) {
      const own = byTemplate.filter(({ failure }) => failure.kind === kind);
      line(rowOf(`${kind}, other templates`, own));
      yield figure(figureOf[kind], 'share', [shareWithin(own, 0)]);
    }
    line(rowOf('planted, other kinds', byError));
    yield figure('localiser.kinds', 'share', [shareWithin(byError, 0)]);
    const weights = fitHazard(failures);
    line(`Weights from all ${failures.length} failures:`);
    for (const [name, weight] of Object.entries(weights)) line(`  '${name}': ${weight.toFixed(2)},`);
  },
};

function rowOf(name: string, judged: readonly JudgedFailure[]): string {
  const { low, high } = wilson(judged.filter(({ distance }) => distance === 0).length, judged.length);
  const mean = (value: (one: JudgedFailure) => number): string =>
    (judged.reduce((sum, one) => sum + value(one), 0) / judged.length).toFixed(2);
  return [
    name,
    judged.length,
    `${shareWithin(judged, 0).toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`,
    mean(({ confidence }) => confidence),
    shareWithin(judged, 1).toFixed(2),
    mean(({ failure }) => Number(failure.truth === 0)),
    mean(({ failure }) => Number(failure.truth === failure.rows.length - 1)),
    mean(({ failure }) => 1 / failure.rows.length),
  ].join(' | ');
}

function shareWithin(judged: readonly JudgedFailure[], steps: number): number {
  return judged.filter(({ distance }) => distance <= steps).length / judged.length;
}
