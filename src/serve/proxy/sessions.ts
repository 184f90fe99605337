import { appendFileSync, existsSync, mkdirSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { causeText, EspalierError } from '../../core/errors.ts';
import type { CallPlace, Line, Owner, RecordedAttempt } from './record/call-record.ts';
import { createOwner, isOwner } from './record/owner.ts';
import { createPieceWriter, type PieceWriter } from './record/pieces.ts';
import { readSessionFile, type FoundLine } from './record/session-file.ts';
import { attemptsOf, packLine, piecesOf } from './record/session-lines.ts';

/** The calls of every session, in a folder with one file of JSON lines for each: only ever appended to. */
export interface SessionFiles {
  /**
   * Whether whoever has this key may add to the session: the first key that asks owns it. The owner is to be written with the
   * call; null where there is none, or where it is written already.
   */
  claim(session: string, key: string | null): { readonly isAllowed: boolean; readonly owner: Owner | null };
  /** Whether this is the key that owns the session; false where it has no owner. */
  isOwner(session: string, key: string | null): boolean;
  /** Numbers a call that arrives now. A session that has its verdict starts a new attempt. */
  take(session: string): CallPlace;
  /** Why a call with a body of this length cannot be kept; null when it can. The first refusal is noted in the record. */
  refusal(session: string, call: { readonly length: number; readonly time: number }): string | null;
  /** Returns once the line is on disk. */
  write(line: Line): void;
  /** How the latest attempt of a session stands; null when there is none. */
  standing(session: string): Standing | null;
  attempts(session: string): readonly RecordedAttempt[];
  names(): readonly string[];
}

interface Standing {
  readonly attempt: number;
  /** Calls that have arrived, and those of them that have no answer yet. */
  readonly calls: number;
  readonly underWay: number;
  readonly isRuled: boolean;
}

/** How much is kept. */
export interface SessionLimits {
  /** Bytes of the file of a session, and of all files together. */
  readonly file: number;
  readonly folder: number;
  /** Characters of all bodies of an attempt, as they were sent: who reads it needs memory for them. */
  readonly attempt: number;
  readonly sessions: number;
}

export const usualSessionLimits: SessionLimits = {
  file: 256 * 2 ** 20,
  folder: 16 * 2 ** 30,
  attempt: 512 * 2 ** 20,
  sessions: 20_000,
};

const ending = '.jsonl';
/** Sessions whose pieces are kept in memory; other sessions start new pieces. */
const mostWriters = 256;

export const sessionPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

interface State {
  readonly standing: Standing | null;
  /** Bytes of the file. */
  readonly bytes: number;
  /** Characters of the bodies of the latest attempt. */
  readonly asked: number;
  readonly nextPiece: number;
  readonly owner: Owner | null;
  /** Whether the record says that it is full. */
  readonly isNoted: boolean;
}

const noCalls = { calls: 0, underWay: 0, isRuled: false };

export function openSessions(folder: string, limits: SessionLimits = usualSessionLimits): SessionFiles {
  prepare(folder);
  const states = createStates(folder);
  const { stateOf, put, pathOf } = states;
  const write = createLineWriter(states);
  return {
    write,
    claim(session, key) {
      const { owner } = stateOf(session);
      if (owner !== null) return { isAllowed: isOwner(owner, key), owner: null };
      if (key === null) return { isAllowed: true, owner: null };
      const first = createOwner(key);
      put(session, { owner: first });
      return { isAllowed: true, owner: first };
    },
    isOwner(session, key) {
      const { owner } = stateOf(session);
      return owner !== null && isOwner(owner, key);
    },
    standing: session => stateOf(session).standing,
    refusal(session, { length, time }) {
      const problem = problemWith({ session, length, states, limits });
      const { standing, isNoted } = stateOf(session);
      if (problem !== null && standing !== null && !isNoted)
        write({ kind: 'note', session, attempt: standing.attempt, time, text: `A call was refused: ${problem}.` });
      return problem;
    },
    take(session) {
      const before = stateOf(session).standing ?? { attempt: 1, ...noCalls };
      const isNext = before.isRuled;
      const now = isNext ? { attempt: before.attempt + 1, ...noCalls } : before;
      if (isNext) states.writers.delete(session);
      const next = isNext ? { asked: 0, nextPiece: 0, isNoted: false } : {};
      put(session, { ...next, standing: { ...now, calls: now.calls + 1, underWay: now.underWay + 1 } });
      return { session, attempt: now.attempt, index: now.calls };
    },
    attempts: session => attemptsOf(linesOf(pathOf(session)), session),
    names: () => filesIn(folder).map(name => name.slice(0, -ending.length)),
  };
}

/** What is known of each session without reading its file again, and of all of them together. */
function createStates(folder: string) {
  const states = new Map<string, State>();
  const writers = createWriters();
  const sizes = filesIn(folder).map(name => sizeOf(join(folder, name)));
  const total = { bytes: sizes.reduce((sum, size) => sum + size, 0), files: sizes.length };
  const pathOf = (session: string): string => join(folder, session + ending);
  const stateOf = (session: string): State => {
    const known = states.get(session);
    if (known !== undefined) return known;
    const { writer, ...state } = readState(pathOf(session), session);
    // Clients may ask for any name: only existing sessions are cached.
    if (writer === null) return state;
    writers.set(session, writer);
    states.set(session, state);
    return state;
  };
  const put = (session: string, change: Partial<State>): void =>
    void states.set(session, { ...stateOf(session), ...change });
  return { writers, total, pathOf, stateOf, put };
}

type States = ReturnType<typeof createStates>;

interface Offer {
  readonly session: string;
  readonly length: number;
  readonly states: States;
  readonly limits: SessionLimits;
}

function problemWith({ session, length, states: { stateOf, total }, limits }: Offer): string | null {
  const { standing, bytes, asked } = stateOf(session);
  if (standing === null && total.files >= limits.sessions) return `there are ${total.files} sessions, no more are kept`;
  if (total.bytes + length > limits.folder) return `the records of all sessions have ${total.bytes} bytes`;
  if (bytes + length > limits.file) return `the record of the session has ${bytes} bytes`;
  if (standing?.isRuled === false && asked + length > limits.attempt)
    return `the calls of this attempt have ${asked} characters`;
  return null;
}

function createLineWriter({ writers, total, stateOf, put, pathOf }: States): (line: Line) => void {
  return line => {
    const { session } = line;
    const { standing, nextPiece, asked, bytes } = stateOf(session);
    const isLatest = standing?.attempt === line.attempt;
    // A late answer to an ended attempt shares no pieces with the next attempt.
    const writer = isLatest ? writers.get(session, nextPiece) : createPieceWriter(latePieces);
    const text = `${JSON.stringify(packLine(line, writer))}\n`;
    try {
      append(pathOf(session), text, bytes);
    } catch (cause) {
      // It counts pieces that are in no file.
      writers.delete(session);
      throw cause;
    }
    const written = Buffer.byteLength(text);
    if (bytes === 0) total.files++;
    total.bytes += written;
    put(session, { bytes: bytes + written });
    if (!isLatest || standing === null) return;
    put(session, { nextPiece: writer.next(), asked: asked + (line.kind === 'ask' ? line.body.length : 0) });
    if (line.kind === 'answer') put(session, { standing: { ...standing, underWay: standing.underWay - 1 } });
    else if (line.kind === 'verdict') put(session, { standing: { ...standing, isRuled: true } });
    else if (line.kind === 'note') put(session, { isNoted: true });
  };
}

/** Never reached by the number of an attempt. */
const latePieces = 2 ** 40;

/** The writers of the sessions that were written to last. */
function createWriters() {
  const writers = new Map<string, PieceWriter>();
  const set = (session: string, writer: PieceWriter): void => {
    writers.delete(session);
    writers.set(session, writer);
    if (writers.size > mostWriters) writers.delete(writers.keys().next().value as string);
  };
  return {
    set,
    delete: (session: string) => void writers.delete(session),
    get(session: string, nextPiece: number): PieceWriter {
      const writer = writers.get(session) ?? createPieceWriter(nextPiece);
      set(session, writer);
      return writer;
    },
  };
}

/** The session as an earlier proxy left it, and a writer that continues it. */
function readState(path: string, session: string): State & { readonly writer: PieceWriter | null } {
  let standing: Standing | null = null;
  let owner: Owner | null = null;
  let [asked, isNoted, writer] = [0, false, createPieceWriter()];
  for (const found of linesOf(path)) {
    if ('problem' in found || found.line.session !== session) continue;
    const { line } = found;
    if (line.kind === 'ask') owner ??= line.owner ?? null;
    if (standing === null || line.attempt > standing.attempt) {
      standing = { attempt: line.attempt, ...noCalls };
      [asked, isNoted, writer] = [0, false, createPieceWriter()];
    } else if (line.attempt < standing.attempt) continue;
    const pieces = piecesOf(line);
    if (pieces !== null) writer.learn(pieces);
    // Calls that were open when that proxy ended will never be answered.
    if (line.kind === 'ask') standing = { ...standing, calls: Math.max(standing.calls, line.index + 1) };
    else if (line.kind === 'verdict') standing = { ...standing, isRuled: true };
    else if (line.kind === 'note') isNoted = true;
    if (line.kind === 'ask') asked += lengthOf(line.body);
  }
  const state = { standing, bytes: sizeOf(path), asked, isNoted, owner, nextPiece: writer.next() };
  return { ...state, writer: standing === null ? null : writer };
}

/** At least: earlier pieces are not counted again. */
function lengthOf(body: string | { readonly parts: readonly (string | readonly number[])[] }): number {
  if (typeof body === 'string') return body.length;
  return body.parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : (part[1] ?? 0) * 1024), 0);
}

function* linesOf(path: string): Generator<FoundLine> {
  try {
    if (existsSync(path)) yield* readSessionFile(path);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter(name => name.endsWith(ending))
    .toSorted();
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw unwritable(folder, cause);
  }
}

/** Cuts off a line that was only partly written, so that the next line is whole. */
function append(path: string, text: string, size: number): void {
  try {
    appendFileSync(path, text, { mode: 0o600 });
  } catch (cause) {
    if (sizeOf(path) > size) truncateSync(path, size);
    throw unwritable(path, cause);
  }
}

function unwritable(path: string, cause: unknown): EspalierError {
  const isFull = cause instanceof Error && 'code' in cause && (cause.code === 'ENOSPC' || cause.code === 'EDQUOT');
  return new EspalierError({
    boundary: 'store',
    code: isFull ? 'disk-full' : 'unavailable',
    message: `${path} cannot be written or read: ${causeText(cause)}.`,
    expected: isFull ? 'Make space and try again.' : 'Expected a place that this user may write to.',
    cause,
  });
}
