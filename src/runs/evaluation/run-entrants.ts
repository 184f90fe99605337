import { hash } from 'node:crypto';
import type { EpisodeHead } from '../../core/episode/events.ts';
import type { EpisodeSummary } from '../../core/episode/journal.ts';
import type { Task } from '../../core/records.ts';
import { createTrail } from '../../worlds/trail.ts';
import type { RunOptions } from '../../episode/engine.ts';
import { createLinear } from '../../episode/strategies/linear.ts';
import type { Strategy } from '../../episode/strategies/strategy.ts';
import type { Store } from '../../store/store.ts';
import type { AskedStudent, Contender } from '../agents/evaluated.ts';
import { replayMissing } from '../certify/certify.ts';
import type { BrowserConfig } from '../settings/browser-config.ts';
import { worldOf, type Choice, type Worlds } from '../environments/worlds.ts';
import type { Host } from '../host/host.ts';
import type { EpisodePool } from '../host/pool.ts';
import { createPlan, type Place, type Unmade } from '../plan/plan.ts';
import { runAnywhere, type SharedRun } from '../plan/run-anywhere.ts';
import { createProgressCounter, type ProgressCounter } from '../plan/progress-counter.ts';
import { evaluationSeed } from '../settings/seeds.ts';

/** A policy that is run on the tasks of an evaluation. */
export interface Entrant extends Pick<Contender, 'name' | 'policyFor'> {
  readonly round: number;
  /** How it is run; alone when left out. */
  readonly strategy?: Strategy;
  /** Whether a worker can make the policy. */
  readonly hasWorkers: boolean;
  /** What it asks models by, where it asks some: other machines can, too. */
  readonly asked?: AskedStudent | undefined;
  /** The tasks that it can do something about; all of them when left out. */
  takes?(task: Task): boolean;
}

export interface EntrantOptions {
  readonly run: string;
  readonly store: Store;
  readonly worlds: Worlds;
  readonly choices: readonly Choice[];
  /** Of each choice. */
  readonly instances: number;
  readonly trials: number;
  readonly seed: number;
  readonly concurrency: number;
  readonly browser: BrowserConfig | null;
  /** How many policies are to come. */
  readonly policies: number;
  readonly pool: EpisodePool | null;
  /** Null where there are no other machines. */
  readonly share: Share | null;
  readonly host: Host;
  readonly signal?: AbortSignal | undefined;
  onProgress?: ((meter: ProgressCounter) => void) | undefined;
}

/** What other machines are told of a policy and its place in the run; null for one that only this program can run. */
export type Share = (entrant: Entrant, place: object) => SharedRun | null;

export interface EntrantResult {
  /** The keys of its episodes, old and new. */
  readonly keys: ReadonlySet<string>;
  readonly unmade: readonly Unmade[];
  readonly stopped: boolean;
}

/** Returns a function that runs one policy. Every policy gets the same tasks. */
export function createEntrantRunner(options: EntrantOptions): (entrant: Entrant) => Promise<EntrantResult> {
  const { run, store, worlds, choices, seed, instances, trials, concurrency, pool, share, signal, onProgress } =
    options;
  const { clock, timers } = options.host;
  const linear = createLinear();
  const look = lookOf(options.browser);
  const most = choices.length * instances * trials;
  let planned = most * options.policies;
  const meter = createProgressCounter(() => planned, clock);
  return async entrant => {
    const { name, round, strategy = linear } = entrant;
    const headOf = (task: Task, { index, trial }: Place): EpisodeHead => {
      const key = `evaluate/${round}/${task.id}/${trial}/${name}${look}`;
      const agents = { student: name, teacher: null, strategy: strategy.name };
      return { run, key, index, phase: 'evaluate', round, trial, task, ...agents };
    };
    const seedOf = (instance: number): number => evaluationSeed(seed, instance);
    const plan = await createPlan({ choices, instances, trials, seedOf, headOf });
    const all = [...plan.heads];
    const first = firstIndex(all, store.summaries({ run, phase: 'evaluate', round }));
    const own = all.filter(({ task }) => entrant.takes?.(task) ?? true);
    planned += own.length - most;
    // Two evaluations with the same name may begin at other indices.
    const place = { name, round, first, tasks: own.map(({ key }) => key) };
    const running: RunOptions = {
      plan: own.map(head => ({ ...head, index: first + head.index })),
      seed: String(seed),
      concurrency,
      journal: store,
      clock,
      timers,
      createTrail,
      ...(signal === undefined ? {} : { signal }),
      ...(pool === null || !entrant.hasWorkers ? {} : { runEpisode: pool.runEpisode }),
      start: head => ({
        environment: worldOf(worlds, head.task.environment),
        student: entrant.policyFor(head),
        strategy,
        ...(strategy.limits === undefined ? {} : { limits: strategy.limits }),
      }),
      onProgress: ({ end }) => onProgress?.(meter.add(end)),
      onSkip: meter.skip,
    };
    const { stopped } = await runAnywhere(options.host, running, share?.(entrant, place) ?? null);
    const keys = new Set(own.map(({ key }) => key));
    // An earlier start may have left episodes without a certificate.
    const filter = { run, phase: 'evaluate', round } as const;
    if (!stopped) await replayMissing(store, { worlds, filter, keys, concurrency, clock, timers, signal });
    return { keys, unmade: plan.unmade, stopped };
  };
}

/** A part of the key: an episode that is drawn in another way is another episode. */
function lookOf(browser: BrowserConfig | null): string {
  if (browser === null) return '';
  const { path: _path, ...look } = browser;
  return `/${hash('sha256', JSON.stringify(look)).slice(0, 8)}`;
}

/**
 * The index of the first episode of a plan in its round. A plan that was begun before keeps its indices, so that a
 * resumed evaluation equals one that was never stopped. A new plan comes after everything else in the round.
 */
function firstIndex(plan: readonly EpisodeHead[], round: Iterable<EpisodeSummary>): number {
  const places = new Map(plan.map(({ key, index }) => [key, index]));
  const held = [...round].map(({ head }) => ({ index: head.index, place: places.get(head.key) }));
  let [begun, next] = [-1, 0];
  for (const { index, place } of held) {
    if (place !== undefined) begun = Math.max(begun, index - place);
    next = Math.max(next, index + 1);
  }
  const last = begun + (plan.at(-1)?.index ?? 0);
  // A plan with more instances may find its indices taken.
  const isFree = held.every(({ index, place }) => index < begun || index > last || index - begun === place);
  return begun >= 0 && isFree ? begun : next;
}
