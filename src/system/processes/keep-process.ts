import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { EspalierError } from '../../core/errors.ts';
import type { Clock, Timers } from '../../core/clock.ts';

export interface KeptProcessOptions {
  /** Of the command line: what the process does. It says in one line of JSON that it is ready. */
  readonly args: readonly string[];
  readonly timers: Timers;
  readonly clock: Clock;
  /** Told what it said, each time that it is ready. */
  onReady(said: unknown): void;
  /** Told how it ended, when nobody told it to. */
  onGone(how: string): void;
}

/** A process of this program that is started again when it ends. */
export interface KeptProcess {
  /** Comes when it is ready for the first time. Throws when it ends before. */
  readonly started: Promise<void>;
  /** Tells it to stop, and waits until it has; `hurry` ends it at once. */
  stop(hurry: AbortSignal): Promise<void>;
}

const [firstPause, longestPause] = [100, 5000];
/** Who was ready for so long has not failed to start. */
const settledMilliseconds = 10_000;

export function keepProcess({ args, timers, clock, onReady, onGone }: KeptProcessOptions): KeptProcess {
  let child: ChildProcess = start(args);
  let isStopping = false;
  let cancel = (): void => undefined;
  let pause = firstPause;
  const watch = (ready: () => void, failed: (how: string) => void): void => {
    let readyAt: number | null = null;
    const current = child;
    createInterface({ input: current.stdout as NodeJS.ReadableStream }).once('line', line => {
      readyAt = clock.now();
      onReady(JSON.parse(line));
      ready();
    });
    current.once('error', cause => failed(cause.message));
    current.once('exit', (code, signal) => {
      const how = String(signal ?? code);
      if (isStopping) return;
      if (readyAt !== null) onGone(how);
      else failed(how);
      if (readyAt !== null && clock.now() - readyAt > settledMilliseconds) pause = firstPause;
      cancel = timers.after(pause, again);
      pause = Math.min(2 * pause, longestPause);
    });
  };
  const again = (): void => {
    if (isStopping) return;
    child = start(args);
    watch(
      () => undefined,
      () => undefined,
    );
  };
  const started = new Promise<void>((resolve, reject) => {
    watch(resolve, how => {
      isStopping = true;
      reject(cannotStart(how));
    });
  });
  return {
    started,
    async stop(hurry) {
      isStopping = true;
      cancel();
      if (child.exitCode !== null || child.signalCode !== null) return;
      const end = (): void => void child.kill('SIGKILL');
      if (hurry.aborted) end();
      else hurry.addEventListener('abort', end, { once: true });
      const closed = new Promise(resolve => child.once('close', resolve));
      child.kill('SIGTERM');
      await closed;
      hurry.removeEventListener('abort', end);
    },
  };
}

/** Over the channel it hears when this process is gone, however it ended: then it stops, too. */
function start(args: readonly string[]): ChildProcess {
  const up = import.meta.url.endsWith('.ts') ? '../../../' : '../../../../';
  const program = fileURLToPath(new URL(`${up}bin/espalier.js`, import.meta.url));
  return spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ESPALIER_LAUNCHED: '1' },
  });
}

function cannotStart(how: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `A process of the server did not start (${how}).`,
    expected: 'It has said why above.',
  });
}
