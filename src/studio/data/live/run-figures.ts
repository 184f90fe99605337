import { bootstrap } from '../../../analysis/bootstrap.ts';
import type { TrialLevel } from '../../../analysis/evaluate.ts';
import { readStudentName } from '../../../analysis/training-seeds.ts';
import { wilson } from '../../../analysis/stats.ts';
import { isByPerson, type Outcome } from '../../../core/episode/events.ts';
import { causeText } from '../../../core/errors.ts';
import type { RunSummary } from '../../api/api.ts';
import type { RateView } from '../../api/api-learning.ts';
import type { EvaluatedFigures, GroupFigures, OutcomeCounts } from '../../api/api-live.ts';
import { baselineNames } from '../../../runs/evaluation/baselines.ts';
import { intervalsOf } from '../../../runs/evaluation/intervals.ts';
import type { IndexedRow } from '../episode-rows.ts';
import { levelOrder, levelsIn, type LevelOf } from '../evaluation-levels.ts';
import type { RunIndex } from '../run-index.ts';
import type { LiveFigures } from './watch-run.ts';

type Figures = Omit<RunSummary, 'waiting' | 'id' | 'name' | 'folder' | 'problem' | keyof LiveFigures>;

export interface ReadFigures {
  readonly figures: Figures;
  /** Why the store cannot be read, where it broke after it was last looked at. */
  readonly broke: string | null;
}

/** Counts the rows again only when they have changed: a run is told of twice a second while it is written. */
export function createFigures(): (index: RunIndex | null) => ReadFigures {
  let counted: { readonly index: RunIndex; readonly figures: Figures } | null = null;
  const read = (index: RunIndex | null): Figures => {
    const isSame = counted !== null && counted.index === index && counted.figures.version === index.version();
    const figures = isSame && counted !== null && !counted.figures.isReading ? counted.figures : countRows(index);
    counted = index === null ? null : { index, figures };
    return { ...figures, unfinished: index?.listing.unfinished().length ?? 0 };
  };
  return index => {
    try {
      return { figures: read(index), broke: null };
    } catch (cause) {
      return { figures: read(null), broke: causeText(cause) };
    }
  };
}

function countRows(index: RunIndex | null): Figures {
  const isReading = index?.isReading() === true;
  const rows = index === null || isReading ? [] : index.rows();
  const { training, students, baselines, people } = groupRows(rows);
  const evaluated = index === null ? null : latestStudent(students, levelsIn(index, training));
  const named = [...training, ...students];
  return {
    ...sumsOf(rows),
    outcomes: outcomesOf(rows),
    evaluation: evaluated,
    training: training.length === 0 ? null : figuresOf(training),
    beside: {
      earlier: students.length - (evaluated === null ? 0 : countOf(evaluated.outcomes)),
      baselines: baselines.length,
      people: people.length,
    },
    students: [...new Set((named.length === 0 ? rows : named).map(({ student }) => student))].slice(0, 20),
    environments: [...new Set(rows.map(({ environment }) => environment))].slice(0, 20),
    unfinished: 0,
    version: index?.version() ?? 0,
    isReading,
  };
}

interface RowGroups {
  readonly training: IndexedRow[];
  readonly students: IndexedRow[];
  readonly baselines: IndexedRow[];
  readonly people: IndexedRow[];
}

/** What was collected passes with the help of a teacher, baselines pass or fail by design, and people are no agents: none is counted with another. */
function groupRows(rows: readonly IndexedRow[]): RowGroups {
  const groups: RowGroups = { training: [], students: [], baselines: [], people: [] };
  for (const row of rows) groups[groupOf(row)].push(row);
  return groups;
}

function groupOf(row: IndexedRow): keyof RowGroups {
  if (isByPerson(row)) return 'people';
  if (row.phase === 'collect') return 'training';
  return baselineNames.includes(row.student) ? 'baselines' : 'students';
}

/** Students that differ by their training seed alone are one, as in the report. */
function latestStudent(rows: readonly IndexedRow[], levelAt: LevelOf): EvaluatedFigures | null {
  const [first, ...others] = rows;
  if (first === undefined) return null;
  const { round, student } = others.reduce((latest, row) => (row.id > latest.id ? row : latest), first);
  const { name } = readStudentName(student);
  const own = rows.filter(row => row.round === round && readStudentName(row.student).name === name);
  const byLevel = Map.groupBy(own, levelAt);
  const levels = levelOrder.flatMap(level => {
    const found = byLevel.get(level);
    return found === undefined ? [] : [{ level, ...figuresOf(found), success: estimateOf(found, name, level) }];
  });
  const { success: _mixed, ...sums } = figuresOf(own);
  return { student: name, round, ...sums, levels };
}

/** The estimate of the report, with its interval. */
function estimateOf(rows: readonly IndexedRow[], student: string, level: TrialLevel): RateView | null {
  // What broke says nothing of a student.
  const values = rows
    .filter(({ outcome }) => outcome !== 'errored')
    .map(({ environment, template, task, student: own, outcome }) => ({
      app: environment,
      template,
      task: String(task),
      seed: readStudentName(own).seed,
      value: Number(outcome === 'passed'),
    }));
  if (values.length === 0) return null;
  const random = intervalsOf(student).fork(level);
  const { mean, low, high } = bootstrap(values, { random, range: { low: 0, high: 1 } });
  const passed = values.filter(({ value }) => value === 1).length;
  return { rate: mean, low, high, passed, of: values.length };
}

function figuresOf(rows: readonly IndexedRow[]): GroupFigures {
  const outcomes = outcomesOf(rows);
  const { taken, tokens, cost, corrections, queries } = sumsOf(rows);
  const of = rows.length - outcomes.errored;
  const rate = outcomes.passed / of;
  const success = of === 0 ? null : { rate, ...wilson(outcomes.passed, of), passed: outcomes.passed, of };
  return { outcomes, success, taken, tokens, cost, corrections, queries };
}

function outcomesOf(rows: readonly IndexedRow[]): OutcomeCounts {
  const outcomes: Record<Outcome, number> = { passed: 0, failed: 0, discarded: 0, errored: 0 };
  for (const { outcome } of rows) outcomes[outcome]++;
  return outcomes;
}

function countOf(outcomes: OutcomeCounts): number {
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

function sumsOf(rows: readonly IndexedRow[]): Pick<Figures, 'cost' | 'tokens' | 'corrections' | 'queries' | 'taken'> {
  const sums = { cost: 0, tokens: 0, corrections: 0, queries: 0, taken: 0 };
  for (const row of rows) {
    sums.cost += row.cost;
    sums.tokens += row.tokens;
    sums.corrections += row.corrections;
    sums.queries += row.reviews + row.corrections;
    sums.taken += row.taken;
  }
  return sums;
}
