import type { ComparisonByLevel } from '../analysis/compare.ts';
import { evaluate, levelOf, type Evaluation, type Level } from '../analysis/evaluate.ts';
import { compareWithBaselines, type TableRow } from '../analysis/table.ts';
import { countTrust, type TrustCount } from '../analysis/trust/count-trust.ts';
import type { Policy } from '../core/episode/agents.ts';
import type { EpisodeHead } from '../core/episode/events.ts';
import type { EpisodeSource, EpisodeSummary } from '../core/episode/journal.ts';
import { invalidOption } from '../core/errors.ts';
import { createRandom } from '../core/random.ts';
import type { Store } from '../store/store.ts';
import type { BrowserConfig } from './settings/browser-config.ts';
import type { StrategyConfig } from './config/config.ts';
import { namedTasks } from './environments/named-tasks.ts';
import { absoluteName } from './environments/names.ts';
import type { ActionSet } from './environments/offered-actions.ts';
import { hashSources } from './environments/source-hash.ts';
import { allTemplates, withWorlds, type Choice, type Worlds } from './environments/worlds.ts';
import { baselineNames, baselinesFor, isPlannable } from './evaluation/baselines.ts';
import { readEvaluationRecord, recordEvaluation } from './evaluation/evaluation-record.ts';
import { alone, openEvaluationStrategy, type EvaluationStrategy } from './evaluation/evaluation-strategy.ts';
import { findEvaluated, identityOf, type EvaluatedPolicy, type SeatedPolicy } from './evaluation/find-evaluated.ts';
import { compareStudents, intervalsOf } from './evaluation/intervals.ts';
import { createEntrantRunner, type Entrant } from './evaluation/run-entrants.ts';
import { createShare, type EvaluatedModels } from './evaluation/share-evaluation.ts';
import { closeAfter, latestRound, openRunForWriting, runNameOf } from './folder/folder.ts';
import type { GivenParts } from './host/given.ts';
import type { Host } from './host/host.ts';
import type { EvaluateJobData } from './jobs/evaluate-job.ts';
import type { PoolRequest } from './host/pool.ts';
import { startPool } from './jobs/start-pool.ts';
import { isModulePath } from '../modules/load-module.ts';
import type { Unmade } from './plan/plan.ts';
import type { ProgressCounter } from './plan/progress-counter.ts';
import { openProgressFile } from './plan/progress-file.ts';

export interface EvaluateRunOptions {
  readonly environments: readonly string[];
  /** Folder of the run whose store takes the episodes. */
  readonly folder: string;
  readonly subject: EvaluatedPolicy;
  /** Runs alone, whatever the strategy. Left out with another strategy than `linear`, it is the subject itself; null for nobody. */
  readonly against?: EvaluatedPolicy | null | undefined;
  /** How the subject is run: `linear`, alone, when left out. */
  readonly strategy?: StrategyConfig | undefined;
  /** Left out: the round in which the run has evaluated the subject before, else the latest that was collected. */
  readonly round?: number | undefined;
  /** Ids of the tasks; left out, instances of all templates. */
  readonly tasks?: readonly string[] | undefined;
  /** Of each template. */
  readonly instances: number;
  readonly trials: number;
  readonly levels: readonly Level[];
  /** Apps that the students were trained on; all of them when left out. */
  readonly trainedApps?: ReadonlySet<string> | undefined;
  /** Runs the baselines as well, once for a store: random, always infeasible, the most frequent ending, blind replay and planner. */
  readonly baselines: boolean;
  readonly seed: number;
  readonly concurrency: number;
  /** What the policies are offered; everything when left out. */
  readonly actions?: ActionSet | undefined;
  /** Path of a module with contracts for the steps of policies; null or left out for none. */
  readonly contracts?: string | null | undefined;
  /** Draws apps in a browser; null for text alone. */
  readonly browser: BrowserConfig | null;
  readonly host: Host;
  /** What students that ask models may spend; only they need it. */
  readonly models?: EvaluatedModels | undefined;
  readonly given?: GivenParts | undefined;
  readonly signal?: AbortSignal | undefined;
  onProgress?(meter: ProgressCounter): void;
}

