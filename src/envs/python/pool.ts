import type { Timers } from '../../core/clock.ts';
import { createSemaphore } from '../../core/semaphore.ts';
import { closed } from './faults.ts';
import { findPython, type Python } from './find-python.ts';
import { findSandbox, type Sandbox, type SandboxRule } from './sandbox.ts';
import { createVerifierWorker, type VerifierAnswer, type VerifierRequest, type VerifierWorker } from './worker.ts';

export interface VerifierPoolOptions {
  /** A certain Python; else the first in the usual places that has `requests`. */
  readonly python?: string;
  /** How many requests are answered at once. */
  readonly workers: number;
  readonly timers: Timers;
  readonly deadlineMilliseconds: number;
  /** Without a sandbox verifiers run all the same, unless it is required. */
  readonly sandbox?: SandboxRule;
}

/** Runs verifiers of app folders in warm Python processes, which start when they are first needed. */
export interface VerifierPool {
  /** What the verifier says; a typed error at the verifier when it says nothing that can be used. */
  verify(request: VerifierRequest): Promise<VerifierAnswer>;
  /** Why verifiers run without a sandbox; null when they have one. */
  missingSandbox(): Promise<string | null>;
  /** Ends every process; whoever still waits is told. */
  close(): Promise<void>;
}

export function createVerifierPool({
  python,
  workers,
  timers,
  deadlineMilliseconds,
  sandbox: rule = 'prefer',
}: VerifierPoolOptions): VerifierPool {
  const idle: IdleWorker[] = [];
  const busy = new Set<VerifierWorker>();
  const inTurn = createSemaphore(workers).run;
  let isClosed = false;
  let found: Promise<{ python: Python; sandbox: Sandbox }> | null = null;

  const prepare = async (): Promise<{ python: Python; sandbox: Sandbox }> => {
    const chosen = await findPython(python);
    return { python: chosen, sandbox: await findSandbox(chosen, rule) };
  };

  const take = async (folder: string): Promise<VerifierWorker> => {
    found ??= prepare();
    const { python: chosen, sandbox } = await found;
    if (isClosed) throw closed();
    const ready = await takeIdle(idle, folder, workers);
    if (ready !== null) return ready;
    const command = sandbox.wrap([chosen.executable], folder);
    return createVerifierWorker({ command, sandboxed: sandbox.missing === null, timers, deadlineMilliseconds });
  };

  return {
    async verify(request) {
      if (isClosed) throw closed();
      return inTurn(async () => {
        const worker = await take(request.folder);
        busy.add(worker);
        try {
          return await worker.ask(request);
        } finally {
          busy.delete(worker);
          if (isClosed || !worker.isFit()) await worker.stop();
          else idle.push({ folder: request.folder, worker });
        }
      });
    },
    async missingSandbox() {
      found ??= prepare();
      return (await found).sandbox.missing;
    },
    async close() {
      isClosed = true;
      const all = [...busy, ...idle.splice(0).map(({ worker }) => worker)];
      await Promise.all(all.map(worker => worker.stop()));
    },
  };
}

/** A process that waits, and the folder that it sees. */
interface IdleWorker {
  readonly folder: string;
  readonly worker: VerifierWorker;
}

/** One that waits for this folder. One for another folder makes way when there are as many as may work at once. */
async function takeIdle(idle: IdleWorker[], folder: string, most: number): Promise<VerifierWorker | null> {
  for (;;) {
    const place = idle.findLastIndex(each => each.folder === folder);
    if (place < 0 && idle.length < most) return null;
    const [taken] = idle.splice(Math.max(place, 0), 1);
    if (taken === undefined) return null;
    // One that was ended from outside while it was idle says nothing of the verifier that comes next.
    if (place >= 0 && taken.worker.isFit()) return taken.worker;
    await taken.worker.stop();
  }
}
