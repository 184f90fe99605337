import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { inTime, type Timers } from '../../core/clock.ts';
import { startVerifierChild, type VerifierChild, type VerifierChildOptions } from './child.ts';
import { closed, ended, garbage, intruded, late, threw, unstarted, wrote } from './faults.ts';
import { startMilliseconds } from './find-python.ts';

export interface VerifierRequest {
  /** The verifier, as an absolute path inside of the folder. */
  readonly file: string;
  /** The folder of the app: all that the verifier sees of the machine. */
  readonly folder: string;
  /** The state to judge, as the app pushed it; null when it pushed none. */
  readonly state: string | null;
}

export interface VerifierAnswer {
  readonly passed: boolean;
  readonly message: string;
}

export interface VerifierWorkerOptions extends VerifierChildOptions {
  readonly timers: Timers;
}

/** One warm Python process, which forks for each request. */
export interface VerifierWorker {
  /** One request at a time. */
  ask(request: VerifierRequest): Promise<VerifierAnswer>;
  /** False when it must not be asked again. */
  isFit(): boolean;
  stop(): Promise<void>;
}

const answered = { id: z.string() };
const lineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('answer'), passed: z.boolean(), message: z.string(), ...answered }),
  z.object({ kind: z.literal('garbage'), returned: z.string(), ...answered }),
  z.object({ kind: z.literal('threw'), error: z.string(), line: z.int().nullable(), ...answered }),
  z.object({ kind: z.literal('ended'), how: z.string(), ...answered }),
  z.object({ kind: z.literal('intruded'), said: z.string(), ...answered }),
  z.object({ kind: z.literal('wrote'), call: z.string(), ...answered }),
  z.object({ kind: z.literal('late'), stack: z.string(), ...answered }),
]);
type Line = z.infer<typeof lineSchema>;
type Answer = Exclude<Line, { kind: 'ready' }>;

/** How long the process may take to stop a verifier and say where it hung. */
const graceMilliseconds = 2000;

export function createVerifierWorker(options: VerifierWorkerOptions): VerifierWorker {
  const { command, timers, deadlineMilliseconds } = options;
  const child = startVerifierChild(options);
  let [started, stopped, fit] = [false, false, true];

  const start = async (): Promise<void> => {
    const line = await orLate(child.next(), timers, startMilliseconds);
    started = typeof line === 'string' && readLine(line)?.kind === 'ready';
    if (!started)
      throw await abandon(child, () => (stopped ? closed() : unstarted(command.at(-1) ?? '', child.complaint())));
  };
  const hear = async (request: VerifierRequest, id: string): Promise<Answer> => {
    let line = await orLate(child.next(), timers, deadlineMilliseconds);
    const isLate = line === tooLate;
    if (isLate) {
      child.send({ kind: 'stop' });
      line = await orLate(child.next(), timers, graceMilliseconds);
    }
    if (stopped) throw closed();
    const silent = { stack: '', milliseconds: deadlineMilliseconds };
    if (line === tooLate) throw await abandon(child, () => late(request, silent));
    if (line === null) throw ended(request, await child.ended);
    const answer = readLine(line as string);
    if (answer === null || answer.kind === 'ready' || answer.id !== id)
      throw await abandon(child, () => intruded(request, line as string));
    // An answer that came while it was being stopped came too late all the same.
    return isLate && answer.kind !== 'late' ? { kind: 'late', stack: '', id } : answer;
  };

  return {
    async ask(request) {
      fit = false;
      if (!started) await start();
      // Not to be guessed: only the worker can answer to it.
      const id = randomUUID();
      child.send({ id, ...request });
      const answer = await hear(request, id);
      fit = true;
      return read(request, answer, deadlineMilliseconds);
    },
    isFit: () => fit && !child.isOver(),
    async stop() {
      stopped = true;
      child.kill();
      await child.ended;
    },
  };
}

/** What a verifier said; an error when that is no verdict. */
function read(request: VerifierRequest, answer: Answer, milliseconds: number): VerifierAnswer {
  switch (answer.kind) {
    case 'answer':
      return { passed: answer.passed, message: answer.message };
    case 'threw':
      throw threw(request, answer.error, answer.line);
    case 'garbage':
      throw garbage(request, answer.returned);
    case 'ended':
      throw ended(request, answer.how);
    case 'intruded':
      throw intruded(request, answer.said);
    case 'wrote':
      throw wrote(request, answer.call);
    case 'late':
      throw late(request, { stack: answer.stack, milliseconds });
  }
}

/** Ends a process before it is told what was wrong with it. */
async function abandon(child: VerifierChild, fault: () => Error): Promise<Error> {
  child.kill();
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

/** The answer, or that it took too long. */
async function orLate<T>(answer: Promise<T>, timers: Timers, milliseconds: number): Promise<T | typeof tooLate> {
  try {
    return await inTime(answer, { timers, milliseconds, late: () => tooLate });
  } catch (cause) {
    if (cause === tooLate) return tooLate;
    throw cause;
  }
}