export interface Evaluated {
  readonly run: string;
  readonly folder: string;
  readonly stopped: boolean;
  /** Null when the run was stopped before the first of its episodes ended. */
  readonly subject: Evaluation | null;
  readonly baselines: readonly Evaluation[];
  /** The subject and the baselines, as lines of a table. */
  readonly rows: readonly TableRow[];
  /** The other student, and the paired difference: subject minus other. Null without `against`. */
  readonly against: {
    readonly name: string;
    readonly evaluation: Evaluation;
    readonly comparison: ComparisonByLevel;
  } | null;
  /** Students that this run had evaluated before, with the round of their episodes. */
  readonly known: readonly { readonly name: string; readonly round: number }[];
  /** Trust in the subject: completion, safety, robustness, level by level. */
  readonly trust: readonly TrustCount[];
  /** Tasks that nobody was evaluated on. */
  readonly unmade: readonly Unmade[];
  readonly seconds: number;
}

/** Runs a policy alone on tasks that are never collected on, and estimates its success beside the baselines. */
export async function evaluateRun(given: EvaluateRunOptions): Promise<Evaluated> {
  const options = withBaselines(given);
  requireSense(options);
  return withWorlds(options.environments, { ...options, stateful: false }, worlds => evaluateIn(worlds, options));
}

/** The baselines act on the screen. Where only tools are offered, they have nothing to do. */
function withBaselines(options: EvaluateRunOptions): EvaluateRunOptions {
  return options.actions === 'tools' ? { ...options, baselines: false } : options;
}

async function evaluateIn(worlds: Worlds, options: EvaluateRunOptions): Promise<Evaluated> {
  const { folder, seed, host } = options;
  const strategy = await openEvaluationStrategy(options.strategy, options.given);
  const started = host.clock.now();
  const choices = choicesOf(worlds, options);
  const store = openRunForWriting(folder);
  try {
    const run = runNameOf(folder);
    const { subject, against } = seatPolicies(options, strategy);
    const { keys, unmade, stopped } = await runAll(options, { run, store, worlds, choices, subject, against });
    const resultOf = (name: string): Evaluation | null =>
      evaluate(withKeys(store, run, keys.get(name) ?? new Set()), {
        ...(options.trainedApps === undefined ? {} : { trainedApps: options.trainedApps }),
        random: intervalsOf(name),
      });
    const own = resultOf(subject.name);
    const beside = baselineNames.flatMap(name => resultOf(name) ?? []);
    const other = against === null ? null : resultOf(against.name);
    return {
      run,
      folder,
      stopped,
      subject: own,
      baselines: beside,
      rows: own === null ? [] : compareWithBaselines(own, beside, { random: createRandom(`evaluate/${seed}`) }),
      against:
        own === null || other === null
          ? null
          : { name: other.student, evaluation: other, comparison: compareStudents(own, other) },
      known: [subject, ...(against === null ? [] : [against])].flatMap(({ isKnown, name, round }) =>
        isKnown ? [{ name, round }] : [],
      ),
      trust: trustOf(store, { run, keys: keys.get(subject.name) ?? new Set() }),
      unmade,
      seconds: (host.clock.now() - started) / 1000,
    };
  } finally {
    closeAfter(store);
  }
}

function trustOf(
  store: EpisodeSource,
  { run, keys }: { readonly run: string; readonly keys: ReadonlySet<string> },
): readonly TrustCount[] {
  const wants = ({ head }: Pick<EpisodeSummary, 'head'>): boolean => keys.has(head.key);
  const own = [...store.episodes({ run, phase: 'evaluate', wants })].filter(wants);
  return countTrust(own);
}

/** A policy with its place in the store, and how it is run. */
type Seat = SeatedPolicy & { readonly run: EvaluationStrategy };

interface Seats {
  readonly subject: Seat;
  readonly against: Seat | null;
}

