import { join } from 'node:path';
import { estimateText } from '../../analysis/estimate.ts';
import type { LevelEvaluation } from '../../analysis/evaluate.ts';
import { chartFile } from '../../analysis/report/chart-file.ts';
import { ticksTo, type ChartPoint } from '../../analysis/report/figures/chart.ts';
import { environments as builtIn } from '../../catalog.ts';
import { EspalierError } from '../../core/errors.ts';
import { absoluteName } from '../../runs/environments/names.ts';
import { writeWhole } from '../../runs/folder/folder.ts';
import {
  compareEstimators,
  rlArms,
  type RlArm,
  type RlArmResult,
  type RlComparison,
} from '../../runs/rl/comparison.ts';
import { createSystemHost } from '../../system/host.ts';
import { columns, type ExitCode, type Output } from '../output.ts';
import { createProgress } from '../runs/progress.ts';
import { stoppable } from '../runs/stop.ts';
import { learningOf, type LearningFlags } from './learning-flags.ts';

export interface StudyRequest extends LearningFlags {
  readonly what: string;
  readonly environments: readonly string[];
  readonly out: string;
  readonly arms?: readonly string[];
  readonly unseen?: readonly string[];
  readonly steps: number;
  readonly seeds: number;
  readonly group: number;
  readonly instances: number;
  readonly srcRounds: number;
  readonly evalEvery: number;
  readonly evalInstances: number;
  readonly workers?: number;
  readonly json?: boolean;
}

/** Compares estimators, prints a table and writes a figure. */
export async function study(output: Output, request: StudyRequest): Promise<ExitCode> {
  const { what, out, unseen = [], steps, seeds, group, instances, srcRounds, json = false } = request;
  if (what !== 'rl') throw invalid(`There is no study "${what}".`, 'Expected: rl, wai or races.');
  const environments = request.environments.length === 0 ? builtIn.map(({ id }) => id) : request.environments;
  const host = createSystemHost(request);
  const meters = new Map<string, ReturnType<typeof createProgress>>();
  const found = await stoppable(output, ({ signal }) =>
    compareEstimators({
      folder: out,
      environments: environments.map(absoluteName),
      unseen: unseen.map(absoluteName),
      arms: chooseArms(request.arms),
      steps,
      seeds,
      group,
      instances,
      srcRounds,
      learning: learningOf(request),
      evaluateEvery: request.evalEvery,
      evaluationInstances: request.evalInstances,
      host,
      signal,
      onProgress(about, meter) {
        const known = meters.get(about) ?? createProgress(output, host.clock, about);
        meters.set(about, known);
        known(meter);
      },
    }),
  );
  output.progress('');
  if (found === null) {
    output.note('stopped; the same command goes on.');
    return 1;
  }
  const figure = join(out, 'curves.svg');
  writeWhole(figure, drawCurves(found));
  writeWhole(join(out, 'comparison.json'), `${JSON.stringify(linesOf(found), null, 2)}\n`);
  if (json) for (const line of linesOf(found)) output.json(line);
  else tell(output, found, figure);
  return 0;
}

function chooseArms(names: readonly string[] | undefined): readonly RlArm[] {
  if (names === undefined) return rlArms;
  return names.map(name => {
    const arm = rlArms.find(({ label }) => shortName(label) === shortName(name));
    if (arm !== undefined) return arm;
    const known = rlArms.map(({ label }) => shortName(label)).join(', ');
    throw invalid(`There is no arm "${name}".`, `Expected: ${known}.`);
  });
}

/** Labels have commas and spaces: `grpo-forks`. */
function shortName(label: string): string {
  return label.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}

const rateOf = (level: LevelEvaluation | null): string => (level === null ? '–' : estimateText(level.overall));

interface StudyLine {
  readonly arm: string;
  readonly newInstances: string;
  readonly heldOut: string;
  readonly unseenApps: string;
  /** Median over the students; null if fewer than half came so far. */
  readonly episodesTo80: number | null;
  /** Steps, attempts and updates of all students. */
  readonly steps: number;
  readonly attempts: number;
  readonly rounds: number;
  readonly stepsPerAttempt: number | null;
  /** Share of the steps that shared prefixes saved. */
  readonly saved: number;
  /** Milliseconds of collecting, for each attempt. */
  readonly milliseconds: number | null;
  readonly queries: number;
}

