import { EspalierError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { StepOutcome, Task } from '../../core/records.ts';
import type { Offer, ClientAction } from './offer.ts';
import { openRecordedSession, type RecordedSession, type RecordedSessionOptions } from './recorded-session.ts';

/** What a client is told. */
export interface Answer {
  readonly text: string;
  /** What a tool returned, where that is an object. */
  readonly result?: JsonObject;
  readonly isError: boolean;
}

export interface ToolCall {
  readonly tool: string;
  readonly input: JsonObject;
  /** Who calls. */
  readonly client: string;
}

/** One client in one world; the first call opens the world. */
export interface ClientSession {
  readonly task: Task;
  readonly offer: Offer;
  /** Calls run one after another, in the order they arrive. */
  call(call: ToolCall): Promise<Answer>;
  /** The client is gone: the episode ends as abandoned, without a verdict. */
  leave(reason: string): Promise<void>;
}

export interface ClientSessionOptions extends Omit<RecordedSessionOptions, 'screen'> {
  readonly offer: Offer;
}

// The agent must not see its verdict.
const ended: Answer = { text: 'The episode has ended.', isError: false };
const over: Answer = { text: 'The episode has ended: nothing more can be done in it.', isError: true };
const broke: Answer = { text: 'The world broke: the episode has ended.', isError: true };
const lastStep = 'That was the last step of this task: the episode has ended.';

export function createClientSession(options: ClientSessionOptions): ClientSession {
  const { task, offer } = options;
  let recorded: RecordedSession | null = null;
  let isOver = false;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const conclude = (at: RecordedSession, stopped: string | null): Promise<void> => {
    isOver = true;
    return at.verify(stopped);
  };
  /** What breaks ends the episode; that it cannot be written down is told to whoever waits. */
  const giveUp = async (cause: unknown): Promise<void> => {
    isOver = true;
    if (cause instanceof EspalierError && cause.boundary === 'store') throw cause;
    await recorded?.fail(cause);
  };

  const answer = async ({ tool, input, client }: ToolCall): Promise<Answer> => {
    if (isOver) return over;
    const wish = offer.read(tool, input);
    if (wish === null) return { text: `These are no arguments of ${tool}: look at its schema.`, isError: true };
    try {
      recorded ??= await openRecordedSession({ ...options, screen: offer.screen }, client);
      return await grant(wish, recorded);
    } catch (cause) {
      await giveUp(cause);
      return broke;
    }
  };
  const grant = async (wish: NonNullable<ClientAction>, at: RecordedSession): Promise<Answer> => {
    if (wish.kind === 'look') return { text: await at.look(), isError: false };
    const { action } = wish;
    const outcome = await at.step(action);
    if (outcome.end === 'terminated') {
      await conclude(at, null);
      return ended;
    }
    const told = answerOf(outcome, action.kind === 'call' ? null : await at.look());
    at.told(told.text);
    if (outcome.end === undefined && at.steps() < task.budget.steps) return told;
    await conclude(at, 'out of steps');
    return { ...told, text: `${told.text}\n${lastStep}` };
  };

  return {
    task,
    offer,
    call: call => inTurn(() => answer(call)),
    leave: reason =>
      inTurn(async () => {
        if (isOver) return;
        isOver = true;
        await recorded?.abandon(reason).catch(giveUp);
      }),
  };
}

/** `screen` is what a step at the screen led to; null after a call of a tool. */
function answerOf({ problem, result }: StepOutcome, screen: string | null): Answer {
  if (problem !== undefined) return { text: problem.message, isError: true };
  if (screen !== null) return { text: screen, isError: false };
  if (result === undefined) return { text: 'Done.', isError: false };
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  return { text, isError: false, ...(isJsonObject(result) ? { result } : {}) };
}
