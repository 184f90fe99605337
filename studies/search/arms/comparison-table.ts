import { wilson, type Interval } from '../../../src/analysis/stats.ts';
import type { Cost } from '../../../src/agents/page-search/cost-meter.ts';
import { sumCosts } from './arm-costs.ts';
import { contenders, learnedFrom, type Comparison, type Contender } from './comparison.ts';

export const aboutContender: Readonly<Record<Contender, string>> = {
  search: 'search alone',
  imitation: 'imitation of the search',
  src: 'SRC, the search as teacher',
  start: 'student after the start',
  untrained: 'untrained student',
  random: 'random clicks',
};

/** What one contender has learned from, and what it solves by itself. */
interface ContenderRow {
  readonly contender: Contender;
  /** Training tasks with a certified trajectory. */
  readonly solved: number;
  readonly trajectories: number;
  readonly rows: number;
  /** Of all that was collected for it, the start included. */
  readonly cost: Cost;
  readonly heldOut: {
    readonly tried: number;
    readonly solved: number;
    /** Wilson, 95 %. */
    readonly interval: Interval;
    readonly cost: Cost;
  };
}

/** As `compare.json` has it. */
export interface ComparisonTable
  extends Pick<Comparison, 'choices' | 'trainingTasks' | 'budget' | 'brokenApps' | 'isComplete'> {
  readonly contenders: readonly ContenderRow[];
}

export function comparisonTable(comparison: Comparison): ComparisonTable {
  const { choices, trainingTasks, budget, brokenApps, isComplete } = comparison;
  const rows = contenders.map(contender => rowOf(comparison, contender));
  return { choices, trainingTasks, budget, brokenApps, isComplete, contenders: rows };
}

function rowOf({ collected, evaluated }: Comparison, contender: Contender): ContenderRow {
  const runs = learnedFrom[contender].map(name => collected[name]);
  const certified = runs.flatMap(({ results }) => results).filter(({ isCertified }) => isCertified);
  const { results, cost } = evaluated[contender];
  const solved = results.filter(({ isCertified }) => isCertified).length;
  return {
    contender,
    solved: new Set(certified.map(({ task }) => task)).size,
    trajectories: certified.length,
    rows: runs.reduce((sum, { rows }) => sum + rows, 0),
    cost: sumCosts(runs.map(run => run.cost)),
    heldOut: { tried: results.length, solved, interval: wilson(solved, results.length), cost },
  };
}

const heads = [
  '',
  'training tasks solved',
  'trajectories',
  'rows',
  'nodes',
  'steps',
  'verifier calls',
  'held-out tasks solved',
  '95 % interval',
  'actions for them',
];

/** The cells of the table, its heads first. */
export function comparisonCells({ contenders: rows, trainingTasks }: ComparisonTable): readonly (readonly string[])[] {
  const cells = rows.map(({ contender, solved, trajectories, rows: taught, cost, heldOut }) => {
    const { tried, interval, cost: own } = heldOut;
    return [
      aboutContender[contender],
      `${solved} of ${trainingTasks}`,
      ...[trajectories, taught, cost.nodes, cost.steps, cost.verifierCalls].map(String),
      tried === 0 ? 'not evaluated' : `${heldOut.solved} of ${tried}`,
      tried === 0 ? '' : `${percent(interval.low)}–${percent(interval.high)}`,
      String(own.nodes + own.steps),
    ];
  });
  return [heads, ...cells];
}

/** A page of Markdown. */
export function comparisonText(table: ComparisonTable): string {
  const { budget, brokenApps, isComplete } = table;
  const [first = [], ...rest] = comparisonCells(table);
  const lines = [
    '# Ways to learn from a search, at equal cost',
    '',
    ...(isComplete ? [] : ['The comparison is not complete: these are the results so far.', '']),
    ...[first, first.map(() => '---'), ...rest].map(row => `| ${row.join(' | ')} |`),
    '',
    `After the start the search spent ${budget.actions} actions and ${budget.verifierCalls} verifier calls; SRC might spend as many.`,
    ...brokenLines(brokenApps),
  ];
  return `${lines.join('\n')}\n`;
}

export function brokenLines(broken: Comparison['brokenApps']): readonly string[] {
  if (broken.length === 0) return [];
  return ['', '## What broke', '', ...broken.map(({ app, problem }) => `- ${app}: ${problem}`)];
}

export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
