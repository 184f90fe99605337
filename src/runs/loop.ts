import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { pooled, type Evaluation } from '../analysis/evaluate.ts';
import { skipThreshold } from '../analysis/skip-threshold.ts';
import { studentName } from '../analysis/training-seeds.ts';
import { defined } from '../core/json.ts';
import { foldEpisode } from '../core/episode/record.ts';
import { invalidOption } from '../core/errors.ts';
import { parseRecord } from '../core/records.ts';
import { writeStudent } from '../agents/learned/student.ts';
import { studentContender } from './jobs/contender.ts';
import { collectRun, type Collected } from './collect.ts';
import type { GivenParts } from './host/given.ts';
import type { Host } from './host/host.ts';
import { readConfig, type ConfigDraft, type RunConfig } from './config/config.ts';
import { evaluateRun } from './evaluate.ts';
import { intervalsOf } from './evaluation/intervals.ts';
import { exportRun } from './export.ts';
import { keepOptions } from './folder/begun-options.ts';
import { readJson } from '../modules/read-file.ts';
import { findConfig, openRun, runPaths, writeWhole } from './folder/folder.ts';
import type { ProgressCounter } from './plan/progress-counter.ts';
import { openingAtOnce } from './environments/opening-at-once.ts';
import { focusTasks, type FocusGroup } from './loop-focus.ts';
import { adaptFromExport, trainFromExport } from './train.ts';

/** The config of each round, without its number, its instances and its student. */
type LoopDraft = Omit<ConfigDraft, 'round' | 'instances' | 'student'>;

export interface LoopOptions {
  readonly folder: string;
  readonly draft: LoopDraft;
  readonly rounds: number;
  /** Of each template in each round; the last number stands for the rounds that follow. */
  readonly instances: readonly number[];
  /** Collect demonstrations of the planner instead of corrected work of the student. */
  readonly imitate: boolean;
  /**
   * Who acts when a round collects: a model, say. Left out, it is the student that the round before has trained. `small` is
   * itself adapted: it acts in the first round, and with what it has learned in the next.
   */
  readonly student?: ConfigDraft['student'] | undefined;
  /** Exported rows that all students of the loop learn from as well. The first round starts with a student of these alone. */
  readonly start?: string | undefined;
  /** What is trained on: everything that passed and all corrections, unless the archive is to choose among it. */
  readonly keep?: 'all' | 'archive';
  /** What trajectories compete within when the archive chooses. */
  readonly bins?: 'task' | 'template' | undefined;
  /** Share of the skipped reviews that may miss a rejection: sets `skipSure` of the strategy after every round. */
  readonly misses?: number | undefined;
  /** `failures`: the tasks of a round go to the templates that the student failed at in the round before. */
  readonly focus?: 'none' | 'failures' | undefined;
  /** Students trained after the last round, each with a seed of its own; 1 unless given. */
  readonly students?: number;
  /** Environments to evaluate on as well, which are never collected on. */
  readonly unseen?: readonly string[];
  /** Of each template, when the student is evaluated. */
  readonly evaluationInstances: number;
  readonly baselines: boolean;
  readonly host: Host;
  /** Objects that the draft speaks of. */
  readonly given?: GivenParts | undefined;
  readonly signal: AbortSignal;
  onProgress?(what: string, meter: ProgressCounter): void;
  /** Told of every row that the model small has read, while it is adapted. */
  onAdapting?(rows: number): void;
  /** Told why the loop stops: the budget of the run is spent, or an endpoint is gone. */
  onExhausted?(why: string): void;
}

const trainingSchema = z.strictObject({
  rows: z.number(),
  unread: z.number(),
  unmatched: z.number(),
  fit: z.number(),
  seconds: z.number(),
});

/** What one round came to. */
export interface LoopRound {
  readonly round: number;
  readonly collected: Collected;
  /** What its tasks were chosen by; null where they were not. */
  readonly focus: readonly FocusGroup[] | null;
  readonly trained: z.infer<typeof trainingSchema>;
  readonly evaluation: Evaluation;
  readonly seconds: number;
}

