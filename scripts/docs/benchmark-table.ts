/** A figure as `espalier bench --json` prints it. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly spread: number;
  readonly runs: number;
}

const calibrationName = 'machine.calibration';
const secondsIn: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, µs: 1e-6 };

/** Figures as a table of Markdown, with a column that can be compared between machines. */
export function benchmarkTable(figures: readonly Figure[]): string[] {
  const calibration = figures.find(({ name }) => name === calibrationName)?.value ?? null;
  return [
    '| figure | value | unit | relative | spread | runs |',
    '| --- | ---: | --- | ---: | ---: | ---: |',
    ...figures.map(
      figure =>
        `| \`${figure.name}\` | ${rounded(figure.value)} | ${figure.unit} | ${relativeText(figure, calibration)} | ${rounded(figure.spread)} | ${figure.runs} |`,
    ),
  ];
}

/** Rates are divided by the calibration, times are multiplied by it. Memory and shares do not depend on the speed. */
function relative({ value, unit }: Pick<Figure, 'value' | 'unit'>, calibration: number): number | null {
  if (unit === '1/s') return value / calibration;
  const seconds = secondsIn[unit];
  return seconds === undefined ? null : value * seconds * calibration;
}

function relativeText(figure: Figure, calibration: number | null): string {
  const found = calibration === null || figure.name === calibrationName ? null : relative(figure, calibration);
  return found === null ? '–' : rounded(found);
}

function rounded(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}
