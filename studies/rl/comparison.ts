import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Evaluation } from '../../src/analysis/evaluate.ts';
import { foldEpisode } from '../../src/core/episode/record.ts';
import { studentContender } from '../../src/runs/jobs/contender.ts';
import { collectRun } from '../../src/runs/collect.ts';
import { readConfig } from '../../src/runs/config/config.ts';
import { allTemplates, withWorlds } from '../../src/runs/environments/worlds.ts';
import { evaluateRun } from '../../src/runs/evaluate.ts';
import { compareStudents } from '../../src/runs/evaluation/intervals.ts';
import { exportRun } from '../../src/runs/export.ts';
import { openRun } from '../../src/runs/folder/folder.ts';
import type { Host } from '../../src/runs/host/host.ts';
import { keepWorkers } from '../../src/runs/jobs/keep-workers.ts';
import { runLoop, studentPath } from '../../src/runs/loop.ts';
import type { ProgressCounter } from '../../src/runs/plan/progress-counter.ts';
import { trainFromExport } from '../../src/runs/train.ts';
import {
  atCommonBudget,
  firstOf,
  resultOf,
  type AtCommonBudget,
  type RlArm,
  type RlArmResult,
  type SrcResult,
} from './arm-result.ts';
import type { RlOptions } from '../../src/runs/rl/options.ts';
import { runRl, type RlRound } from '../../src/runs/rl/rl.ts';
import { addCosts, noCost, verifierCallsOf } from './training-cost.ts';

export const rlArms: readonly RlArm[] = [
  { label: 'GRPO', estimator: 'grpo', groups: 'start' },
  { label: 'GiGPO', estimator: 'gigpo', groups: 'start' },
  { label: 'HGPO', estimator: 'hgpo', groups: 'start' },
  { label: 'MC-GRPO', estimator: 'mc-grpo', groups: 'start' },
  { label: 'GRPO, forks', estimator: 'grpo', groups: 'fork' },
  { label: 'PORTool, forks', estimator: 'portool', groups: 'fork' },
  { label: 'Monte-Carlo forks', estimator: 'portool-fork', estimatorOptions: { gamma: 1 }, groups: 'fork' },
  { label: 'SRC, then GiGPO', estimator: 'gigpo', groups: 'start', afterSrc: true },
];

export interface RlComparisonOptions
  extends Pick<RlOptions, 'folder' | 'group' | 'instances' | 'learning' | 'evaluateEvery' | 'evaluationInstances'> {
  readonly environments: readonly string[];
  /** Environments that are evaluated on, and never trained on. */
  readonly unseen: readonly string[];
  readonly arms: readonly RlArm[];
  /** Environment steps of each student. SRC before reinforcement learning takes its steps from them. */
  readonly steps: number;
  /** Students of each arm, with other training seeds. */
  readonly seeds: number;
  /** Rounds of SRC. */
  readonly srcRounds: number;
  readonly host: Host;
  readonly signal: AbortSignal;
  onProgress?(what: string, meter: ProgressCounter): void;
}

export interface RlComparison {
  /** An untrained student, and what needs no student: random, always infeasible, the most frequent ending, replay, planner. */
  readonly baselines: readonly Evaluation[];
  /** The student that all arms but SRC's begin with. */
  readonly start: Evaluation;
  readonly src: SrcResult | null;
  readonly arms: readonly RlArmResult[];
  readonly common: AtCommonBudget;
}

/** Everything is evaluated on the same tasks. */
const evaluationSeed = 1;
/** No arm takes so many rounds: its steps run out before. */
const mostRounds = 900;

/**
 * Trains students with each arm on the same tasks with the same number of environment steps, several seeds each. Null
 * when it was stopped: the same options in the same folder go on.
 */
export async function compareEstimators(options: RlComparisonOptions): Promise<RlComparison | null> {
  const { host, close } = keepWorkers(options.host);
  try {
    return await compareArms({ ...options, host });
  } finally {
    await close();
  }
}

async function compareArms(options: RlComparisonOptions): Promise<RlComparison | null> {
  const { folder, arms, signal } = options;
  const rows = await demonstrate(options);
  if (rows === null) return null;
  const student = join(folder, 'student.json');
  if (!existsSync(student)) trainFromExport({ folders: [rows], seed: 1, host: options.host, out: student });
  const src = arms.some(({ afterSrc }) => afterSrc === true) ? await teachBySrc(options, rows) : null;
  const baselines = await evaluateBaselines(options, rows);
  if (baselines === null) return null;
  const trained: { readonly arm: RlArm; readonly students: readonly (readonly RlRound[])[] }[] = [];
  for (const arm of arms) {
    const students: (readonly RlRound[])[] = [];
    for (let seed = 1; seed <= options.seeds; seed++)
      students.push(await trainOne(options, { arm, seed, student, src }));
    if (signal.aborted) return null;
    trained.push({ arm, students });
  }
  const begun = trained.find(({ arm }) => arm.afterSrc !== true)?.students ?? (await evaluateStart(options, student));
  const start = firstOf(begun);
  if (start === null) return null;
  const results = trained.map(({ arm, students }) => resultOf({ arm, students, src, start }));
  const changed = src === null ? null : { ...src, change: compareStudents(src.evaluation, start) };
  return { baselines, start, src: changed, arms: results, common: atCommonBudget(results) };
}

