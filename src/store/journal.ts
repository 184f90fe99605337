import {
  episodeEndSchema,
  episodeEventSchema,
  episodeHeadSchema,
  type EpisodeEnd,
  type EpisodeEvent,
  type EpisodeHead,
} from '../core/episode/events.ts';
import type { EpisodeLog, ResumableJournal } from '../core/episode/journal.ts';
import { parseRecord } from '../core/records.ts';
import { createBlobWriter } from './blobs.ts';
import { createCertificateWriter } from './certificates.ts';
import type { Database } from './database.ts';
import { alreadyEnded, closed, notAttached } from './faults.ts';
import { createPictureWriter, pictureOf, type Picture } from './pictures.ts';
import { episodeColumns, episodeValues, sealOf, sealOfEvent } from './rows.ts';

type JournalWriter = Pick<ResumableJournal, 'begin' | 'resume' | 'certify' | 'flush' | 'save' | 'together'>;

/** Events that may wait to be written together, and bytes of what was attached to them. */
const batch = 256;
const batchBytes = 8 * 2 ** 20;

/** An event on its way into a store, with what goes to other tables. */
export interface Entry {
  readonly attempt: number;
  readonly kind: string;
  readonly body: string;
  /** Goes to the blobs: a text, or the record of a call. */
  readonly content: string | Uint8Array | null;
  /** The record of a call, which may be among the blobs already. */
  readonly address: string | null;
  /** Go to the pictures, unless this attempt has named them before. */
  readonly pictures: readonly Picture[];
}

export interface Ending {
  readonly attempt: number;
  readonly head: EpisodeHead;
  readonly end: EpisodeEnd;
  readonly events: number;
}

/**
 * Entries wait in memory and are written in one transaction, at the latest with the end of an episode: a write that
 * fails has written nothing, keeps what waits, and is tried again by the next one.
 */
export function createJournalWriter(database: Database): JournalWriter {
  const { write, together } = createEntryWriter(database);
  const requireOpen = createOpenCheck(database);
  const markFlushed = createFlushMark(database);
  const last = database.prepare<{ attempt: number }>('SELECT coalesce(max(attempt), 0) AS attempt FROM events');
  let attempts = last.get()?.attempt ?? 0;
  let waiting: Entry[] = [];
  let bytes = 0;

  const commit = (ending: Ending | null): void => {
    if (waiting.length === 0 && ending === null) return;
    write(waiting, ending);
    [waiting, bytes] = [[], 0];
  };
  const take = (entry: Entry): void => {
    // Entries that only wait would be taken and lost.
    if (!database.isOpen()) throw closed(database.path);
    const size = sizeOf(entry);
    waiting.push(entry);
    bytes += size;
    if (waiting.length < batch && bytes < batchBytes) return;
    try {
      commit(null);
    } catch (cause) {
      // What is refused is not taken: the caller may offer it again.
      waiting.pop();
      bytes -= size;
      throw cause;
    }
  };

  const target: LogTarget = {
    take,
    end(ending) {
      requireOpen(ending.head);
      commit(ending);
    },
  };
  return {
    certify: createCertificateWriter(database),
    begin(given) {
      const head = parseRecord(episodeHeadSchema, given, { what: 'head of the episode', code: 'corrupt-record' });
      const attempt = ++attempts;
      take({ attempt, kind: 'begin', body: headText(head), ...unattached, content: JSON.stringify(head.task) });
      return createLog({ head, attempt, events: 0 }, target);
    },
    resume: ({ head, attempt, events }) => createLog({ head, attempt, events: events.length }, target),
    save: () => commit(null),
    together(work) {
      // What waits is no part of it.
      commit(null);
      together(work);
    },
    flush() {
      commit(null);
      markFlushed();
    },
  };
}

/** A commit outlives the process at once, but not a power cut before its log is synced: this one is. */
function createFlushMark(database: Database): () => void {
  const mark = database.prepare('UPDATE meta SET flushed = (SELECT coalesce(max(seq), 0) FROM events)');
  return () => {
    database.execute('PRAGMA synchronous = FULL');
    try {
      mark.run();
    } finally {
      database.execute('PRAGMA synchronous = NORMAL');
    }
  };
}

/** Refuses an episode that has its end already. */
function createOpenCheck(database: Database): (head: EpisodeHead) => void {
  const find = database.prepare('SELECT 1 FROM episodes WHERE run = ? AND key = ?');
  return ({ run, key }) => {
    if (find.get(run, key) !== undefined) throw alreadyEnded(run, key);
  };
}

/** What goes with an event. */
type Attached = Pick<Entry, 'content' | 'address' | 'pictures'>;
const unattached: Attached = { content: null, address: null, pictures: [] };

/** Where the entries of a log go. */
export interface LogTarget {
  take(entry: Entry): void;
  end(ending: Ending): void;
}

/** An attempt, and the events that it has already. */
type Attempt = Omit<Ending, 'end'>;

