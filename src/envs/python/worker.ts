import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Timers } from '../../core/clock.ts';
import { startMilliseconds } from './find-python.ts';
import { closed, ended, garbage, intruded, late, threw, unstarted } from './faults.ts';
import { startVerifierChild, type VerifierChild } from './child.ts';

export interface VerifierRequest {
  /** The verifier, as an absolute path. */
  readonly file: string;
  /** The server that holds the state to judge. */
  readonly serverUrl: string;
  /** The folder of the app. */
  readonly folder: string;
}

export interface VerifierAnswer {
  readonly passed: boolean;
  readonly message: string;
}

export interface VerifierWorkerOptions {
  readonly python: string;
  readonly timers: Timers;
  readonly deadlineMilliseconds: number;
}

/** One warm Python process. */
export interface VerifierWorker {
  /** One request at a time. */
  ask(request: VerifierRequest): Promise<VerifierAnswer>;
  /** False when it must not be asked again. */
  isFit(): boolean;
  stop(): Promise<void>;
}

const answered = { id: z.string(), spent: z.boolean() };
const lineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('answer'), passed: z.boolean(), message: z.string(), ...answered }),
  z.object({ kind: z.literal('garbage'), returned: z.string(), ...answered }),
  z.object({ kind: z.literal('threw'), error: z.string(), line: z.int().nullable(), ...answered }),
]);
type Line = z.infer<typeof lineSchema>;

/** How long a process that is asked where it hangs may take to say so. */
const graceMilliseconds = 2000;

export function createVerifierWorker(options: VerifierWorkerOptions): VerifierWorker {
  const { python, timers, deadlineMilliseconds } = options;
  // Our deadline comes first; the one of the process is for the case that we are gone.
  const child = startVerifierChild(python, (2 * deadlineMilliseconds + graceMilliseconds) / 1000);
  let [started, stopped, fit] = [false, false, true];

  const start = async (): Promise<void> => {
    const line = await inTime(child.next(), timers, startMilliseconds);
    started = typeof line === 'string' && readLine(line)?.kind === 'ready';
    if (!started) throw await abandon(child, () => (stopped ? closed() : unstarted(python, child.complaint())));
  };

  const ask = async (request: VerifierRequest): Promise<VerifierAnswer> => {
    fit = false;
    if (!started) await start();
    const { file, folder, serverUrl } = request;
    // Not to be guessed: only the worker can answer to it.
    const id = randomUUID();
    child.send({ id, file, folder, url: serverUrl });
    const line = await inTime(child.next(), timers, deadlineMilliseconds);
    if (stopped) throw closed();
    if (line === tooLate) {
      child.kill('SIGUSR1');
      await inTime(child.ended, timers, graceMilliseconds);
      throw await abandon(child, () => late(request, deadlineMilliseconds, child.complaint()));
    }
    if (line === null) throw ended(request, await child.ended);
    const answer = readLine(line);
    if (answer === null || answer.kind === 'ready' || answer.id !== id)
      throw await abandon(child, () => intruded(request, line));
    fit = !answer.spent;
    if (answer.kind === 'threw') throw threw(request, answer.error, answer.line);
    if (answer.kind === 'garbage') throw garbage(request, answer.returned);
    return { passed: answer.passed, message: answer.message };
  };

  return {
    ask,
    isFit: () => fit && !child.isOver(),
    async stop() {
      stopped = true;
      child.kill('SIGKILL');
      await child.ended;
    },
  };
}

/** Ends a process before it is told what was wrong with it. */
async function abandon(child: VerifierChild, fault: () => Error): Promise<Error> {
  child.kill('SIGKILL');
  await child.ended;
  return fault();
}

function readLine(line: string): Line | null {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

const tooLate = Symbol('too late');

function inTime<T>(answer: Promise<T>, timers: Timers, milliseconds: number): Promise<T | typeof tooLate> {
  return new Promise((resolve, reject) => {
    const cancel = timers.after(milliseconds, () => resolve(tooLate));
    answer.finally(cancel).then(resolve, reject);
  });
}
