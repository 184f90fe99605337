import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import { kill } from 'node:process';
import { after, atOnce, type Awaitable } from '../../../core/contracts.ts';
import { EspalierError } from '../../../core/errors.ts';
import type { CodeSandbox, ProcessLimits } from './find-sandbox.ts';
import { compiledFile, fillCommand, workFolder, type Language } from './languages.ts';
import { openNameless } from './nameless-file.ts';

export interface RunLimits {
  /** Time of the clock for one run. */
  readonly wallMilliseconds: number;
  readonly cpuSeconds: number;
  /** Bytes of standard output, and as many of standard error. */
  readonly output: number;
  /** MB that a program may write to its folder. */
  readonly disk: number;
  /** Files and folders that a program may have there. */
  readonly files: number;
  /** Characters of a program. */
  readonly source: number;
}

export const usualLimits: RunLimits = {
  wallMilliseconds: 6000,
  cpuSeconds: 2,
  output: 1_000_000,
  disk: 16,
  files: 4096,
  source: 64_000,
};

/** The compiler may use more than the program: it is not the agent's. */
const compileLimits = { wallMilliseconds: 20_000, cpuSeconds: 10, output: 8_000_000, disk: 32, files: 4096 };

/** How a run ended. Only `done` has an output to compare. */
export type RunOutcome =
  | { readonly kind: 'done'; readonly output: string }
  | { readonly kind: 'failed'; readonly exit: string; readonly output: string; readonly errors: string }
  | {
      readonly kind: 'time-limit' | 'output-limit' | 'disk-limit' | 'too-long' | 'does-not-compile';
      readonly errors: string;
    };

/** What came of a program that cannot be run. */
export type Unprepared = Extract<RunOutcome, { errors: string }>;

interface PreparedProgram {
  run(input: string): RunOutcome;
}

/** Runs programs, and blocks this thread meanwhile: for planners. Episodes run theirs in the background. */
export interface ProgramRunner {
  /** Compiles a program where its language does so; what came of it when that failed. */
  prepare(language: Language, source: string): PreparedProgram | Unprepared;
}

/** Either way to run programs: this thread is blocked, or waits for a promise. */
export interface AnyRunner {
  prepare(language: Language, source: string): Awaitable<AnyProgram | Unprepared>;
}

export interface AnyProgram {
  run(input: string): Awaitable<RunOutcome>;
}

const longestErrors = 2000;

/** Runs programs of any language by standard input and output, each run in a sandbox of its own. */
export function createProgramRunner(sandbox: CodeSandbox, limits: RunLimits = usualLimits): ProgramRunner {
  const execute = (command: readonly string[], execution: Execution): Executed => {
    const { wallMilliseconds: timeout, output: maxBuffer } = execution.bounds;
    const { program, args, options, stdio, close } = openExecution(sandbox, command, execution);
    try {
      const ended = spawnSync(program, args, { ...options, stdio, timeout, maxBuffer });
      return executed({ ...ended, times: ended.output?.[stdio.length - 1] ?? null }, execution);
    } finally {
      close();
    }
  };
  return {
    prepare: (language, source) =>
      atOnce(prepareProgram(execute, limits, { language, source })) as PreparedProgram | Unprepared,
  };
}

/** A command in its sandbox, ready to be started. */
interface OpenExecution {
  readonly program: string;
  readonly args: readonly string[];
  readonly options: { readonly env: Record<string, string>; readonly killSignal: 'SIGKILL'; readonly detached: true };
  /** The last one tells the processor time. */
  readonly stdio: (number | 'pipe')[];
  /** Closes the files that were opened for it. */
  close(): void;
}

export function openExecution(
  sandbox: CodeSandbox,
  command: readonly string[],
  { language, files, input, bounds }: Execution,
): OpenExecution {
  const descriptors = [input, sandbox.filter, ...files.map(({ content }) => content)].map(openNameless);
  const [standardInput = 0, ...others] = descriptors;
  const { memory, processes } = language;
  const { cpuSeconds, disk, files: mostFiles } = bounds;
  const limits: ProcessLimits = { memory, processes, cpuSeconds, disk, files: mostFiles };
  const shown = files.map(({ path, executable }, index) => ({
    path,
    executable,
    descriptor: filterDescriptor + 1 + index,
  }));
  const stdio = [standardInput, 'pipe' as const, 'pipe' as const, ...others, 'pipe' as const];
  const wrapped = sandbox.wrap(command, {
    limits,
    files: shown,
    filter: filterDescriptor,
    times: stdio.length - 1,
  });
  return {
    program: '/bin/bash',
    args: [...closeOthers, String(stdio.length), ...wrapped],
    options: { env: {}, killSignal: 'SIGKILL', detached: true },
    stdio,
    close: () => descriptors.forEach(descriptor => closeSync(descriptor)),
  };
}

type Execute = (command: readonly string[], execution: Execution) => Awaitable<Executed>;

/** The same for both ways to run a program: at once, or in the background. */
export function prepareProgram(
  execute: Execute,
  limits: RunLimits,
  { language, source }: { readonly language: Language; readonly source: string },
): Awaitable<AnyProgram | Unprepared> {
  requirePrograms(language);
  if (source.length > limits.source)
    return {
      kind: 'too-long',
      errors: `Expected at most ${limits.source} characters, but there are ${source.length}.`,
    };
  const ready = (files: readonly ProgramFile[]): AnyProgram => {
    const command = fillCommand(language.run, language);
    return {
      run: input => after(execute(command, { language, files, input, bounds: limits }), ({ outcome }) => outcome),
    };
  };
  const text: ProgramFile = { path: `${workFolder}/${language.file}`, content: source, executable: false };
  if (language.compile === undefined) return ready([text]);
  const compile = fillCommand(language.compile, language);
  const command = ['/bin/sh', '-c', `"$@" >&2 && cat ${compiledFile}`, 'sh', ...compile];
  const compiling = execute(command, { language, files: [text], input: '', bounds: compileLimits });
  return after(compiling, ({ outcome, bytes }) =>
    outcome.kind === 'done'
      ? ready([{ path: compiledFile, content: bytes, executable: true }])
      : { kind: 'does-not-compile' as const, errors: outcome.errors || 'The compiler did not end in time.' },
  );
}

