import { lacksCertificate } from '../core/episode/certificate.ts';
import type { EpisodeHead } from '../core/episode/events.ts';
import type { EpisodeSummary } from '../core/episode/journal.ts';
import { invalidOption, type EspalierError } from '../core/errors.ts';
import type { Random } from '../core/random.ts';
import type { Split } from '../core/records.ts';
import { bootstrap, nestedMean, type NestedValue } from './bootstrap.ts';
import type { Estimate } from './estimate.ts';
import { templateName, type HeldOutKind } from './held-out-kinds.ts';
import { mean, passAtK, passHatK, wilson } from './stats.ts';
import { readStudentName } from './training-seeds.ts';

/**
 * How far from what was trained on: new instances of training templates, or templates never trained on. Of these there
 * are three sets. The second one validates what was tuned on the first. The third one is for the end: nothing is tuned on it.
 * Neither runs unless it is asked for.
 */
export type Level = 'new-instances' | 'held-out' | 'held-out-2' | 'held-out-3';

const levelBySplit: Readonly<Record<Split, Level>> = {
  train: 'new-instances',
  test: 'held-out',
  'test-2': 'held-out-2',
  'test-3': 'held-out-3',
};

export const levelWords: Readonly<Record<Level, string>> = {
  'new-instances': 'new instances',
  'held-out': 'held-out templates',
  'held-out-2': 'second held-out set',
  'held-out-3': 'third held-out set',
};

/** The level that tasks of a split are evaluated on. */
export function levelOf(split: Split): Level {
  return levelBySplit[split];
}

/** How far a trial is from what was trained on; an app that was never trained on is farther than any template. */
export type TrialLevel = Level | 'unseen-app';

export interface Trial {
  readonly level: TrialLevel;
  /** Of a held-out template: whether its parts were seen in training; null where nobody knows. */
  readonly kind: HeldOutKind | null;
  readonly app: string;
  readonly template: string;
  readonly task: string;
  readonly trial: number;
  /** Which of several students, trained alike but for their seed, made it. */
  readonly seed: string;
  /** Null when the episode errored, or passed without the certificate that it needs: there is no reward then. */
  readonly passed: boolean | null;
  /** What broke, where the episode errored. */
  readonly error?: string;
  /** Passed, not certified. */
  readonly uncertified: boolean;
  readonly steps: number;
}

/** Several trials of the same tasks: at least one of k passes, all of k pass. */
interface Attempts {
  readonly k: number;
  readonly passAtK: number;
  readonly passHatK: number;
  /** Tasks with at least k verified trials, over which both are averaged. */
  readonly tasks: number;
}

export interface LevelEvaluation {
  /** Every app weighs alike, and in it every template and task; interval by hierarchical bootstrap. */
  readonly overall: Estimate;
  readonly apps: readonly { readonly app: string; readonly estimate: Estimate }[];
  /** Interval by Wilson. */
  readonly templates: readonly { readonly app: string; readonly template: string; readonly estimate: Estimate }[];
  /** Empty when no task had more than one verified trial. */
  readonly attempts: readonly Attempts[];
  /** Steps to the end of a verified episode; null when there is none. */
  readonly steps: number | null;
}

/** What one policy did in one round, its levels never mixed; a level that was not run is null. */
export interface Evaluation {
  readonly student: string;
  readonly round: number;
  readonly newInstances: LevelEvaluation | null;
  /** New templates of apps that were trained on. */
  readonly heldOut: LevelEvaluation | null;
  readonly heldOut2: LevelEvaluation | null;
  readonly heldOut3: LevelEvaluation | null;
  /** The same templates, apart: known controls in a new composition, and controls that no training template acts on. */
  readonly newComposition: LevelEvaluation | null;
  readonly unseenSkill: LevelEvaluation | null;
  readonly unseenApps: LevelEvaluation | null;
  readonly trials: readonly Trial[];
}

export interface EvaluateOptions {
  readonly random: Random;
  readonly repetitions?: number;
  /** Apps that were trained on; all of them when left out. */
  readonly trainedApps?: ReadonlySet<string>;
  /** Kinds of the held-out templates, by `app/template`. */
  readonly kinds?: ReadonlyMap<string, HeldOutKind>;
}

/** Estimates over the evaluation episodes among these; null when there are none. */
export function evaluate(summaries: Iterable<EpisodeSummary>, options: EvaluateOptions): Evaluation | null {
  const trials: Trial[] = [];
  let first: EpisodeHead | null = null;
  for (const summary of summaries) {
    const { head } = summary;
    if (head.phase !== 'evaluate') continue;
    first ??= head;
    if (readStudentName(head.student).name !== readStudentName(first.student).name || head.round !== first.round)
      throw mixed(first, head);
    trials.push(trialOf(summary, options));
  }
  if (first === null) return null;
  return evaluationOf({ student: readStudentName(first.student).name, round: first.round, trials }, options);
}

/** What an episode says of its policy. */
export function trialOf(summary: EpisodeSummary, options: Pick<EvaluateOptions, 'trainedApps' | 'kinds'> = {}): Trial {
  const { head, end } = summary;
  const uncertified = end.outcome === 'passed' && lacksCertificate(summary, end.leaf);
  return {
    ...placeOf(summary, options),
    app: head.task.environment,
    template: head.task.template,
    task: head.task.id,
    trial: head.trial,
    seed: readStudentName(head.student).seed,
    passed: end.outcome === 'errored' || uncertified ? null : end.outcome === 'passed',
    ...(end.outcome === 'errored' && { error: end.message ?? end.reason ?? '' }),
    uncertified,
    steps: end.counts.steps,
  };
}

