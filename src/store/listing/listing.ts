import type { EpisodeEnd, EpisodeEvent, EpisodeHead } from '../../core/episode/events.ts';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import type { Task } from '../../core/records.ts';
import { createBlobReader, type BlobRow } from '../blobs.ts';
import { createCallRecordReader } from '../calls.ts';
import { createCertificateReader } from '../certificates.ts';
import type { Database } from '../database.ts';
import { damaged } from '../faults.ts';
import { addressPattern, createPictureReader } from '../pictures.ts';
import { createRecordReader } from '../records.ts';
import { episodeColumns, sealOfEvent, type EpisodeRow, type EventRow } from '../rows.ts';
import { openStoreDatabase } from '../store.ts';

/** A finished episode as a row of a table: everything but its task and its events. */
export interface ListedEpisode {
  /** Number of the attempt in its store. */
  readonly attempt: number;
  readonly head: Omit<EpisodeHead, 'task'>;
  readonly end: EpisodeEnd;
}

/** Reads a store for somebody who looks at a part of it. Nothing is read that was not asked for. */
export interface StoreListing {
  /** Changes when somebody else has written to the store. */
  version(): number;
  /** The finished attempts in the order of run, phase, round and plan, by the index alone. */
  attempts(): number[];
  row(attempt: number): ListedEpisode;
  /** Every finished attempt, in no particular order. */
  rows(): IterableIterator<ListedEpisode>;
  task(attempt: number): Task;
  /** The attempt at an episode; null when there is no such episode. */
  find(run: string, key: string): number | null;
  /** The whole episode with its screens left empty: a tree of any size is read at once. */
  outline(attempt: number): StoredEpisode;
  /** The screen that a step was taken on. */
  screen(attempt: number, node: number): string;
  /** The whole episode. */
  episode(attempt: number): StoredEpisode;
  /** Attempts that have begun and not ended, among the latest, with the events each has so far. */
  unfinished(): { readonly attempt: number; readonly events: number }[];
  attachment(address: string): Uint8Array | null;
  close(): void;
}

/** A run has at most so many episodes open at once. */
const latest = 4096;

export function openListing(path: string): StoreListing {
  const database = openStoreDatabase(path);
  const pictures = createPictureReader(database);
  const readBlob = createBlobReader(database);
  const readCall = createCallRecordReader(database, readBlob);
  const records = createRecordReader(database, pictures, readBlob);
  const readCertificates = createCertificateReader(database);
  const { byAttempt, byKey, findBlob, inOrder, eventsOf, open } = prepareQueries(database);
  const found = (attempt: number): EpisodeRow => {
    const row = byAttempt.get(attempt);
    if (row === undefined) throw damaged(path, `attempt ${attempt} cannot be found`);
    records.check(row);
    return row;
  };
  const checked = (row: EventRow): EventRow => {
    if (sealOfEvent(row) !== row.seal) throw damaged(path, `an event of attempt ${row.attempt} was altered`);
    return row;
  };
  const textOf = (blob: number | null, what: string): string => {
    const row = blob === null ? undefined : findBlob.get(blob);
    if (row === undefined) throw damaged(path, `${what} is missing`);
    return readBlob(row).toString();
  };
  const taskOf = (row: EpisodeRow): Task => JSON.parse(textOf(row.task, `the task of ${row.key}`)) as Task;
  return {
    version: () => database.prepare<{ data_version: number }>('PRAGMA data_version').get()?.data_version ?? 0,
    attempts: () => inOrder.all().map(({ attempt }) => attempt),
    row: attempt => listed(found(attempt)),
    *rows() {
      for (const row of database.prepare<EpisodeRow>(`SELECT ${episodeColumns}, seal FROM episodes`).iterate()) {
        records.check(row);
        yield listed(row);
      }
    },
    task: attempt => taskOf(found(attempt)),
    find: (run, key) => byKey.get(run, key)?.attempt ?? null,
    outline(attempt) {
      const row = found(attempt);
      const events = eventsOf.all(attempt).map(event => blank(checked(event)));
      const { head, end } = listed(row);
      return { head: { ...head, task: taskOf(row) }, end, certificates: readCertificates(attempt), events };
    },
    screen(attempt, node) {
      for (const row of eventsOf.iterate(attempt)) {
        if (row.kind !== 'step') continue;
        const event = JSON.parse(checked(row).body) as { readonly node: { readonly id: number } };
        if (event.node.id === node) return textOf(row.blob, `the screen of step ${node}`);
      }
      throw damaged(path, `attempt ${attempt} has no step ${node}`);
    },
    episode(attempt) {
      const row = found(attempt);
      return { ...records.summary(row), events: records.events(row) };
    },
    unfinished: () => open.all(),
    attachment: address => (addressPattern.test(address) ? (pictures.read(address) ?? readCall(address)) : null),
    close: () => database.close(),
  };
}

function listed({ attempt, head, ending }: EpisodeRow): ListedEpisode {
  return {
    attempt,
    head: JSON.parse(head) as ListedEpisode['head'],
    end: JSON.parse(ending) as EpisodeEnd,
  };
}

/** Steps and leaves without their screens. */
function blank({ kind, body, blob }: EventRow): EpisodeEvent {
  const event = JSON.parse(body) as EpisodeEvent;
  return blob === null || kind === 'call' ? event : ({ ...event, screen: '' } as EpisodeEvent);
}

function prepareQueries(database: Database) {
  return {
    byAttempt: database.prepare<EpisodeRow>(`SELECT ${episodeColumns}, seal FROM episodes WHERE attempt = ?`),
    byKey: database.prepare<{ attempt: number }>('SELECT attempt FROM episodes WHERE run = ? AND key = ?'),
    findBlob: database.prepare<BlobRow>('SELECT hash, pack, start, length FROM blobs WHERE id = ?'),
    inOrder: database.prepare<{ attempt: number }>(
      'SELECT attempt FROM episodes INDEXED BY episodes_in_order ORDER BY run, phase, round, place, attempt',
    ),
    eventsOf: database.prepare<EventRow>(
      "SELECT attempt, kind, body, blob, seal FROM events WHERE attempt = ? AND kind NOT IN ('begin', 'end') ORDER BY seq",
    ),
    open: database.prepare<{ attempt: number; events: number }>(
      `SELECT attempt, count(*) AS events FROM events
     WHERE attempt > (SELECT coalesce(max(attempt), 0) - ${latest} FROM events)
       AND NOT EXISTS (SELECT 1 FROM episodes WHERE episodes.attempt = events.attempt) GROUP BY attempt`,
    ),
  };
}
