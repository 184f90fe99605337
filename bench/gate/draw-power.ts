/** Draws docs/gate-power.svg: npx node bench/gate/draw-power.ts > docs/gate-power.svg */
import { chartFile } from '../../src/analysis/report/chart-file.ts';
import type { ChartPoint, Series } from '../../src/analysis/report/figures/chart.ts';
import { wilson } from '../../src/analysis/stats.ts';
import { fixedSize, nulls, shareBy, stoppingTimes, tenPoints } from './simulate.ts';

const pairs = 4000;
const alpha = 0.05;
const sizes = [10, 20, 30, 40, 60, 80, 100, 120, 150];

function pointAt(x: number, share: number): ChartPoint {
  const passed = Math.round(share * pairs);
  const { low, high } = wilson(passed, pairs);
  const estimate = { rate: share, low, high, passed, n: pairs, errored: 0, uncertified: 0, raw: share };
  return { x, estimate, at: `${x} templates` };
}

const gates = stoppingTimes({ truth: tenPoints, pairs, units: 150, alpha, seed: 'drawn' });
const clustered = nulls['strongly clustered'] as (typeof nulls)[string];
const wrongly = stoppingTimes({ truth: clustered, pairs, units: 150, alpha, seed: 'drawn, none' });
const fixed = (truth: typeof tenPoints, of: 'byTemplate' | 'byTask') => (units: number) =>
  fixedSize({ truth, pairs, units, alpha, seed: 'drawn, fixed' })[of];
const lines: readonly (readonly [string, (units: number) => number])[] = [
  ['gate, +10', units => shareBy(gates, units)],
  ['fixed, +10', fixed(tenPoints, 'byTemplate')],
  ['gate, no gain', units => shareBy(wrongly, units)],
  ['tasks, no gain', fixed(clustered, 'byTask')],
];
const series: Series[] = lines.map(([label, share], index) => ({
  label,
  index,
  points: sizes.map(units => pointAt(units, share(units))),
}));
process.stdout.write(
  chartFile({
    title: 'How often a candidate is shown to be better',
    axis: 'templates, four tasks each',
    ticks: [0, 50, 100, 150],
    series,
    rules: [{ label: '', rate: alpha }],
  }),
);
