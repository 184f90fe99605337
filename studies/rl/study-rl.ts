import { join } from 'node:path';
import type { Comparison } from '../../src/analysis/compare.ts';
import { estimateText } from '../../src/analysis/estimate.ts';
import type { LevelEvaluation } from '../../src/analysis/evaluate.ts';
import { chartFile } from '../../src/analysis/report/chart-file.ts';
import { ticksTo, type ChartPoint } from '../../src/analysis/report/figures/chart.ts';
import { environments as builtIn } from '../../src/catalog.ts';
import { invalidOption } from '../../src/core/errors.ts';
import { absoluteName } from '../../src/runs/environments/names.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import type { RlArm, RlArmResult } from './arm-result.ts';
import { compareEstimators, rlArms, type RlComparison } from './comparison.ts';
import type { TrainingCost } from './training-cost.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { columns, type ExitCode, type Output } from '../../src/cli/terminal/output.ts';
import { withFleet, type FleetFlags } from '../../src/cli/fleet/with-fleet.ts';
import { createProgress } from '../../src/cli/terminal/progress.ts';
import { stoppable } from '../../src/cli/terminal/stop.ts';
import { learningOf, type LearningFlags } from '../../src/cli/settings/learning-flags.ts';

export interface StudyRequest extends LearningFlags, FleetFlags {
  readonly what: string;
  readonly environments: readonly string[];
  readonly out: string;
  readonly arms?: readonly string[];
  readonly unseen?: readonly string[];
  readonly steps?: number;
  readonly seeds: number;
  readonly group: number;
  readonly instances: number;
  readonly srcRounds: number;
  readonly evalEvery: number;
  readonly evalInstances: number;
  readonly workers?: number;
  readonly json?: boolean;
}

/** Environment steps of each student. */
const usualSteps = 30_000;

/** Compares estimators, prints a table and writes a figure. */
export async function study(output: Output, request: StudyRequest): Promise<ExitCode> {
  const { what, out, unseen = [], steps = usualSteps, seeds, group, instances, srcRounds, json = false } = request;
  if (what !== 'rl')
    throw invalidOption(`There is no study "${what}".`, 'Expected: rl, wai, races, strategies, memory or loops.');
  const environments = request.environments.length === 0 ? builtIn.map(({ id }) => id) : request.environments;
  const host = withFleet(createSystemHost(request), request, output);
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
    throw invalidOption(`There is no arm "${name}".`, `Expected: ${known}.`);
  });
}

/** Labels have commas and spaces: `grpo-forks`. */
function shortName(label: string): string {
  return label.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}

const rateOf = (level: LevelEvaluation | null): string => (level === null ? '–' : estimateText(level.overall));

/** `+12 (-3 to 27)`, in points. */
function changeText(change: Comparison | null | undefined): string {
  if (change === null || change === undefined) return '–';
  const points = (value: number): string => String(Math.round(100 * value));
  const { mean, low, high } = change.difference;
  return `${mean > 0 ? '+' : ''}${points(mean)} (${points(low)} to ${points(high)})`;
}

interface StudyLine {
  readonly arm: string;
  readonly newInstances: string;
  /** Against the first student, on the same tasks. */
  readonly change: string;
  readonly heldOut: string;
  readonly unseenApps: string;
  /** Median over the students; null if fewer than half came so far, or nothing was trained. */
  readonly episodesTo80: number | null;
  /** Of each student; null where nothing was trained. */
  readonly episodesTo80EachStudent: readonly (number | null)[] | null;
  /** Means over the students, from here on; null where nothing was trained. */
  readonly cost: TrainingCost | null;
  /** Steps that the same attempts would have taken without shared prefixes. */
  readonly stepsWithoutSharing: number | null;
  readonly stepsPerAttempt: number | null;
  /** Milliseconds of collecting, for each attempt. */
  readonly milliseconds: number | null;
}

