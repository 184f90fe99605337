import { spawn } from 'node:child_process';
import { createSemaphore } from '../../../core/semaphore.ts';
import type { CodeSandbox } from './find-sandbox.ts';
import type { Language } from './languages.ts';
import {
  executed,
  killGroup,
  openExecution,
  prepareProgram,
  usualLimits,
  type AnyProgram,
  type Executed,
  type Execution,
  type FinishedProcess,
  type RunLimits,
  type Unprepared,
} from './run-program.ts';

/** Runs programs beside this thread: whoever waits for one holds up nobody else. */
export interface BackgroundRunner {
  prepare(language: Language, source: string): Promise<AnyProgram | Unprepared>;
}

export interface BackgroundRunnerOptions {
  readonly sandbox: CodeSandbox;
  readonly limits?: RunLimits;
  /** Programs that run at once. Others wait for their turn, and their time does not run meanwhile. */
  readonly atOnce: number;
}

export function createBackgroundRunner({
  sandbox,
  limits = usualLimits,
  atOnce,
}: BackgroundRunnerOptions): BackgroundRunner {
  const inTurn = createSemaphore(atOnce).run;
  const execute = (command: readonly string[], execution: Execution): Promise<Executed> =>
    inTurn(async () => executed(await finished(sandbox, command, execution), execution));
  return { prepare: async (language, source) => prepareProgram(execute, limits, { language, source }) };
}

/** Bytes of what the shell says of processor time: two short lines. */
const longestTimes = 1000;

/** Runs a process to its end, or to a limit: then it is killed with everything that it started. */
function finished(sandbox: CodeSandbox, command: readonly string[], execution: Execution): Promise<FinishedProcess> {
  const { bounds } = execution;
  const opened = openExecution(sandbox, command, execution);
  const { promise, resolve } = Promise.withResolvers<FinishedProcess>();
  try {
    const child = spawn(opened.program, opened.args, { ...opened.options, stdio: opened.stdio });
    const pid = child.pid ?? 0;
    let code: string | null = null;
    const stop = (why: string): void => {
      code ??= why;
      if (pid > 0) killGroup(pid);
    };
    const timer = setTimeout(() => stop('ETIMEDOUT'), bounds.wallMilliseconds);
    const [stdout, stderr] = [child.stdout, child.stderr].map(stream =>
      collect(stream, bounds.output, () => stop('ENOBUFS')),
    );
    const times = collect(child.stdio[opened.stdio.length - 1] as NodeJS.ReadableStream | null, longestTimes, () => {});
    const end = (ended: Pick<FinishedProcess, 'status' | 'signal' | 'error'>): void => {
      clearTimeout(timer);
      const limit = code === null ? {} : { error: Object.assign(new Error(code), { code }) };
      const texts = { stdout: stdout?.() ?? Buffer.alloc(0), stderr: stderr?.() ?? Buffer.alloc(0) };
      resolve({ pid, ...texts, times: times(), ...ended, ...limit });
    };
    child.once('error', error => end({ status: null, signal: null, error }));
    child.once('close', (status, signal) => end({ status, signal }));
  } finally {
    // The process has descriptors of its own by now.
    opened.close();
  }
  return promise;
}

/** Keeps what a stream says, up to a number of bytes. */
function collect(stream: NodeJS.ReadableStream | null, most: number, onTooMuch: () => void): () => Buffer {
  const pieces: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (piece: Buffer) => {
    if (bytes + piece.length > most) onTooMuch();
    const kept = piece.subarray(0, most - bytes);
    bytes += kept.length;
    if (kept.length > 0) pieces.push(kept);
  });
  return () => Buffer.concat(pieces);
}
