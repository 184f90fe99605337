import type { Action } from '../../core/action.ts';
import { ownChecks } from '../../core/check-ids.ts';
import type { Timers } from '../../core/clock.ts';
import type { Awaitable, Environment, Session } from '../../core/contracts.ts';
import { describeStep } from '../../core/episode/view.ts';
import { causeText, EspalierError, type Boundary } from '../../core/errors.ts';
import type { StepOutcome, Task, Verdict } from '../../core/records.ts';
import { createTree } from '../../core/tree.ts';
import type { Ending, Recorder, Recording } from './recorder.ts';

/** An open session and the episode that is recorded from it. */
export interface RecordedSession {
  look(): Promise<string>;
  step(action: Action): Promise<StepOutcome>;
  steps(): number;
  /** What the client was told last. */
  told(text: string): void;
  /** Ends the episode; `stopped` says why, null when the client finished. */
  verify(stopped: string | null): Promise<void>;
  /** Ends the episode without a verdict: the client went away. */
  abandon(why: string): Promise<void>;
  /** Ends the episode with an error. */
  fail(cause: unknown): Promise<void>;
}

export interface RecordedSessionOptions {
  readonly environment: Environment;
  readonly task: Task;
  readonly recorder: Recorder;
  readonly timers: Timers;
  /** Whether clients are shown the screen. */
  readonly screen: boolean;
}

/** A world that takes longer counts as broken. */
const deadlineMilliseconds = 120_000;

/** Opens a task for a client. A failure to open it is recorded as an episode too. */
export async function openRecordedSession(options: RecordedSessionOptions, client: string): Promise<RecordedSession> {
  const { environment, task, recorder, timers } = options;
  const recording = recorder.begin(task, client);
  const guard: Guard = (boundary, work) => inTime(timers, boundary, work);
  let session: Session | null = null;
  try {
    session = await guard('environment', () => environment.open(task));
    const root = await guard('environment', () => (session as Session).digest());
    recording.append({ kind: 'open', root });
    return recordedSessionAt(session, { ...options, client, root, recording, guard });
  } catch (cause) {
    await closeQuietly(session);
    recording.end(broken(cause), 0);
    throw cause;
  }
}

type Guard = <T>(boundary: Boundary, work: () => Awaitable<T>) => Promise<T>;

interface Standing extends RecordedSessionOptions {
  readonly client: string;
  readonly root: string;
  readonly recording: Recording;
  readonly guard: Guard;
}

function recordedSessionAt(
  session: Session,
  { task, screen: isShown, client, root, recording, guard }: Standing,
): RecordedSession {
  const tree = createTree(root);
  let at = 0;
  let seen = task.instruction;
  const look = async (): Promise<string> => (await guard('environment', () => session.observe())).text;
  const end = async (ending: Ending): Promise<void> => {
    await closeQuietly(session);
    recording.end(ending, at);
  };
  return {
    look,
    steps: () => at,
    told(text) {
      seen = text;
    },
    async step(action) {
      // Who is not shown the screen acts on what it was told.
      const screen = isShown ? await look() : seen;
      const taken = await guard('environment', () => stepped(session, action));
      const node = tree.append({ parent: at, actor: { role: 'student', name: client }, action, ...taken });
      at = node.id;
      const text = describeStep(action, screen, taken.outcome.problem?.message);
      recording.append({ kind: 'step', node, screen, text });
      return taken.outcome;
    },
    async verify(stopped) {
      const found = await guard('verifier', () => session.verify());
      const verdict = stopped === null ? found : unfinished(found);
      recording.append({ kind: 'leaf', node: at, role: 'main', verdict, from: null });
      const reason = verdict.pass ? null : (stopped ?? 'finish not passed');
      await end({ outcome: verdict.pass ? 'passed' : 'failed', reason, boundary: null, message: null, verdict });
    },
    abandon: why =>
      end({
        outcome: 'errored',
        reason: 'abandoned',
        boundary: 'policy',
        message: `Not finished: ${why}.`,
        verdict: null,
      }),
    fail: cause => end(broken(cause)),
  };
}

interface Taken {
  readonly outcome: StepOutcome;
  readonly before: string;
  readonly after: string;
}

async function stepped(session: Session, action: Action): Promise<Taken> {
  const before = await session.digest();
  const outcome = await session.step(action);
  return { outcome, before, after: await session.digest() };
}

/** A state may be right by accident: only a client that says it is done has done the task. */
function unfinished(verdict: Verdict): Verdict {
  const checks = [...verdict.checks, { ...ownChecks.agentFinished, pass: false }];
  return { ...verdict, pass: false, checks, progress: checks.filter(({ pass }) => pass).length / checks.length };
}

function broken(cause: unknown): Ending {
  const boundary = cause instanceof EspalierError && cause.boundary === 'verifier' ? 'verifier' : 'environment';
  const reason = cause instanceof EspalierError ? cause.code.replaceAll('-', ' ') : 'threw';
  return { outcome: 'errored', reason, boundary, message: causeText(cause), verdict: null };
}

async function closeQuietly(session: Session | null): Promise<void> {
  try {
    await session?.close();
  } catch {
    // Its episode is over.
  }
}

function inTime<T>(timers: Timers, boundary: Boundary, work: () => Awaitable<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = timers.after(deadlineMilliseconds, () => reject(tooLate(boundary)));
    Promise.resolve()
      .then(work)
      .then(resolve, cause => reject(cause instanceof EspalierError ? cause : threw(boundary, cause)))
      .finally(cancel);
  });
}

function tooLate(boundary: Boundary): EspalierError {
  return new EspalierError({
    boundary,
    code: 'deadline',
    message: `The ${boundary} gave no answer in ${deadlineMilliseconds} ms.`,
    expected: 'Expected an answer in time.',
  });
}

function threw(boundary: Boundary, cause: unknown): EspalierError {
  return new EspalierError({
    boundary,
    code: 'threw',
    message: `The ${boundary} threw: ${causeText(cause)}.`,
    expected: 'Expected an answer, or one that says why there is none.',
    cause,
  });
}
