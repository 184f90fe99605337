import { hash } from 'node:crypto';
import { compare, type ComparisonByLevel } from '../analysis/compare.ts';
import { evaluate, type Evaluation, type Level } from '../analysis/evaluate.ts';
import { layBeside, type TableRow } from '../analysis/table.ts';
import type { EpisodeHead } from '../core/episode/events.ts';
import type { EpisodeSource, EpisodeSummary } from '../core/episode/journal.ts';
import { foldEpisode, type EpisodeRecord } from '../core/episode/record.ts';
import { EspalierError } from '../core/errors.ts';
import { createRandom, type Random } from '../core/random.ts';
import type { Task } from '../core/records.ts';
import { createTrail } from '../kernel/trail.ts';
import { createFixedEnding, frequentEnding } from '../policies/fixed-ending.ts';
import { createReplay } from '../policies/replay.ts';
import { runEpisodes } from '../rollout/engine.ts';
import { createLinear } from '../rollout/strategies/linear.ts';
import type { Store } from '../store/store.ts';
import type { GivenParts } from './given.ts';
import type { Contender } from './agents/evaluated.ts';
import type { Host } from './host.ts';
import { baselinePolicies, type EvaluateJobData } from './jobs/evaluate-job.ts';
import type { EpisodePool } from './jobs/pool.ts';
import { startPool } from './jobs/start-pool.ts';
import { isModulePath } from './modules/load-module.ts';
import { replayMissing } from './certify.ts';
import { closeAfter, openRunForWriting, runNameOf } from './folder/folder.ts';
import { createProgressCounter, type ProgressCounter } from './plan/progress-counter.ts';
import { createPlan, type Place, type Unmade } from './plan/plan.ts';
import { evaluationSeed } from './plan/seeds.ts';
import type { BrowserConfig } from './config/browser-config.ts';
import { isElsewhere } from './environments/open-environment.ts';
import { allTemplates, withWorlds, worldOf, type Choice, type Worlds } from './environments/worlds.ts';

export interface EvaluateRunOptions {
  readonly environments: readonly string[];
  /** Folder of the run whose store takes the episodes. */
  readonly folder: string;
  readonly subject: Contender;
  readonly against?: Contender | undefined;
  readonly round: number;
  /** Of each template. */
  readonly instances: number;
  readonly trials: number;
  readonly levels: readonly Level[];
  /** Random, always infeasible, the most frequent ending, blind replay and planner beside; they do not change from round to round, and are run once for a store. */
  readonly baselines: boolean;
  readonly seed: number;
  readonly concurrency: number;
  /** Draws apps in a browser; null for text alone. */
  readonly browser: BrowserConfig | null;
  readonly host: Host;
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
  /** The subject less the other one; null unless there is another one. */
  readonly against: { readonly name: string; readonly comparison: ComparisonByLevel } | null;
  /** Tasks that nobody was evaluated on. */
  readonly unmade: readonly Unmade[];
  readonly seconds: number;
}

/** The draws behind the intervals of a policy: the same wherever they are shown. */
export function intervalsOf(student: string): Random {
  return createRandom(`intervals of ${student}`);
}

/** Names that the baselines have in a store. */
export const baselineNames: readonly string[] = ['random', 'infeasible', 'frequent ending', 'replay', 'planner'];
/** They stand in a round of their own. */
const baselineRound = 0;

/** Lets a policy do tasks that were never collected on, alone, and says how well it did beside the baselines. */
export async function evaluateRun(options: EvaluateRunOptions): Promise<Evaluated> {
  requireSense(options);
  return withWorlds(options.environments, { ...options, stateful: false }, worlds => evaluateIn(worlds, options));
}

async function evaluateIn(worlds: Worlds, options: EvaluateRunOptions): Promise<Evaluated> {
  const { folder, subject, against, seed } = options;
  const { clock } = options.host;
  const started = clock.now();
  const store = openRunForWriting(folder);
  let bench: Bench | null = null;
  try {
    const run = runNameOf(folder);
    bench = await createBench(options, { run, store, worlds });
    const keys = new Map<string, ReadonlySet<string>>();
    let stopped = false;
    let unmade: readonly Unmade[] = [];
    for (const entrant of entrantsOf(options, store, run)) {
      if (stopped) break;
      const done = await bench.run(entrant);
      keys.set(entrant.name, done.keys);
      ({ stopped, unmade } = done);
    }
    const random = createRandom(`evaluate/${seed}`);
    const resultOf = (name: string): Evaluation | null =>
      evaluate(chosen(store, run, keys.get(name) ?? new Set()), { random: intervalsOf(name) });
    const own = resultOf(subject.name);
    const beside = baselineNames.flatMap(name => resultOf(name) ?? []);
    const other = against === undefined ? null : resultOf(against.name);
    return {
      run,
      folder,
      stopped,
      subject: own,
      baselines: beside,
      rows: own === null ? [] : layBeside(own, beside, { random }),
      against:
        own === null || other === null
          ? null
          : { name: other.student, comparison: compare(own, other, { random: random.fork('against') }) },
      unmade,
      seconds: (clock.now() - started) / 1000,
    };
  } finally {
    await bench?.close();
    closeAfter(store);
  }
}

