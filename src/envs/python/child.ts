import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { kill } from 'node:process';
import type { Duplex, Readable } from 'node:stream';
import { systemCallFilter } from '../code/sandbox/system-call-filter.ts';
import { workerSource } from './worker-source.ts';

export interface VerifierChildOptions {
  /** The program and what it is run with, up to the arguments of Python itself. */
  readonly command: readonly string[];
  readonly sandboxed: boolean;
  readonly deadlineMilliseconds: number;
}

/** A Python process that reads orders and writes answers, a line each. */
export interface VerifierChild {
  send(order: object): void;
  /** The next line it writes; null when it has ended. One caller at a time. */
  next(): Promise<string | null>;
  /** The end of what it wrote to stderr. */
  complaint(): string;
  /** How it ended: `exit code 3`, `signal SIGKILL`. */
  readonly ended: Promise<string>;
  isOver(): boolean;
  kill(): void;
}

/** Nothing of our own environment reaches a verifier, and what could make two answers differ is fixed. */
const environment = {
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  PYTHONHASHSEED: '0',
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONIOENCODING: 'utf-8',
};

const longestLine = 100_000;
const longestComplaint = 8000;

/** What one verifier may use. A state of 32 MB, read and parsed, takes half of the memory. */
const memory = 1024 * 1024 * 1024;
const tasks = 8;

/** Users that nobody has: each worker lends another one to its verifiers, so that tasks are counted for each. */
const strangers = { from: 20_000, count: 40_000 };

function start(options: VerifierChildOptions): ChildProcess {
  const { sandboxed, deadlineMilliseconds } = options;
  const stranger = strangers.from + randomInt(strangers.count);
  // Our deadline comes first; this one is for time that is counted and not waited for.
  const seconds = Math.ceil(deadlineMilliseconds / 1000) + 1;
  const [program = '', ...args] = options.command;
  const filter = systemCallFilter()?.toString('base64') ?? null;
  const settings = JSON.stringify({ sandboxed, memory, tasks, stranger, seconds, filter });
  return spawn(program, [...args, '-c', workerSource, settings], {
    env: environment,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
}

export function startVerifierChild(options: VerifierChildOptions): VerifierChild {
  const child = start(options);
  const errors = child.stdio[2] as Readable;
  const orders = child.stdio[3] as Duplex;
  const answers = child.stdio[4] as Duplex;
  const lines: string[] = [];
  let [text, complaint, over] = ['', '', false];
  let waiting: ((line: string | null) => void) | null = null;
  const offer = (): void => {
    if (waiting === null || (lines.length === 0 && !over)) return;
    const hear = waiting;
    waiting = null;
    hear(lines.shift() ?? null);
  };

  answers.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (text + chunk).split('\n');
    text = parts.pop() ?? '';
    lines.push(...parts);
    if (text.length > longestLine) child.kill('SIGKILL');
    offer();
  });
  errors.setEncoding('utf8').on('data', (chunk: string) => {
    complaint = (complaint + chunk).slice(-longestComplaint);
  });
  // A process that dies while it is spoken to: its end tells.
  for (const stream of [errors, orders, answers]) stream.on('error', () => undefined);
  const ended = new Promise<string>(resolve => {
    const end = (how: string): void => {
      over = true;
      offer();
      resolve(how);
    };
    child.on('error', cause => end(cause.message));
    // What it was asked to run may hold its channels a moment longer.
    child.on('exit', () => (over = true));
    child.on('close', (code, signal) => end(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  return {
    send: order => void orders.write(`${JSON.stringify(order)}\n`),
    next: () =>
      new Promise(resolve => {
        waiting = resolve;
        offer();
      }),
    complaint: () => complaint,
    ended,
    isOver: () => over,
    kill() {
      // A sandbox that is being set up is two processes, and the second may wait for the first for ever.
      if (!over && child.pid !== undefined) killGroup(child.pid);
      orders.destroy();
    },
  };
}

function killGroup(pid: number): void {
  try {
    kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
