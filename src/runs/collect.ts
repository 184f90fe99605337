import { judgeReviewer, type ReviewerQuality } from '../analysis/reviewer.ts';
import { describeLack } from '../core/episode/certificate.ts';
import type { EpisodeHead, Outcome } from '../core/episode/events.ts';
import type { EpisodeSource } from '../core/episode/journal.ts';
import { foldEpisode } from '../core/episode/record.ts';
import { invalidOption, type EspalierError } from '../core/errors.ts';
import type { Task } from '../core/records.ts';
import { createTrail } from '../worlds/trail.ts';
import type { HumanOptions } from '../agents/human.ts';
import type { Spent } from '../models/endpoints/ledger.ts';
import { runEpisodes, type Progress, type RunTotals } from '../episode/engine.ts';
import {
  createEpisodeAgents,
  isPrivileged,
  openAgents,
  requireSuited,
  settleAgents,
  type EpisodeAgents,
  type OpenedAgents,
} from './jobs/agents.ts';
import type { ReviewWaiting } from './agents/reviews/contract.ts';
import { openReviewQueue } from './reviews/review-queue.ts';
import { distrustedIn, isUncertified, replayMissing } from './certify/certify.ts';
import { connectTo } from './models/connect.ts';
import { withModels, type Spending } from './models/spending.ts';
import type { GivenParts, Making } from './host/given.ts';
import type { Store } from '../store/store.ts';
import type { Host } from './host/host.ts';
import type { CollectJobData } from './jobs/collect-job.ts';
import type { EpisodePool } from './host/pool.ts';
import { startPool } from './jobs/start-pool.ts';
import type { RunConfig } from './config/config.ts';
import { beginRound, closeAfter, openRunForWriting, runPaths } from './folder/folder.ts';
import { createPlan, type Place, type RunPlan, type Unmade } from './plan/plan.ts';
import { createProgressCounter, type ProgressCounter } from './plan/progress-counter.ts';
import { openProgressFile } from './plan/progress-file.ts';
import { collectSeed } from './settings/seeds.ts';
import { namedTasks, requireExact } from './environments/named-tasks.ts';
import { changedSources, hashSources, sourceChanged } from './environments/source-hash.ts';
import { allTemplates, namedTemplates, withWorlds, worldOf, type Choice, type Worlds } from './environments/worlds.ts';

export interface CollectOptions {
  readonly config: RunConfig;
  /** Holds the config and the store; made when it is not there. */
  readonly folder: string;
  readonly host: Host;
  /** Ends the run early; it can be resumed. */
  readonly signal?: AbortSignal | undefined;
  readonly human?: HumanOptions | undefined;
  /** Objects that the config speaks of. */
  readonly given?: GivenParts | undefined;
  /** False leaves what passed in worlds that need a replay without a certificate: `certifyRun` does it later. */
  readonly certifies?: boolean | undefined;
  /** Whether another episode may begin; those under way end as they would. The run counts as stopped when one may not. */
  mayBegin?: (() => boolean) | undefined;
  onProgress?(meter: ProgressCounter): void;
}

/** Episodes by how they ended. */
type Outcomes = Readonly<Record<Outcome, number>>;

interface EnvironmentTotals {
  readonly environment: string;
  readonly outcomes: Outcomes;
  /** Of those that passed, the ones that are certified: by construction, or by a replay that agreed. */
  readonly certified: number;
  readonly steps: number;
  readonly reviews: number;
  /** Steps that the teacher was shown, once for each review. */
  readonly shown: number;
  /** Reviews that were left out. */
  readonly skipped: number;
  readonly corrections: number;
  /** Steps of the episodes that passed, and those of them that the teacher took. */
  readonly kept: number;
  readonly taught: number;
}

/** An error that episodes ended with. */
interface Breakage {
  readonly boundary: string;
  readonly count: number;
  /** Of the first of them. */
  readonly message: string;
  readonly episode: string;
}

/** Episodes that passed, not certified. */
interface Uncertified {
  readonly count: number;
  /** Why the first of them is not. */
  readonly reason: string;
  readonly episode: string;
}

/** What the round of a run has collected so far, what earlier starts of it did included. */
export interface Collected {
  readonly run: string;
  readonly folder: string;
  readonly store: string;
  readonly round: number;
  readonly planned: number;
  /** Episodes that ended now, and those that had ended before. */
  readonly ended: number;
  readonly skipped: number;
  readonly stopped: boolean;
  /** What the run has spent on models so far. */
  readonly spent: Spent;
  /** Why its budget or an endpoint stopped it; null when neither did. */
  readonly exhausted: string | null;
  readonly environments: readonly EnvironmentTotals[];
  /** Only when rejected branches live on. */
  readonly reviewer: ReviewerQuality | null;
  readonly breakages: readonly Breakage[];
  /** What passed without the certificate that it needs; null when nothing did. */
  readonly uncertified: Uncertified | null;
  readonly unmade: readonly Unmade[];
  /** Templates of the held-out split that were asked for by name. */
  readonly heldOut: readonly string[];
  readonly seconds: number;
}