/** Collects, exports, trains and evaluates, round after round. The same loop in the same folder goes on where it stopped. */
export async function* runLoop(given: LoopOptions): AsyncGenerator<LoopRound> {
  const { rounds } = given;
  const { clock } = given.host;
  const takeBack = beginLoop(given);
  const options = await settleNames(given).catch((cause: unknown) => {
    takeBack();
    throw cause;
  });
  for (let round = 1; round <= rounds; round++) {
    const started = clock.now();
    const collected = await startRound(options, round).catch((cause: unknown) => {
      takeBack();
      throw cause;
    });
    if (collected.exhausted !== null) options.onExhausted?.(collected.exhausted);
    if (collected.stopped) return;
    const trained = await trainRound(options, round);
    const evaluation = await evaluateRound(options, collected);
    if (evaluation === null) return;
    yield {
      round,
      collected,
      focus: focusOf(options, round)?.groups ?? null,
      trained,
      evaluation,
      seconds: (clock.now() - started) / 1000,
    };
  }
}

/** The names of environments as they open at once: what is left out of forged tasks is found once, not in every round and worker. */
async function settleNames(options: LoopOptions): Promise<LoopOptions> {
  const { draft, folder, unseen } = options;
  const settle = (names: readonly string[]): Promise<string[]> => Promise.all(names.map(openingAtOnce));
  const environments = findConfig(folder, 1)?.environments ?? (await settle(draft.environments));
  return {
    ...options,
    draft: { ...draft, environments },
    ...(unseen === undefined ? {} : { unseen: await settle(unseen) }),
  };
}

/** Reads all that the loop needs, and collects. */
async function startRound(options: LoopOptions, round: number): Promise<Collected> {
  if (round === 1) await trainStart(options);
  return collectRound(options, round);
}

/** The student that the first round starts with, where rows are given for it. */
async function trainStart(options: LoopOptions): Promise<void> {
  const { folder, start, draft } = options;
  const out = startPath(folder);
  if (start === undefined || existsSync(out)) return;
  writeWhole(out, (await teach(options, [start], draft.seed ?? 1)).file);
}

/** A student of exported rows, as a file: one of its own, or the model small with what it has learned. */
async function teach(options: LoopOptions, folders: readonly string[], seed: number): Promise<Taught> {
  const { host, onAdapting: onProgress } = options;
  const adapted = adaptedBy(options);
  if (adapted === null) {
    const { weights, ...trained } = trainFromExport({ folders, seed, host });
    return { file: writeStudent(weights), trained };
  }
  const { file, ...trained } = await adaptFromExport({
    folders,
    seed,
    host,
    model: adapted.folder ?? null,
    onProgress,
  });
  return { file, trained };
}

interface Taught {
  readonly file: string;
  readonly trained: LoopRound['trained'];
}

type StudentConfig = NonNullable<ConfigDraft['student']>;

/** The model that the loop adapts, where its student is `small`. */
function adaptedBy({ student }: Pick<LoopOptions, 'student'>): Extract<StudentConfig, { kind: 'small' }> | null {
  return student?.kind === 'small' ? student : null;
}

/** A student of the loop as a config. */
function studentIn(options: LoopOptions, file: string): StudentConfig {
  const adapted = adaptedBy(options);
  return adapted === null ? { kind: 'learned', file } : { ...adapted, folder: file, sha256: null };
}

function startPath(folder: string): string {
  return join(folder, 'student.start.json');
}

/** What the students of a loop learn from: its own rows, and those that it was given. */
function rowsOf({ folder, start }: LoopOptions): readonly string[] {
  return start === undefined ? [folder] : [folder, start];
}

