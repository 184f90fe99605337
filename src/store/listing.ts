import type { EpisodeEnd, EpisodeEvent, EpisodeHead } from '../core/episode/events.ts';
import type { EpisodeSummary, StoredEpisode } from '../core/episode/journal.ts';
import type { EspalierError } from '../core/errors.ts';
import type { Task } from '../core/records.ts';
import { createBlobReader, type BlobRow } from './blobs.ts';
import { createCallRecordReader } from './calls.ts';
import { createCertificateReader } from './certificates.ts';
import type { Database } from './database.ts';
import { damaged, notFound } from './faults.ts';
import { addressPattern, createPictureReader } from './pictures.ts';
import { createRecordReader, readVerdict } from './records.ts';
import { episodeColumns, sealOfEvent, type EpisodeRow, type EventRow } from './rows.ts';
import { openStoreDatabase } from './store.ts';

/** A finished episode as a row of a table: everything but its task and its events. */
export interface ListedEpisode {
  /** Number of the attempt in its store. */
  readonly attempt: number;
  readonly head: Omit<EpisodeHead, 'task'>;
  readonly end: EpisodeEnd;
  /** Number of its task: episodes of one task share it. */
  readonly task: number;
}

/** Reads a store for somebody who looks at a part of it. Nothing is read that was not asked for. */
export interface StoreListing {
  /** Changes when somebody else has written to the store. */
  version(): number;
  /** Changes when a finished attempt comes or goes. */
  finished(): string;
  /** Number of the latest event; 0 when there is none. */
  latestEvent(): number;
  /** Steps among the events after this number, and the number of the last of them. */
  stepsAfter(event: number): { readonly steps: number; readonly latest: number };
  /** The finished attempts in the order of run, phase, round and plan, by the index alone. */
  attempts(): number[];
  row(attempt: number): ListedEpisode;
  /** The next finished attempts after a number. Rows are compared with their seals when an episode is opened, not here. */
  rowsAfter(attempt: number, count: number): ListedEpisode[];
  /** The task with the number that rows have. */
  taskNumbered(task: number): Task;
  task(attempt: number): Task;
  /** The attempt at an episode; null when there is no such episode. */
  find(run: string, key: string): number | null;
  /** The whole episode with its screens left empty: a tree of any size is read at once. */
  outline(attempt: number): StoredEpisode;
  /** The same with the steps as columns, which SQLite makes: for trees that are too large to read step by step. */
  columns(attempt: number): EpisodeColumns;
  /** Steps as lines of history: `count` of them, from the step numbered `from`. */
  texts(attempt: number, from: number, count: number): string[];
  /** The screen that a step was taken on. */
  screen(attempt: number, node: number): string;
  /** The whole episode. */
  episode(attempt: number): StoredEpisode;
  /** Attempts that have begun and not ended, among the latest, with the events each has so far. */
  unfinished(): { readonly attempt: number; readonly events: number }[];
  attachment(address: string): Uint8Array | null;
  close(): void;
}

