import type { Estimate } from '../../../analysis/estimate.ts';
import type { Evaluation, LevelEvaluation } from '../../../analysis/evaluate.ts';
import { chartFile, chartFileSpots } from '../../../analysis/report/chart-file.ts';
import {
  acrossQueries,
  acrossRounds,
  chartOf,
  levelTitles,
  type CurveData,
} from '../../../analysis/report/figures/curves.ts';
import type { Chart } from '../../../analysis/report/figures/chart.ts';
import { EspalierError } from '../../../core/errors.ts';
import type {
  ChartRequest,
  LearningFigure,
  LearningLevel,
  LearningStudent,
  LearningTemplate,
  LearningView,
  RateView,
} from '../../api/api-learning.ts';
import { levelsOf, type LearningRound, type RunLearning } from './run-learning.ts';

const collectedTitle = 'Episodes that were collected';
const levels: readonly { readonly level: LearningLevel; readonly title: string }[] = [
  ...levelTitles.map(([level, title]) => ({ level, title })),
  { level: 'collected', title: collectedTitle },
];
/** Students beside each other in the table of templates. */
const mostStudents = 24;

/** The learning of one run, or of several beside each other. */
export function learningView(runs: readonly RunLearning[]): LearningView {
  const measured = levels.filter(({ level }) =>
    runs.some(({ rounds }) => rounds.some(round => isMeasured(round[level]))),
  );
  const students = studentsOf(runs);
  return {
    levels: measured,
    figures: figuresOf(runs, measured),
    rows: runs.flatMap(({ run, rounds }) =>
      rounds.map(round => ({ run, round: round.round, queries: round.queries, rates: ratesOf(round) })),
    ),
    students: students.map(({ student }) => student),
    templates: templatesOf(students.map(({ evaluation }) => evaluation)),
    missing: missingOf(runs),
  };
}

/** Draws a figure of the view as a file of its own. */
export function learningChart(runs: readonly RunLearning[], request: ChartRequest): string {
  const chart = findChart(runs, request);
  if (chart === null) throw noChart(request);
  return chartFile(chart);
}

function isMeasured(estimate: Estimate | null | undefined): estimate is Estimate & { readonly rate: number } {
  return estimate !== null && estimate !== undefined && estimate.rate !== null;
}

function figuresOf(runs: readonly RunLearning[], measured: LearningView['levels']): LearningFigure[] {
  const hasAsked = runs.some(({ rounds }) => rounds.some(({ queries }) => queries > 0));
  const drawn = (across: LearningFigure['across'], own: LearningView['levels']): LearningFigure[] =>
    own.map(({ level, title }) => {
      const chart = findChart(runs, { level, across });
      return { level, title, across, points: chart === null ? [] : chartFileSpots(chart) };
    });
  const byRound = drawn('round', measured);
  const byQueries = drawn(
    'queries',
    measured.filter(({ level }) => level !== 'collected'),
  );
  return hasAsked ? [...byRound, ...byQueries] : byRound;
}

function findChart(runs: readonly RunLearning[], { level, across }: ChartRequest): Chart | null {
  const title = levels.find(found => found.level === level)?.title ?? level;
  const data = level === 'collected' ? collectedData(runs) : evaluatedData(runs);
  const shown = level === 'collected' ? 'newInstances' : level;
  const rounds = data.arms.flatMap(arm => arm.rounds).filter(round => isMeasured(round[shown]));
  const place = across === 'round' ? acrossRounds(rounds) : acrossQueries(rounds);
  return rounds.length === 0 ? null : chartOf(data, place, { level: shown, title, isNarrow: false });
}

function evaluatedData(runs: readonly RunLearning[]): CurveData {
  // Baselines of several runs may differ: their lines would not say whose they are.
  const baselines = runs.length === 1 ? (runs[0]?.baselines ?? []) : [];
  return {
    arms: runs.map(({ run, rounds }) => ({ label: run, rounds })),
    baselines: baselines.map(baseline => ({ name: baseline.student, ...levelsOf(baseline) })),
  };
}

/** What was collected, drawn as if it were a level. */
function collectedData(runs: readonly RunLearning[]): CurveData {
  const asLevel = (round: LearningRound): LearningRound => ({ ...round, newInstances: round.collected });
  return { arms: runs.map(({ run, rounds }) => ({ label: run, rounds: rounds.map(asLevel) })), baselines: [] };
}

function ratesOf(round: LearningRound): LearningView['rows'][number]['rates'] {
  return Object.fromEntries(
    levels.flatMap(({ level }) => {
      const rate = rateOf(round[level]);
      return rate === null ? [] : [[level, rate]];
    }),
  );
}

function rateOf(estimate: Estimate | null | undefined): RateView | null {
  if (!isMeasured(estimate)) return null;
  const { rate, low, high, passed, n } = estimate;
  return { rate, low, high, passed, of: n };
}

interface Evaluated {
  readonly student: LearningStudent;
  readonly evaluation: Evaluation;
}

/** Of one run, its students of all rounds and the baselines; of several, the latest student of each. */
function studentsOf(runs: readonly RunLearning[]): Evaluated[] {
  const all = runs.flatMap(({ run, students, baselines }) => {
    const own = runs.length === 1 ? students : students.slice(-1);
    const beside = runs.length === 1 ? baselines : [];
    const described = (evaluation: Evaluation, isBaseline: boolean): Evaluated => ({
      student: { run, name: evaluation.student, round: evaluation.round, isBaseline },
      evaluation,
    });
    return [...own.map(one => described(one, false)), ...beside.map(one => described(one, true))];
  });
  // The first and the latest ones: what lies between is in the curves.
  return all.length <= mostStudents ? all : [...all.slice(0, 1), ...all.slice(1 - mostStudents)];
}

const templateLevels = [
  ['newInstances', 'New instances'],
  ['heldOut', 'Held out'],
  ['heldOut2', 'Held out, second set'],
  ['heldOut3', 'Held out, third set'],
  ['unseenApps', 'Unseen apps'],
] as const;

function templatesOf(evaluations: readonly Evaluation[]): LearningTemplate[] {
  return templateLevels.flatMap(([level, title]) => {
    const byStudent = evaluations.map(evaluation => ratesByTemplate(evaluation[level]));
    const names = [...new Set(byStudent.flatMap(rates => [...rates.keys()]))].toSorted();
    return names.map(template => ({
      template,
      level: title,
      rates: byStudent.map(rates => rates.get(template) ?? null),
    }));
  });
}

function ratesByTemplate(level: LevelEvaluation | null): ReadonlyMap<string, RateView> {
  const found = (level?.templates ?? []).flatMap(({ app, template, estimate }) => {
    const rate = rateOf(estimate);
    return rate === null ? [] : [[`${app}/${template}`, rate] as const];
  });
  return new Map(found);
}

function missingOf(runs: readonly RunLearning[]): string[] {
  const unevaluated = runs.filter(({ students }) => students.length === 0).map(({ run }) => run);
  if (unevaluated.length === 0) return [];
  return [`Not evaluated yet: ${unevaluated.slice(0, 10).join(', ')}. Run espalier eval, loop or rl in their folders.`];
}

function noChart({ level, across }: ChartRequest): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `Nothing was measured on ${level} by ${across}.`,
    expected: 'Expected one of the figures that the learning view lists.',
  });
}