function linesOf({ baselines, start, src, arms }: RlComparison): StudyLine[] {
  const levels = ({ newInstances, heldOut, unseenApps }: RlComparison['start']) => ({
    newInstances: rateOf(newInstances),
    heldOut: rateOf(heldOut),
    unseenApps: rateOf(unseenApps),
  });
  const noTraining = {
    change: '–',
    episodesTo80: null,
    episodesTo80EachStudent: null,
    cost: null,
    stepsWithoutSharing: null,
    stepsPerAttempt: null,
    milliseconds: null,
  };
  return [
    ...baselines.map(baseline => ({ arm: baseline.student, ...levels(baseline), ...noTraining })),
    { arm: 'start', ...levels(start), ...noTraining },
    ...(src === null
      ? []
      : [
          {
            arm: 'SRC',
            ...levels(src.evaluation),
            ...noTraining,
            change: changeText(src.change?.newInstances),
            cost: src.cost,
            stepsWithoutSharing: src.cost.steps,
          },
        ]),
    ...arms.map((arm): StudyLine => {
      const { label, final, attempts, cost, sharedSteps, collectSeconds } = arm;
      return {
        arm: label,
        ...levels(final),
        change: changeText(arm.change.newInstances),
        episodesTo80: medianOf(arm.episodesTo80),
        episodesTo80EachStudent: arm.episodesTo80,
        cost,
        stepsWithoutSharing: cost.steps + sharedSteps,
        stepsPerAttempt: attempts === 0 ? null : arm.ownSteps / attempts,
        milliseconds: attempts === 0 ? null : (1000 * collectSeconds) / attempts,
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

const number = (value: number | null | undefined, digits = 0): string =>
  value === null || value === undefined ? '–' : value.toLocaleString('en', { maximumFractionDigits: digits });

function tell(output: Output, found: RlComparison, figure: string): void {
  const lines = linesOf(found);
  const results = lines.map(line => [
    line.arm,
    line.newInstances,
    line.change,
    line.heldOut,
    line.unseenApps,
    reachedText(line),
  ]);
  const heads = ['', 'new instances', 'change in points', 'held-out', 'unseen apps', 'episodes to 80 %'];
  for (const line of columns([heads, ...results], [5])) output.line(line);
  output.line();
  output.line('What each student took:');
  const costs = lines
    .filter(({ cost }) => cost !== null)
    .map(({ arm, cost, stepsWithoutSharing, stepsPerAttempt, milliseconds }) => [
      arm,
      number(cost?.steps),
      number(stepsWithoutSharing),
      number(cost?.verifierCalls),
      number(cost?.updates),
      number(cost?.queries),
      number(stepsPerAttempt, 1),
      number(milliseconds, 1),
    ]);
  const currencies = ['steps', 'without sharing', 'verifier calls', 'updates', 'teacher queries'];
  const perAttempt = ['steps/attempt', 'ms/attempt'];
  for (const line of columns([['', ...currencies, ...perAttempt], ...costs], [1, 2, 3, 4, 5, 6, 7])) output.line(line);
  output.line();
  tellCommon(output, found.common);
  output.line(output.paint.dim(`Curves: ${figure}`));
}

function reachedText({ episodesTo80, episodesTo80EachStudent }: StudyLine): string {
  if (episodesTo80EachStudent === null) return '–';
  return episodesTo80 === null ? 'not reached' : number(episodesTo80);
}

/** The arms where none had spent more than another could, in any currency. */
function tellCommon(output: Output, { budget, points, tooEarly }: RlComparison['common']): void {
  const { steps, verifierCalls, updates } = budget;
  output.line(
    `Last evaluation within ${number(steps)} steps, ${number(verifierCalls)} verifier calls and ${number(updates)} updates:`,
  );
  const rows = points.map(({ label, cost, evaluation }) => [
    label,
    rateOf(evaluation.newInstances),
    number(cost.steps),
    number(cost.verifierCalls),
    number(cost.updates),
  ]);
  const heads = ['', 'new instances', 'steps', 'verifier calls', 'updates'];
  if (rows.length > 0) for (const line of columns([heads, ...rows], [2, 3, 4])) output.line(line);
  for (const { label, next } of tooEarly) {
    const later =
      next === null
        ? 'it has no later one'
        : `the next comes after ${number(next.steps)} steps, ${number(next.verifierCalls)} verifier calls and ${number(next.updates)} updates`;
    output.line(`Not compared: ${label}. Its evaluation within the budget had spent less than half of it; ${later}.`);
  }
  if (tooEarly.length > 0) output.line('Evaluate more often to compare them: --set study.evalEvery=1.');
  output.line();
}

function drawCurves({ start, src, arms }: RlComparison): string {
  const most = Math.max(1, ...arms.flatMap(({ points }) => points.map(({ cost }) => cost.steps)));
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
  return points.flatMap(({ round, cost, evaluation }): ChartPoint[] => {
    const estimate = evaluation.newInstances?.overall;
    if (estimate === undefined || estimate.rate === null) return [];
    return [{ x: cost.steps, estimate: { ...estimate, rate: estimate.rate }, at: `round ${round}` }];
  });
}
