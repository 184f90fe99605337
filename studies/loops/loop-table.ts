import type { NestedMean } from '../../src/analysis/bootstrap.ts';
import { estimateText } from '../../src/analysis/estimate.ts';
import type { LoopResult } from './study-loops.ts';

/** `+12 (-3 to 27)`. */
export function pointsText({ mean, low, high }: NestedMean): string {
  const points = (value: number): string => String(Math.round(100 * value));
  return `${mean > 0 ? '+' : ''}${points(mean)} (${points(low)} to ${points(high)})`;
}

/** The results as docs/methods.md has them: a table, and which differences are more than chance. */
export function loopTable(results: readonly LoopResult[]): string[] {
  const heads = ['loop', 'beside', 'steps', 'with it (95 %)', 'without it', 'points, same tasks', 'tasks'];
  const rows = results.map(({ loop, beside, steps, difference, tasks, ...rates }) => [
    loop,
    beside,
    `${steps.with.toLocaleString('en')} / ${steps.without.toLocaleString('en')}`,
    estimateText(rates.with),
    estimateText(rates.without),
    pointsText(difference),
    String(tasks),
  ]);
  return [...[heads, heads.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`), '', finding(results)];
}

function finding(results: readonly LoopResult[]): string {
  const shown = results.filter(({ difference: { low, high } }) => low > 0 || high < 0);
  if (shown.length === 0) return 'All intervals include 0: nothing is shown for or against these loops here.';
  const words = shown.map(({ arm, difference }) => `${arm} ${difference.low > 0 ? 'helps' : 'hurts'}`);
  return `Intervals that exclude 0, not corrected for their number: ${words.join(', ')}.`;
}
