import { isAction, type Action } from '../core/action.ts';
import type { SessionEnd } from '../core/contracts.ts';
import type { EpisodeEnd, EpisodeHead } from '../core/episode/events.ts';
import type { Journal } from '../core/episode/journal.ts';
import type { Remarks } from '../core/episode/trail.ts';
import { EspalierError } from '../core/errors.ts';
import { parseRecord, type Observation, type Task, type Verdict } from '../core/records.ts';
import { remarksSchema, type Actor, type Tree, type TreeNode } from '../core/tree.ts';
import type { Resource } from './budget.ts';
import type { Cursor } from './cursor.ts';
import { blame } from './deadline.ts';
import { createIdleTimer } from './idle-timer.ts';
import { createLifecycle, type Lifecycle, type LifecycleOptions } from './lifecycle.ts';
import { noLog, openLog, type GuardedLog } from './log.ts';
import { abandonedResult, brokenResult, failureReason, verifiedResult, type EpisodeResult } from './result.ts';
import { createTurns } from './turns.ts';

/**
 * An episode that is driven from outside: by a client of a server, say. Calls run one after another. Whatever breaks ends
 * the episode and is thrown; a mistake of the caller's is thrown and ends nothing. An episode ends once.
 */
export interface DrivenEpisode {
  readonly task: Task;
  readonly tree: Tree;
  /** The node it stands at; 0 is the start. */
  at(): number;
  /** `terminated` when the agent has finished, `truncated` when no steps are left; null while steps can be taken. */
  ended(): SessionEnd | null;
  left(resource: Resource): number;
  observe(): Promise<Observation>;
  step(action: Action, remarks?: DrivenRemarks): Promise<TreeNode>;
  /** Goes back to the recorded state of a node, restored or replayed, and compared. */
  rollback(node: number): Promise<void>;
  /** The verdict here. Nothing ends: do not show it to the agent that is being measured. */
  verify(): Promise<Verdict>;
  /** Verifies where it stands, and ends. `stopped` says why, if the agent did not finish. */
  finish(stopped?: string): Promise<EpisodeEnd>;
  /** Ends without a verdict: nobody drives it any more. */
  abandon(why: string): Promise<EpisodeEnd>;
  /** Ends as errored: the code that drives it broke. */
  fail(cause: unknown): Promise<EpisodeEnd>;
  /** Null while it is open. */
  end(): EpisodeEnd | null;
}

export interface DrivenRemarks extends Remarks {
  /** What the agent saw instead of the screen. */
  readonly seen?: string | undefined;
}

export interface OpenEpisodeOptions extends Omit<LifecycleOptions, 'log' | 'signal' | 'task' | 'onEvent'> {
  readonly head: EpisodeHead;
  /** Null keeps nothing. */
  readonly journal: Pick<Journal, 'begin'> | null;
  /** Who takes the steps. */
  readonly actor?: Actor;
  /** An episode without a call for so long is abandoned; never when left out. */
  readonly idleMilliseconds?: number | undefined;
  /** Raised when the server closes: nothing is waited for any more, and the episode is abandoned. */
  readonly signal?: AbortSignal | undefined;
  /** Told once, when the end is written. */
  onEnd?(end: EpisodeEnd): void;
  /** Told when its sessions are closed, also when the store failed and no end could be written. */
  onRelease?(): void;
  /** Told of a store that fails while nobody waits. */
  onFault?(cause: unknown): void;
}

