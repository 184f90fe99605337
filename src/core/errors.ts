/** Which side of the system broke. A failed attempt names exactly one. */
export type Boundary = 'input' | 'policy' | 'reviewer' | 'strategy' | 'environment' | 'verifier' | 'store' | 'budget';

export type ErrorCode =
  | 'unknown-environment'
  | 'unknown-template'
  | 'unknown-element'
  | 'unknown-command'
  | 'invalid-action'
  | 'invalid-app'
  | 'invalid-state'
  | 'invalid-task'
  | 'invalid-module'
  | 'invalid-option'
  | 'invalid-expression'
  | 'template-failed'
  | 'oracle-failed'
  | 'no-instance'
  | 'type-mismatch'
  | 'view-failed'
  | 'command-failed'
  | 'check-failed'
  | 'foreign-snapshot'
  | 'closed'
  | 'unsupported'
  | 'corrupt-record'
  | 'diverged'
  | 'deadline'
  | 'threw'
  | 'out-of-range'
  | 'out-of-budget'
  | 'unavailable'
  | 'not-found'
  | 'locked'
  | 'disk-full'
  | 'already-ended'
  | 'bad-key'
  | 'unknown-model'
  | 'context-overflow'
  | 'bad-request'
  | 'rate-limited'
  | 'malformed-reply'
  | 'no-credit'
  | 'overlapping-masks';

export interface ErrorDetails {
  readonly boundary: Boundary;
  readonly code: ErrorCode;
  /** What came. */
  readonly message: string;
  /** What was expected, and what to do about it. */
  readonly expected: string;
  readonly cause?: unknown;
}

export class EspalierError extends Error {
  readonly boundary: Boundary;
  readonly code: ErrorCode;
  readonly expected: string;

  constructor({ boundary, code, message, expected, cause }: ErrorDetails) {
    super(`${message} ${expected}`, cause === undefined ? undefined : { cause });
    this.name = 'EspalierError';
    this.boundary = boundary;
    this.code = code;
    this.expected = expected;
  }
}

/** Errors about what somebody gave us, one for each of the usual codes. */
export const invalidOption = inputError('invalid-option');
export const invalidTask = inputError('invalid-task');
export const invalidModule = inputError('invalid-module');
export const invalidApp = inputError('invalid-app');
export const unknownEnvironment = inputError('unknown-environment');

function inputError(code: ErrorCode): (message: string, expected: string) => EspalierError {
  return (message, expected) => new EspalierError({ boundary: 'input', code, message, expected });
}

/** The state reached is not the state recorded: names the first step where the two part. */
export class DivergenceError extends EspalierError {
  readonly step: number;
  readonly recorded: string;
  readonly reached: string;

  constructor(step: number, recorded: string, reached: string) {
    const where = step === 0 ? 'the initial state' : `step ${step}`;
    super({
      boundary: 'environment',
      code: 'diverged',
      message: `Diverged at ${where}: recorded digest ${recorded}, reached ${reached}.`,
      expected: 'The environment must be deterministic: look for ambient time, randomness or shared mutable state.',
    });
    this.name = 'DivergenceError';
    this.step = step;
    this.recorded = recorded;
    this.reached = reached;
  }
}

/**
 * Thrown by a command to say no: the state stays as it was and the agent is told why. It is an answer, not a defect, so
 * no stack is recorded: who samples inputs is refused often, and recording costs more than the command.
 */
export class Refusal extends Error {
  constructor(message: string) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = limit;
    this.name = 'Refusal';
  }
}

export function refuse(message: string): never {
  throw new Refusal(message);
}

export function causeText(cause: unknown): string {
  return fileTrouble(cause) ?? (cause instanceof Error ? cause.message : String(cause));
}

const fileTroubles: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user has no access',
  EPERM: 'this user has no access',
  EROFS: 'it is on a read-only disk',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
};

/** What is wrong with a file, in plain words; null for any other error. */
export function fileTrouble(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null;
  const { code, path, syscall } = cause as { code?: unknown; path?: unknown; syscall?: unknown };
  if (code === 'ERR_INVALID_ARG_VALUE' && cause.message.includes('null bytes')) return 'its name has a NUL character';
  // A program that cannot be started is named by the call: `spawn python3`.
  if (typeof syscall !== 'string' || syscall.startsWith('spawn')) return null;
  const said = fileTroubles[String(code)];
  if (said === undefined) return null;
  return typeof path === 'string' ? `${said} (${path})` : said;
}