/**
 * Closes descriptors that Espalier itself was started with, such as a lock of the shell: a program would have them, too. The first
 * argument is the number of those that stay.
 */
const closeOthers = [
  '-c',
  'k=$1; shift; for f in /proc/self/fd/*; do n=${f##*/}; if [ "$n" -ge "$k" ]; then eval "exec $n>&-" 2>/dev/null; fi; done; exec "$@"',
  'close',
];

/** Refuses a language whose compiler or program is missing. Looked up outside: what a program says of its own start is not believed. */
export function requirePrograms(language: Language): void {
  const commands = [language.compile, language.run].filter(command => command !== undefined);
  for (const [program = ''] of commands)
    if (program.startsWith('/') && !existsSync(program)) throw notStarted(language, `${program} is not there`);
}

interface ProgramFile {
  readonly path: string;
  readonly content: string | Buffer;
  readonly executable: boolean;
}

export interface Execution {
  readonly language: Language;
  readonly files: readonly ProgramFile[];
  readonly input: string;
  readonly bounds: Omit<RunLimits, 'source'>;
}

export interface Executed {
  readonly outcome: RunOutcome;
  readonly bytes: Buffer;
}

/** Descriptors 0 to 2 are standard input, output and errors. */
const filterDescriptor = 3;

export type FinishedProcess = Pick<
  SpawnSyncReturns<Buffer>,
  'error' | 'pid' | 'status' | 'signal' | 'stdout' | 'stderr'
> & {
  /** What the shell said of processor time and of the folder; null or empty when the shell was stopped. */
  readonly times: Buffer | null;
};

export function executed(process: FinishedProcess, { language, bounds }: Execution): Executed {
  const { error, pid, status, signal, stdout, stderr, times } = process;
  const bytes = stdout ?? Buffer.alloc(0);
  const errors = (stderr ?? Buffer.alloc(0)).toString('utf8').trim().slice(-longestErrors);
  if (error !== undefined && pid > 0) killGroup(pid);
  const code = error !== undefined && 'code' in error ? error.code : null;
  if (code === 'ETIMEDOUT') return { bytes, outcome: { kind: 'time-limit', errors } };
  if (code === 'ENOBUFS') return { bytes, outcome: { kind: 'output-limit', errors } };
  if (error !== undefined) throw notStarted(language, error.message);
  const output = bytes.toString('utf8');
  // Whatever it ended with: a program that found no room may have gone on without what it meant to write.
  if (isFull(times, bounds.files)) return { bytes, outcome: { kind: 'disk-limit', errors } };
  if (status === 0) return { bytes, outcome: { kind: 'done', output } };
  if (isOverTime(status, processorSeconds(times), bounds.cpuSeconds))
    return { bytes, outcome: { kind: 'time-limit', errors } };
  const exit = signal === null ? exitText(status) : `signal ${signal}`;
  return { bytes, outcome: { kind: 'failed', exit, output, errors } };
}

/** bubblewrap reports a signal as 128 and its number; SIGXCPU is 24. */
const signalBase = 128;
const cpuExceeded = signalBase + 24;
const killed = signalBase + 9;
/** The limit counts ticks of the clock, and `times` is exact: on a busy machine they differ. */
const leastShare = 0.5;

/**
 * Whether the limit on processor time ended a program. Any program can end with the same number, so the time that its processes
 * took counts, too. The signal of the limit can be ignored; a second later the end cannot.
 */
function isOverTime(status: number | null, used: number, limit: number): boolean {
  return (status === cpuExceeded && used >= leastShare * limit) || (status === killed && used >= limit);
}

/** Seconds of all processes of a program, from the second line of `times`: user, then system. */
function processorSeconds(times: Buffer | null): number {
  const [, children = ''] = (times ?? '').toString().split('\n');
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
}

/** Whether a program left no room in its folder, or more files than it may have. */
function isFull(said: Buffer | null, mostFiles: number): boolean {
  const [, blocks, files, freeFiles] = /^room (\d+) (\d+) (\d+)$/m.exec(String(said ?? '')) ?? [];
  if (blocks === undefined) return false;
  return Number(blocks) === 0 || Number(freeFiles) === 0 || Number(files) - Number(freeFiles) >= mostFiles;
}

/** The same number may be the exit code of a program, or the signal that ended it. */
function exitText(status: number | null): string {
  const number = status ?? 0;
  const isAmbiguous = number > signalBase && number < signalBase + 65;
  return `exit code ${number}${isAmbiguous ? ` (or signal ${number - signalBase})` : ''}`;
}

/** A sandbox that is being set up is two processes. */
export function killGroup(pid: number): void {
  try {
    kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

function notStarted(language: Language, reason: string): EspalierError {
  return new EspalierError({
    boundary: 'verifier',
    code: 'unavailable',
    message: `A program in ${language.name} could not be started: ${reason.slice(0, 300)}.`,
    expected: language.install,
  });
}
