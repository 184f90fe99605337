import { closeSync, existsSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { ToolInfo } from '../../core/contracts.ts';
import { createDigest } from '../../core/digest.ts';
import { causeText, EspalierError, invalidOption, type ErrorCode } from '../../core/errors.ts';
import { jsonObjectSchema, wholeLines } from '../../core/json.ts';
import { describeIssues } from '../../core/records.ts';
import { answerSchema, type Answer, type ToolCall } from './answer.ts';

const toolSchema = z.strictObject({ name: z.string(), description: z.string(), input: jsonObjectSchema });

/** A server as it was found. */
const serverSchema = z.strictObject({
  kind: z.literal('server'),
  version: z.literal(1, { error: 'expected version 1: a newer one needs a newer Espalier' }),
  name: z.string(),
  title: z.string(),
  tools: z.array(toolSchema).readonly(),
});

const callSchema = z.strictObject({
  kind: z.literal('call'),
  session: z.int().positive(),
  /** Place among the calls of its session. */
  index: z.int().nonnegative(),
  task: z.string(),
  /** Who called: what prepares a task, the agent, or what judges. */
  by: z.enum(['setup', 'agent', 'verifier']),
  /** Digest of the state that it was called in. */
  at: z.string(),
  tool: z.string(),
  input: jsonObjectSchema,
  answer: answerSchema,
  /** The tools after it, when they had changed. */
  tools: z.array(toolSchema).readonly().optional(),
});

const lineSchema = z.discriminatedUnion('kind', [serverSchema, callSchema]);

export type ServerRecord = Omit<z.infer<typeof serverSchema>, 'kind' | 'version'>;
export type CallRecord = Omit<z.infer<typeof callSchema>, 'kind'>;

/** What came of a call, and the tools after it when they had changed. */
export interface CallResult {
  readonly answer: Answer;
  readonly tools?: readonly ToolInfo[] | undefined;
}

/** What a file of calls says. */
export interface Recorded {
  readonly server: ServerRecord;
  readonly sessions: number;
  /** What came of this call in this state, the first time; null when it was never made there. */
  find(at: string, call: ToolCall): CallResult | null;
  /** The calls that agents made in this state. What judges them is not for them to know. */
  callsAt(at: string): readonly ToolCall[];
}

/** Reads a file of calls. A last line that was cut off was never acted on. */
export function readRecording(path: string): Recorded {
  const lines = readText(path).split('\n').slice(0, -1);
  const digest = createDigest();
  const states = new Map<string, Map<string, CallRecord>>();
  let server: ServerRecord | null = null;
  let sessions = 0;
  for (const [index, line] of lines.entries()) {
    const read = readLine(line, `${path}, line ${index + 1}`);
    if (read.kind === 'server') {
      server = read;
      continue;
    }
    sessions = Math.max(sessions, read.session);
    const calls = states.get(read.at) ?? new Map<string, CallRecord>();
    states.set(read.at, calls);
    const key = digest([read.tool, read.input]);
    // The first answer counts: what came later may have been another one.
    if (!calls.has(key)) calls.set(key, read);
  }
  if (server === null) throw unreadable(path, 'It says nothing of a server', 'corrupt-record');
  return {
    server,
    sessions,
    find: (at, { tool, input }) => states.get(at)?.get(digest([tool, input])) ?? null,
    callsAt: at => [...(states.get(at)?.values() ?? [])].filter(({ by }) => by === 'agent'),
  };
}

/** Writes down every call before anybody acts on it. */
export interface RecordingWriter {
  /** A number that no session in the file has. */
  nextSession(): number;
  write(call: CallRecord): void;
  close(): void;
}

/** Goes on with a file of calls of the same server, or begins one. */
export function openRecording(path: string, server: ServerRecord): RecordingWriter {
  const found = existsSync(path) ? readRecording(path) : null;
  if (found !== null && found.server.name !== server.name) throw otherServer(path, found.server.name, server.name);
  let sessions = found?.sessions ?? 0;
  const file = openForAppending(path);
  const append = (line: object): void => writeLine(file, path, line);
  const digest = createDigest();
  if (found === null || digest(toolList(found.server)) !== digest(toolList(server)))
    append({ kind: 'server', version: 1, ...server });
  return {
    nextSession: () => ++sessions,
    write: call => append({ kind: 'call', ...call }),
    close: () => closeSync(file),
  };
}

function toolList({ tools }: ServerRecord) {
  return tools.map(({ name, description, input }) => ({ name, description, input }));
}

function openForAppending(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (existsSync(path)) {
      const bytes = readFileSync(path);
      truncateSync(path, wholeLines(bytes));
    }
    return openSync(path, 'a', 0o600);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

function writeLine(file: number, path: string, line: object): void {
  try {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw unreadable(path, causeText(cause), 'unavailable');
  }
}

function readLine(line: string, where: string): z.infer<typeof lineSchema> {
  const value = parsedJson(line, where);
  const parsed = lineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw unreadable(where, describeIssues(parsed.error), 'corrupt-record');
}

function parsedJson(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw unreadable(where, causeText(cause), 'corrupt-record');
  }
}

function unreadable(where: string, why: string, code: ErrorCode): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code,
    message: `The recorded calls in ${where} cannot be read: ${why}.`,
    expected: 'Expected a file of calls as Espalier writes it; record them again.',
  });
}

function otherServer(path: string, recorded: string, found: string): EspalierError {
  return invalidOption(
    `${path} holds calls of the server "${recorded}", and this one is "${found}".`,
    'Name another file for the calls of this server.',
  );
}

function unwritable(path: string, cause: unknown): EspalierError {
  return new EspalierError({
    boundary: 'store',
    code: cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC' ? 'disk-full' : 'unavailable',
    message: `Calls cannot be written to ${path}: ${causeText(cause)}.`,
    expected: 'Expected a place that can be written to.',
    cause,
  });
}
