import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Evaluation } from '../../analysis/evaluate.ts';
import { studentName } from '../../analysis/training-seeds.ts';
import { invalidOption } from '../../core/errors.ts';
import { parseRecord } from '../../core/records.ts';
import type { Estimator } from '../../dataset/credit/contract.ts';
import { writeStudent } from '../../agents/learned/student.ts';
import { studentContender } from '../jobs/contender.ts';
import { readStudentFile } from '../agents/student-file.ts';
import { collectRun } from '../collect.ts';
import { readConfig, type RunConfig } from '../config/config.ts';
import { namedTasks } from '../environments/named-tasks.ts';
import { namedTemplates, withWorlds } from '../environments/worlds.ts';
import { evaluateRun } from '../evaluate.ts';
import { keepWorkers } from '../jobs/keep-workers.ts';
import { readJson } from '../../modules/read-file.ts';
import { openRun, writeWhole } from '../folder/folder.ts';
import { studentPath } from '../loop.ts';
import { chooseEstimator } from '../registry/estimators.ts';
import { beginRl } from './begin.ts';
import type { RlOptions } from './options.ts';
import { updateSchema, updateStudent, type Update } from './update.ts';

/** What a round came to; round 0 is the student to begin with. */
export interface RlRound {
  readonly round: number;
  /** Null for round 0. */
  readonly update: Update | null;
  /** Environment steps of all rounds so far, and attempts. */
  readonly totalSteps: number;
  readonly totalAttempts: number;
  /** Null where the round was not evaluated. */
  readonly evaluation: Evaluation | null;
}

/**
 * Online reinforcement learning: collects groups with the student of the round before, credits their steps and follows
 * the policy gradient. The same options in the same folder go on where they stopped.
 */
export async function* runRl(options: RlOptions): AsyncGenerator<RlRound> {
  requireNewTasks(await chooseEstimator(options.estimator));
  await requireTraining(options);
  beginRl(options);
  const { host, close } = keepWorkers(options.host);
  try {
    yield* runRounds({ ...options, host });
  } finally {
    await close();
  }
}

async function* runRounds(options: RlOptions): AsyncGenerator<RlRound> {
  const { rounds, steps: most = Infinity } = options;
  const [totals, every] = [{ steps: 0, attempts: 0 }, options.evaluateEvery];
  const evaluateAt = async (round: number): Promise<Evaluation | null | 'stopped'> => {
    const isLast = round === rounds || totals.steps >= most;
    if (every === 0 || !(round % every === 0 || isLast)) return null;
    return (await evaluateRound(options, round, isLast)) ?? 'stopped';
  };
  const first = await evaluateAt(0);
  if (first === 'stopped') return;
  yield { round: 0, update: null, totalSteps: 0, totalAttempts: 0, evaluation: first };
  for (let round = 1; round <= rounds && totals.steps < most; round++) {
    const update = await improve(options, round);
    if (update === null) return;
    totals.steps += update.steps;
    totals.attempts += update.attempts + update.unverified;
    const evaluation = await evaluateAt(round);
    if (evaluation === 'stopped') return;
    yield { round, update, totalSteps: totals.steps, totalAttempts: totals.attempts, evaluation };
  }
}

/** Each round has new tasks: an estimator that compares rounds of one task would leave out every group. */
function requireNewTasks({ name, comparesRounds = false }: Estimator): void {
  if (!comparesRounds) return;
  throw invalidOption(
    `The estimator "${name}" compares rounds of one task, and each round of rl has new tasks: it would credit nothing.`,
    'Expected an estimator that compares attempts of one round, such as gigpo.',
  );
}