/** Gives both policies their name and round in the store, and writes down that they are compared. */
function seatPolicies(options: EvaluateRunOptions, run: EvaluationStrategy): Seats {
  const { folder, subject, round, actions = 'all' } = options;
  const record = readEvaluationRecord(folder);
  const otherwise = round ?? latestRound(folder);
  // With other actions on offer, or run in another way, it is another policy.
  const named = (policy: EvaluatedPolicy, label: string | null): EvaluatedPolicy => {
    const marks = [...(actions === 'all' ? [] : [actions]), ...(label === null ? [] : [label])];
    if (marks.length === 0) return policy;
    const identity = identityOf(policy);
    const name = `${policy.name} (${marks.join(', ')})`;
    return { ...policy, name, ...(identity === null ? {} : { identity: [identity, ...marks].join(' ') }) };
  };
  const against = options.against === undefined && run.label !== null ? subject : (options.against ?? null);
  const seat = (policy: EvaluatedPolicy, how: EvaluationStrategy, within: number | null): Seat => {
    const seated = findEvaluated(named(policy, how.label), { record, within, otherwise });
    const strategy = how.label === null ? {} : { strategy: how.label };
    // Its steps carry the name that it has in the store, whichever thread they are taken in.
    const policyFor = (head: EpisodeHead): Policy => renamed(policy.policyFor(head), seated.name);
    return { ...seated, policyFor, recorded: { ...seated.recorded, ...strategy }, run: how };
  };
  const found = {
    subject: seat(subject, run, round ?? null),
    against: against === null ? null : seat(against, alone, null),
  };
  if (found.subject.name === found.against?.name)
    throw invalidOption(`"${found.subject.name}" would be compared with itself.`, 'Expected two different students.');
  recordEvaluation(folder, {
    student: found.subject.recorded,
    against: found.against?.recorded ?? null,
    contracts: contractsOf(options),
    sources: sourcesOf(options),
  });
  return found;
}

/** Where the contracts are, whatever folder the evaluation goes on in; null for none. */
function contractsOf({ contracts = null }: EvaluateRunOptions): string | null {
  return contracts === null ? null : absoluteName(contracts);
}

function sourcesOf(options: EvaluateRunOptions): ReturnType<typeof hashSources> {
  return hashSources([...options.environments.map(absoluteName), ...contractFiles(options)]);
}

function contractFiles(options: EvaluateRunOptions): readonly string[] {
  const file = contractsOf(options);
  return file === null ? [] : [file];
}

function renamed(policy: Policy, name: string): Policy {
  if (policy.name === name) return policy;
  return Object.create(policy, { name: { value: name, enumerable: true } }) as Policy;
}

interface Setting extends Seats {
  readonly run: string;
  readonly store: Store;
  readonly worlds: Worlds;
  readonly choices: readonly Choice[];
}

interface AllRuns {
  /** By policy. */
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>;
  readonly unmade: readonly Unmade[];
  readonly stopped: boolean;
}

/** Runs the baselines, then the other student, then the subject: the last in the store is the latest. */
async function runAll(options: EvaluateRunOptions, setting: Setting): Promise<AllRuns> {
  const { subject, against, choices } = setting;
  const students = [...(against === null ? [] : [against]), subject];
  const policies = (options.baselines ? baselineCount(options) : 0) + students.length;
  const instances = options.tasks === undefined ? options.instances : 1;
  const planned = choices.length * instances * options.trials * policies;
  const { folder, host } = options;
  const request = requestFor(options, students, planned);
  const share = createShare(options, { run: setting.run, job: request, sources: () => sourcesOf(options) });
  const pool = share === null && options.browser === null ? startPool(host, request) : null;
  const file = openProgressFile({ folder, phase: 'evaluate', round: subject.round, planned, clock: host.clock });
  const onProgress = (progress: ProgressCounter): void => {
    file.tell(progress);
    options.onProgress?.(progress);
  };
  const keys = new Map<string, ReadonlySet<string>>();
  let unmade: readonly Unmade[] = [];
  try {
    const runEntrant = createEntrantRunner({ ...options, ...setting, instances, policies, pool, share, onProgress });
    for (const entrant of entrantsOf(options, setting, students)) {
      const done = await runEntrant(entrant);
      keys.set(entrant.name, done.keys);
      ({ unmade } = done);
      if (done.stopped) return { keys, unmade, stopped: true };
    }
    return { keys, unmade, stopped: false };
  } finally {
    file.close();
    await pool?.close();
  }
}

