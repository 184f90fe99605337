import { gridOf, type CapabilityGrid } from '../../analysis/capability-grid.ts';
import type { NestedMean } from '../../analysis/bootstrap.ts';
import { percentText } from '../../analysis/estimate.ts';
import type { Evaluation } from '../../analysis/evaluate.ts';
import { createRandom } from '../../core/random.ts';
import { gridPlace, tiers } from '../../forge/tasks/tiers.ts';
import { columns, type Output } from '../terminal/output.ts';

/** The grid of an evaluation of `forge:<app>,grid=yes`; null for others. */
export function evaluatedGrid({ student, trials }: Evaluation): CapabilityGrid | null {
  const random = createRandom(`grid of ${student}`);
  return gridOf(trials, { random, tiers, placeOf: gridPlace });
}

/** Success by tier and look, and where it falls off. */
export function tellGrid({ line, paint }: Output, { tiers: rows, looks, cells, falls, cliff }: CapabilityGrid): void {
  line();
  line(paint.dim('By what tasks ask for, and how the app looks'));
  const heads = ['', 'all', ...looks.map(look => looksNamed[look] ?? look)].map(head => paint.dim(head));
  const table = rows.map(({ tier, rate }) => [
    tier,
    rateText(rate),
    ...looks.map(look => {
      const cell = cells.find(own => own.tier === tier && own.look === look);
      return cell === undefined ? '–' : rateText(cell.rate);
    }),
  ]);
  for (const text of columns([heads, ...table])) line(`  ${text}`);
  for (const { from, to, fall, left } of falls) {
    const share = left === null ? '' : `; ${percentText(left)} of the rate is left`;
    line(`  From ${from} to ${to}: ${pointsText(fall)} points lower${share}.`);
  }
  line(cliff === null ? '  No fall is certain.' : `  Cliff: from ${cliff.from} to ${cliff.to}.`);
}

const looksNamed: Readonly<Record<string, string>> = {
  own: 'as it is',
  words: 'other words',
  order: 'other order',
  both: 'both',
};

const points = (value: number): string => String(Math.round(100 * value));

function rateText({ mean, low, high }: NestedMean): string {
  return `${percentText(mean)} (${points(low)}–${points(high)})`;
}

function pointsText({ mean, low, high }: NestedMean): string {
  return `${points(mean)} (${points(low)} to ${points(high)})`;
}
