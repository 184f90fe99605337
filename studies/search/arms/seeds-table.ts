import { bootstrap, type NestedMean, type NestedValue } from '../../../src/analysis/bootstrap.ts';
import { mean } from '../../../src/analysis/stats.ts';
import { count } from '../../../src/core/text.ts';
import { createRandom } from '../../../src/core/random.ts';
import { aboutContender, brokenLines, comparisonTable, percent, type ComparisonTable } from './comparison-table.ts';
import { contenders, type Comparison, type Contender } from './comparison.ts';

/** Held-out tasks that one contender solves and another does not, in points of share. */
interface Difference {
  readonly of: Contender;
  readonly from: Contender;
  /** Over apps and seeds; each app counts alike. */
  readonly difference: NestedMean;
}

/** As `compare.json` of several seeds has it. */
export interface SeedsTable {
  readonly seeds: readonly ComparisonTable[];
  /** Share of held-out tasks that are solved, over apps and seeds; each app counts alike. Null before all are evaluated. */
  readonly heldOut: Readonly<Record<Contender, NestedMean | null>>;
  readonly differences: readonly Difference[];
  readonly isComplete: boolean;
}

/** What is asked of a comparison, pair by pair. */
const pairs: readonly (readonly [Contender, Contender])[] = [
  ['src', 'imitation'],
  ['src', 'start'],
  ['imitation', 'start'],
  ['imitation', 'untrained'],
  ['src', 'untrained'],
  ['search', 'src'],
];

/** @param planned seeds that there will be */
export function seedsTable(comparisons: readonly Comparison[], planned: number): SeedsTable {
  const whole = comparisons.filter(({ isComplete }) => isComplete);
  return {
    seeds: comparisons.map(comparisonTable),
    heldOut: Object.fromEntries(
      contenders.map(name => [name, estimate(`solved by ${name}`, solvedBy(whole, name), { low: 0, high: 1 })]),
    ) as SeedsTable['heldOut'],
    differences: pairs.flatMap(([of, from]) => {
      const values = differencesOf(whole, of, from);
      const difference = estimate(`${of} and ${from}`, values, { low: -1, high: 1 });
      return difference === null ? [] : [{ of, from, difference }];
    }),
    isComplete: whole.length === planned,
  };
}

function estimate(
  name: string,
  values: readonly NestedValue[],
  range: { low: number; high: number },
): NestedMean | null {
  return values.length === 0 ? null : bootstrap(values, { random: createRandom(name), range });
}

function solvedBy(comparisons: readonly Comparison[], contender: Contender): NestedValue[] {
  return comparisons.flatMap(({ choices, evaluated }) =>
    evaluated[contender].results.map(({ app, task, isCertified }) => ({
      app,
      template: task,
      task,
      seed: String(choices.seed),
      value: isCertified ? 1 : 0,
    })),
  );
}

/** On held-out tasks that both tried with the same seed. */
function differencesOf(comparisons: readonly Comparison[], of: Contender, from: Contender): NestedValue[] {
  return comparisons.flatMap(comparison => {
    const others = new Map(solvedBy([comparison], from).map(({ task, value }) => [task, value]));
    return solvedBy([comparison], of).flatMap(own => {
      const other = others.get(own.task);
      return other === undefined ? [] : [{ ...own, value: own.value - other }];
    });
  });
}

const heads = [
  '',
  'training tasks solved, by seed',
  'rows',
  'actions',
  'verifier calls',
  'held-out tasks solved, by seed',
  'share',
  '95 % interval',
  'actions for them',
];

/** The cells of the table, its heads first. Counts without "by seed" are means. */
export function seedsCells({ seeds, heldOut }: SeedsTable): readonly (readonly string[])[] {
  const { trainingTasks = 0 } = seeds[0] ?? {};
  const cells = contenders.map(name => {
    const rows = seeds
      .map(table => table.contenders.find(({ contender }) => contender === name))
      .filter(row => row !== undefined);
    const average = (values: readonly number[]): string => String(Math.round(mean(values) ?? 0));
    const share = heldOut[name];
    return [
      aboutContender[name],
      `${rows.map(({ solved }) => solved).join(', ')} of ${trainingTasks}`,
      average(rows.map(row => row.rows)),
      average(rows.map(({ cost }) => cost.nodes + cost.steps)),
      average(rows.map(({ cost }) => cost.verifierCalls)),
      `${rows.map(row => row.heldOut.solved).join(', ')} of ${rows[0]?.heldOut.tried ?? 0}`,
      share === null ? '' : percent(share.mean),
      share === null ? '' : `${percent(share.low)}–${percent(share.high)}`,
      average(rows.map(row => row.heldOut.cost.nodes + row.heldOut.cost.steps)),
    ];
  });
  return [heads, ...cells];
}

/** `SRC, the search as teacher, against imitation of the search: -3.1 points (-9.0 to 2.8)`. */
export function differenceTexts({ differences }: SeedsTable): readonly string[] {
  const points = (share: number): string => (100 * share).toFixed(1);
  return differences.map(({ of, from, difference: { mean: between, low, high } }) => {
    const sign = between > 0 ? '+' : '';
    return `${aboutContender[of]}, against ${aboutContender[from]}: ${sign}${points(between)} points (${points(low)} to ${points(high)})`;
  });
}

/** A page of Markdown. */
export function seedsText(table: SeedsTable): string {
  const { seeds, isComplete } = table;
  const [first = [], ...rest] = seedsCells(table);
  const lines = [
    `# Ways to learn from a search, at equal cost, ${count(seeds.length, 'seed')}`,
    '',
    ...(isComplete ? [] : ['The comparison is not complete: these are the results so far.', '']),
    ...[first, first.map(() => '---'), ...rest].map(row => `| ${row.join(' | ')} |`),
    '',
    'Shares and intervals are over apps and seeds; each app counts alike. Differences are paired by task and seed:',
    '',
    ...differenceTexts(table).map(text => `- ${text}`),
    ...brokenLines(seeds.flatMap(({ brokenApps }) => brokenApps)),
  ];
  return `${lines.join('\n')}\n`;
}
