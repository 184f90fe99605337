import { bootstrap } from '../../analysis/bootstrap.ts';
import type { Phase } from '../../core/episode/events.ts';
import { createRandom } from '../../core/random.ts';
import type { RunComparison, RunDifference, RunFlip } from '../api/api-compare.ts';
import { levelOrder, type LevelOf } from './evaluation-levels.ts';
import { isOfStudent, type IndexedRow } from './episode-rows.ts';

interface Pair {
  readonly task: string;
  readonly left: IndexedRow;
  readonly right: IndexedRow;
}

const mostFlips = 1000;

/**
 * Two runs on the tasks and trials that both have: the paired difference in success, by template and flip by flip. Evaluations
 * are compared where both have some: what was collected passes with the help of a teacher.
 */
export function compareRuns(
  left: readonly IndexedRow[],
  right: readonly IndexedRow[],
  levelAt: LevelOf,
): RunComparison {
  const evaluated = compareIn('evaluate', left, right);
  const found = evaluated.pairs.length > 0 ? evaluated : compareIn('collect', left, right);
  return comparisonOf(found, levelAt);
}

interface Paired extends Pick<RunComparison, 'phase' | 'unpaired' | 'errored'> {
  readonly pairs: readonly Pair[];
}

function compareIn(phase: Phase, left: readonly IndexedRow[], right: readonly IndexedRow[]): Paired {
  const [one, other] = [byTrial(left, phase), byTrial(right, phase)];
  const pairs: Pair[] = [];
  for (const [name, row] of one) {
    const match = other.get(name);
    if (match !== undefined) pairs.push({ task: name, left: row, right: match });
  }
  const unpaired = one.size + other.size - 2 * pairs.length;
  return { phase, pairs, unpaired, errored: { left: erroredIn(left, phase), right: erroredIn(right, phase) } };
}

function comparisonOf({ pairs, ...rest }: Paired, levelAt: LevelOf): RunComparison {
  const flips = pairs.filter(pair => isPassed(pair.left) !== isPassed(pair.right)).map(flipOf);
  return {
    ...rest,
    pairs: pairs.length,
    left: sideOf(pairs.map(pair => pair.left)),
    right: sideOf(pairs.map(pair => pair.right)),
    difference: pairs.length === 0 ? null : differenceOf(pairs),
    levels: rest.phase === 'collect' ? [] : levelsOf(pairs, levelAt),
    templates: templatesOf(pairs),
    flips: flips.slice(0, mostFlips),
  };
}

/** Levels by the run that is first: what it trained on tells them apart. */
function levelsOf(pairs: readonly Pair[], levelAt: LevelOf): RunComparison['levels'] {
  const byLevel = Map.groupBy(pairs, ({ left }) => levelAt(left));
  return levelOrder.flatMap(level => {
    const own = byLevel.get(level);
    if (own === undefined) return [];
    const passed = (side: 'left' | 'right'): number => own.filter(pair => isPassed(pair[side])).length;
    return [{ level, pairs: own.length, left: passed('left'), right: passed('right'), difference: differenceOf(own) }];
  });
}

/** The latest episode of each task and trial. What broke says nothing of a student; baselines and people are none. */
function byTrial(rows: readonly IndexedRow[], wanted: Phase): Map<string, IndexedRow> {
  const counted = rows.filter(row => row.phase === wanted && row.outcome !== 'errored' && isOfStudent(row));
  return new Map(counted.map(row => [trialOf(row), row]));
}

function erroredIn(rows: readonly IndexedRow[], wanted: Phase): number {
  return rows.filter(row => row.phase === wanted && row.outcome === 'errored' && isOfStudent(row)).length;
}

/** `collect/2/mail/star-message/17/0` without its round; of an evaluation, also without the name of the student. */
function trialOf({ phase, key }: IndexedRow): string {
  const [, trial = key] = /^[^/]+\/\d+\/(.+?\/\d+\/\d+)(?:\/|$)/.exec(key) ?? [];
  return `${phase}/${trial}`;
}

function isPassed({ outcome }: IndexedRow): boolean {
  return outcome === 'passed';
}

function sideOf(rows: readonly IndexedRow[]): RunComparison['left'] {
  return {
    passed: rows.filter(isPassed).length,
    cost: rows.reduce((sum, { cost }) => sum + cost, 0),
    steps: rows.reduce((sum, { taken }) => sum + taken, 0),
    queries: rows.reduce((sum, { reviews, corrections }) => sum + reviews + corrections, 0),
    corrections: rows.reduce((sum, { corrections }) => sum + corrections, 0),
  };
}

/** Of the first run less the second, with its interval of 95 %. */
function differenceOf(pairs: readonly Pair[]): RunDifference {
  const values = pairs.map(({ left, right, task }) => ({
    app: left.environment,
    template: `${left.environment}/${left.template}`,
    task: task.slice(0, task.lastIndexOf('/')),
    value: Number(isPassed(left)) - Number(isPassed(right)),
  }));
  return bootstrap(values, { random: createRandom('studio'), range: { low: -1, high: 1 } });
}

function templatesOf(pairs: readonly Pair[]): RunComparison['templates'] {
  const groups = Map.groupBy(pairs, ({ left }) => `${left.environment}/${left.template}`);
  return [...groups].map(([template, own]) => ({
    template,
    pairs: own.length,
    left: own.filter(pair => isPassed(pair.left)).length,
    right: own.filter(pair => isPassed(pair.right)).length,
  }));
}

function flipOf({ task, left, right }: Pair): RunFlip {
  return { task, left: left.id, right: right.id, isGain: isPassed(left) };
}
