import { bootstrap } from '../../analysis/bootstrap.ts';
import { isByPerson, type Phase } from '../../core/episode/events.ts';
import { createRandom } from '../../core/random.ts';
import type { RunComparison, RunFlip } from '../api/api-compare.ts';
import { baselineNames } from '../../runs/evaluation/baselines.ts';
import type { IndexedRow } from './episode-rows.ts';

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
export function compareRuns(left: readonly IndexedRow[], right: readonly IndexedRow[]): RunComparison {
  const evaluated = compareIn('evaluate', left, right);
  return evaluated.pairs > 0 ? evaluated : compareIn('collect', left, right);
}

function compareIn(phase: Phase, left: readonly IndexedRow[], right: readonly IndexedRow[]): RunComparison {
  const [one, other] = [byTrial(left, phase), byTrial(right, phase)];
  const pairs: Pair[] = [];
  for (const [name, row] of one) {
    const match = other.get(name);
    if (match !== undefined) pairs.push({ task: name, left: row, right: match });
  }
  const flips = pairs.filter(pair => isPassed(pair.left) !== isPassed(pair.right)).map(flipOf);
  return {
    phase,
    pairs: pairs.length,
    unpaired: one.size + other.size - 2 * pairs.length,
    left: sideOf(pairs.map(pair => pair.left)),
    right: sideOf(pairs.map(pair => pair.right)),
    difference: pairs.length === 0 ? null : differenceOf(pairs),
    templates: templatesOf(pairs),
    flips: flips.slice(0, mostFlips),
  };
}

/** The latest episode of each task and trial. What broke says nothing of a student; baselines and people are none. */
function byTrial(rows: readonly IndexedRow[], wanted: Phase): Map<string, IndexedRow> {
  const counted = rows.filter(
    row =>
      row.phase === wanted &&
      row.outcome !== 'errored' &&
      !isByPerson(row) &&
      (row.phase === 'collect' || !baselineNames.includes(row.student)),
  );
  return new Map(counted.map(row => [trialOf(row), row]));
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
  };
}

/** Of the first run less the second, with its interval of 95 %. */
function differenceOf(pairs: readonly Pair[]): RunComparison['difference'] {
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