function* entrantsOf(
  { baselines, environments, host }: EvaluateRunOptions,
  { store, run }: Setting,
  students: readonly Seat[],
): Generator<Entrant> {
  if (baselines) yield* baselinesFor({ environments, host, store, run });
  for (const { run: how, asked, ...student } of students) {
    const hasWorkers = student.source !== undefined && how.config !== null;
    yield { ...student, strategy: how.strategy, hasWorkers, asked: how.config === null ? undefined : asked };
  }
}

function baselineCount({ environments }: EvaluateRunOptions): number {
  return isPlannable(environments) ? baselineNames.length : 2;
}

/** What a worker opens to run episodes of this evaluation. */
function requestFor(options: EvaluateRunOptions, students: readonly Seat[], episodes: number): PoolRequest {
  const { environments, browser, concurrency, seed, actions = 'all' } = options;
  const sources = Object.fromEntries(
    students.flatMap(({ name, source }) => (source === undefined ? [] : [[name, source]])),
  );
  const asked = Object.fromEntries(
    students.flatMap(({ name, asked: own }) => (own === undefined ? [] : [[name, own]])),
  );
  const strategies = Object.fromEntries(
    students.flatMap(({ name, run: { config } }) => (config === null ? [] : [[name, config]])),
  );
  const contracts = contractsOf(options);
  const data: EvaluateJobData = {
    environments,
    concurrency,
    actions,
    contracts,
    browser,
    students: sources,
    asked,
    spending: options.models?.spending ?? null,
    strategies,
  };
  const files = students.flatMap(({ run: { config } }) => (config?.kind === 'module' ? [String(config.file)] : []));
  const modules = [...Object.values(sources).filter(isModulePath), ...files, ...contractFiles(options)];
  return { job: 'evaluate-job', data, seed: String(seed), environments, modules, episodes, seconds: null };
}

function requireSense({
  environments,
  tasks,
  instances,
  baselines,
  subject,
  against,
  actions,
  strategy,
}: EvaluateRunOptions): void {
  const students = [subject, ...(against === undefined || against === null ? [] : [against])];
  const baseline = students.find(({ name }) => baselineNames.includes(name));
  if (baselines && baseline !== undefined)
    throw invalidOption(
      `"${baseline.name}" is evaluated as a baseline already.`,
      'Expected another policy, or --no-baselines.',
    );
  const isAlone = strategy === undefined || strategy.kind === 'linear';
  if (isAlone && subject.name === against?.name)
    throw invalidOption(`"${subject.name}" would be compared with itself.`, 'Expected two different students.');
  const ranker = students.find(({ source }) => source !== undefined && !isModulePath(source));
  if (actions === 'tools' && ranker !== undefined)
    throw invalidOption(
      `The student "${ranker.name}" acts on the screen, and only tools are offered.`,
      'Expected --set actions=screen or all, or a student that calls tools: a model, or a module of yours.',
    );
  if (baselines && tasks === undefined && isPlannable(environments) && instances < 2) {
    throw invalidOption(
      `The blind replay needs a second instance of each template, and there is ${instances}.`,
      'Expected at least 2 instances, or --no-baselines.',
    );
  }
}

function choicesOf(worlds: Worlds, { tasks, levels }: EvaluateRunOptions): Choice[] {
  const all = tasks === undefined ? allTemplates(worlds) : namedTasks(worlds, tasks, 'evaluate');
  const choices = all.filter(({ template }) => levels.includes(levelOf(template.split)));
  if (choices.length > 0) return choices;
  const what = tasks === undefined ? 'templates' : 'tasks';
  throw invalidOption(`There are no ${what} for ${levels.join(', ')}.`, 'Expected other levels.');
}

function* withKeys(store: EpisodeSource, run: string, keys: ReadonlySet<string>): Generator<EpisodeSummary> {
  for (const summary of store.summaries({ run, phase: 'evaluate' })) if (keys.has(summary.head.key)) yield summary;
}
