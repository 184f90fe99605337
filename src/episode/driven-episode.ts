import type { EpisodeEnd, EpisodeEvent } from '../core/episode/events.ts';
import { driveBranch, resultOf } from './driven/branch.ts';
import { createBranches, type BranchEnd } from './driven/branches.ts';
import type { DrivenEpisode, DrivenOptions, OpenEpisodeOptions } from './driven/contract.ts';
import { createLifecycle } from './lifecycle.ts';
import { noLog, openLog } from './log.ts';
import { abandonedResult, type EpisodeResult } from './result.ts';

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
  /** The branches that had ended. */
  readonly ended: ReadonlyMap<number, BranchEnd>;
}

/**
 * Goes on with an episode after a restart: opens the task again, replays the path of every open branch and compares each
 * state with the recorded one. One that differs ends the episode as errored, and this throws.
 */
export async function resumeEpisode(
  options: OpenEpisodeOptions,
  { events, open, ended }: ResumeRequest,
): Promise<ReadonlyMap<number, DrivenEpisode>> {
  const opening = beginEpisode(options);
  return opening.orEnd(async () => {
    if (open.size === 0) {
      const { positions } = opening.lifecycle.record(events);
      const left = { ...abandonedResult('Not finished: the server stopped.'), leaf: positions.get(0) ?? 0 };
      await createBranches(opening.close, ended).end(0, ended.get(0) ?? left);
      return new Map();
    }
    const cursors = await opening.lifecycle.resume(events, open);
    const branches = createBranches(opening.close, ended);
    return new Map([...cursors].map(([number, cursor]) => [number, driveBranch({ ...opening, cursor, branches })]));
  });
}

interface Opening extends DrivenOptions {
  /** Closes the world and writes the end. */
  close(result: EpisodeResult, leaf: number): Promise<EpisodeEnd>;
  /** Ends the episode when the work fails. */
  orEnd<T>(work: () => Promise<T>): Promise<T>;
}

function beginEpisode(options: OpenEpisodeOptions): Opening {
  const { head, journal, onEnd } = options;
  const { signal: never } = new AbortController();
  const { signal = never } = options;
  // What was done is written down also after the signal.
  const log = journal === null ? noLog : openLog(journal, head, never);
  const lifecycle = createLifecycle({ ...options, task: head.task, log, signal });
  const close = async (result: EpisodeResult, leaf: number): Promise<EpisodeEnd> => {
    await lifecycle.close();
    const end = lifecycle.end(result, leaf);
    onEnd?.(end);
    return end;
  };
  return {
    ...options,
    signal,
    lifecycle,
    log,
    close,
    async orEnd(work) {
      try {
        return await work();
      } catch (cause) {
        const result = resultOf(cause, signal);
        if (result === null || log.failure() !== null) await lifecycle.close();
        else await close(result, 0);
        throw log.failure() ?? cause;
      }
    },
  };
}
