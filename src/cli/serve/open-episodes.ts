import type { Environment } from '../../core/contracts.ts';
import type { EpisodeEnd } from '../../core/episode/events.ts';
import { count } from '../../core/text.ts';
import { createEpisodes, type Episodes, type EpisodesOptions } from '../../episode/driven/episodes.ts';
import { createTrail } from '../../worlds/trail.ts';
import { openRunForWriting, runNameOf } from '../../runs/folder/folder.ts';
import { recordServed } from '../../runs/folder/served.ts';
import type { Store } from '../../store/store.ts';
import { createSystemClock, createSystemTimers } from '../../system/clock.ts';

export interface ServedEpisodes {
  readonly episodes: Episodes;
  /** Abandons open episodes, then closes the environment and the store. */
  close(): Promise<void>;
}

export interface ServedEpisodesOptions
  extends Pick<EpisodesOptions, 'environment' | 'driver' | 'limits' | 'idleMilliseconds' | 'most' | 'onFault'> {
  /** How the environment was named, to open it again. */
  readonly name: string;
  /** Folder of the run that keeps the episodes; none are kept without it. */
  readonly out?: string | undefined;
  /** Told of each episode that ended, in a line. */
  note?: ((text: string) => void) | undefined;
}

/** The episodes of a server. The first one creates the folder of the run. */
export function openServedEpisodes({ out, note, name, ...options }: ServedEpisodesOptions): ServedEpisodes {
  const stores: Store[] = [];
  const openJournal = (folder: string): Store => {
    const store = openRunForWriting(folder);
    stores.push(store);
    recordServed(folder, name);
    return store;
  };
  const { environment, driver } = options;
  const episodes = createEpisodes({
    ...options,
    journal: out === undefined ? null : () => openJournal(out),
    run: out === undefined ? driver : runNameOf(out),
    clock: createSystemClock(),
    timers: createSystemTimers(),
    createTrail,
    onEnd: (key, end) => note?.(`${key}  ${describeEnd(end)}`),
  });
  return { episodes, close: () => closeAll(episodes, environment, stores) };
}

async function closeAll(episodes: Episodes, environment: Environment, stores: readonly Store[]): Promise<void> {
  await episodes.close();
  await environment.close?.();
  for (const store of stores) store.close();
}

function describeEnd({ outcome, reason, counts }: EpisodeEnd): string {
  return `${outcome}${reason === null ? '' : ` (${reason})`} · ${count(counts.steps, 'step')}`;
}
