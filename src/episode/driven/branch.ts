import { isAction } from '../../core/action.ts';
import { isStateSession, type SessionEnd, type StateSession } from '../../core/contracts.ts';
import { createSemaphore } from '../../core/semaphore.ts';
import type { Branches, BranchEnd } from './branches.ts';
import type { Cursor } from '../cursor/cursor.ts';
import type { DrivenEpisode, DrivenOptions } from './contract.ts';
import { alreadyEnded, cannot, driverBroke, noAction, noMoreSteps, readRemarks, requireNode } from './mistakes.ts';
import { createIdleTimer } from '../cursor/idle-timer.ts';
import { abandonedResult, brokenResult, failureReason, verifiedResult, type EpisodeResult } from '../cursor/result.ts';
import { closeQuietly } from '../cursor/watched-world.ts';

/** What an error means for the episode; null when the caller made a mistake. */
export function resultOf(cause: unknown, signal: AbortSignal): EpisodeResult | null {
  return signal.aborted ? abandonedResult('Not finished: the server closed.') : brokenResult(cause);
}

export interface BranchOptions extends DrivenOptions {
  readonly cursor: Cursor;
  readonly branches: Branches;
}

/** One branch of an episode, for a driver outside. */
export function driveBranch(options: BranchOptions): DrivenEpisode {
  const { head, cursor, branches, timers, idleMilliseconds = Infinity, onFault } = options;
  branches.begin(cursor.number);
  const inTurn = createSemaphore(1).run;
  const ending = createEnding(options);
  const idle = createIdleTimer(timers, idleMilliseconds, () => {
    const why = `no call for ${idleMilliseconds / 1000} s`;
    inTurn(() => ending.end(abandonedResult(`Not finished: ${why}.`))).catch(onFault ?? (() => undefined));
  });
  const call = <T>(work: () => Promise<T>): Promise<T> =>
    inTurn(async () => {
      await ending.requireOpen();
      idle.pause();
      try {
        options.lifecycle.budget.requireMeans();
        return await work();
      } catch (cause) {
        await ending.failWith(cause);
        throw cause;
      } finally {
        if (ending.isOpen()) idle.restart();
      }
    });
  const last = (result: () => EpisodeResult | Promise<EpisodeResult>): Promise<BranchEnd> =>
    inTurn(async () => {
      idle.pause();
      return ending.end(result);
    });
  idle.restart();
  const branch: DrivenEpisode = {
    key: head.key,
    task: head.task,
    tree: cursor.tree,
    branch: cursor.number,
    at: cursor.at,
    left: cursor.left,
    takenFor: cursor.takenFor,
    lastRequest: cursor.lastRequest,
    ended: () => endOf(cursor),
    end: ending.now,
    ...lookingVerbs(options, call),
    ...movingVerbs(options, call),
    finish: stopped => last(() => verified(options, stopped)),
    abandon: why => last(() => abandonedResult(`Not finished: ${why}.`)),
    fail: cause => last(() => brokenResult(cause) ?? (brokenResult(driverBroke(head, cause)) as EpisodeResult)),
  };
  options.onBranch?.(branch);
  return branch;
}

type Call = <T>(work: () => Promise<T>) => Promise<T>;

function endOf(cursor: Cursor): SessionEnd | null {
  return cursor.ended() ?? (cursor.left('steps') > 0 ? null : 'truncated');
}

type LookingVerb = 'observe' | 'digest' | 'candidates' | 'state' | 'verify';

function lookingVerbs({ head, cursor }: BranchOptions, call: Call): Pick<DrivenEpisode, LookingVerb> {
  const { session } = cursor.trail;
  return {
    observe: () => call(() => cursor.observe()),
    digest: () => call(async () => session().digest()),
    candidates: () =>
      call(async () => {
        const found = await session().candidates?.();
        if (found === undefined) throw cannot(head.task.id, 'list the actions on offer');
        return found;
      }),
    state: () =>
      call(async (): Promise<StateSession> => {
        const forked = await session().fork?.();
        if (forked !== undefined && isStateSession(forked)) return forked;
        if (forked !== undefined) await closeQuietly(forked);
        throw cannot(head.task.id, 'show its state');
      }),
    verify: () => call(() => cursor.verify()),
  };
}

function movingVerbs(options: BranchOptions, call: Call): Pick<DrivenEpisode, 'step' | 'rollback' | 'fork'> {
  const { head, cursor } = options;
  const { actor = { role: 'student', name: head.student } } = options;
  return {
    step: (action, given) =>
      call(async () => {
        if (!isAction(action)) throw noAction(action);
        const { seen, request, ...remarks } = readRemarks(given);
        if (endOf(cursor) !== null) throw noMoreSteps(head.key, endOf(cursor));
        return cursor.step({ action, ...remarks }, { actor, seen, request });
      }),
    rollback: node =>
      call(async () => {
        requireNode(cursor.tree, node);
        return cursor.rollback(node);
      }),
    fork: () => call(async () => driveBranch({ ...options, cursor: await cursor.fork() })),
  };
}

/** Verifies where the cursor stands, and records it as a leaf. A verifier that breaks is the outcome. */
async function verified({ cursor, lifecycle, signal }: BranchOptions, stopped?: string): Promise<EpisodeResult> {
  try {
    lifecycle.budget.requireMeans();
    const verdict = await cursor.verify();
    const branch = cursor.number === 0 ? { role: 'main' } : { role: 'sample', cursor: cursor.number };
    cursor.leaf({ ...branch, verdict, from: null });
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
  now(): BranchEnd | null;
  isOpen(): boolean;
  /** Throws when the branch has ended, or its store has failed. */
  requireOpen(): Promise<void>;
  /** Ends it, the first time; afterwards this gives the end that it has. */
  end(result: EpisodeResult | (() => EpisodeResult | Promise<EpisodeResult>)): Promise<BranchEnd>;
  /** Ends it as errored, unless the caller made a mistake. */
  failWith(cause: unknown): Promise<void>;
}

function createEnding(options: BranchOptions): Ending {
  const { head, cursor, log, signal, branches, lifecycle, release, onEnd, onBranchEnd } = options;
  let ended: BranchEnd | null = null;
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
    const own = { ...known, leaf: cursor.at() };
    const whole = await branches.end(cursor.number, own);
    // The others go on: this one frees its world.
    if (whole === null) await lifecycle.drop(cursor);
    ended = whole !== null && branchIs(whole, own) ? whole : own;
    onBranchEnd?.(cursor.number);
    if (whole !== null) onEnd?.(whole);
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

/** Whether the end of the episode is that of this branch. */
function branchIs(whole: BranchEnd, { leaf, outcome, verdict }: BranchEnd): boolean {
  return whole.leaf === leaf && whole.outcome === outcome && whole.verdict === verdict;
}