/** Collects the episodes of one round into the folder of a run; those that are there already are left out. */
export async function collectRun(options: CollectOptions): Promise<Collected> {
  requireSuited(options.config);
  const config = settleSources(await settleAgents(options.config));
  return withModels({ ...options, spending: config.spending }, async spending => {
    const { host, given, human } = options;
    const reviews = reviewsOf(options, spending.signal);
    const setting = { clock: host.clock, onNotice: host.onNotice, human, reviews, connect: connectTo(spending) };
    const opened = await openAgents(config, setting, given);
    const stateful = isPrivileged(opened);
    return withWorlds(config.environments, { ...config, host, given, stateful }, worlds =>
      collectIn(worlds, { ...options, config, opened, spending }),
    );
  });
}

/** The queue of people at the studio, without the questions that an earlier start left unanswered. */
function reviewsOf({ config, folder, host }: CollectOptions, signal: AbortSignal): ReviewWaiting | undefined {
  if (config.teacher.kind !== 'studio') return undefined;
  const queue = openReviewQueue(folder, () => host.clock.now());
  queue.clear();
  return { queue, timers: host.timers, signal };
}

/** The config with the hashes of its environments and contracts. Those that were changed since the run began are refused. */
function settleSources({ sources = {}, ...config }: RunConfig): RunConfig {
  const { environments, contracts } = config;
  const now = hashSources(contracts === null ? environments : [...environments, contracts]);
  const [changed] = changedSources(sources, now);
  if (changed !== undefined) throw sourceChanged(changed, 'this run began');
  return Object.keys(now).length === 0 ? config : { ...config, sources: { ...now } };
}

interface CollectSetting extends CollectOptions {
  readonly opened: OpenedAgents;
  readonly spending: Spending;
}

async function collectIn(worlds: Worlds, options: CollectSetting): Promise<Collected> {
  const { config, opened, folder, host, spending } = options;
  const { clock } = host;
  const started = clock.now();
  const agents = createEpisodeAgents(config, opened);
  const { plan, heldOut } = await planRound(config, worlds, agents(null));
  beginRound(folder, config);
  const store = openRunForWriting(folder);
  try {
    const { ended, skipped, stopped } = await runRound(options, { worlds, plan, store, cast: agents });
    const { run, round } = config;
    return {
      run,
      folder,
      store: runPaths(folder).store,
      round,
      planned: plan.size(),
      ended,
      skipped,
      stopped,
      spent: spending.models.spent(),
      exhausted: spending.exhausted(),
      ...totalsOf(store, config),
      unmade: plan.unmade,
      heldOut,
      seconds: (clock.now() - started) / 1000,
    };
  } finally {
    closeAfter(store);
  }
}

interface Round {
  readonly worlds: Worlds;
  readonly plan: RunPlan;
  readonly store: Store;
  readonly cast: Making<EpisodeAgents>;
}

/** Runs the episodes of the plan that the store does not have. */
async function runRound(options: CollectSetting, { worlds, plan, store, cast: agents }: Round): Promise<RunTotals> {
  const { config, folder, host, spending, certifies = true, mayBegin = () => true, onProgress } = options;
  const { clock, timers } = host;
  const { signal } = spending;
  const { round } = config;
  const meter = createProgressCounter(plan.size, clock);
  const collected = { run: config.run, round, phase: 'collect' } as const;
  // A run of state worlds that are not drawn has nothing to replay: its store is not read for it.
  const mayReplay = config.browser !== null || [...worlds.values()].some(world => world.certification === undefined);
  if (certifies && mayReplay)
    await replayMissing(store, { ...config, worlds, filter: collected, clock, timers, signal });
  const tally = { begun: 0, ended: 0 };
  const pool = poolFor(options, plan.size());
  const file = openProgressFile({ folder, phase: 'collect', round, planned: plan.size(), clock });
  try {
    return await runEpisodes({
      plan: plan.heads,
      mayBegin: () => mayBegin() && spending.affords({ ended: tally.ended, open: tally.begun - tally.ended }),
      seed: String(config.seed),
      concurrency: config.concurrency,
      journal: store,
      clock,
      timers,
      createTrail,
      signal,
      certifies,
      ...(pool === null ? {} : { runEpisode: pool.runEpisode }),
      distrusted: mayReplay ? distrustedIn(store, { run: config.run }) : new Map(),
      start(head) {
        tally.begun++;
        return { environment: worldOf(worlds, head.task.environment), ...agents(head) };
      },
      onProgress: ({ end }) => {
        tally.ended++;
        const progress = meter.add(end);
        file.tell(progress);
        onProgress?.(progress);
      },
      onSkip: meter.skip,
    });
  } finally {
    file.close();
    await pool?.close();
  }
}