/** A student that exists was trained on the rounds up to its own, and stays as it is. */
async function trainRound(options: LoopOptions, round: number): Promise<LoopRound['trained']> {
  const { folder, draft, host, given, keep = 'all', bins } = options;
  const [student, training] = [studentPath(folder, round), join(folder, `training.round-${round}.json`)];
  if (existsSync(student)) {
    return parseRecord(trainingSchema, readJson(training), { what: training, code: 'corrupt-record' });
  }
  await exportRun({ folder, host, given, formats: ['jsonl'], keep, bins });
  const { file, trained } = await teach(options, rowsOf(options), draft.seed ?? 1);
  writeWhole(training, `${JSON.stringify(trained)}\n`);
  writeWhole(student, file);
  return trained;
}

/** The file of the student that was trained on the rounds up to this one. Students of other seeds are for intervals. */
export function studentPath(folder: string, round: number, seed = 1): string {
  return join(folder, `student.round-${round}${seed === 1 ? '' : `.seed-${seed}`}.json`);
}

/** Another student of the rows that were just exported. */
async function trainOther(options: LoopOptions, round: number, seed: number): Promise<void> {
  const { folder, draft } = options;
  const out = studentPath(folder, round, seed);
  if (existsSync(out)) return;
  const { file } = await teach(options, rowsOf(options), (draft.seed ?? 1) + seedDistance * (seed - 1));
  writeWhole(out, file);
}

/** Seeds of runs are small numbers: those of other students lie far from them. */
const seedDistance = 1_000_003;

function collectRound(options: LoopOptions, round: number): Promise<Collected> {
  const { folder, draft, host, given, signal, onProgress } = options;
  return collectRun({
    config: configOf(options, round),
    folder,
    host,
    given,
    signal,
    onProgress: meter => onProgress?.(`${draft.run}, round ${round}: collecting`, meter),
  });
}

function configOf(options: LoopOptions, round: number): RunConfig {
  const { draft, folder, instances, misses } = options;
  const number = instances[Math.min(round, instances.length) - 1] as number;
  const focus = focusOf(options, round);
  const config = readConfig(
    {
      ...draft,
      ...(focus === null ? {} : { templates: null, tasks: focus.tasks }),
      round,
      instances: number,
      student: studentOf(options, round),
    },
    'The loop',
  );
  return misses === undefined || round === 1 ? config : withSkipThreshold(config, { folder, misses });
}

/** The tasks of a round by the failures of the one before; null where all templates have as many. */
function focusOf({ folder, focus, draft }: LoopOptions, round: number): ReturnType<typeof focusTasks> | null {
  if (focus !== 'failures' || round === 1) return null;
  const store = openRun(folder);
  try {
    return focusTasks(store, { round, seed: draft.seed ?? 1 });
  } finally {
    store.close();
  }
}

function studentOf(options: LoopOptions, round: number): ConfigDraft['student'] {
  const { folder, imitate, student, start } = options;
  if (imitate) return { kind: 'planner' };
  if (student !== undefined && adaptedBy(options) === null) return student;
  if (round > 1) return studentIn(options, studentPath(folder, round - 1));
  return start === undefined ? (student ?? { kind: 'untrained' }) : studentIn(options, startPath(folder));
}

/** Sets how sure a student must be for a review to be skipped, by what the round before missed. */
function withSkipThreshold(
  config: RunConfig,
  { folder, misses }: { readonly folder: string; readonly misses: number },
): RunConfig {
  const before = findConfig(folder, config.round - 1)?.strategy ?? config.strategy;
  const { skipSure: current, audit } = before as Readonly<Record<string, unknown>>;
  if (typeof current !== 'number' || typeof audit !== 'number') return config;
  const store = openRun(folder);
  try {
    const stored = store.episodes({ phase: 'collect', round: config.round - 1 });
    const records = Iterator.from(stored).map(foldEpisode);
    const skipSure = skipThreshold(records, { current, audit, misses });
    return { ...config, strategy: { ...config.strategy, skipSure } };
  } finally {
    store.close();
  }
}

