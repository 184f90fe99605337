import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import { kill } from 'node:process';
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
  /** Characters of a program. */
  readonly source: number;
}

export const usualLimits: RunLimits = {
  wallMilliseconds: 6000,
  cpuSeconds: 2,
  output: 1_000_000,
  disk: 16,
  source: 64_000,
};

/** The compiler may use more than the program: it is not the agent's. */
const compileLimits = { wallMilliseconds: 20_000, cpuSeconds: 10, output: 8_000_000, disk: 32 };

/** How a run ended. Only `done` has an output to compare. */
export type RunOutcome =
  | { readonly kind: 'done'; readonly output: string }
  | { readonly kind: 'failed'; readonly exit: string; readonly output: string; readonly errors: string }
  | { readonly kind: 'time-limit' | 'output-limit' | 'too-long' | 'does-not-compile'; readonly errors: string };

export interface PreparedProgram {
  run(input: string): RunOutcome;
}

export interface ProgramRunner {
  /** Compiles a program where its language does so; what came of it when that failed. */
  prepare(language: Language, source: string): PreparedProgram | Extract<RunOutcome, { errors: string }>;
}

const longestErrors = 2000;

/** Runs programs of any language by standard input and output, each run in a sandbox of its own. */
export function createProgramRunner(sandbox: CodeSandbox, limits: RunLimits = usualLimits): ProgramRunner {
  const execute = (command: readonly string[], { language, files, input, bounds }: Execution): Executed => {
    const descriptors = [input, sandbox.filter, ...files.map(({ content }) => content)].map(openNameless);
    const [standardInput = 0, ...others] = descriptors;
    try {
      const { memory, processes } = language;
      const allowed: ProcessLimits = { memory, processes, cpuSeconds: bounds.cpuSeconds, disk: bounds.disk };
      const shown = files.map(({ path, executable }, index) => ({
        path,
        executable,
        descriptor: filterDescriptor + 1 + index,
      }));
      const [program = '', ...args] = sandbox.wrap(command, {
        limits: allowed,
        files: shown,
        filter: filterDescriptor,
      });
      const options = {
        env: {},
        timeout: bounds.wallMilliseconds,
        maxBuffer: bounds.output,
        killSignal: 'SIGKILL',
        detached: true,
      } as const;
      const stdio = [standardInput, 'pipe' as const, 'pipe' as const, ...others];
      const closed = [...closeOthers, String(stdio.length), program, ...args];
      return executed(spawnSync('/bin/bash', closed, { ...options, stdio }), language);
    } finally {
      descriptors.forEach(closeSync);
    }
  };
  return {
    prepare(language, source) {
      requirePrograms(language);
      if (source.length > limits.source)
        return {
          kind: 'too-long',
          errors: `Expected at most ${limits.source} characters, but there are ${source.length}.`,
        };
      const text: ProgramFile = { path: `${workFolder}/${language.file}`, content: source, executable: false };
      let files: readonly ProgramFile[] = [text];
      if (language.compile !== undefined) {
        const command = [
          '/bin/sh',
          '-c',
          `"$@" >&2 && cat ${compiledFile}`,
          'sh',
          ...fillCommand(language.compile, language),
        ];
        const { outcome, bytes } = execute(command, { language, files, input: '', bounds: compileLimits });
        if (outcome.kind !== 'done')
          return { kind: 'does-not-compile', errors: outcome.errors || 'The compiler did not end in time.' };
        files = [{ path: compiledFile, content: bytes, executable: true }];
      }
      const command = fillCommand(language.run, language);
      return { run: input => execute(command, { language, files, input, bounds: limits }).outcome };
    },
  };
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

/** Looked up outside: what a program says of its own start is not believed. */
function requirePrograms(language: Language): void {
  const commands = [language.compile, language.run].filter(command => command !== undefined);
  for (const [program = ''] of commands)
    if (program.startsWith('/') && !existsSync(program)) throw notStarted(language, `${program} is not there`);
}

interface ProgramFile {
  readonly path: string;
  readonly content: string | Buffer;
  readonly executable: boolean;
}

interface Execution {
  readonly language: Language;
  readonly files: readonly ProgramFile[];
  readonly input: string;
  readonly bounds: Omit<RunLimits, 'source'>;
}

interface Executed {
  readonly outcome: RunOutcome;
  readonly bytes: Buffer;
}

/** Descriptors 0 to 2 are standard input, output and errors. */
const filterDescriptor = 3;

function executed(result: SpawnSyncReturns<Buffer>, language: Language): Executed {
  const { error, pid, status, signal, stdout, stderr } = result;
  const bytes = stdout ?? Buffer.alloc(0);
  const errors = (stderr ?? Buffer.alloc(0)).toString('utf8').trim().slice(-longestErrors);
  if (error !== undefined && pid > 0) killGroup(pid);
  const code = error !== undefined && 'code' in error ? error.code : null;
  if (code === 'ETIMEDOUT') return { bytes, outcome: { kind: 'time-limit', errors } };
  if (code === 'ENOBUFS') return { bytes, outcome: { kind: 'output-limit', errors } };
  if (error !== undefined) throw notStarted(language, error.message);
  const output = bytes.toString('utf8');
  if (status === 0) return { bytes, outcome: { kind: 'done', output } };
  if (status === cpuExceeded) return { bytes, outcome: { kind: 'time-limit', errors } };
  const exit = signal === null ? exitText(status) : `signal ${signal}`;
  return { bytes, outcome: { kind: 'failed', exit, output, errors } };
}

/** bubblewrap reports a signal as 128 and its number; SIGXCPU is 24. */
const signalBase = 128;
const cpuExceeded = signalBase + 24;

function exitText(status: number | null): string {
  const number = status ?? 0;
  return number > signalBase && number < signalBase + 65 ? `signal ${number - signalBase}` : `exit code ${number}`;
}

/** A sandbox that is being set up is two processes. */
function killGroup(pid: number): void {
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
