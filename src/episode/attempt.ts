import type { Clock, Timers } from '../core/clock.ts';
import type { Awaitable, Environment } from '../core/contracts.ts';
import { isSearching, type Policy, type Teacher } from '../core/episode/agents.ts';
import type { EpisodeEvent, EpisodeHead } from '../core/episode/events.ts';
import type { Journal, StoredEpisode } from '../core/episode/journal.ts';
import { EspalierError, invalidOption } from '../core/errors.ts';
import { createRandom } from '../core/random.ts';
import type { Semaphore } from '../core/semaphore.ts';
import { wrapStateEnvironment } from '../core/wrap-environment.ts';
import type { Limits } from './cursor/budget.ts';
import type { Cursor } from './cursor/cursor.ts';
import { blame, type GuardOptions } from './cursor/deadline.ts';
import { createLifecycle, type CreateTrail } from './cursor/lifecycle.ts';
import { openLog } from './cursor/log.ts';
import { brokenResult, discardedResult, verifiedResult, type EpisodeResult } from './cursor/result.ts';
import { replayIn, type ReplayPath } from './certify/certify.ts';
import { createEpisode, type Episode } from './verbs/episode.ts';
import { veilVerdicts } from './veiled-episode.ts';
import type { Turns } from './cursor/turns.ts';
import type { Conclusion, Strategy } from './strategies/strategy.ts';

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
  readonly createTrail: CreateTrail;
  /** Bounds the questions that all episodes of the run ask at once. */
  readonly slots?: Semaphore;
  /** Gives other work of the thread its turn between two questions; left out, none has it. */
  readonly turns?: Turns;
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
  const { seed, journal, clock, timers, signal, onAsk, createTrail } = context;
  const parts = await context.start(head);
  const { environment, student, teacher = null, strategy, limits } = parts;
  if (strategy.asksTeacher && teacher === null) throw noTeacher(strategy.name);
  const { task } = head;
  const log = openLog(journal, head, signal);
  const events: EpisodeEvent[] = [];
  const distrust = context.distrust?.(task.environment);
  const world = { environment: searchWorld(environment, student), task, limits, createTrail, distrust };
  const onEvent = (event: EpisodeEvent): void => void events.push(event);
  const lifecycle = createLifecycle({ ...world, log, clock, timers, signal, onAsk, onEvent });
  const random = createRandom(`${seed}/${head.key}`);
  let cursor: Cursor | null = null;
  let concluded: Concluded;
  try {
    cursor = await lifecycle.open();
    const episode = await createEpisode({
      ...lifecycle,
      cursor,
      student,
      teacher,
      random,
      lightForks: environment.lightForks === true,
      slots: context.slots,
      turns: context.turns,
    });
    concluded = resultOf(await (head.phase === 'evaluate' ? runBlind : runStrategy)(strategy, episode));
  } catch (cause) {
    if (signal.aborted && log.failure() === null) return null;
    const result = brokenResult(cause);
    if (result === null) throw cause;
    concluded = { result, leaf: cursor?.at() ?? 0 };
  } finally {
    await lifecycle.close();
  }
  const failure = log.failure();
  if (failure !== null) throw failure;
  if (signal.aborted) return null;
  const end = lifecycle.end(concluded.result, concluded.leaf);
  const replay = replayIn(environment, { clock, timers, signal, limits });
  return { stored: { head, events, end, certificates: [] }, replay };
}

/** A search tries steps in forks of its session, and what it finds is replayed in a fresh one: it can begin in a page that was used. */
function searchWorld(environment: Environment, student: Policy): Environment {
  const { openWarm } = environment;
  if (!isSearching(student) || openWarm === undefined) return environment;
  return wrapStateEnvironment(environment, { open: openWarm.bind(environment) });
}

/** Where a student is evaluated, nobody chooses by verdicts, which it would not have on its own. */
async function runBlind(strategy: Strategy, open: Episode): Promise<Conclusion> {
  const { episode, unveil } = veilVerdicts(open);
  return unveil(await runStrategy(strategy, episode));
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

interface Concluded {
  readonly result: EpisodeResult;
  readonly leaf: number;
}

function resultOf(conclusion: Conclusion): Concluded {
  const { kind, leaf, reason } = conclusion;
  if (kind === 'discarded') return { result: discardedResult(reason), leaf };
  return { result: verifiedResult(conclusion.verdict, reason), leaf };
}

function noTeacher(strategy: string): EspalierError {
  return invalidOption(
    `The strategy "${strategy}" asks a teacher, and there is none.`,
    'Give the episode a teacher, or choose a strategy that needs none.',
  );
}
