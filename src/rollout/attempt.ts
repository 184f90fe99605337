import { isBrowserAction } from '../core/action.ts';
import type { Clock, Timers } from '../core/clock.ts';
import type { Awaitable, Environment, Session } from '../core/contracts.ts';
import type { Policy, Teacher } from '../core/episode/agents.ts';
import type { EpisodeEnd, EpisodeEvent, EpisodeHead } from '../core/episode/events.ts';
import type { Journal, StoredEpisode } from '../core/episode/journal.ts';
import type { Opener, Trail, TrailOptions } from '../core/episode/trail.ts';
import { EspalierError } from '../core/errors.ts';
import { createRandom } from '../core/random.ts';
import type { Task } from '../core/records.ts';
import { BudgetError, createBudget, limitsFor, type Budget, type Limits } from './budget.ts';
import { blame, createGuard, type GuardOptions } from './deadline.ts';
import { createEpisode, type Episode } from './episode.ts';
import { openLog } from './log.ts';
import { replayIn, type ReplayPath } from './certify.ts';
import type { Conclusion, Strategy } from './strategy.ts';
import { watchWorld, worldParty } from './watched-world.ts';

/** What one episode is made of. */
export interface EpisodeParts {
  readonly environment: Environment;
  readonly student: Policy;
  readonly teacher?: Teacher | null;
  readonly strategy: Strategy;
  readonly limits?: Partial<Limits>;
}

/** What every attempt of a run shares. */
export interface AttemptContext extends Pick<GuardOptions, 'onAsk'> {
  /** All chance of an episode comes from this and from its key. */
  readonly seed: string;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  start(head: EpisodeHead): Awaitable<EpisodeParts>;
  createTrail(environment: Opener<Session>, task: Task, options?: TrailOptions): Promise<Trail>;
  /** Why the snapshots of an environment are not used; null when they are. */
  distrust?(environment: string): string | null;
}

/** An episode that has ended. */
export interface Attempt {
  readonly stored: StoredEpisode;
  /** Replays one of its paths in a fresh session. */
  readonly replay: ReplayPath;
}

/**
 * Runs one episode to its end and writes it down. Whatever breaks in it is its outcome; null when it was stopped before.
 * Throws when the store fails, and when what it was given makes no sense: no other episode would fare better.
 */
export async function runAttempt(head: EpisodeHead, context: AttemptContext): Promise<Attempt | null> {
  const { seed, journal, clock, timers, signal, onAsk } = context;
  const parts = await context.start(head);
  const { environment, student, teacher = null, strategy, limits } = parts;
  if (strategy.asksTeacher && teacher === null) throw noTeacher(strategy.name);
  const budget = createBudget(limitsFor(head.task, limits), clock);
  const guard = createGuard({ budget, timers, signal, onAsk });
  const world = worldParty(head.task.id);
  const random = createRandom(`${seed}/${head.key}`);
  const log = openLog(journal, head, signal);
  const events: EpisodeEvent[] = [];
  const append = (event: EpisodeEvent): void => {
    log.append(event);
    events.push(event);
  };
  const isReplayed = (): boolean => environment.certification !== 'by-construction' || events.some(isDoneByHand);
  let trail: Trail | null = null;
  const forks: Trail[] = [];
  let episode: Episode | null = null;
  let result: Result;
  try {
    trail = await openTrail(watchWorld(environment, guard), head, context).catch((cause: unknown) => {
      throw blame(cause, world);
    });
    append({ kind: 'open', root: trail.tree.root });
    const agents = { student, teacher, attach: log.attach, onFork: (forked: Trail) => void forks.push(forked) };
    episode = await createEpisode({ environment, trail, world, guard, budget, random, append, isReplayed, ...agents });
    result = concluded(await runStrategy(strategy, episode));
  } catch (cause) {
    if (signal.aborted && log.failure() === null) return null;
    result = { ...broken(cause), leaf: episode?.at() ?? 0 };
  } finally {
    await Promise.all([trail, ...forks].map(closeQuietly));
  }
  const failure = log.failure();
  if (failure !== null) throw failure;
  if (signal.aborted) return null;
  const certification = isReplayed() ? 'by-replay' : 'by-construction';
  const end: EpisodeEnd = { ...result, certification, ...measured(budget, trail, result.leaf) };
  log.end(end);
  const replay = replayIn(environment, { clock, timers, signal, limits });
  return { stored: { head, events, end, certificates: [] }, replay };
}

function openTrail(world: Opener<Session>, { task }: EpisodeHead, context: AttemptContext): Promise<Trail> {
  const distrust = context.distrust?.(task.environment) ?? null;
  return context.createTrail(world, task, distrust === null ? {} : { distrust });
}

/** What a pointer or a key does depends on the page that is drawn, also where the state behind it is ours. */
function isDoneByHand(event: EpisodeEvent): boolean {
  return event.kind === 'step' && event.node.outcome.applied && isBrowserAction(event.node.action);
}

/** Whatever a strategy breaks with is its episode's outcome. */
async function runStrategy(strategy: Strategy, episode: Episode): Promise<Conclusion> {
  let conclusion: Conclusion | undefined;
  try {
    conclusion = await strategy.run(episode);
  } catch (cause) {
    throw cause instanceof EspalierError ? cause : blame(cause, { boundary: 'strategy', who: strategyName(strategy) });
  }
  if (conclusion?.kind === 'verified' || conclusion?.kind === 'discarded') return conclusion;
  throw new EspalierError({
    boundary: 'strategy',
    code: 'out-of-range',
    message: `${strategyName(strategy)} did not say how the episode ended.`,
    expected:
      'Expected run() to return { kind: "verified", leaf, verdict, reason } or { kind: "discarded", leaf, reason }.',
  });
}

function strategyName({ name }: Strategy): string {
  return `The strategy "${name}"`;
}

type Result = Omit<EpisodeEnd, 'certification' | 'counts' | 'milliseconds'>;

function concluded(conclusion: Conclusion): Result {
  const { kind, leaf, reason } = conclusion;
  const rest = { reason, boundary: null, message: null, leaf };
  if (kind === 'discarded') return { outcome: 'discarded', verdict: null, ...rest };
  return { outcome: conclusion.verdict.pass ? 'passed' : 'failed', verdict: conclusion.verdict, ...rest };
}

/** An error that names a side of the episode is its outcome; any other is a mistake of ours or of the caller's. */
function broken(cause: unknown): Omit<Result, 'leaf'> {
  if (!(cause instanceof EspalierError) || cause.boundary === 'input') throw cause;
  const { boundary, message } = cause;
  const reason = cause instanceof BudgetError ? `out of ${cause.resource}` : cause.code.replaceAll('-', ' ');
  return { outcome: 'errored', reason, boundary, message, verdict: null };
}

function measured(budget: Budget, trail: Trail | null, leaf: number): Pick<EpisodeEnd, 'counts' | 'milliseconds'> {
  const steps = trail === null ? 0 : trail.tree.path(leaf).length;
  return { counts: budget.counts(steps), milliseconds: budget.millisecondsUsed() };
}

/** What was verified stays true, whether or not the world closes well. */
async function closeQuietly(trail: Trail | null): Promise<void> {
  try {
    await trail?.session().close();
  } catch {
    // Its episode is over.
  }
}

function noTeacher(strategy: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-option',
    message: `The strategy "${strategy}" asks a teacher, and there is none.`,
    expected: 'Give the episode a teacher, or choose a strategy that needs none.',
  });
}
