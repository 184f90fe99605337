import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { endProcess } from '../workers/process-guard.ts';
import { cellBytes, cellNames, checkMilliseconds, hooks, type WatcherSetup } from './cells.ts';

export interface WatchdogOptions {
  /** How long code of others may run in this thread without a pause before the program ends. */
  readonly limitMilliseconds: number;
  /** Signals whose handlers cannot run while this thread is stuck. */
  readonly signals: readonly NodeJS.Signals[];
  /** Addresses of folders whose code is ours, too. */
  readonly beside?: readonly string[];
  /** Told last, before the program ends: where the code is that did not return. Must not wait for anything. */
  onEnd(where: string): void;
}

export interface Watchdog {
  close(): void;
}

/**
 * Watches this thread from another one. While it is stuck, signals end the program at once, as no handler of ours could run. Code
 * of others that does not return within the limit ends the program, with exit code 1.
 */
export function startWatchdog({ limitMilliseconds, signals, beside = [], onEnd }: WatchdogOptions): Watchdog {
  // Kept now: code of others may replace it.
  const later = setImmediate;
  const shared = new SharedArrayBuffer(cellBytes);
  const cells = new Int32Array(shared);
  const setup: WatcherSetup = { shared, limitMilliseconds };
  const worker = new Worker(new URL(`./watcher${extname(import.meta.url)}`, import.meta.url), { workerData: setup });
  worker.unref();
  // Without a watchdog the run goes on.
  worker.on('error', () => undefined);
  const beating = setInterval(() => Atomics.add(cells, cellNames.beats, 1), checkMilliseconds);
  beating.unref();
  let where: string | null = null;
  let isClosed = false;
  const own = {
    look(): void {
      where = foreignFrame(stackNow(), beside);
      Atomics.store(cells, cellNames.foreign, where === null ? 0 : 1);
      for (const signal of signals) {
        const handlers = process.rawListeners(signal);
        if (handlers.length === 0) continue;
        process.removeAllListeners(signal);
        later(() => {
          if (!isClosed) for (const handler of handlers) process.on(signal, handler as () => void);
        });
      }
    },
    end(): void {
      later(() => {
        onEnd(where ?? 'unknown');
        endProcess(1);
      });
    },
  };
  Object.defineProperty(globalThis, Symbol.for(hooks), { value: own, configurable: true });
  return {
    close() {
      isClosed = true;
      clearInterval(beating);
      Reflect.deleteProperty(globalThis, Symbol.for(hooks));
      void worker.terminate();
    },
  };
}

const manyFrames = 200;

function stackNow(): string {
  const usual = Error.stackTraceLimit;
  Error.stackTraceLimit = manyFrames;
  const { stack = '' } = new Error('stack');
  Error.stackTraceLimit = usual;
  return stack;
}

/** Our own files. */
const ownRoot = new URL('../../', import.meta.url).href;

/** The innermost frame that is neither ours nor of a package: `sample in /home/me/app.ts:12`; null when there is none. */
function foreignFrame(stack: string, beside: readonly string[]): string | null {
  const roots = [ownRoot, ...beside];
  for (const line of stack.split('\n')) {
    const [, name, url, row] = /^\s+at (?:(.*) \()?(file:.*?):(\d+):\d+\)?$/.exec(line) ?? [];
    if (url === undefined || roots.some(root => url.startsWith(root)) || url.includes('/node_modules/')) continue;
    return `${name === undefined ? '' : `${name} in `}${fileURLToPath(url)}:${row}`;
  }
  return null;
}
