import type { Environment } from '../core/contracts.ts';
import type { EpisodeEnd, EpisodeHead } from '../core/episode/events.ts';
import type { Journal } from '../core/episode/journal.ts';
import { EspalierError } from '../core/errors.ts';
import type { Task } from '../core/records.ts';
import { openEpisode, type DrivenEpisode, type OpenEpisodeOptions } from './driven-episode.ts';

/** What a server opens episodes with. */
export interface Episodes {
  readonly environment: Environment;
  /** Opens a task for a client, and records what it does. Throws when the task does not open. */
  open(request: OpenRequest): Promise<DrivenEpisode>;
  /** Abandons every episode that is still open, without waiting for a world that hangs. */
  close(): Promise<void>;
}

export interface OpenRequest extends Pick<OpenEpisodeOptions, 'showsScreen'> {
  readonly task: Task;
  /** Who takes the steps: recorded as the student. */
  readonly client: string;
}

export interface EpisodesOptions
  extends Omit<OpenEpisodeOptions, 'head' | 'journal' | 'actor' | 'signal' | 'onEnd' | 'onRelease' | 'showsScreen'> {
  /** Opened for the first episode, so that a client that only looks leaves no trace. Null keeps nothing. */
  readonly journal: (() => Journal) | null;
  /** Name of the run in its store. */
  readonly run: string;
  /** Name of what drives the episodes, such as mcp: recorded as their strategy. */
  readonly driver: string;
  /** Episodes that may be open at once. */
  readonly most?: number | undefined;
  onEnd?(key: string, end: EpisodeEnd): void;
}

/** The round of episodes that were driven from outside. Rounds of collected runs count from 1. */
export const drivenRound = 0;
const round = drivenRound;

/** Numbers the episodes of clients after those that the run has already. */
export function createEpisodes(options: EpisodesOptions): Episodes {
  const { journal: openJournal, onEnd, most = Infinity, ...rest } = options;
  let journal: Journal | null = null;
  const nextHead = createNumbering(options);
  const open = new Set<DrivenEpisode>();
  const opening = new Set<Promise<DrivenEpisode>>();
  const closing = new AbortController();
  const begin = async ({ task, client, showsScreen }: OpenRequest): Promise<DrivenEpisode> => {
    journal ??= openJournal?.() ?? null;
    const head = nextHead(journal, task, client);
    let episode: DrivenEpisode | null = null;
    const release = (): void => {
      if (episode !== null) open.delete(episode);
    };
    const end = (ended: EpisodeEnd): void => {
      // A server runs for hours: what was done is not lost when it is killed.
      journal?.flush();
      onEnd?.(head.key, ended);
    };
    const { signal } = closing;
    episode = await openEpisode({ ...rest, head, journal, showsScreen, signal, onEnd: end, onRelease: release });
    if (episode.end() === null) open.add(episode);
    return episode;
  };
  return {
    environment: options.environment,
    async open(request) {
      if (closing.signal.aborted) throw closed();
      if (open.size + opening.size >= most) throw tooMany(most);
      const begun = begin(request);
      opening.add(begun);
      try {
        return await begun;
      } finally {
        opening.delete(begun);
      }
    },
    async close() {
      closing.abort();
      await Promise.allSettled(opening);
      await Promise.allSettled([...open].map(episode => episode.abandon('the server closed')));
    },
  };
}

type NextHead = (journal: Journal | null, task: Task, client: string) => EpisodeHead;

function createNumbering({ run, driver }: EpisodesOptions): NextHead {
  let keys: Set<string> | null = null;
  let index = 0;
  return (journal, task, client) => {
    if (keys === null) {
      keys = new Set(journal?.done(run));
      index = keys.size;
    }
    let trial = 0;
    while (keys.has(keyOf(task, trial))) trial++;
    const key = keyOf(task, trial);
    keys.add(key);
    const agents = { student: client, teacher: null, strategy: driver };
    return { run, key, index: index++, phase: 'collect', round, trial, task, ...agents };
  };
}

function keyOf(task: Task, trial: number): string {
  return `collect/${round}/${task.id}/${trial}`;
}

function tooMany(most: number): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `${most} episodes are open already.`,
    expected: 'Try again when one of them has ended.',
  });
}

function closed(): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: 'The server is closing: no episode is opened any more.',
    expected: 'Start it again.',
  });
}
