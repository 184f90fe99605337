import type { Environment } from '../core/contracts.ts';
import type { Journal } from '../core/episode/journal.ts';
import type { Task } from '../core/records.ts';
import type { DrivenEpisode } from '../episode/driven/contract.ts';
import { createEpisodes, type EpisodesOptions } from '../episode/driven/episodes.ts';
import { createTrail } from '../worlds/trail.ts';
import { createSystemClock, createSystemTimers } from '../system/clock.ts';

export interface OpenEpisodeOptions extends Pick<EpisodesOptions, 'limits' | 'idleMilliseconds' | 'onFault'> {
  readonly environment: Environment;
  readonly task: Task;
  /** A store, or a journal of yours; nothing is kept when left out. */
  readonly journal?: Journal | undefined;
  /** Name of the run in the journal; `driven` when left out. */
  readonly run?: string | undefined;
  /** Who takes the steps; `driver` when left out. */
  readonly client?: string | undefined;
}

/** Opens a task that the caller drives, on the clock of this machine. */
export function openEpisode(options: OpenEpisodeOptions): Promise<DrivenEpisode> {
  const { task, journal, run = 'driven', client = 'driver', ...rest } = options;
  const episodes = createEpisodes({
    ...rest,
    run,
    driver: client,
    journal: journal === undefined ? null : () => journal,
    clock: createSystemClock(),
    timers: createSystemTimers(),
    createTrail,
  });
  return episodes.open({ task, client });
}