function linesOf({ baselines, start, src, arms }: RlComparison): StudyLine[] {
  const levels = ({ newInstances, heldOut, unseenApps }: RlComparison['start']) => ({
    newInstances: rateOf(newInstances),
    heldOut: rateOf(heldOut),
    unseenApps: rateOf(unseenApps),
  });
  const noTraining = { attempts: 0, rounds: 0, steps: 0, queries: 0 };
  const none = { episodesTo80: null, stepsPerAttempt: null, saved: 0, milliseconds: null, ...noTraining };
  return [
    ...baselines.map(baseline => ({ arm: baseline.student, ...levels(baseline), ...none })),
    { arm: 'start', ...levels(start), ...none },
    ...(src === null
      ? []
      : [{ arm: 'SRC', ...levels(src.evaluation), ...none, steps: src.steps, queries: src.queries }]),
    ...arms.map((arm): StudyLine => {
      const { label, final, attempts, rounds, steps, saved, collectSeconds, queries } = arm;
      return {
        arm: label,
        ...levels(final),
        episodesTo80: medianOf(arm.episodesTo80),
        steps,
        attempts,
        rounds,
        stepsPerAttempt: attempts === 0 ? null : steps / attempts,
        saved: steps === 0 ? 0 : saved / (steps + saved),
        milliseconds: attempts === 0 ? null : (1000 * collectSeconds) / attempts,
        queries,
      };
    }),
  ];
}

/** The middle student; one that never came so far stands behind all others. */
function medianOf(values: readonly (number | null)[]): number | null {
  const sorted = values.map(value => value ?? Infinity).toSorted((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)] ?? Infinity;
  return Number.isFinite(middle) ? middle : null;
}

function tell(output: Output, found: RlComparison, figure: string): void {
  const heads = [
    '',
    'new instances',
    'held-out',
    'unseen apps',
    'episodes to 80 %',
    'steps',
    'attempts',
    'updates',
    'per attempt',
    'saved',
    'ms',
    'queries',
  ];
  const number = (value: number | null, digits = 0): string =>
    value === null ? '–' : value.toLocaleString('en', { maximumFractionDigits: digits });
  const rows = linesOf(found).map(line => [
    line.arm,
    line.newInstances,
    line.heldOut,
    line.unseenApps,
    number(line.episodesTo80),
    number(line.steps),
    number(line.attempts),
    number(line.rounds),
    number(line.stepsPerAttempt, 1),
    `${Math.round(100 * line.saved)} %`,
    number(line.milliseconds, 1),
    number(line.queries),
  ]);
  for (const line of columns([heads, ...rows], [4, 5, 6, 7, 8, 9, 10, 11])) output.line(line);
  output.line();
  output.line(output.paint.dim(`Curves: ${figure}`));
}

function drawCurves({ start, src, arms }: RlComparison): string {
  const most = Math.max(1, ...arms.flatMap(({ points }) => points.map(({ steps }) => steps)));
  const rules = [
    { label: 'start', rate: start.newInstances?.overall.rate ?? 0 },
    ...(src === null ? [] : [{ label: 'SRC', rate: src.evaluation.newInstances?.overall.rate ?? 0 }]),
  ];
  return chartFile({
    title: 'Success on new instances against environment steps',
    axis: 'Environment steps',
    ticks: ticksTo(most),
    rules,
    series: arms.map((arm, index) => ({ label: arm.label, index, points: pointsOf(arm) })),
  });
}

function pointsOf({ points }: RlArmResult): ChartPoint[] {
  return points.flatMap(({ round, steps, evaluation }): ChartPoint[] => {
    const estimate = evaluation.newInstances?.overall;
    if (estimate === undefined || estimate.rate === null) return [];
    return [{ x: steps, estimate: { ...estimate, rate: estimate.rate }, at: `round ${round}` }];
  });
}

function invalid(message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'input', code: 'invalid-option', message, expected });
}
