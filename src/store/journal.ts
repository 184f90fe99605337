import {
  episodeEndSchema,
  episodeEventSchema,
  episodeHeadSchema,
  type EpisodeEnd,
  type EpisodeEvent,
  type EpisodeHead,
} from '../core/episode/events.ts';
import type { EpisodeLog, Journal } from '../core/episode/journal.ts';
import { parseRecord } from '../core/records.ts';
import { createBlobWriter } from './blobs.ts';
import type { Database } from './database.ts';
import { alreadyEnded, closed, notAttached } from './faults.ts';
import { createPictureWriter, pictureOf, type Picture } from './pictures.ts';
import { episodeColumns, episodeValues, sealOf, sealOfEvent } from './rows.ts';

type JournalWriter = Pick<Journal, 'begin' | 'flush'>;

/** Events that may wait to be written together, and bytes of their pictures. */
const batch = 256;
const batchBytes = 8 * 2 ** 20;

interface Entry {
  readonly attempt: number;
  readonly kind: string;
  readonly body: string;
  /** Goes to the blobs. */
  readonly text: string | null;
  /** Goes to the pictures, unless this attempt has named it before. */
  readonly picture: Picture | null;
}

interface Ending {
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
  const write = createEntryWriter(database);
  const isEnded = database.prepare('SELECT 1 FROM episodes WHERE run = ? AND key = ?');
  const markFlushed = database.prepare('UPDATE meta SET flushed = (SELECT coalesce(max(seq), 0) FROM events)');
  const last = database.prepare<{ attempt: number }>('SELECT coalesce(max(attempt), 0) AS attempt FROM events');
  let attempts = last.get()?.attempt ?? 0;
  let waiting: Entry[] = [];
  let bytes = 0;

  const commit = (ending: Ending | null): void => {
    if (waiting.length === 0 && ending === null) return;
    write(waiting, ending);
    waiting = [];
    bytes = 0;
  };
  const take = (entry: Entry): void => {
    // Entries that only wait would be taken and lost.
    if (!database.isOpen()) throw closed(database.path);
    const size = entry.picture?.data.length ?? 0;
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

  return {
    begin(given) {
      const head = parseRecord(episodeHeadSchema, given, { what: 'head of the episode', code: 'corrupt-record' });
      const attempt = ++attempts;
      take({ attempt, kind: 'begin', body: headText(head), text: JSON.stringify(head.task), picture: null });
      return createLog(head, {
        take: (event, picture) => take({ attempt, ...eventEntry(event), picture }),
        end(end, events) {
          if (isEnded.get(head.run, head.key) !== undefined) throw alreadyEnded(head.run, head.key);
          commit({ attempt, head, end, events });
        },
      });
    },
    flush() {
      commit(null);
      // A commit outlives the process at once, but not a power cut before its log is synced: this one is.
      database.execute('PRAGMA synchronous = FULL');
      try {
        markFlushed.run();
      } finally {
        database.execute('PRAGMA synchronous = NORMAL');
      }
    },
  };
}

interface LogTarget {
  take(event: EpisodeEvent, picture: Picture | null): void;
  end(end: EpisodeEnd, events: number): void;
}

function createLog({ run, key }: EpisodeHead, target: LogTarget): EpisodeLog {
  let events = 0;
  let ended = false;
  // By address; null once an event that names it was taken.
  const pictures = new Map<string, Picture | null>();
  const named = (event: EpisodeEvent): Picture | null => {
    if (event.kind !== 'step' || event.image === undefined) return null;
    const picture = pictures.get(event.image.hash);
    if (picture === undefined) throw notAttached(event.image.hash);
    return picture;
  };
  return {
    attach(data) {
      if (ended) throw alreadyEnded(run, key);
      const picture = pictureOf(data);
      if (!pictures.has(picture.hash)) pictures.set(picture.hash, picture);
      return picture.hash;
    },
    append(given) {
      if (ended) throw alreadyEnded(run, key);
      const event = parseRecord(episodeEventSchema, given, { what: 'event', code: 'corrupt-record' });
      const picture = named(event);
      target.take(event, picture);
      if (picture !== null) pictures.set(picture.hash, null);
      events++;
    },
    end(given) {
      if (ended) throw alreadyEnded(run, key);
      target.end(parseRecord(episodeEndSchema, given, { what: 'end of the episode', code: 'corrupt-record' }), events);
      ended = true;
    },
  };
}

function eventEntry(event: EpisodeEvent): Pick<Entry, 'kind' | 'body' | 'text'> {
  // Ill-formed text has no UTF-8, which blobs are in; JSON can escape it.
  if (event.kind !== 'step' || !event.screen.isWellFormed())
    return { kind: event.kind, body: JSON.stringify(event), text: null };
  const { screen, ...rest } = event;
  return { kind: event.kind, body: JSON.stringify(rest), text: screen };
}

function headText({ task: _task, ...head }: EpisodeHead): string {
  return JSON.stringify(head);
}

function createEntryWriter(database: Database): (entries: readonly Entry[], ending: Ending | null) => void {
  const blobs = createBlobWriter(database);
  const writePicture = createPictureWriter(database);
  const insert = database.prepare('INSERT INTO events (attempt, kind, body, blob, seal) VALUES (?, ?, ?, ?, ?)');
  const project = database.prepare(
    `INSERT INTO episodes (${episodeColumns}, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const writeEntry = ({ attempt, kind, body, text, picture }: Entry): void => {
    if (picture !== null) writePicture(picture, attempt);
    const blob = text === null ? null : blobs.put(text);
    insert.run(attempt, kind, body, blob, sealOfEvent({ attempt, kind, body, blob }));
  };
  const writeEnding = ({ attempt, head, end, events }: Ending): void => {
    const ending = JSON.stringify(end);
    writeEntry({ attempt, kind: 'end', body: ending, text: null, picture: null });
    const { run, key, phase, round, index } = head;
    const task = blobs.put(JSON.stringify(head.task));
    const found = { attempt, run, key, phase, round, place: index, outcome: end.outcome };
    const values = episodeValues({ ...found, events, task, head: headText(head), ending });
    project.run(...values, sealOf(values));
  };
  return (entries, ending) => {
    try {
      database.transaction(() => {
        for (const entry of entries) writeEntry(entry);
        if (ending !== null) writeEnding(ending);
        blobs.finish();
      });
    } catch (cause) {
      blobs.clear();
      throw cause;
    }
  };
}
