import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { episodeEndSchema } from '../../core/episode/events.ts';
import { EspalierError } from '../../core/errors.ts';
import type { BranchEnd } from '../../episode/driven/branches.ts';
import { appendLines, type WriteText } from './append-lines.ts';

const endSchema = episodeEndSchema.pick({
  outcome: true,
  reason: true,
  boundary: true,
  message: true,
  verdict: true,
  leaf: true,
});

/** How a session ended, as it is written down. */
export type RecordedEnd = z.infer<typeof endSchema>;

const lastAnswerSchema = z.strictObject({
  /** Tells the request from every other one. */
  request: z.string(),
  ended: z.enum(['terminated', 'truncated']),
  outputs: z.array(z.strictObject({ call_id: z.string(), output: z.string() })).readonly(),
});

/** What the request that ended a session is answered with, apart from the verdict. */
export type LastAnswer = z.infer<typeof lastAnswerSchema>;

/** A session that ended with a longer answer keeps none: its request cannot be answered again after a restart. */
export const longestLastAnswer = 2 ** 16;

const recordSchema = z.strictObject({
  session: z.string(),
  /** Key of its episode, and its branch in it. */
  episode: z.string(),
  branch: z.int().nonnegative(),
  environment: z.string(),
  /** What the client calls the episode. */
  name: z.string().nullable(),
  /** Null while it is open. */
  end: endSchema.nullable(),
  /** Written before the end is, so that whoever has the end has this, too. */
  answer: lastAnswerSchema.optional(),
});

/** A session that outlives its connection, as it is written down. */
export type SessionRecord = z.infer<typeof recordSchema>;

/** The sessions that are to be resumed after a restart: one JSON line for each change, the last one counts. */
export interface SessionFile {
  readonly path: string;
  /** Takes a record. It is in the file after the next `save`. */
  add(record: SessionRecord): void;
  /** Takes back what waits of a session that nobody was told of. */
  forget(session: string): void;
  /** Appends the records that wait. Call it after the journal is saved: a session must not be known before its events. */
  save(): void;
  read(): ReadSessions;
  /** Starts anew with these. They survive a power cut when this returns. */
  replace(records: readonly SessionRecord[]): void;
}

interface ReadSessions {
  /** The last record of each session, in the order of these records. */
  readonly records: SessionRecord[];
  /** Bytes of a last line that was cut off when the server was killed. It is left out. */
  readonly cutOff: number;
}

const mode = 0o600;

export function createSessionFile(path: string, write?: WriteText): SessionFile {
  let waiting: SessionRecord[] = [];
  return {
    path,
    add: record => void waiting.push(record),
    forget(session) {
      waiting = waiting.filter(record => record.session !== session);
    },
    save() {
      if (waiting.length === 0) return;
      appendLines(path, waiting.map(lineOf).join(''), write);
      waiting = [];
    },
    read: () => (existsSync(path) ? readRecords(path) : { records: [], cutOff: 0 }),
    replace(records) {
      const fresh = `${path}.new`;
      const file = openSync(fresh, 'w', mode);
      try {
        writeSync(file, records.map(lineOf).join(''));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(fresh, path);
      syncFolder(dirname(path));
    },
  };
}

/** A new name survives a power cut when its folder is synced. */
function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function readRecords(path: string): ReadSessions {
  const lines = readFileSync(path, 'utf8').split('\n');
  const last = lines.pop() ?? '';
  const records = new Map<string, SessionRecord>();
  let cutOff = Buffer.byteLength(last);
  for (const [index, line] of lines.entries()) {
    const record = recordIn(line);
    if (record instanceof Error) {
      if (isOfNewerVersion(record)) throw writtenByNewer(path, index + 1, record);
      // A power cut may leave any bytes where the end of the file was not on the disk yet.
      if (index < lines.length - 1 || cutOff > 0) throw damaged(path, index + 1, record);
      cutOff = Buffer.byteLength(line) + 1;
    } else {
      // After those that changed before it.
      records.delete(record.session);
      records.set(record.session, record);
    }
  }
  return { records: [...records.values()], cutOff };
}

function recordIn(line: string): SessionRecord | Error {
  try {
    return recordSchema.parse(JSON.parse(line));
  } catch (cause) {
    return cause as Error;
  }
}

/** A whole record that has members which this version does not know: it is not damaged, and deleting it would lose a session. */
function isOfNewerVersion(cause: Error): boolean {
  return cause instanceof z.ZodError && cause.issues.every(({ code }) => code === 'unrecognized_keys');
}

function writtenByNewer(path: string, line: number, cause: Error): EspalierError {
  return new EspalierError({
    boundary: 'store',
    code: 'unsupported',
    message: `Line ${line} of ${path} has members that this version does not know.`,
    expected: 'A newer version of Espalier wrote it; use that one.',
    cause,
  });
}

function damaged(path: string, line: number, cause: Error): EspalierError {
  return new EspalierError({
    boundary: 'store',
    code: 'corrupt-record',
    message: `Line ${line} of ${path} is not the record of a session.`,
    expected: 'Put back a copy of the file, or delete the line: the session in it is abandoned then.',
    cause,
  });
}

function lineOf(record: SessionRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** The part of an end that a record keeps. */
export function recordedEnd({ outcome, reason, boundary, message, verdict, leaf }: BranchEnd): BranchEnd {
  return { outcome, reason, boundary, message, verdict, leaf };
}

/** Reasons in the journal of a branch that its agent ended: by a finish, or by its last step. */
const endsOfAgents: ReadonlySet<string | null> = new Set([null, 'finish not passed', 'out of steps']);

/** Whether the agent ended the session. Otherwise it was stopped. */
export function isEndedByAgent({ reason }: Pick<RecordedEnd, 'reason'>): boolean {
  return endsOfAgents.has(reason);
}
