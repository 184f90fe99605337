import type { Timers } from '../../core/clock.ts';
import { findPython } from './find-python.ts';
import { closed } from './faults.ts';
import { createVerifierWorker, type VerifierAnswer, type VerifierRequest, type VerifierWorker } from './worker.ts';

export interface VerifierPoolOptions {
  /** A certain Python; else the first in the usual places that has `requests`. */
  readonly python?: string;
  /** How many requests are answered at once. */
  readonly workers: number;
  readonly timers: Timers;
  readonly deadlineMilliseconds: number;
}

/** Runs verifiers of app folders in warm Python processes, which start when they are first needed. */
export interface VerifierPool {
  /** What the verifier says; a typed error at the verifier when it says nothing that can be used. */
  verify(request: VerifierRequest): Promise<VerifierAnswer>;
  /** Ends every process; whoever still waits is told. */
  close(): Promise<void>;
}

export function createVerifierPool({
  python,
  workers,
  timers,
  deadlineMilliseconds,
}: VerifierPoolOptions): VerifierPool {
  const idle: VerifierWorker[] = [];
  const busy = new Set<VerifierWorker>();
  const waiting: (() => void)[] = [];
  let [free, isClosed] = [workers, false];
  let found: Promise<string> | null = null;

  const enter = async (): Promise<void> => {
    if (isClosed) throw closed();
    if (free > 0) free--;
    else await new Promise<void>(resolve => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  const take = async (): Promise<VerifierWorker> => {
    found ??= findPython(python);
    const path = await found;
    if (isClosed) throw closed();
    // One that was ended from outside while it was idle says nothing of the verifier that comes next.
    let worker = idle.pop();
    while (worker !== undefined && !worker.isFit()) worker = idle.pop();
    return worker ?? createVerifierWorker({ python: path, timers, deadlineMilliseconds });
  };

  return {
    async verify(request) {
      await enter();
      try {
        const worker = await take();
        busy.add(worker);
        try {
          return await worker.ask(request);
        } finally {
          busy.delete(worker);
          if (isClosed || !worker.isFit()) await worker.stop();
          else idle.push(worker);
        }
      } finally {
        leave();
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...busy, ...idle.splice(0)].map(worker => worker.stop()));
    },
  };
}