/** Opens a task for a driver outside. A task that does not open is an episode as well: it ends as errored, and this throws. */
export async function openEpisode(options: OpenEpisodeOptions): Promise<DrivenEpisode> {
  const { head, journal, onRelease } = options;
  const { signal: never } = new AbortController();
  const { signal = never } = options;
  // What was done is written down also after the signal.
  const log = journal === null ? noLog : openLog(journal, head, never);
  const lifecycle = createLifecycle({ ...options, task: head.task, log, signal });
  const release = async (): Promise<void> => {
    await lifecycle.close();
    onRelease?.();
  };
  const close = async (result: EpisodeResult, leaf: number): Promise<EpisodeEnd> => {
    await lifecycle.close();
    try {
      return lifecycle.end(result, leaf);
    } finally {
      onRelease?.();
    }
  };
  try {
    const cursor = await lifecycle.open();
    return driveEpisode({ ...options, signal, cursor, lifecycle, log, close, release });
  } catch (cause) {
    const result = resultOf(cause, signal);
    if (result === null || log.failure() !== null) await release();
    else options.onEnd?.(await close(result, 0));
    throw log.failure() ?? cause;
  }
}

/** What an error means for the episode; null when the caller made a mistake. */
function resultOf(cause: unknown, signal: AbortSignal): EpisodeResult | null {
  return signal.aborted ? abandonedResult('Not finished: the server closed.') : brokenResult(cause);
}

interface Driving extends OpenEpisodeOptions {
  readonly signal: AbortSignal;
  readonly cursor: Cursor;
  readonly lifecycle: Lifecycle;
  readonly log: Pick<GuardedLog, 'failure'>;
  /** Closes the sessions and writes the end. */
  close(result: EpisodeResult, leaf: number): Promise<EpisodeEnd>;
  /** Closes the sessions when nothing can be written any more. */
  release(): Promise<void>;
}

function driveEpisode(driving: Driving): DrivenEpisode {
  const { head, cursor, timers, idleMilliseconds = Infinity, onFault } = driving;
  const { actor = { role: 'student', name: head.student } } = driving;
  const inTurn = createTurns();
  const ending = createEnding(driving);
  const idle = createIdleTimer(timers, idleMilliseconds, () => {
    const why = `no call for ${idleMilliseconds / 1000} s`;
    inTurn(() => ending.end(abandonedResult(`Not finished: ${why}.`))).catch(onFault ?? (() => undefined));
  });
  const call = <T>(work: () => Promise<T>): Promise<T> =>
    inTurn(async () => {
      await ending.requireOpen();
      idle.pause();
      try {
        driving.lifecycle.budget.requireMeans();
        return await work();
      } catch (cause) {
        await ending.failWith(cause);
        throw cause;
      } finally {
        if (ending.isOpen()) idle.restart();
      }
    });
  const last = (result: () => EpisodeResult | Promise<EpisodeResult>): Promise<EpisodeEnd> =>
    inTurn(async () => {
      idle.pause();
      return ending.end(result);
    });
  const ended = (): SessionEnd | null => cursor.ended() ?? (cursor.left('steps') > 0 ? null : 'truncated');
  idle.restart();
  return {
    task: head.task,
    tree: cursor.tree,
    at: cursor.at,
    left: cursor.left,
    ended,
    end: ending.now,
    observe: () => call(() => cursor.observe()),
    step: (action, given) =>
      call(async () => {
        if (!isAction(action)) throw noAction(action);
        const { seen, ...remarks } = readRemarks(given);
        if (ended() !== null) throw noMoreSteps(head.key, ended());
        return cursor.step({ action, ...remarks }, { actor, seen });
      }),
    rollback: node =>
      call(async () => {
        requireNode(cursor.tree, node);
        return cursor.rollback(node);
      }),
    verify: () => call(() => cursor.verify()),
    finish: stopped => last(() => verified(driving, stopped)),
    abandon: why => last(() => abandonedResult(`Not finished: ${why}.`)),
    fail: cause => last(() => brokenResult(cause) ?? (brokenResult(driverBroke(head, cause)) as EpisodeResult)),
  };
}

/** Verifies where the cursor stands, and records it as the main leaf. A verifier that breaks is the outcome. */
async function verified({ cursor, lifecycle, signal }: Driving, stopped?: string): Promise<EpisodeResult> {
  try {
    lifecycle.budget.requireMeans();
    const verdict = await cursor.verify();
    cursor.leaf({ role: 'main', verdict, from: null });
    const byDefault = cursor.left('steps') > 0 ? 'not finished' : 'out of steps';
    const reason = cursor.ended() === 'terminated' ? null : (stopped ?? byDefault);
    return verifiedResult(verdict, failureReason(verdict, reason));
  } catch (cause) {
    const result = resultOf(cause, signal);
    if (result === null) throw cause;
    return result;
  }
}

