import type { NestedMean } from '../../src/analysis/bootstrap.ts';
import { columns, type Output } from '../../src/cli/terminal/output.ts';
import type { ArmResult } from './run-arms.ts';

const points = ({ mean, low, high }: NestedMean): string =>
  `${(100 * mean).toFixed(1)} (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;

/** The table of a comparison: each arm beside the first. */
export function tellArms(output: Output, results: readonly ArmResult[], title: string): void {
  const first = results[0]?.name ?? '';
  output.line(output.paint.bold(title));
  const heads = ['', 'success %', `against ${first}, points`, 'steps', 'queries', 'teacher', 'tokens', 'ms', 'errors'];
  const rows = results.map(one => [
    one.name,
    points(one.success),
    one.difference === null ? '–' : points(one.difference),
    one.steps.toFixed(1),
    one.queries.toFixed(1),
    one.taught.toFixed(1),
    one.tokens.toFixed(0),
    one.milliseconds.toFixed(0),
    String(one.errored),
  ]);
  for (const line of columns([heads, ...rows], [3, 4, 5, 6, 7, 8])) output.line(line);
  output.line();
}
