import { certificateSchema } from '../../core/episode/certificate.ts';
import { episodeHeadSchema, type EpisodeHead } from '../../core/episode/events.ts';
import type { ResumableJournal, UnfinishedEpisode } from '../../core/episode/journal.ts';
import { parseRecord, type Task } from '../../core/records.ts';
import { alreadyCertified, alreadyEnded, closed, notEnded, notWritable } from '../faults.ts';
import { createLog, headText, type Entry } from '../journal.ts';
import type { Store, StoreOptions } from '../store.ts';
import { readAddress } from './address.ts';
import { connectBlocking, type BlockingConnection } from './blocking.ts';
import {
  attachedBy,
  certificateValues,
  commitValues,
  linesOf,
  pack,
  readEvents,
  rowOf,
  unpack,
} from './episode-row.ts';
import { openNumber } from './format.ts';
import { createPostgresReader } from './reader.ts';
import { addCertificate, commitEpisodes } from './statements.ts';

/**
 * The journal of runs under a name in a Postgres database. Any number of programs write it at once: an episode is written by one
 * transaction when it ends, and the first that commits it wins.
 */
export function openPostgresStore({ path, readOnly = false, mustExist = false }: StoreOptions): Store {
  const { database, store: name, blobs } = readAddress(path);
  const connection = connectBlocking(database, blobs);
  try {
    const store = openNumber(connection, name, readOnly || mustExist);
    const reader = createPostgresReader(connection, store);
    const writer = readOnly ? refusing(connection.address) : createPostgresWriter(connection, store);
    return {
      ...reader,
      ...writer,
      unfinished: run => readUnfinished(connection, store, run),
      // Postgres syncs by itself, before it says that something is committed.
      syncInThread: () => ({ sync: () => Promise.resolve(), close: () => Promise.resolve() }),
      close() {
        if (!readOnly && connection.isOpen()) writer.save();
        connection.close();
      },
    };
  } catch (cause) {
    connection.close();
    throw cause;
  }
}

type PostgresWriter = Pick<ResumableJournal, 'begin' | 'resume' | 'certify' | 'flush' | 'save'>;

function refusing(address: string): PostgresWriter {
  const refuse = (): never => {
    throw notWritable(address);
  };
  return { begin: refuse, resume: refuse, certify: refuse, flush: refuse, save: refuse };
}

/** An attempt that has not ended: what it has written, and how much of that is in the database. */
interface OpenAttempt {
  readonly head: EpisodeHead;
  readonly lines: string[];
  readonly attached: Map<string, Uint8Array>;
  /** Its number in the database; null while nothing of it is there. */
  number: number | null;
  parts: number;
  saved: number;
  /** Addresses of what is there. */
  readonly known: Set<string>;
}

function createPostgresWriter(connection: BlockingConnection, store: number): PostgresWriter {
  const open = new Map<number, OpenAttempt>();
  let attempts = 0;
  const begin = (head: EpisodeHead, before: Partial<OpenAttempt> = {}): ReturnType<PostgresWriter['begin']> => {
    if (!connection.isOpen()) throw closed(connection.address);
    const attempt = ++attempts;
    const fresh = { lines: [], attached: new Map(), number: null, parts: 0, saved: 0, known: new Set<string>() };
    const opened: OpenAttempt = { ...fresh, ...before, head };
    open.set(attempt, opened);
    return createLog(
      { head, attempt, events: opened.lines.length / 2 },
      {
        take(entry: Entry) {
          const { lines, attached } = opened;
          if (!connection.isOpen()) throw closed(connection.address);
          lines.push(...linesOf(entry));
          for (const [hash, data] of attachedBy(entry)) attached.set(hash, data);
        },
        end(ending) {
          const { lines, attached, number } = opened;
          const values = commitValues(store, [rowOf(ending, lines)], connection.putOutside(attached));
          const written = connection.query(commitEpisodes, values);
          open.delete(attempt);
          if (number !== null) connection.query(forgetUnfinished, [store, number]);
          if (written.length === 0) throw alreadyEnded(head.run, head.key);
        },
      },
    );
  };
  const save = (): void => {
    if (!connection.isOpen()) throw closed(connection.address);
    for (const attempt of open.values()) saveAttempt(connection, store, attempt);
  };
  return {
    begin: given =>
      begin(parseRecord(episodeHeadSchema, given, { what: 'head of the episode', code: 'corrupt-record' })),
    resume({ head, attempt: number }) {
      const { lines, attached, parts } = readParts(connection, store, number);
      return begin(head, { lines, attached, number, parts, saved: lines.length, known: new Set(attached.keys()) });
    },
    certify({ run, key }, given) {
      if (!connection.isOpen()) throw closed(connection.address);
      const certificate = parseRecord(certificateSchema, given, { what: 'certificate', code: 'corrupt-record' });
      if (connection.query(addCertificate, certificateValues(store, { run, key }, certificate)).length > 0) return;
      const find = 'SELECT 1 FROM espalier.episodes WHERE store = $1 AND run = $2 AND key = $3';
      throw connection.query(find, [store, run, key]).length === 0
        ? notEnded(run, key)
        : alreadyCertified(key, certificate.leaf);
    },
    save,
    flush: save,
  };
}

