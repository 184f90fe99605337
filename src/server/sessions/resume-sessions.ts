import type { UnfinishedEpisode } from '../../core/episode/journal.ts';
import { EspalierError } from '../../core/errors.ts';
import type { Episodes } from '../../episode/episodes.ts';
import type { SessionFile, SessionRecord } from './session-file.ts';
import type { Sessions } from './sessions.ts';

export interface ResumeOptions {
  readonly episodes: Episodes;
  readonly sessions: Sessions;
  readonly file: SessionFile;
  readonly unfinished: readonly UnfinishedEpisode[];
  onFault(cause: unknown): void;
}

export interface Resumed {
  /** Sessions that go on. */
  readonly sessions: number;
  /** Sessions that could not: their states differ, or their world did not open. */
  readonly lost: number;
  /** Episodes that nobody could go on with: they ended as abandoned. */
  readonly abandoned: number;
}

/**
 * Goes on with the sessions of an earlier server that outlive it. The path of each is replayed, and its states are compared
 * with the recorded ones. Episodes whose sessions ended with their connection are ended as abandoned.
 */
export async function resumeSessions(options: ResumeOptions): Promise<Resumed> {
  const { file, unfinished } = options;
  const byEpisode = Map.groupBy(file.read(), ({ episode }) => episode);
  const live: SessionRecord[] = [];
  let [sessions, lost, abandoned] = [0, 0, 0];
  for (const episode of unfinished) {
    const records = byEpisode.get(episode.head.key) ?? [];
    const open = records.filter(({ end }) => end === null);
    const resumed = await resumeOne(episode, records, options);
    if (open.length === 0) abandoned++;
    else if (resumed) sessions += open.length;
    else lost += open.length;
    if (resumed && open.length > 0) live.push(...records);
  }
  file.replace(live);
  return { sessions, lost, abandoned };
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
