import type { UnfinishedEpisode } from '../../core/episode/journal.ts';
import { causeText, EspalierError } from '../../core/errors.ts';
import type { ResumedEpisode } from '../../episode/driven/driven-episode.ts';
import type { Episodes } from '../../episode/driven/episodes.ts';
import type { RecordedEnd, SessionFile, SessionRecord } from './session-file.ts';
import { SessionError } from './session-error.ts';
import type { Sessions } from './sessions.ts';

export interface ResumeOptions {
  readonly episodes: Episodes;
  readonly sessions: Sessions;
  readonly file: SessionFile;
  readonly unfinished: readonly UnfinishedEpisode[];
  /** Reads how the branches of these episodes ended. Those without a verdict of their own are not there. */
  readEnds(episodes: ReadonlySet<string>): ReadonlyMap<string, ReadonlyMap<number, RecordedEnd>>;
  onFault(cause: unknown): void;
}

export interface Resumed {
  /** Sessions that go on. */
  readonly sessions: number;
  /** Sessions that could not: their states differ, their world did not open, or they were never saved. */
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
  const byEpisode = Map.groupBy(readSessions(options), ({ episode }) => episode);
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
    sessions += resumed.sessions;
    lost += resumed.lost;
    // Also of those that could not go on: while their episode has not ended, a later server may succeed.
    if (open.length > 0) live.push(...resumed.records);
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

function readSessions({ file, onFault }: ResumeOptions): SessionRecord[] {
  const { records, cutOff } = file.read();
  if (cutOff > 0) onFault(`The last line of ${file.path} was cut off (${cutOff} bytes). It is left out.`);
  return records;
}

/** Verdicts that are told to a client that asks again after a restart: those of the sessions that ended last. */
const mostEnds = 4096;

/** The server may have been killed before it answered, and before it wrote the end of the session: the journal has it. */
function restoreEnds(records: readonly SessionRecord[], { sessions, readEnds }: ResumeOptions): SessionRecord[] {
  const restored: SessionRecord[] = [];
  // Records are in the order of their last change. Those without a verdict have nothing to tell.
  const last = records.filter(({ end }) => end === null || end.verdict !== null).slice(-mostEnds);
  const unknown = new Set(last.filter(({ end }) => end === null).map(({ episode }) => episode));
  const ends = unknown.size === 0 ? null : readEnds(unknown);
  for (const record of last) {
    const { session, episode, branch } = record;
    const end = record.end ?? ends?.get(episode)?.get(branch) ?? null;
    if (end === null) sessions.markLost(session, endedWithoutVerdict(session));
    if (end === null || end.verdict === null) continue;
    sessions.restoreEnd(session, { end, answer: record.answer ?? null });
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

function endedWithoutVerdict(session: string): SessionError {
  return new SessionError('no-session', `Session "${session}" ended without a verdict. Open another one.`);
}

function neverSaved(session: string): SessionError {
  return new SessionError(
    'no-session',
    `Session "${session}" was never saved: the server was cut off while it opened it. Open or fork another one.`,
  );
}

interface ResumedRecords {
  readonly sessions: number;
  readonly lost: number;
  /** The records of the episode, with the ends that the journal has. */
  readonly records: readonly SessionRecord[];
}

async function resumeOne(
  episode: UnfinishedEpisode,
  records: readonly SessionRecord[],
  options: ResumeOptions,
): Promise<ResumedRecords> {
  const { episodes, sessions, onFault } = options;
  const open = new Map(records.filter(({ end }) => end === null).map(record => [record.branch, record]));
  const ended = new Map(records.flatMap(({ branch, end }) => (end === null ? [] : [[branch, end] as const])));
  try {
    const served = sessions.environment(records[0]?.environment ?? episode.head.task.environment);
    const { environment } = served;
    const showsScreen = environment.hasScreen !== false;
    // A number that a client was told is never given to another branch.
    const lastBranch = records.reduce((last, { branch }) => Math.max(last, branch), 0);
    const request = { open: new Set(open.keys()), ended, lastBranch, environment, showsScreen };
    const resumed = await episodes.resume(episode, request);
    for (const [branch, driven] of resumed.branches) {
      const { session: id, name, answer = null } = open.get(branch) as SessionRecord;
      sessions.restore({ id, keeps: true, episode: driven, served, name, answer });
    }
    tellLost(resumed, open, options);
    const ends = records.map(record => ({ ...record, end: record.end ?? resumed.ended.get(record.branch) ?? null }));
    return {
      sessions: resumed.branches.size,
      lost: resumed.unknown.size + resumed.diverged.size,
      records: ends,
    };
  } catch (cause) {
    onFault(cause);
    const kept = withVerdicts(episode, records, options);
    const lost = kept.filter(({ end }) => end === null);
    const told = cause instanceof EspalierError && cause.code === 'diverged' ? cause : null;
    if (told !== null) for (const { session } of lost) sessions.markLost(session, told);
    return { sessions: 0, lost: lost.length, records: kept };
  }
}

/** The records of an episode that cannot go on. Its branches that were verified before keep their verdicts. */
function withVerdicts(
  { head: { key } }: UnfinishedEpisode,
  records: readonly SessionRecord[],
  { readEnds }: ResumeOptions,
): SessionRecord[] {
  const ends = readEnds(new Set([key])).get(key);
  return records.map(record => {
    const end = ends?.get(record.branch) ?? null;
    return record.end !== null || end === null || end.verdict === null ? record : { ...record, end };
  });
}

/** Says why a session cannot go on, in the log and to whoever asks for it. */
function tellLost(
  { unknown, diverged }: ResumedEpisode,
  open: ReadonlyMap<number, SessionRecord>,
  { sessions, onFault }: ResumeOptions,
): void {
  const tell = (branch: number, why: (session: string) => Error): void => {
    const { session } = open.get(branch) as SessionRecord;
    const cause = why(session);
    sessions.markLost(session, cause);
    onFault(`Session "${session}" cannot go on: ${causeText(cause)}`);
  };
  for (const branch of unknown) tell(branch, neverSaved);
  for (const [branch, cause] of diverged) tell(branch, () => cause);
}