const forgetUnfinished = 'DELETE FROM espalier.unfinished WHERE store = $1 AND attempt = $2';

/** Adds what an open attempt has written since the last time. */
function saveAttempt(connection: BlockingConnection, store: number, attempt: OpenAttempt): void {
  const { head, lines, attached, known } = attempt;
  if (attempt.saved === lines.length && attempt.number !== null) return;
  const isFirst = attempt.number === null;
  const added = [...attached].filter(([hash]) => !known.has(hash));
  const body = pack([...(isFirst ? [headText(head), JSON.stringify(head.task)] : []), ...lines.slice(attempt.saved)]);
  const [row] = connection.query<{ attempt: number }>(
    `INSERT INTO espalier.unfinished (attempt, part, store, run, key, body, hashes, attachments)
     VALUES (coalesce($1::bigint, nextval('espalier.attempts')), $2, $3, $4, $5, $6, $7::bytea[], $8::bytea[])
     RETURNING attempt`,
    [
      attempt.number,
      attempt.parts,
      store,
      head.run,
      head.key,
      body,
      added.map(([hash]) => Buffer.from(hash, 'hex')),
      added.map(([, data]) => data),
    ],
  );
  attempt.number = row?.attempt ?? null;
  attempt.parts++;
  attempt.saved = lines.length;
  for (const [hash] of added) known.add(hash);
}

interface PartRow {
  readonly attempt: number;
  readonly body: Uint8Array;
  readonly hashes: readonly Uint8Array[];
  readonly attachments: readonly Uint8Array[];
}

interface Parts {
  readonly head: EpisodeHead;
  readonly lines: string[];
  readonly attached: Map<string, Uint8Array>;
  readonly parts: number;
}

function readParts(connection: BlockingConnection, store: number, attempt: number): Parts {
  const rows = connection.query<PartRow>(
    `SELECT attempt, body, hashes, attachments FROM espalier.unfinished
     WHERE store = $1 AND attempt = $2 ORDER BY part`,
    [store, attempt],
  );
  const [head = 'null', task = 'null', ...lines] = rows.flatMap(({ body }) => linesIn(body, connection.address));
  const attached = new Map<string, Uint8Array>();
  for (const { hashes, attachments } of rows)
    for (const [at, hash] of hashes.entries())
      attached.set(Buffer.from(hash).toString('hex'), attachments[at] as Uint8Array);
  const whole = { ...(JSON.parse(head) as EpisodeHead), task: JSON.parse(task) as Task };
  return { head: whole, lines, attached, parts: rows.length };
}

/** A part without lines is an empty text, which is no line. */
function linesIn(body: Uint8Array, address: string): string[] {
  const lines = unpack(body, address);
  return lines.length === 1 && lines[0] === '' ? [] : lines;
}

/** The last attempt at each episode of a run that did not end. */
function readUnfinished(connection: BlockingConnection, store: number, run: string): UnfinishedEpisode[] {
  const rows = connection.query<{ attempt: number; key: string }>(
    `SELECT key, max(attempt) AS attempt FROM espalier.unfinished
     WHERE store = $1 AND run = $2 AND NOT EXISTS (
       SELECT 1 FROM espalier.episodes
       WHERE episodes.store = unfinished.store AND episodes.run = unfinished.run AND episodes.key = unfinished.key)
     GROUP BY key ORDER BY attempt`,
    [store, run],
  );
  return rows.map(({ attempt }) => {
    const { head, lines } = readParts(connection, store, attempt);
    return { attempt, head, events: readEvents(lines) };
  });
}
