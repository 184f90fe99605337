import { join } from 'node:path';
import type { NestedMean } from '../../src/analysis/bootstrap.ts';
import { chartFile } from '../../src/analysis/report/chart-file.ts';
import type { ChartPoint } from '../../src/analysis/report/figures/chart.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import { fullRaces, racesArms, type Diet } from './arms.ts';
import { setNames, type SetName } from './evaluate-arm.ts';
import { studyRaces, type RacesResult } from './races-study.ts';
import type { SplitBy } from './split-problems.ts';
import { columns, type ExitCode, type Output } from '../../src/cli/terminal/output.ts';
import { stoppable } from '../../src/cli/terminal/stop.ts';

export interface RacesRequest {
  readonly out: string;
  readonly seeds: number;
  readonly split: SplitBy;
  readonly json?: boolean;
}

/** Asks whether composition teaches as much as more problems; prints a table and writes a figure. */
export async function races(output: Output, { out, seeds, split, json = false }: RacesRequest): Promise<ExitCode> {
  const size = { ...fullRaces, seeds };
  const found = await stoppable(output, ({ signal }) =>
    studyRaces({
      folder: out,
      size,
      split,
      signal,
      onProgress: (done, total) => output.progress(`${done} of ${total} students trained and evaluated`),
    }),
  );
  output.progress('');
  if (found === null) {
    output.note('stopped; the same command goes on.');
    return 1;
  }
  const figure = join(out, 'races.svg');
  writeWhole(figure, drawRaces(found));
  writeWhole(join(out, 'races.json'), `${JSON.stringify(found, null, 2)}\n`);
  if (json) output.json(found);
  else tell(output, found, figure);
  return 0;
}

const percent = (share: number): string => String(Math.round(100 * share));
const rateText = ({ mean, low, high }: NestedMean): string => `${percent(mean)} % (${percent(low)}–${percent(high)})`;

function tell(output: Output, { arms, comparisons }: RacesResult, figure: string): void {
  const rows = arms.map(({ label, rates, training, prediction }) => [
    label,
    ...setNames.map(name => rateText(rates[name])),
    training === null ? '–' : Math.round(training.lessons).toLocaleString('en'),
    training === null ? '–' : `${percent(training.accepted)} %`,
    prediction === null ? '–' : `${percent(prediction.predicted)} / ${percent(prediction.measured)} %`,
  ]);
  const heads = ['trained on', ...setNames, 'lessons', 'solved', 'parts / measured'];
  for (const line of columns([heads, ...rows], [5, 6, 7])) output.line(line);
  output.line();
  const differences = comparisons.map(({ one, other, set, difference }) => [
    `${one} − ${other}`,
    set,
    rateText(difference),
  ]);
  for (const line of columns([['difference', 'on', 'points'], ...differences], [])) output.line(line);
  output.line();
  output.line(output.paint.dim(`Figure: ${figure}`));
}

const diets: readonly (readonly [Diet, string])[] = [
  ['base', 'base alone'],
  ['compositions', 'compositions'],
  ['mixed', 'half and half'],
];
const drawnSet: SetName = 'unseen problems';

function drawRaces({ arms }: RacesResult): string {
  return chartFile({
    title: 'Success on unseen base problems against base problems in training',
    axis: 'Base problems in training, alone or in compositions',
    ticks: [...new Set(racesArms.map(({ problems }) => problems))].toSorted((a, b) => a - b),
    rules: arms
      .filter(({ label }) => label === 'most frequent answer')
      .map(({ label, rates }) => ({ label, rate: rates[drawnSet].mean })),
    series: diets.map(([diet, label], index) => ({
      label,
      index,
      points: arms.flatMap(({ arm, rates }): ChartPoint[] => {
        if (arm?.diet !== diet) return [];
        const { mean, low, high } = rates[drawnSet];
        const estimate = { rate: mean, low, high, passed: 0, n: 0, errored: 0, uncertified: 0, raw: mean };
        return [{ x: arm.problems, estimate, at: arm.label }];
      }),
    })),
  });
}