/** Held-out templates are for evaluation: a student that trained on them could not be evaluated any more. */
async function requireTraining({ draft, host }: RlOptions): Promise<void> {
  const { environments, templates, tasks } = draft;
  if (templates === undefined && tasks === undefined) return;
  const setting = { host, browser: null, concurrency: 1, stateful: true };
  const choices = await withWorlds(environments, setting, async worlds => [
    ...namedTemplates(worlds, templates ?? []),
    ...namedTasks(worlds, tasks ?? [], 'collect'),
  ]);
  const heldOut = choices.find(({ template }) => template.split !== 'train');
  if (heldOut === undefined) return;
  throw invalidOption(
    `The template ${heldOut.environment.id}/${heldOut.template.id} is held out (${heldOut.template.split}): it is for evaluation.`,
    'Expected templates of the training split: espalier tasks shows the split of each.',
  );
}

/** Collects a round and updates the student; null when it was stopped. A student that exists stays as it is. */
async function improve(options: RlOptions, round: number): Promise<Update | null> {
  const { folder, draft, host, signal, learning, estimatorOptions = {}, onProgress } = options;
  const [student, file] = [studentPath(folder, round), updatePath(folder, round)];
  if (existsSync(student)) return parseRecord(updateSchema, readJson(file), { what: file, code: 'corrupt-record' });
  const estimator = await chooseEstimator(options.estimator);
  const collected = await collectRun({
    config: configOf(options, round),
    folder,
    host,
    signal,
    onProgress: meter => onProgress?.(`${nameOf(options)}, round ${round}: collecting`, meter),
  });
  if (collected.stopped) return null;
  const started = host.clock.now();
  const { weights, sha256: version } = readStudentFile(studentPath(folder, round - 1));
  const { weights: reference } = readStudentFile(studentPath(folder, 0));
  const source = openRun(folder);
  try {
    const own = {
      source,
      round,
      seed: draft.seed,
      weights,
      version,
      reference,
      estimator,
      estimatorOptions,
      learning,
    };
    const { weights: improved, figures } = updateStudent(own);
    const update: Update = {
      ...figures,
      steps: collected.environments.reduce((sum, { steps }) => sum + steps, 0),
      collectSeconds: collected.seconds,
      updateSeconds: (host.clock.now() - started) / 1000,
    };
    // The student comes last: where it is, the round is done.
    writeWhole(file, `${JSON.stringify(update)}\n`);
    writeWhole(student, writeStudent(improved));
    return update;
  } finally {
    source.close();
  }
}

/** Tells the students of several seeds apart. */
function nameOf({ draft, trainingSeed = 1 }: RlOptions): string {
  return studentName(draft.run, trainingSeed);
}

function updatePath(folder: string, round: number): string {
  return join(folder, `rl.round-${round}.json`);
}

function configOf({ draft, folder, groups, group, instances, learning }: RlOptions, round: number): RunConfig {
  const student = { kind: 'learned', file: studentPath(folder, round - 1), temperature: learning.temperature } as const;
  const how =
    groups === 'start'
      ? { trials: group, strategy: { kind: 'linear' } }
      : { trials: 1, strategy: { kind: 'fork-group', group, starts: Math.max(1, Math.floor(group / 4)) } };
  return readConfig({ ...draft, ...how, round, instances, student }, 'The rl options');
}

async function evaluateRound(options: RlOptions, round: number, isLast: boolean): Promise<Evaluation | null> {
  const { folder, draft, unseen = [], evaluationInstances, baselines, host, signal, onProgress } = options;
  const { trainingSeed = 1 } = options;
  const { subject, stopped } = await evaluateRun({
    environments: [...draft.environments, ...unseen],
    ...(unseen.length === 0 ? {} : { trainedApps: new Set(draft.environments) }),
    folder,
    subject: await studentContender(
      studentPath(folder, round),
      studentName(`${draft.run} after round ${round}`, trainingSeed),
    ),
    round,
    instances: evaluationInstances,
    trials: 1,
    levels: ['new-instances', 'held-out'],
    contracts: draft.contracts,
    baselines: baselines && isLast,
    seed: options.evaluationSeed ?? draft.seed,
    concurrency: 8,
    browser: null,
    host,
    signal,
    onProgress: meter => onProgress?.(`${nameOf(options)}, round ${round}: evaluating`, meter),
  });
  return stopped ? null : subject;
}
