import type { UnfinishedEpisode } from '../../core/episode/journal.ts';
import { EspalierError } from '../../core/errors.ts';
import type { Episodes } from '../../episode/episodes.ts';
import type { RecordedEnd, SessionFile, SessionRecord } from './session-file.ts';
import { SessionError } from './session-error.ts';
import type { Sessions } from './sessions.ts';

export interface ResumeOptions {
  readonly episodes: Episodes;
  readonly sessions: Sessions;
  readonly file: SessionFile;
  readonly unfinished: readonly UnfinishedEpisode[];
  /** How an episode of the run ended; null when it is not there. */
  endOf(key: string): RecordedEnd | null;
  onFault(cause: unknown): void;
}

export interface Resumed {
  /** Sessions that go on. */
  readonly sessions: number;
  /** Sessions that could not: their states differ, or their world did not open. */
  readonly lost: number;
  /** Sessions whose environment is not served now, by environment: a later server that serves it goes on with them. */
  readonly waiting: Readonly<Record<string, number>>;
  /** Episodes that nobody could go on with: they ended as abandoned. */
  readonly abandoned: number;
}

/**
 * Goes on with the sessions of an earlier server that outlive it. The path of each is replayed, and its states are compared
 * with the recorded ones. Episodes whose sessions ended with their connection are ended as abandoned.
 */
export async function resumeSessions(options: ResumeOptions): Promise<Resumed> {
  const { file, unfinished, sessions: served } = options;
  const byEpisode = Map.groupBy(file.read(), ({ episode }) => episode);
  const live: SessionRecord[] = [];
  const waiting: Record<string, number> = {};
  let [sessions, lost, abandoned] = [0, 0, 0];
  for (const episode of unfinished) {
    const records = byEpisode.get(episode.head.key) ?? [];
    const open = records.filter(({ end }) => end === null);
    const environment = open[0]?.environment;
    if (environment !== undefined && !served.serves(environment)) {
      waiting[environment] = (waiting[environment] ?? 0) + open.length;
      for (const { session } of open) served.markLost(session, notServed(session, environment));
      live.push(...records);
      continue;
    }
    const resumed = await resumeOne(episode, records, options);
    if (open.length === 0) abandoned++;
    else if (resumed) sessions += open.length;
    else lost += open.length;
    // Also of those that could not go on: when their episode has not ended, a later server may succeed.
    if (open.length > 0) live.push(...records);
  }
  const open = new Set(unfinished.map(({ head }) => head.key));
  const ended = [...byEpisode].filter(([key]) => !open.has(key)).flatMap(([, records]) => records);
  // A fork may have ended while the other branches of its episode go on.
  restoreEnds(
    live.filter(({ end }) => end !== null),
    options,
  );
  file.replace([...restoreEnds(ended, options), ...live]);
  return { sessions, lost, waiting, abandoned };
}

/** Ends that are told to a client that asks again after a restart. */
const mostEnds = 4096;

/** The server may have been killed before it answered, and before it wrote the end of the session: the journal has it. */
function restoreEnds(records: readonly SessionRecord[], { sessions, endOf }: ResumeOptions): SessionRecord[] {
  const restored: SessionRecord[] = [];
  for (const record of records.slice(-mostEnds)) {
    const end = record.end ?? endOf(record.episode);
    if (end === null || end.verdict === null) continue;
    sessions.restoreEnd(record.session, end);
    restored.push({ ...record, end });
  }
  return restored;
}

function notServed(session: string, environment: string): SessionError {
  return new SessionError(
    'no-session',
    `Session "${session}" waits for the environment "${environment}", which is not served now. Start the server with it.`,
  );
}

async function resumeOne(
  episode: UnfinishedEpisode,
  records: readonly SessionRecord[],
  { episodes, sessions, onFault }: ResumeOptions,
): Promise<boolean> {
  const open = new Map(records.filter(({ end }) => end === null).map(record => [record.branch, record]));
  const ended = new Map(records.flatMap(({ branch, end }) => (end === null ? [] : [[branch, end] as const])));
  try {
    const served = sessions.environment(records[0]?.environment ?? episode.head.task.environment);
    const { environment } = served;
    const showsScreen = environment.hasScreen !== false;
    const request = { open: new Set(open.keys()), ended, environment, showsScreen };
    for (const [branch, resumed] of await episodes.resume(episode, request)) {
      const { session: id, name } = open.get(branch) as SessionRecord;
      sessions.restore({ id, keeps: true, episode: resumed, served, name });
    }
    return true;
  } catch (cause) {
    onFault(cause);
    const told = cause instanceof EspalierError && cause.code === 'diverged' ? cause : null;
    if (told !== null) for (const { session } of open.values()) sessions.markLost(session, told);
    return false;
  }
}