/** Demonstrations of every second training template: the student has to find out the others by itself. */
async function demonstrate(options: RlComparisonOptions): Promise<string | null> {
  const { folder, environments, host, signal, onProgress } = options;
  const out = join(folder, 'demonstrations');
  const templates = await withWorlds(
    environments,
    { host, browser: null, concurrency: 1, stateful: true },
    async worlds =>
      allTemplates(worlds)
        .filter(({ template }) => template.split === 'train')
        .map(({ environment, template }) => `${environment.id}/${template.id}`),
  );
  const shown = templates.filter((_, index) => index % 2 === 0);
  const config = { run: 'demonstrations', environments, templates: shown, instances: 1, student: { kind: 'planner' } };
  const { stopped } = await collectRun({
    config: readConfig({ ...config, strategy: { kind: 'linear' } }, 'The comparison'),
    folder: out,
    host,
    signal,
    onProgress: meter => onProgress?.('demonstrations', meter),
  });
  if (stopped) return null;
  await exportRun({ folder: out, host, formats: ['jsonl'], keep: 'all' });
  return out;
}

/** What the arms have to beat, on the tasks that they are evaluated on. */
async function evaluateBaselines(options: RlComparisonOptions, folder: string): Promise<readonly Evaluation[] | null> {
  const { environments, unseen, evaluationInstances, host, signal, onProgress } = options;
  const { subject, baselines, stopped } = await evaluateRun({
    environments: [...environments, ...unseen],
    ...(unseen.length === 0 ? {} : { trainedApps: new Set(environments) }),
    folder,
    subject: await studentContender('untrained'),
    round: 0,
    // The blind replay plays another instance of the template.
    instances: Math.max(2, evaluationInstances),
    trials: 1,
    levels: ['new-instances', 'held-out'],
    baselines: true,
    seed: evaluationSeed,
    concurrency: 8,
    browser: null,
    host,
    signal,
    onProgress: meter => onProgress?.('baselines', meter),
  });
  return stopped || subject === null ? null : [subject, ...baselines];
}

function srcFolder(folder: string): string {
  return join(folder, 'src');
}

/** Speculative rollback correction from the same demonstrations: one student for each seed. */
async function teachBySrc(options: RlComparisonOptions, rows: string): Promise<SrcResult | null> {
  const { folder, environments, unseen, srcRounds, seeds, evaluationInstances, host, signal, onProgress } = options;
  const made = runLoop({
    folder: srcFolder(folder),
    draft: { run: 'SRC', environments: [...environments], seed: 1 },
    rounds: srcRounds,
    instances: [1],
    imitate: false,
    start: rows,
    students: seeds,
    ...(unseen.length === 0 ? {} : { unseen }),
    evaluationInstances,
    baselines: false,
    host,
    signal,
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  let cost = noCost;
  let last: Evaluation | null = null;
  for await (const { collected, evaluation } of made) {
    for (const { steps, reviews, corrections } of collected.environments)
      cost = addCosts(cost, { ...noCost, steps, queries: reviews + corrections });
    cost = addCosts(cost, { ...noCost, updates: 1 });
    last = evaluation;
  }
  if (last === null) return null;
  const verifierCalls = countVerifierCalls(srcFolder(folder));
  return { evaluation: last, cost: { ...cost, verifierCalls }, change: null };
}

function countVerifierCalls(folder: string): number {
  const source = openRun(folder);
  try {
    return Iterator.from(source.episodes({ phase: 'collect' }))
      .map(stored => verifierCallsOf(foldEpisode(stored)))
      .reduce((sum, calls) => sum + calls, 0);
  } finally {
    source.close();
  }
}

/** The first student, once for each seed, where no arm begins with it. */
async function evaluateStart(options: RlComparisonOptions, student: string): Promise<readonly (readonly RlRound[])[]> {
  const arm: RlArm = { label: 'start', estimator: 'grpo', groups: 'start' };
  const students: (readonly RlRound[])[] = [];
  for (let seed = 1; seed <= options.seeds; seed++)
    students.push(await trainOne(options, { arm, seed, student, src: null, rounds: 0 }));
  return options.signal.aborted ? [] : students;
}

interface OneStudent {
  readonly arm: RlArm;
  readonly seed: number;
  readonly student: string;
  readonly src: SrcResult | null;
  /** As many as there are steps for, unless given. */
  readonly rounds?: number;
}

async function trainOne(options: RlComparisonOptions, one: OneStudent): Promise<readonly RlRound[]> {
  const { folder, environments, unseen, steps, srcRounds, ...rest } = options;
  const { arm, seed, src, rounds = mostRounds } = one;
  const { estimator, estimatorOptions = {}, groups, afterSrc = false } = arm;
  const name = arm.label.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  return Array.fromAsync(
    runRl({
      ...rest,
      folder: join(folder, `${name}-seed-${seed}`),
      draft: { run: arm.label, environments: [...environments], seed },
      student: afterSrc ? studentPath(srcFolder(folder), srcRounds, seed) : one.student,
      estimator,
      estimatorOptions,
      groups,
      rounds,
      steps: Math.max(1, steps - (afterSrc ? (src?.cost.steps ?? 0) : 0)),
      evaluationSeed,
      trainingSeed: seed,
      baselines: false,
      ...(unseen.length === 0 ? {} : { unseen }),
    }),
  );
}