function requireSense({ environments, instances, baselines, subject, against }: EvaluateRunOptions): void {
  const taken = [subject, against].find(contender => contender !== undefined && baselineNames.includes(contender.name));
  if (baselines && taken !== undefined)
    throw invalid(`"${taken.name}" is evaluated as a baseline already.`, 'Expected another policy, or --no-baselines.');
  if (subject.name === against?.name)
    throw invalid(`"${subject.name}" would be held against itself.`, 'Expected two different students.');
  if (baselines && isPlannable(environments) && instances < 2) {
    throw invalid(
      `The blind replay needs a second instance of each template, and there is ${instances}.`,
      'Expected at least 2 instances, or --no-baselines.',
    );
  }
}

interface Entrant extends Contender {
  readonly round: number;
  /** Whether it can do anything about a task; all of them when left out. */
  takes?(task: Task): boolean;
}

/**
 * The planner goes first: the replay repeats what it did on another instance. Neither can do anything about pages whose
 * state nobody sees. The subject goes last, as the latest.
 */
function* entrantsOf(options: EvaluateRunOptions, store: EpisodeSource, run: string): Generator<Entrant> {
  const { subject, against, baselines, round, host } = options;
  if (baselines && isPlannable(options.environments)) {
    yield {
      name: 'planner',
      round: baselineRound,
      policyFor: baselinePolicies(host.clock).planner,
    };
    const recordings = recordingsOf(store, run);
    const recorded = (task: Task): EpisodeRecord[] => recordings.get(`${task.environment}/${task.template}`) ?? [];
    yield {
      name: 'replay',
      round: baselineRound,
      takes: task => recorded(task).some(({ head }) => head.task.seed !== task.seed),
      policyFor: ({ task }) => createReplay({ task, recordings: recorded(task) }),
    };
    const name = 'frequent ending';
    const trained = [...recordings.values()].flat().filter(({ head }) => head.task.split === 'train');
    const ending = frequentEnding(trained);
    yield { name, round: baselineRound, policyFor: () => createFixedEnding(name, ending) };
  }
  if (baselines) {
    const { random, infeasible } = baselinePolicies(host.clock);
    yield { name: 'infeasible', round: baselineRound, policyFor: infeasible };
    yield { name: 'random', round: baselineRound, policyFor: random };
  }
  if (against !== undefined) yield { ...against, round };
  yield { ...subject, round };
}

/** By template. Two that passed are enough to have one of another instance. */
function recordingsOf(store: EpisodeSource, run: string): Map<string, EpisodeRecord[]> {
  const found = new Map<string, EpisodeRecord[]>();
  for (const stored of store.episodes({ run, phase: 'evaluate', round: baselineRound })) {
    const { student, trial, task } = stored.head;
    if (student !== 'planner' || trial !== 0) continue;
    const template = `${task.environment}/${task.template}`;
    const own = found.get(template) ?? [];
    if (own.filter(({ end }) => end.outcome === 'passed').length < 2)
      found.set(template, [...own, foldEpisode(stored)]);
  }
  return found;
}

interface Setting {
  readonly run: string;
  readonly store: Store;
  readonly worlds: Worlds;
}

interface Turn {
  /** Of its episodes, whenever they ended. */
  readonly keys: ReadonlySet<string>;
  readonly unmade: readonly Unmade[];
  readonly stopped: boolean;
}

interface Bench {
  run(entrant: Entrant): Promise<Turn>;
  close(): Promise<void>;
}

