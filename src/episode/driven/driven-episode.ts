import type { EpisodeEnd, EpisodeEvent } from '../../core/episode/events.ts';
import type { DivergenceError } from '../../core/errors.ts';
import type { Cursor } from '../cursor/cursor.ts';
import { driveBranch, resultOf } from './branch.ts';
import { createBranches, decisiveEnd, type BranchEnd } from './branches.ts';
import type { DrivenEpisode, DrivenOptions, OpenEpisodeOptions } from './contract.ts';
import { verifiedBranches } from './verified-branches.ts';
import { createLifecycle } from '../cursor/lifecycle.ts';
import { noLog, openLog } from '../cursor/log.ts';
import { abandonedResult, type EpisodeResult } from '../cursor/result.ts';

/** Opens a task for a driver outside. A task that does not open is an episode as well: it ends as errored, and this throws. */
export async function openEpisode(options: OpenEpisodeOptions): Promise<DrivenEpisode> {
  const opening = beginEpisode(options);
  return opening.orEnd(async () => {
    const cursor = await opening.lifecycle.open();
    return driveBranch({ ...opening, cursor, branches: createBranches(opening.close) });
  });
}

/** What the journal has of an episode that did not end, and which of its branches are to go on. */
export interface ResumeRequest {
  readonly events: readonly EpisodeEvent[];
  readonly open: ReadonlySet<number>;
  /** The branches that had ended, as far as others than the journal know. */
  readonly ended: ReadonlyMap<number, BranchEnd>;
  /** The highest number of a branch that was ever told to a client. */
  readonly lastBranch: number;
}

export interface ResumedEpisode {
  /** The branches that go on. */
  readonly branches: ReadonlyMap<number, DrivenEpisode>;
  /** Those that were thought to be open, but the journal has their verdict. */
  readonly ended: ReadonlyMap<number, BranchEnd>;
  /** Those that the journal does not have: the server was cut off before it saved them. */
  readonly unknown: ReadonlySet<number>;
  /** Those whose path leads to another state now. */
  readonly diverged: ReadonlyMap<number, DivergenceError>;
}

/**
 * Goes on with an episode after a restart: opens the task again, replays the path of every open branch and compares each
 * state with the recorded one. A branch that differs is lost, and the others go on. When none can go on, the episode ends
 * and this throws. Its outcome is then that of the branches that had a verdict, and errored when none had one.
 */
export async function resumeEpisode(
  options: OpenEpisodeOptions,
  { events, open, ended: known, lastBranch }: ResumeRequest,
): Promise<ResumedEpisode> {
  const opening = beginEpisode(options);
  const { lifecycle } = opening;
  const verified = verifiedBranches(events, lifecycle.budget.limits.steps);
  const ends = new Map([...verified, ...known]);
  return opening.orEnd(async () => {
    const recorded = lifecycle.record(events);
    const unknown = new Set([...open].filter(number => !recorded.positions.has(number)));
    const ended = new Map([...verified].filter(([number]) => open.has(number)));
    const standing = new Set([...open].filter(number => !unknown.has(number) && !ended.has(number)));
    const branches = createBranches(opening.close, ends);
    if (standing.size === 0) {
      const left = { ...abandonedResult('Not finished: the server stopped.'), leaf: recorded.positions.get(0) ?? 0 };
      const end = await branches.end(0, ends.get(0) ?? left);
      if (end !== null) options.onEnd?.(end);
      return { branches: new Map(), ended, unknown, diverged: new Map() };
    }
    const { cursors, diverged } = await lifecycle.resume(recorded, { open: standing, lastNumber: lastBranch });
    const [divergence] = diverged.values();
    if (cursors.size === 0 && divergence !== undefined) throw divergence;
    const drive = (cursor: Cursor): DrivenEpisode => driveBranch({ ...opening, cursor, branches });
    const driven = new Map([...cursors].map(([number, cursor]) => [number, drive(cursor)]));
    return { branches: driven, ended, unknown, diverged };
  }, ends);
}

interface Opening extends DrivenOptions {
  /** Closes the world and writes the end. */
  close(result: EpisodeResult, leaf: number): Promise<EpisodeEnd>;
  /** Ends the episode when the work fails. Branches that ended before it with a verdict decide its outcome. */
  orEnd<T>(work: () => Promise<T>, ends?: ReadonlyMap<number, BranchEnd>): Promise<T>;
}

function beginEpisode(options: OpenEpisodeOptions): Opening {
  const { head, journal, onEnd, onRelease } = options;
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
  return {
    ...options,
    signal,
    lifecycle,
    log,
    close,
    release,
    async orEnd(work, ends = new Map()) {
      try {
        return await work();
      } catch (cause) {
        const broken = resultOf(cause, signal);
        if (broken === null || log.failure() !== null) await release();
        else {
          const hasVerdict = [...ends.values()].some(({ verdict }) => verdict !== null);
          const { leaf, ...result } = hasVerdict ? decisiveEnd(ends) : { ...broken, leaf: 0 };
          onEnd?.(await close(result, leaf));
        }
        throw log.failure() ?? cause;
      }
    },
  };
}
