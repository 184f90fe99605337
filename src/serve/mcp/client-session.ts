import { EspalierError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { StepOutcome, Task } from '../../core/records.ts';
import type { DrivenEpisode } from '../../episode/driven/contract.ts';
import type { Episodes } from '../../episode/driven/episodes.ts';
import { createSemaphore } from '../../core/semaphore.ts';
import type { ClientAction, Offer } from './offer.ts';

/** What a client is told. */
interface Answer {
  readonly text: string;
  /** What a tool returned, where that is an object. */
  readonly result?: JsonObject;
  readonly isError: boolean;
}

interface ToolCall {
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

export interface ClientSessionOptions {
  readonly task: Task;
  readonly offer: Offer;
  readonly episodes: Episodes;
}

// The agent must not see its verdict.
const ended: Answer = { text: 'The episode has ended.', isError: false };
const over: Answer = { text: 'The episode has ended: nothing more can be done in it.', isError: true };
const broke: Answer = { text: 'The world broke: the episode has ended.', isError: true };
const lastStep = 'That was the last step of this task: the episode has ended.';

/** Limits of the episodes of clients: the budget of the task holds, and a world that takes longer counts as broken. */
export const clientLimits = { steps: Infinity, waitMilliseconds: 120_000 };

export function createClientSession({ task, offer, episodes }: ClientSessionOptions): ClientSession {
  let episode: DrivenEpisode | null = null;
  let isOver = false;
  /** What the client was told last. */
  let told = task.instruction;
  const inTurn = createSemaphore(1).run;

  const answer = async ({ tool, input, client }: ToolCall): Promise<Answer> => {
    if (isOver || (episode !== null && episode.end() !== null)) return over;
    const wish = offer.read(tool, input);
    if (wish === null) return { text: `These are no arguments of ${tool}: look at its schema.`, isError: true };
    try {
      episode ??= await episodes.open({ task, client, showsScreen: offer.screen });
      return await grant(wish, episode);
    } catch (cause) {
      if (cause instanceof EspalierError && cause.boundary === 'input') return { text: cause.message, isError: true };
      isOver = true;
      // That it cannot be written down is told to whoever waits.
      if (cause instanceof EspalierError && cause.boundary === 'store') throw cause;
      return broke;
    }
  };
  const grant = async (wish: NonNullable<ClientAction>, at: DrivenEpisode): Promise<Answer> => {
    if (wish.kind === 'look') return { text: (await at.observe()).text, isError: false };
    const { action } = wish;
    const { outcome } = await at.step(action, offer.screen ? {} : { seen: told });
    if (at.ended() === 'terminated') return (await isVerified(at)) ? ended : broke;
    const screen = action.kind === 'call' ? null : (await at.observe()).text;
    const given = answerOf(outcome, screen);
    told = given.text;
    if (at.ended() === null) return given;
    return (await isVerified(at)) ? { ...given, text: `${given.text}\n${lastStep}` } : broke;
  };

  return {
    task,
    offer,
    call: call => inTurn(() => answer(call)),
    leave: reason =>
      inTurn(async () => {
        isOver = true;
        await episode?.abandon(reason);
      }),
  };
}

/** Ends the episode; false when its verifier broke. */
async function isVerified(episode: DrivenEpisode): Promise<boolean> {
  return (await episode.finish()).outcome !== 'errored';
}

/** `screen` is what a step at the screen led to; null after a call of a tool. */
function answerOf({ problem, result }: StepOutcome, screen: string | null): Answer {
  if (problem !== undefined) return { text: problem.message, isError: true };
  if (screen !== null) return { text: screen, isError: false };
  if (result === undefined) return { text: 'Done.', isError: false };
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  return { text, isError: false, ...(isJsonObject(result) ? { result } : {}) };
}
