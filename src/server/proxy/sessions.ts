import { appendFileSync, mkdirSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { causeText, EspalierError } from '../../core/errors.ts';
import { parseRecord } from '../../core/records.ts';
import {
  lineSchema,
  type AnswerLine,
  type AskLine,
  type CallPlace,
  type Line,
  type RecordedAttempt,
  type RecordedCall,
} from './record/call-record.ts';

/** The calls of every session, in a folder with one file of JSON lines for each: only ever appended to. */
export interface SessionBook {
  /** The place of a call that arrives now; a session that has its verdict begins a new attempt. */
  take(session: string): CallPlace;
  /** Returns when the line outlives this process. */
  write(line: Line): void;
  /** How the latest attempt of a session stands; null when there is none. */
  standing(session: string): Standing | null;
  attempts(session: string): readonly RecordedAttempt[];
  names(): readonly string[];
}

export interface Standing {
  readonly attempt: number;
  /** Calls that have arrived, and those of them that have no answer yet. */
  readonly calls: number;
  readonly underWay: number;
  readonly isRuled: boolean;
}

const ending = '.jsonl';

export const sessionPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export function openSessions(folder: string): SessionBook {
  const standings = new Map<string, Standing>();
  prepare(folder);
  const pathOf = (session: string): string => join(folder, session + ending);
  const standing = (session: string): Standing | null => {
    const known = standings.get(session);
    if (known !== undefined) return known;
    const last = attemptsOf(readLines(pathOf(session), session)).at(-1);
    if (last === undefined) return null;
    const { attempt, calls, ruling } = last;
    // What was under way when an earlier proxy ended will never be answered.
    const found = { attempt, calls: calls.length, underWay: 0, isRuled: ruling !== null };
    standings.set(session, found);
    return found;
  };
  return {
    standing,
    take(session) {
      const before = standing(session) ?? { attempt: 1, calls: 0, underWay: 0, isRuled: false };
      const now = before.isRuled ? { attempt: before.attempt + 1, calls: 0, underWay: 0, isRuled: false } : before;
      standings.set(session, { ...now, calls: now.calls + 1, underWay: now.underWay + 1 });
      return { session, attempt: now.attempt, index: now.calls };
    },
    write(line) {
      append(pathOf(line.session), line);
      const before = standing(line.session);
      if (before === null || before.attempt !== line.attempt) return;
      if (line.kind === 'answer') standings.set(line.session, { ...before, underWay: before.underWay - 1 });
      else if (line.kind === 'verdict') standings.set(line.session, { ...before, isRuled: true });
    },
    attempts: session => attemptsOf(readLines(pathOf(session), session)),
    names: () =>
      readdirSync(folder)
        .filter(name => name.endsWith(ending))
        .map(name => name.slice(0, -ending.length))
        .toSorted(),
  };
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw unwritable(folder, cause);
  }
}

function append(path: string, line: Line): void {
  try {
    appendFileSync(path, `${JSON.stringify(line)}\n`);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

function readLines(path: string, session: string): Line[] {
  const text = readText(path);
  const end = text.lastIndexOf('\n') + 1;
  // A line that was being written when the proxy was killed says nothing, and must not become part of the next.
  if (end < text.length) truncateSync(path, Buffer.byteLength(text.slice(0, end)));
  return (
    text
      .slice(0, end)
      .split('\n')
      .filter(line => line !== '')
      .map((line, index) => readLine(line, `line ${index + 1} of ${path}`))
      // Where capitals do not tell files apart, two sessions may share one.
      .filter(line => line.session === session)
  );
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return '';
    throw unwritable(path, cause);
  }
}

function readLine(line: string, what: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    value = null;
  }
  return parseRecord(lineSchema, value, { what, code: 'corrupt-record' });
}

function attemptsOf(lines: readonly Line[]): RecordedAttempt[] {
  const byAttempt = Map.groupBy(lines, ({ attempt }) => attempt);
  return [...byAttempt]
    .toSorted(([left], [right]) => left - right)
    .map(([attempt, written]) => {
      const asks = written.filter((line): line is AskLine => line.kind === 'ask');
      const answers = new Map(
        written.filter((line): line is AnswerLine => line.kind === 'answer').map(line => [line.index, line]),
      );
      const verdict = written.find(line => line.kind === 'verdict');
      return {
        session: written[0]?.session ?? '',
        attempt,
        calls: asks
          .toSorted((left, right) => left.index - right.index)
          .map((ask): RecordedCall => ({ ask, answer: answers.get(ask.index) ?? null })),
        ruling:
          verdict === undefined
            ? null
            : { pass: verdict.pass, ...(verdict.checks === undefined ? {} : { checks: verdict.checks }) },
      };
    });
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