/** Evaluations of students that were trained alike but for their seed, as one: its intervals have the spread of the seeds. */
export function pooled(evaluations: readonly Evaluation[], options: EvaluateOptions): Evaluation | null {
  const [first] = evaluations;
  if (first === undefined) return null;
  return evaluationOf({ ...first, trials: evaluations.flatMap(({ trials }) => trials) }, options);
}

function evaluationOf(
  { student, round, trials }: Pick<Evaluation, 'student' | 'round' | 'trials'>,
  options: EvaluateOptions,
): Evaluation {
  const level = (name: TrialLevel, isMeant: (trial: Trial) => boolean): LevelEvaluation | null => {
    const own = trials.filter(trial => trial.level === name && isMeant(trial));
    return own.length === 0 ? null : evaluateLevel(own, { ...options, random: options.random.fork(name) });
  };
  return {
    student,
    round,
    newInstances: level('new-instances', () => true),
    heldOut: level('held-out', () => true),
    heldOut2: level('held-out-2', () => true),
    heldOut3: level('held-out-3', () => true),
    newComposition: level('held-out', ({ kind }) => kind === 'new-composition'),
    unseenSkill: level('held-out', ({ kind }) => kind === 'unseen-skill'),
    unseenApps: level('unseen-app', () => true),
    trials,
  };
}

function placeOf(
  { head }: Pick<EpisodeSummary, 'head'>,
  { trainedApps, kinds }: Pick<EvaluateOptions, 'trainedApps' | 'kinds'>,
): Pick<Trial, 'level' | 'kind'> {
  const { environment, split } = head.task;
  if (trainedApps?.has(environment) === false) return { level: 'unseen-app', kind: null };
  const level = levelOf(split);
  return { level, kind: level === 'held-out' ? (kinds?.get(templateName({ head })) ?? null) : null };
}

function evaluateLevel(trials: readonly Trial[], options: EvaluateOptions): LevelEvaluation {
  const apps = [...Map.groupBy(trials, trial => trial.app)];
  return {
    overall: nestedEstimate(trials, options),
    apps: apps.map(([app, own]) => ({
      app,
      estimate: nestedEstimate(own, { ...options, random: options.random.fork(app) }),
    })),
    templates: apps.flatMap(([app, own]) =>
      [...Map.groupBy(own, trial => trial.template)].map(([template, trialsOf]) => ({
        app,
        template,
        estimate: plainEstimate(trialsOf),
      })),
    ),
    attempts: attemptsOf(trials),
    steps: mean(trials.filter(trial => trial.passed !== null).map(trial => trial.steps)),
  };
}

/** Every app weighs alike, and in it every template and task; interval by hierarchical bootstrap. */
export function nestedEstimate(trials: readonly Trial[], options: EvaluateOptions): Estimate {
  const counts = countTrials(trials);
  const raw = nestedMean(trials.map(valueOf));
  const verified = trials.filter(trial => trial.passed !== null);
  if (verified.length === 0) return { rate: null, low: 0, high: 1, ...counts, raw };
  const { mean: rate, low, high } = bootstrap(verified.map(valueOf), { ...options, range: { low: 0, high: 1 } });
  return { rate, low, high, ...counts, raw };
}

function valueOf({ app, template, task, seed, passed }: Trial): NestedValue {
  return { app, template, task, seed, value: passed === true ? 1 : 0 };
}

/** Trials of one template, taken as independent. */
function plainEstimate(trials: readonly Trial[]): Estimate {
  const counts = countTrials(trials);
  const { passed, n, errored, uncertified } = counts;
  return {
    rate: n === 0 ? null : passed / n,
    ...wilson(passed, n),
    ...counts,
    raw: passed / (n + errored + uncertified),
  };
}

function countTrials(trials: readonly Trial[]): Pick<Estimate, 'passed' | 'n' | 'errored' | 'uncertified'> {
  const without = trials.filter(trial => trial.passed === null);
  const uncertified = without.filter(trial => trial.uncertified).length;
  return {
    passed: trials.filter(trial => trial.passed === true).length,
    n: trials.length - without.length,
    errored: without.length - uncertified,
    uncertified,
  };
}

function attemptsOf(trials: readonly Trial[]): Attempts[] {
  const tallies = [...Map.groupBy(trials, trial => trial.task).values()].map(countTrials);
  const most = Math.max(...tallies.map(tally => tally.n));
  if (most < 2) return [];
  return Array.from({ length: most }, (_, index) => {
    const k = index + 1;
    const able = tallies.filter(tally => tally.n >= k);
    const average = (of: typeof passAtK): number => mean(able.map(tally => of(tally, k))) as number;
    return { k, passAtK: average(passAtK), passHatK: average(passHatK), tasks: able.length };
  });
}

function mixed(first: EpisodeHead, other: EpisodeHead): EspalierError {
  return invalidOption(
    `These episodes mix ${first.student} in round ${first.round} with ${other.student} in round ${other.round}.`,
    'Expected the episodes of one policy in one round; evaluate each by itself.',
  );
}
