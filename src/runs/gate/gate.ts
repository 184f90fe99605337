import { createGateRun, type GateRun } from '../../analysis/gate/decide.ts';
import { taskChanges, unitOf } from '../../analysis/gate/pairs.ts';
import { pairTrials, type Pair, type Pairs } from '../../analysis/pair-trials.ts';
import { decideGate, type GateResult, type Look, type Slice } from '../../analysis/gate/result.ts';
import { findRedLines, type RedLines } from '../../analysis/gate/red-lines.ts';
import { symptomsOf, type Symptom } from '../../analysis/gate/symptoms.ts';
import type { EpisodeSummary } from '../../core/episode/journal.ts';
import { invalidOption } from '../../core/errors.ts';
import { defined } from '../../core/json.ts';
import type { Spent } from '../../models/endpoints/ledger.ts';
import { evaluateStudents } from '../evaluate-students.ts';
import { openRun } from '../folder/folder.ts';
import type { Host } from '../host/host.ts';
import type { ProgressCounter } from '../plan/progress-counter.ts';
import type { GateConfig } from './gate-config.ts';
import { planUnits, type PlannedTask, type PlannedUnit } from './gate-plan.ts';
import { readOrder } from './write-gate.ts';

export interface GateOptions {
  readonly config: GateConfig;
  /** Folder of the run that keeps the episodes; what it has is not run again. */
  readonly folder: string;
  readonly host: Host;
  readonly signal?: AbortSignal | undefined;
  onProgress?(meter: ProgressCounter): void;
}

export interface Gated {
  readonly result: GateResult;
  readonly spent: Spent | null;
  /** Why the budget or an endpoint stopped it; null when neither did. */
  readonly exhausted: string | null;
}

/** Runs candidate and release on the same tasks until the rule decides, and says why. */
export async function gateRun(options: GateOptions): Promise<Gated> {
  const { config } = options;
  const units = await planUnits(config, options.host, readOrder(options.folder));
  const trying = createTrying(options);
  const test = createGateRun(config);
  const looks: Look[] = [];
  const slices = (): readonly Slice[] => countSlices(config, trying.pairs(), units);
  for (const batch of batchesOf(units, config)) {
    if (isOver(slices()) || trying.stopped()) break;
    await trying.run(batch.flatMap(({ tasks }) => tasks));
    if (trying.stopped()) break;
    let isDecided = false;
    for (const unit of batch) {
      const look = lookAt(test, unit, trying.pairs());
      looks.push(look);
      isDecided ||= look.finding !== 'open';
    }
    if (isDecided && !isAwaited(test, trying.redLines(units))) break;
  }
  // A budget says nothing about tasks that were not run.
  const budgeted = units.flatMap(({ tasks }) => tasks.filter(task => task.slices.length > 0));
  if (test.evidence().finding === 'shown' && !isOver(slices())) await trying.run(budgeted);
  const { pairs, unpaired } = trying.all();
  const tasks = taskChanges(pairs);
  const episodes = units.flatMap(unit => unit.tasks).length * config.trials * 2;
  const result = decideGate({
    ...trying.names(),
    rule: config,
    unit: config.unit,
    evidence: test.evidence(),
    looks,
    order: units.map(({ name }) => name),
    episodesPerUnit: Math.round(episodes / units.length),
    saved: trying.stopped() ? 0 : episodes - 2 * (pairs.length + unpaired),
    pairs: pairs.length,
    unpaired,
    unpairedAllowed: config.unpaired,
    tasks,
    slices: slices(),
    redLines: trying.redLines(units),
    symptoms: trying.symptoms(new Set(tasks.filter(({ change }) => change === 'regression').map(({ task }) => task))),
    stopped: trying.stopped(),
  });
  return { result, ...trying.spending() };
}

function isOver(slices: readonly Slice[]): boolean {
  return slices.some(({ regressions, budget }) => regressions > budget);
}

/** A gain is shown, and the certificate is still open: it needs more of the plan. */
function isAwaited(test: GateRun, redLines: RedLines | null): boolean {
  return test.evidence().finding === 'shown' && redLines?.certification?.finding === 'open';
}

type Seen = Look & { readonly finding: string };

function lookAt(test: GateRun, { name, tasks }: PlannedUnit, pairs: readonly Pair[]): Seen {
  const own = new Set(tasks.map(({ id }) => id));
  const unit = unitOf(
    name,
    pairs.filter(({ task }) => own.has(task)),
  );
  const { finding, forGoal, againstGoal } = test.add(unit);
  return { ...unit, finding, forGoal, againstGoal };
}

/** Pairs that are run before the evidence is looked at: starting costs more than a few of them. */
const pairsAtOnce = 32;

