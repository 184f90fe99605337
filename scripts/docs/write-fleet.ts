/**
 * Writes docs/fleet-study.json, docs/fleet-study.svg and the tables of docs/fleet.md from the results of the study:
 *
 *   npx espalier study fleet --out runs/fleet-study
 *   npx node scripts/docs/write-fleet.ts runs/fleet-study/fleet.json
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartFile } from '../../src/analysis/report/chart-file.ts';
import type { ChartPoint, Series } from '../../src/analysis/report/figures/chart.ts';
import { fleetTable, pointTable } from '../../studies/fleet/fleet-table.ts';
import type { FleetStudy } from '../../studies/fleet/study-fleet.ts';

const [source] = process.argv.slice(2);
if (source === undefined) {
  console.error('Expected the path of fleet.json, as `espalier study fleet --out <folder>` writes it.');
  process.exit(2);
}
const docs = join(import.meta.dirname, '..', '..', 'docs');
const study = JSON.parse(readFileSync(source, 'utf8')) as FleetStudy;

function point(workers: number, efficiencies: readonly number[]): ChartPoint {
  const sorted = efficiencies.map(value => Math.min(1, value)).toSorted((left, right) => left - right);
  const rate = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const estimate = {
    rate,
    low: sorted[0] ?? 0,
    high: sorted.at(-1) ?? 0,
    passed: 0,
    n: 0,
    errored: 0,
    uncertified: 0,
    raw: rate,
  };
  return { x: Math.log10(workers), estimate, at: `${workers} workers` };
}

const lines: [string, ChartPoint[]][] = [
  [
    'measured here',
    study.points.map(({ workers, measured }) =>
      point(
        workers,
        measured.map(one => one.efficiency),
      ),
    ),
  ],
  ['model of here', study.points.map(({ workers, simulated }) => point(workers, [simulated.efficiency]))],
  ...study.scenarios.map(({ name, forecasts }): [string, ChartPoint[]] => [
    name,
    forecasts.map(({ workers, efficiency }) => point(workers, [efficiency])),
  ]),
];
const series: Series[] = lines.map(([label, points], index) => ({ label, index, points }));
const svg = chartFile({
  title: 'Share of the time of all slots in which episodes ran',
  axis: 'workers',
  ticks: [0, 1, 2, 3, 4].filter(tick => tick < 4 || study.scenarios.length > 0),
  tickText: tick => (10 ** tick).toLocaleString('en'),
  series,
  rules: [{ label: '', rate: 0.9 }],
});
writeFileSync(join(docs, 'fleet-study.svg'), svg);
writeFileSync(join(docs, 'fleet-study.json'), `${JSON.stringify(study, null, 2)}\n`);
const path = join(docs, 'fleet.md');
const between = (page: string, name: string, table: readonly string[]): string =>
  page.replace(
    new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(\n<!-- end -->)`),
    (_, begin: string, end: string) => begin + table.join('\n') + end,
  );
writeFileSync(
  path,
  between(between(readFileSync(path, 'utf8'), 'fleet points', pointTable(study)), 'fleet forecast', fleetTable(study)),
);
console.log('docs/fleet.md, fleet-study.svg and fleet-study.json written');