/** Models, people, pages and objects of the caller's are asked from this thread. */
function poolFor({ config, host, human }: CollectSetting, episodes: number): EpisodePool | null {
  const { student, teacher, strategy, browser, environments, limits, seed } = config;
  const agents = [student, teacher, strategy];
  const isHere = agents.some(({ kind }) => ['model', 'object', 'studio'].includes(kind));
  if (browser !== null || human !== undefined || isHere) return null;
  const data: CollectJobData = { config };
  const own = agents.flatMap(agent => (agent.kind === 'module' ? [String(agent.file)] : []));
  const modules = config.contracts === null ? own : [...own, config.contracts];
  return startPool(host, {
    job: 'collect-job',
    data,
    seed: String(seed),
    environments,
    modules,
    episodes,
    seconds: limits.seconds,
  });
}

async function planRound(
  config: RunConfig,
  worlds: Worlds,
  { student, teacher, strategy }: EpisodeAgents,
): Promise<{ plan: RunPlan; heldOut: string[] }> {
  const { run, round, seed, trials } = config;
  const choices = choicesOf(config, worlds);
  await requireExact(choices);
  if (choices.length === 0) throw allHeldOut();
  const agents = { student: student.name, teacher: teacher?.name ?? null, strategy: strategy.name };
  const headOf = (task: Task, { index, trial }: Place): EpisodeHead => {
    const key = `collect/${round}/${task.id}/${trial}`;
    return { run, key, index, phase: 'collect', round, trial, task, ...agents };
  };
  const seedOf = (instance: number): number => collectSeed(seed, round, instance);
  const instances = config.tasks === null ? config.instances : 1;
  const plan = await createPlan({ choices, instances, trials, seedOf, headOf });
  const heldOut = choices.filter(({ template }) => template.split !== 'train').map(({ template }) => template.id);
  return { plan, heldOut: [...new Set(heldOut)] };
}

function choicesOf({ tasks, templates }: RunConfig, worlds: Worlds): Choice[] {
  if (tasks !== null) return namedTasks(worlds, tasks, 'collect');
  if (templates !== null) return namedTemplates(worlds, templates);
  return allTemplates(worlds).filter(({ template }) => template.split === 'train');
}

function allHeldOut(): EspalierError {
  return invalidOption(
    'Every template of these environments is held out for evaluation: there is nothing to collect on.',
    'Name templates with --templates to collect on them anyway.',
  );
}

function totalsOf(
  source: EpisodeSource,
  { run, round, strategy }: RunConfig,
): Pick<Collected, 'environments' | 'reviewer' | 'breakages' | 'uncertified'> {
  const filter = { run, round, phase: 'collect' } as const;
  const environments = new Map<string, EnvironmentTotals>();
  const breakages = new Map<string, Breakage>();
  let uncertified: Uncertified | null = null;
  for (const summary of source.summaries(filter)) {
    const { head, end } = summary;
    const { environment } = head.task;
    const lacks = isUncertified(summary);
    environments.set(environment, addEpisode(environments.get(environment) ?? noTotals(environment), end, lacks));
    if (lacks) {
      const first: Uncertified = uncertified ?? {
        count: 0,
        reason: describeLack(summary, end.leaf),
        episode: head.key,
      };
      uncertified = { ...first, count: first.count + 1 };
    }
    if (end.boundary === null) continue;
    const known = breakages.get(end.boundary);
    const first = known ?? { boundary: end.boundary, count: 0, message: end.message ?? '', episode: head.key };
    breakages.set(end.boundary, { ...first, count: first.count + 1 });
  }
  const branching = 'branching' in strategy && strategy['branching'] === true;
  return {
    environments: [...environments.values()],
    breakages: [...breakages.values()],
    uncertified,
    reviewer: branching ? judgeReviewer(recordsOf(source, filter)) : null,
  };
}

function* recordsOf(source: EpisodeSource, filter: Parameters<EpisodeSource['episodes']>[0]) {
  for (const stored of source.episodes(filter)) yield foldEpisode(stored);
}

function noTotals(environment: string): EnvironmentTotals {
  return {
    environment,
    outcomes: { passed: 0, failed: 0, discarded: 0, errored: 0 },
    certified: 0,
    steps: 0,
    reviews: 0,
    shown: 0,
    skipped: 0,
    corrections: 0,
    kept: 0,
    taught: 0,
  };
}

function addEpisode(
  totals: EnvironmentTotals,
  { outcome, counts }: Progress['end'],
  lacksCertificate: boolean,
): EnvironmentTotals {
  const { outcomes, certified, steps, reviews, shown, skipped, corrections } = totals;
  return {
    ...totals,
    outcomes: { ...outcomes, [outcome]: outcomes[outcome] + 1 },
    certified: certified + Number(outcome === 'passed' && !lacksCertificate),
    steps: steps + counts.taken,
    reviews: reviews + counts.reviews,
    shown: shown + (counts.shown ?? 0),
    skipped: skipped + (counts.skipped ?? 0),
    corrections: corrections + counts.corrections,
    kept: totals.kept + (outcome === 'passed' ? counts.steps : 0),
    taught: totals.taught + (outcome === 'passed' ? (counts.taught ?? 0) : 0),
  };
}
