import { bootstrap, type NestedMean, type NestedValue } from '../../src/analysis/bootstrap.ts';
import { createRandom } from '../../src/core/random.ts';
import type { TuningCell, TuningStudy } from './study-tuning.ts';

/** What each arm makes of the rate, in percent over another arm: by cell, and over all of them. */
export function tuningTable({ cells }: Pick<TuningStudy, 'cells'>): string[] {
  const others = armsOf(cells).filter(name => name !== base);
  const groups = [...Map.groupBy(cells, ({ version, workload }) => `${version}, ${workload}`)];
  const row = (label: string, of: readonly TuningCell[]): string =>
    `| ${[label, middle(of), ...others.map(name => gainText(of, name, base)), gainText(of, 'skills', 'one at a time')].join(' | ')} |`;
  return [
    `| Postgres, workload | ${base}, transactions/s | ${others.join(' | ')} | skills over one at a time |`,
    `| --- | ---: | ${others.map(() => '---:').join(' | ')} | ---: |`,
    ...groups.map(([label, of]) => row(label, of)),
    row('**all**', cells),
  ];
}

/** What was found limiting, and what was set. */
export function settingTable({ cells }: Pick<TuningStudy, 'cells'>): string[] {
  return [
    '| Postgres, workload | bottlenecks | skills set | refused of the documentation |',
    '| --- | --- | --- | --- |',
    ...cells
      .filter(({ seed }) => seed === 1)
      .map(({ version, workload, advice }) => {
        const { settings = {}, bottlenecks = [] } = advice['skills'] ?? {};
        const set = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
        const refused = advice['documentation, checked']?.refused?.map(({ name }) => name) ?? [];
        return `| ${version}, ${workload} | ${bottlenecks.join(', ')} | ${set.join(', ') || 'nothing'} | ${refused.join(', ')} |`;
      }),
  ];
}

const base = 'defaults';

function armsOf([cell]: readonly TuningCell[]): string[] {
  return Object.keys(cell?.rates ?? {});
}

function middle(cells: readonly TuningCell[]): string {
  if (cells.length > 1 && new Set(cells.map(({ workload }) => workload)).size > 1) return '';
  const sorted = cells
    .flatMap(({ rates }) => rates[base] ?? [])
    .filter(rate => rate !== null)
    .toSorted((a, b) => a - b);
  return (sorted[Math.floor(sorted.length / 2)] ?? 0).toLocaleString('en', { maximumSignificantDigits: 3 });
}

function gainText(cells: readonly TuningCell[], arm: string, over: string): string {
  const gain = gainOf(cells, arm, over);
  return gain === null ? 'does not start' : `${percent(gain.mean)} (${percent(gain.low)} to ${percent(gain.high)})`;
}

/** The mean of the logarithms of ratios within rounds; null where an arm has none. Cells in which it does not start are left out. */
export function gainOf(cells: readonly TuningCell[], arm: string, over: string): NestedMean | null {
  const values = cells.flatMap(({ version, workload, seed, rates }): NestedValue[] =>
    (rates[arm] ?? []).flatMap((rate, round) => {
      const other = rates[over]?.[round];
      if (rate === null || other === null || other === undefined) return [];
      // Each search is a cluster of its own: rounds of one search measure the same settings.
      const task = { app: version, template: `${version} ${workload}`, task: `${seed}` };
      return [{ ...task, value: Math.log(rate / other) }];
    }),
  );
  if (values.length === 0) return null;
  const spread = values.map(({ value }) => value);
  const range = { low: Math.min(...spread), high: Math.max(...spread) };
  return bootstrap(values, { random: createRandom(`tuning ${arm} ${over}`), range });
}

function percent(logarithm: number): string {
  const value = Math.round(100 * (Math.exp(logarithm) - 1));
  return `${value > 0 ? '+' : ''}${value}`;
}