/** The students of all seeds after the last round, as one evaluation; the first one alone before. */
async function evaluateRound(options: LoopOptions, collected: Collected): Promise<Evaluation | null> {
  const { students = 1, rounds, draft } = options;
  const { round } = collected;
  const trainedApps = new Set(collected.environments.map(({ environment }) => environment));
  const evaluations: Evaluation[] = [];
  for (let seed = 1; seed <= (round === rounds ? students : 1); seed++) {
    await trainOther(options, round, seed);
    const evaluation = await evaluateStudent(options, { round, seed, trainedApps });
    if (evaluation === null) return null;
    evaluations.push(evaluation);
  }
  return pooled(evaluations, { random: intervalsOf(`${draft.run} after round ${round}`) });
}

interface EvaluatedStudent {
  readonly round: number;
  readonly seed: number;
  readonly trainedApps: ReadonlySet<string>;
}

async function evaluateStudent(
  options: LoopOptions,
  { round, seed, trainedApps }: EvaluatedStudent,
): Promise<Evaluation | null> {
  const { folder, draft, unseen = [], evaluationInstances, baselines, host, given, signal, onProgress } = options;
  const { subject, stopped } = await evaluateRun({
    environments: [...draft.environments, ...unseen],
    trainedApps,
    folder,
    subject: await studentContender(
      `${adaptedBy(options) === null ? '' : 'small:'}${studentPath(folder, round, seed)}`,
      studentName(`${draft.run} after round ${round}`, seed),
    ),
    round,
    instances: evaluationInstances,
    trials: 1,
    levels: ['new-instances', 'held-out'],
    contracts: draft.contracts,
    baselines: baselines && round === options.rounds && seed === 1,
    seed: draft.seed ?? 1,
    concurrency: 8,
    browser: null,
    host,
    given,
    signal,
    onProgress: meter => onProgress?.(`${draft.run}, round ${round}: evaluating`, meter),
  });
  return stopped ? null : subject;
}

/**
 * A folder holds one loop. Its options are written down, and a loop with others is refused. What it returns takes them back, unless
 * the run has begun: options that cannot be used must not keep the folder from others.
 */
function beginLoop(options: LoopOptions): () => void {
  if (options.baselines && options.evaluationInstances < 2) {
    throw invalidOption(
      `The blind replay needs a second instance of each template, and there is ${options.evaluationInstances} to evaluate on.`,
      'Expected --eval-instances of at least 2, or --no-baselines.',
    );
  }
  const { folder, draft, rounds, instances, imitate, student, evaluationInstances, baselines } = options;
  if (imitate && student !== undefined && adaptedBy(options) === null)
    throw invalidOption('--imitate and --student both say who acts.', 'Expected one of them.');
  if (imitate && options.focus === 'failures')
    throw invalidOption('With --imitate the student fails nowhere.', 'Expected loop.focus=failures without --imitate.');
  const { keep = 'all', bins, misses, focus, students = 1, unseen, start } = options;
  const path = join(folder, 'loop.json');
  const agents = { teacher: withoutPlace(draft.teacher), student: withoutPlace(student) };
  const { spending: _spending, ...rest } = draft;
  const how = { imitate, keep, bins, misses, focus, students, unseen, start, evaluationInstances, baselines };
  const own = defined({ ...rest, ...agents, rounds, instances, ...how });
  const [hadFolder, isNew] = [existsSync(folder), !existsSync(path)];
  keepOptions(own, { folder, path, what: 'loop' });
  return () => {
    if (!isNew || existsSync(runPaths(folder).store)) return;
    for (const written of [path, startPath(folder)]) rmSync(written, { force: true });
    if (!hadFolder && readdirSync(folder).length === 0) rmdirSync(folder);
  };
}

/** Where a model is served may change between two starts, and so may its deadline. */
function withoutPlace(agent: object | undefined): object | undefined {
  if (agent === undefined) return undefined;
  return Object.fromEntries(Object.entries(agent).filter(([key]) => key !== 'url' && key !== 'deadline'));
}