interface Ending {
  now(): EpisodeEnd | null;
  isOpen(): boolean;
  /** Throws when the episode has ended, or its store has failed. */
  requireOpen(): Promise<void>;
  /** Ends it, the first time; afterwards this gives the end that it has. */
  end(result: EpisodeResult | (() => EpisodeResult | Promise<EpisodeResult>)): Promise<EpisodeEnd>;
  /** Ends it as errored, unless the caller made a mistake. */
  failWith(cause: unknown): Promise<void>;
}

function createEnding({ head, cursor, log, signal, close, release, onEnd }: Driving): Ending {
  let ended: EpisodeEnd | null = null;
  const requireStore = async (): Promise<void> => {
    const failure = log.failure();
    if (failure === null) return;
    await release();
    throw failure;
  };
  const end: Ending['end'] = async result => {
    if (ended !== null) return ended;
    await requireStore();
    const known = typeof result === 'function' ? await result() : result;
    await requireStore();
    ended = await close(known, cursor.at());
    onEnd?.(ended);
    return ended;
  };
  return {
    end,
    now: () => ended,
    isOpen: () => ended === null && log.failure() === null,
    async requireOpen() {
      if (ended !== null) throw alreadyEnded(head.key, ended);
      await requireStore();
    },
    async failWith(cause) {
      await requireStore();
      const result = resultOf(cause, signal);
      if (result !== null) await end(result);
    },
  };
}

function requireNode(tree: Tree, node: number): void {
  try {
    tree.digest(node);
  } catch (cause) {
    throw mistake(
      `There is no node ${String(node)} to go back to.`,
      'Expected the id of a step, or 0 for the start.',
      cause,
    );
  }
}

/** Checked before the step is taken: the store would refuse bad remarks after it. */
function readRemarks(given: unknown): DrivenRemarks {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null)
    throw mistake(`The remarks of a step are ${textOf(given)}.`, 'Expected an object, such as { "thought": "…" }.');
  const { seen, ...remarks } = given as Record<string, unknown>;
  if (seen !== undefined && typeof seen !== 'string')
    throw mistake(`\`seen\` is ${textOf(seen)}.`, 'Expected the text that the agent saw instead of the screen.');
  return {
    ...parseRecord(remarksSchema, remarks, { what: 'remarks object of the step', code: 'invalid-action' }),
    seen,
  };
}

/** The start of a value as JSON. What is nested too deeply, or turns back on itself, has none. */
function textOf(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 200);
  } catch {
    return 'A value that cannot be written as JSON';
  }
}

function noAction(action: unknown): EspalierError {
  return mistake(`${textOf(action)} is not an action.`, 'Expected an action such as { "kind": "click", "ref": "e1" }.');
}

function noMoreSteps(key: string, end: SessionEnd | null): EspalierError {
  const why = end === 'terminated' ? 'its agent has finished' : 'no steps are left';
  return mistake(`No step can be taken in ${key}: ${why}.`, 'Expected a finish, or a rollback to an earlier step.');
}

function alreadyEnded(key: string, { outcome, reason }: EpisodeEnd): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'already-ended',
    message: `The episode ${key} has ended: ${outcome}${reason === null ? '' : `, ${reason}`}.`,
    expected: 'Open another one.',
  });
}

function mistake(message: string, expected: string, cause?: unknown): EspalierError {
  return new EspalierError({ boundary: 'input', code: 'invalid-action', message, expected, cause });
}

function driverBroke({ strategy }: EpisodeHead, cause: unknown): EspalierError {
  return blame(cause, { boundary: 'strategy', who: `The driver "${strategy}"` });
}