/** Runs one policy after the other on the same tasks. */
async function createBench(options: EvaluateRunOptions, { run, store, worlds }: Setting): Promise<Bench> {
  const { seed, instances, trials, levels, concurrency, signal, onProgress } = options;
  const { clock, timers } = options.host;
  const choices = allTemplates(worlds).filter(choice => levels.includes(levelOf(choice)));
  if (choices.length === 0) throw invalid(`There are no templates for ${levels.join(', ')}.`, 'Expected other levels.');
  const policies = baselineCount(options) + (options.against === undefined ? 1 : 2);
  const strategy = createLinear();
  const face = faceOf(options.browser);
  const episodes = choices.length * instances * trials * policies;
  const meter = createProgressCounter(episodes, clock);
  const pool = poolFor(options, episodes);
  const runEntrant = async (entrant: Entrant): Promise<Turn> => {
    const { name, round } = entrant;
    const headOf = (task: Task, { index, trial }: Place): EpisodeHead => {
      const key = `evaluate/${round}/${task.id}/${trial}/${name}${face}`;
      const agents = { student: name, teacher: null, strategy: strategy.name };
      return { run, key, index, phase: 'evaluate', round, trial, task, ...agents };
    };
    const seedOf = (instance: number): number => evaluationSeed(seed, instance);
    const plan = await createPlan({ choices, instances, trials, seedOf, headOf });
    const all = [...plan.heads];
    const first = firstPlace(all, store.summaries({ run, phase: 'evaluate', round }));
    const own = all.filter(({ task }) => entrant.takes?.(task) ?? true);
    const { stopped } = await runEpisodes({
      plan: own.map(head => ({ ...head, index: first + head.index })),
      seed: String(seed),
      concurrency,
      journal: store,
      clock,
      timers,
      createTrail,
      ...(signal === undefined ? {} : { signal }),
      ...(pool === null || !hasWorkers(entrant) ? {} : { runEpisode: pool.runEpisode }),
      start: head => ({
        environment: worldOf(worlds, head.task.environment),
        student: entrant.policyFor(head),
        strategy,
      }),
      onProgress: ({ end }) => onProgress?.(meter.add(end)),
      onSkip: meter.skip,
    });
    const keys = new Set(own.map(({ key }) => key));
    // What an earlier start left without a certificate.
    const filter = { run, phase: 'evaluate', round } as const;
    if (!stopped) await replayMissing(store, { worlds, filter, keys, concurrency, clock, timers, signal });
    return { keys, unmade: plan.unmade, stopped };
  };
  return { run: runEntrant, close: async () => pool?.close() };
}

/** Whether a worker can make its policy. */
function hasWorkers({ name, source }: Entrant): boolean {
  return source !== undefined || ['planner', 'random', 'infeasible'].includes(name);
}

function poolFor(options: EvaluateRunOptions, episodes: number): EpisodePool | null {
  const { environments, subject, against, browser, concurrency, seed, host } = options;
  if (browser !== null) return null;
  const named = [subject, ...(against === undefined ? [] : [against])].filter(({ source }) => source !== undefined);
  const students = Object.fromEntries(named.map(({ name, source }) => [name, source as string]));
  const data: EvaluateJobData = { environments, concurrency, students };
  const modules = Object.values(students).filter(isModulePath);
  return startPool(host, {
    job: 'evaluate-job',
    data,
    seed: String(seed),
    environments,
    modules,
    episodes,
    seconds: null,
  });
}

/** An episode with a different look is another episode. */
function faceOf(browser: BrowserConfig | null): string {
  if (browser === null) return '';
  const { path: _path, ...face } = browser;
  return `/${hash('sha256', JSON.stringify(face)).slice(0, 8)}`;
}

function baselineCount({ baselines, environments }: EvaluateRunOptions): number {
  if (!baselines) return 0;
  return isPlannable(environments) ? baselineNames.length : 2;
}

/** Whether planners can look at the state of all of them. */
function isPlannable(environments: readonly string[]): boolean {
  return !environments.some(isElsewhere);
}

function levelOf({ template }: Choice): Level {
  return template.split === 'train' ? 'new-instances' : 'held-out';
}

/**
 * Where the places of a plan begin in its round: where they did when it was begun before, so that a resumed evaluation is
 * as one that was never stopped; else after everything there, as the latest.
 */
function firstPlace(plan: readonly EpisodeHead[], round: Iterable<EpisodeSummary>): number {
  const places = new Map(plan.map(({ key, index }) => [key, index]));
  const held = [...round].map(({ head }) => ({ index: head.index, place: places.get(head.key) }));
  let [begun, next] = [-1, 0];
  for (const { index, place } of held) {
    if (place !== undefined) begun = Math.max(begun, index - place);
    next = Math.max(next, index + 1);
  }
  const last = begun + (plan.at(-1)?.index ?? 0);
  // Another plan, with more instances say, may find its places taken.
  const isFree = held.every(({ index, place }) => index < begun || index > last || index - begun === place);
  return begun >= 0 && isFree ? begun : next;
}

function* chosen(store: EpisodeSource, run: string, keys: ReadonlySet<string>) {
  for (const summary of store.summaries({ run, phase: 'evaluate' })) if (keys.has(summary.head.key)) yield summary;
}

function invalid(message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'input', code: 'invalid-option', message, expected });
}