/** An episode whose steps are columns. Seals of its events are not compared here. */
export interface EpisodeColumns extends StoredEpisode {
  /** The parent of each step, in the order they were taken. */
  readonly parents: readonly number[];
  /** The first letter of each actor's role. */
  readonly roles: string;
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
  const { byAttempt, after, byKey, findBlob, inOrder, eventsOf, open } = prepareQueries(database);
  const [steps, nearest] = [prepareStepQueries(database), createNearest(database)];
  const found = (attempt: number): EpisodeRow => {
    const row = byAttempt.get(attempt);
    if (row === undefined) throw nearest.episode(attempt);
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
  const summary = (row: EpisodeRow): EpisodeSummary => summaryOf(row, taskOf(row), readCertificates(row.attempt));
  return {
    version: () => database.prepare<{ data_version: number }>('PRAGMA data_version').get()?.data_version ?? 0,
    ...createNews(database),
    attempts: () => inOrder.all().map(({ attempt }) => attempt),
    row: attempt => listed(found(attempt)),
    rowsAfter: (attempt, count) => after.all(attempt, count).map(listed),
    taskNumbered: number => JSON.parse(textOf(number, 'a task')) as Task,
    task: attempt => taskOf(found(attempt)),
    find: (run, key) => byKey.get(run, key)?.attempt ?? null,
    outline(attempt) {
      const row = found(attempt);
      const events = eventsOf.all(attempt).map(event => blank(checked(event)));
      return { ...summary(row), events };
    },
    columns(attempt) {
      const row = found(attempt);
      const events = steps.beside.all(attempt).map(event => blank(checked(event)));
      return { ...summary(row), events, ...readColumns(steps.columns.get(attempt)) };
    },
    texts: (attempt, from, count) => steps.texts.all(attempt, count, from - 1).map(({ text }) => text),
    screen(attempt, node) {
      const row = steps.numbered.get(attempt, node);
      if (row === undefined) throw nearest.step(found(attempt), node);
      return textOf(checked(row).blob, `the screen of step ${node}`);
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

interface Nearest {
  /** The error for an episode that is not there. */
  episode(attempt: number): EspalierError;
  step(episode: EpisodeRow, node: number): EspalierError;
}

/** What to say where a number names nothing: what is there instead. */
function createNearest(database: Database): Nearest {
  const episodes = database.prepare<{ attempt: number; key: string }>(
    'SELECT attempt, key FROM episodes ORDER BY abs(attempt - ?), attempt LIMIT 1',
  );
  const steps = database.prepare<{ steps: number }>(
    "SELECT count(*) AS steps FROM events WHERE attempt = ? AND kind = 'step'",
  );
  return {
    episode(attempt) {
      const found = episodes.get(attempt);
      const near = found === undefined ? 'No episode has ended yet.' : `The nearest is ${found.attempt}: ${found.key}.`;
      return notFound(`episode ${attempt} in this run`, near);
    },
    step({ attempt, key }, node) {
      const last = steps.get(attempt)?.steps ?? 0;
      return notFound(`step ${node} in episode ${attempt} (${key})`, nearestStep(node, last));
    },
  };
}

function nearestStep(node: number, last: number): string {
  return last === 0 ? 'No step was taken in it.' : `Its steps are 1 to ${last}; the nearest is ${node < 1 ? 1 : last}.`;
}

function summaryOf(row: EpisodeRow, task: Task, certificates: EpisodeSummary['certificates']): EpisodeSummary {
  const { head, end } = listed(row);
  return { head: { ...head, task }, end, certificates };
}

interface ColumnRow {
  readonly parents: string;
  readonly roles: string;
}

function readColumns(row: ColumnRow | undefined): Pick<EpisodeColumns, 'parents' | 'roles'> {
  return { parents: JSON.parse(row?.parents ?? '[]') as number[], roles: row?.roles ?? '' };
}

function listed({ attempt, head, ending, task }: Omit<EpisodeRow, 'seal'>): ListedEpisode {
  return {
    attempt,
    head: JSON.parse(head) as ListedEpisode['head'],
    end: readVerdict(JSON.parse(ending) as EpisodeEnd),
    task,
  };
}

/** Steps and leaves without their screens. */
function blank({ kind, body, blob }: EventRow): EpisodeEvent {
  const event = readVerdict(JSON.parse(body) as EpisodeEvent);
  return blob === null || kind === 'call' ? event : ({ ...event, screen: '' } as EpisodeEvent);
}

function prepareQueries(database: Database) {
  return {
    byAttempt: database.prepare<EpisodeRow>(`SELECT ${episodeColumns}, seal FROM episodes WHERE attempt = ?`),
    after: database.prepare<EpisodeRow>(
      `SELECT ${episodeColumns} FROM episodes WHERE attempt > ? ORDER BY attempt LIMIT ?`,
    ),
    byKey: database.prepare<{ attempt: number }>('SELECT attempt FROM episodes WHERE run = ? AND key = ?'),
    findBlob: database.prepare<BlobRow>('SELECT hash, pack, start, length FROM blobs WHERE id = ?'),
    inOrder: database.prepare<{ attempt: number }>(
      'SELECT attempt FROM episodes INDEXED BY episodes_in_order ORDER BY run, phase, round, place, attempt',
    ),
    eventsOf: database.prepare<EventRow>(
      "SELECT attempt, kind, body, blob, seal FROM events WHERE attempt = ? AND kind NOT IN ('begin', 'end') ORDER BY seq",
    ),
    // From the latest attempt back, one at a time: the index is not read through.
    open: database.prepare<{ attempt: number; events: number }>(
      `WITH RECURSIVE begun(attempt) AS (
       SELECT max(attempt) FROM events UNION ALL
       SELECT (SELECT max(attempt) FROM events WHERE attempt < begun.attempt) FROM begun
       WHERE begun.attempt IS NOT NULL LIMIT ${latest}
     )
     SELECT attempt, (SELECT count(*) FROM events WHERE events.attempt = begun.attempt) AS events FROM begun
     WHERE attempt IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes WHERE episodes.attempt = begun.attempt)
     ORDER BY attempt`,
    ),
  };
}

/** What tells cheaply that there is something new. */
function createNews(database: Database): Pick<StoreListing, 'finished' | 'latestEvent' | 'stepsAfter'> {
  const finished = database.prepare<{ key: string }>(
    "SELECT count(*) || ' ' || total(attempt) AS key FROM episodes INDEXED BY episodes_in_order",
  );
  const latestEvent = database.prepare<{ latest: number | null }>('SELECT max(seq) AS latest FROM events');
  const stepsAfter = database.prepare<{ steps: number; latest: number }>(
    "SELECT total(kind = 'step') AS steps, coalesce(max(seq), ?) AS latest FROM events WHERE seq > ?",
  );
  return {
    finished: () => finished.get()?.key ?? '',
    latestEvent: () => latestEvent.get()?.latest ?? 0,
    stepsAfter: event => stepsAfter.get(event, event) ?? { steps: 0, latest: event },
  };
}

function prepareStepQueries(database: Database) {
  return {
    columns: database.prepare<ColumnRow>(
      `SELECT json_group_array(body ->> '$.node.parent') AS parents,
       coalesce(group_concat(substr(body ->> '$.node.actor.role', 1, 1), ''), '') AS roles
     FROM (SELECT body FROM events WHERE attempt = ? AND kind = 'step' ORDER BY seq)`,
    ),
    beside: database.prepare<EventRow>(
      "SELECT attempt, kind, body, blob, seal FROM events WHERE attempt = ? AND kind IN ('open', 'review', 'correction', 'leaf') ORDER BY seq",
    ),
    texts: database.prepare<{ text: string }>(
      `SELECT body ->> '$.text' AS text FROM events WHERE attempt = ? AND kind = 'step' ORDER BY seq LIMIT ? OFFSET ?`,
    ),
    numbered: database.prepare<EventRow>(
      `SELECT attempt, kind, body, blob, seal FROM events
     WHERE attempt = ? AND kind = 'step' AND body ->> '$.node.id' = ? LIMIT 1`,
    ),
  };
}