/** The log of an attempt: checks events against their schemas, and that what they name was attached. */
export function createLog({ head, attempt, events: known }: Attempt, target: LogTarget): EpisodeLog {
  const { run, key } = head;
  let events = known;
  let ended = false;
  // By address, until an event that names it was taken; then only the address.
  const waiting = new Map<string, Picture>();
  const taken = new Set<string>();
  const named = (event: EpisodeEvent): Attached => {
    const address = event.kind === 'call' ? event.record : event.kind === 'step' ? event.image?.hash : undefined;
    if (address === undefined) return unattached;
    const found = waiting.get(address);
    if (found === undefined && !taken.has(address)) throw notAttached(address);
    if (event.kind === 'step') return { ...unattached, pictures: found === undefined ? [] : [found] };
    // The record of a call names pictures inside: those that were attached before it.
    const pictures = [...waiting.values()].filter(picture => picture !== found);
    return { content: found?.data ?? null, address, pictures };
  };
  const keep = (address: string): void => {
    waiting.delete(address);
    taken.add(address);
  };
  return {
    attach(data) {
      if (ended) throw alreadyEnded(run, key);
      const picture = pictureOf(data);
      if (!taken.has(picture.hash)) waiting.set(picture.hash, picture);
      return picture.hash;
    },
    append(given) {
      if (ended) throw alreadyEnded(run, key);
      const event = parseRecord(episodeEventSchema, given, { what: 'event', code: 'corrupt-record' });
      const attached = named(event);
      target.take({ attempt, ...attached, ...eventEntry(event) });
      for (const { hash } of attached.pictures) keep(hash);
      if (attached.address !== null) keep(attached.address);
      events++;
    },
    end(given) {
      if (ended) throw alreadyEnded(run, key);
      const end = parseRecord(episodeEndSchema, given, { what: 'end of the episode', code: 'corrupt-record' });
      target.end({ attempt, head, end, events });
      ended = true;
    },
  };
}

function sizeOf({ content, pictures }: Entry): number {
  const record = typeof content === 'string' ? 0 : (content?.length ?? 0);
  return pictures.reduce((sum, { data }) => sum + data.length, record);
}

function eventEntry(event: EpisodeEvent): Pick<Entry, 'kind' | 'body'> & Partial<Pick<Entry, 'content'>> {
  const { screen, ...rest } = { screen: undefined, ...event };
  // Ill-formed text has no UTF-8, which blobs are in; JSON can escape it.
  if (screen === undefined || !screen.isWellFormed()) return { kind: event.kind, body: JSON.stringify(event) };
  return { kind: event.kind, body: JSON.stringify(rest), content: screen };
}

export function headText({ task: _task, ...head }: EpisodeHead): string {
  return JSON.stringify(head);
}

/** Texts of episodes that are written together share a pack until it is so large. */
const packBytes = 2 ** 18;

interface EntryWriter {
  write(entries: readonly Entry[], ending: Ending | null): void;
  /** What is written meanwhile is written in one transaction. */
  together(work: () => void): void;
}

function createEntryWriter(database: Database): EntryWriter {
  const blobs = createBlobWriter(database);
  const writePicture = createPictureWriter(database);
  const insert = database.prepare('INSERT INTO events (attempt, kind, body, blob, seal) VALUES (?, ?, ?, ?, ?)');
  const project = database.prepare(
    `INSERT INTO episodes (${episodeColumns}, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const writeEntry = ({ attempt, kind, body, content, address, pictures }: Entry): void => {
    for (const picture of pictures) writePicture(picture, attempt);
    const blob = content !== null ? blobs.put(content) : address !== null ? blobs.find(address) : null;
    insert.run(attempt, kind, body, blob, sealOfEvent({ attempt, kind, body, blob }));
  };
  const writeEnding = ({ attempt, head, end, events }: Ending): void => {
    const ending = JSON.stringify(end);
    writeEntry({ attempt, kind: 'end', body: ending, ...unattached });
    const { run, key, phase, round, index } = head;
    const task = blobs.put(JSON.stringify(head.task));
    const found = { attempt, run, key, phase, round, place: index, outcome: end.outcome };
    const values = episodeValues({ ...found, events, task, head: headText(head), ending });
    project.run(...values, sealOf(values));
  };
  const transaction = (work: () => void): void => {
    try {
      database.transaction(work);
    } catch (cause) {
      blobs.clear();
      throw cause;
    }
  };
  let isTogether = false;
  return {
    write: (entries, ending) =>
      transaction(() => {
        for (const entry of entries) writeEntry(entry);
        if (ending !== null) writeEnding(ending);
        if (!isTogether || blobs.size() >= packBytes) blobs.finish();
      }),
    together(work) {
      isTogether = true;
      try {
        transaction(() => {
          work();
          blobs.finish();
        });
      } finally {
        isTogether = false;
      }
    },
  };
}