function* batchesOf(units: readonly PlannedUnit[], { trials, test }: GateConfig): Generator<readonly PlannedUnit[]> {
  let batch: PlannedUnit[] = [];
  for (const unit of units) {
    batch.push(unit);
    const pairs = batch.reduce((sum, { tasks }) => sum + tasks.length * trials, 0);
    if (test === 'exact' || pairs < pairsAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function countSlices(config: GateConfig, pairs: readonly Pair[], units: readonly PlannedUnit[]): readonly Slice[] {
  const changes = new Map(taskChanges(pairs).map(({ task, change }) => [task, change]));
  const all = units.flatMap(({ tasks }) => tasks);
  return config.slices.map(({ name, where, regressions: budget }) => {
    const planned = all.filter(({ slices }) => slices.includes(name));
    const own = planned.flatMap(({ id }) => changes.get(id) ?? []);
    const regressions = own.filter(change => change === 'regression').length;
    return { name, where, budget, tasks: own.length, missing: planned.length - own.length, regressions };
  });
}

/** Runs both on tasks, and keeps what came of it. */
interface Trying {
  run(tasks: readonly PlannedTask[]): Promise<void>;
  pairs(): readonly Pair[];
  all(): Pairs;
  stopped(): boolean;
  names(): Pick<GateResult, 'candidate' | 'release'>;
  redLines(units: readonly PlannedUnit[]): RedLines | null;
  symptoms(regressed: ReadonlySet<string>): readonly Symptom[];
  spending(): Pick<Gated, 'spent' | 'exhausted'>;
}

function createTrying(options: GateOptions): Trying {
  const { config, folder } = options;
  const students = studentsOf(config);
  const done = new Set<string>();
  const found: Pairs[] = [];
  let [stopped, spent, exhausted]: [boolean, Spent | null, string | null] = [false, null, null];
  let [candidate, release] = [
    { name: students.candidate, round: 0 },
    { name: students.release, round: 0 },
  ];
  const all = (): Pairs => ({
    pairs: found.flatMap(({ pairs }) => pairs),
    unpaired: found.reduce((sum, { unpaired }) => sum + unpaired, 0),
  });
  return {
    async run(tasks) {
      const ids = tasks.map(({ id }) => id).filter(id => !done.has(id));
      if (ids.length === 0) return;
      const evaluated = await evaluateStudents({
        ...options,
        ...config,
        student: students.candidate,
        against: students.release,
        tasks: ids,
        asking: defined(config.asking),
        baselines: false,
        browser: null,
      });
      ({ spent, exhausted } = evaluated);
      if (evaluated.stopped || evaluated.subject === null || evaluated.against === null) {
        stopped = true;
        return;
      }
      for (const id of ids) done.add(id);
      const { subject, against } = evaluated;
      [candidate, release] = [subject, against.evaluation].map(({ student, round }) => ({ name: student, round })) as [
        typeof candidate,
        typeof release,
      ];
      found.push(pairTrials(subject.trials, against.evaluation.trials));
    },
    all,
    pairs: () => all().pairs,
    stopped: () => stopped,
    names: () => ({ candidate: candidate.name, release: release.name }),
    redLines: units =>
      config.redLines === undefined ? null : readRedLines(config, { folder, done, candidate, release, units }),
    symptoms: regressed => (regressed.size === 0 ? [] : readSymptoms(folder, candidate, regressed)),
    spending: () => ({ spent, exhausted }),
  };
}

interface Compared {
  readonly folder: string;
  /** Tasks that were run. */
  readonly done: ReadonlySet<string>;
  readonly candidate: Named;
  readonly release: Named;
  readonly units: readonly PlannedUnit[];
}

interface Named {
  readonly name: string;
  readonly round: number;
}

function readRedLines({ redLines = {}, unit }: GateConfig, compared: Compared): RedLines {
  const { folder, done, units, candidate, release } = compared;
  const store = openRun(folder);
  try {
    const of = ({ name, round }: Named) => {
      const wants = ({ head }: Pick<EpisodeSummary, 'head'>) => head.student === name && done.has(head.task.id);
      return [...store.episodes({ phase: 'evaluate', round, wants })].filter(wants);
    };
    const tasks = units.map(own => own.tasks.map(({ id }) => id));
    return findRedLines(redLines, { candidate: of(candidate), release: of(release), unit, units: tasks });
  } finally {
    store.close();
  }
}

function readSymptoms(folder: string, { name, round }: Named, regressed: ReadonlySet<string>): readonly Symptom[] {
  const store = openRun(folder);
  try {
    const failed = [...store.summaries({ phase: 'evaluate', round })].filter(
      ({ head, end }) => head.student === name && regressed.has(head.task.id) && end.outcome !== 'passed',
    );
    return symptomsOf(failed, { folder });
  } finally {
    store.close();
  }
}

function studentsOf({ candidate, release }: GateConfig): { readonly candidate: string; readonly release: string } {
  if (candidate !== undefined && release !== undefined) return { candidate, release };
  const missing = candidate === undefined ? 'candidate' : 'release';
  throw invalidOption(
    `There is no ${missing} to compare.`,
    `Expected --${missing}, or ${missing}: in the gate file: a file of espalier train, a model, or a module.`,
  );
}
