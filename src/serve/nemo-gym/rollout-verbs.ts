import { setImmediate as letOthersRun } from 'node:timers/promises';
import { z } from 'zod';
import { EspalierError } from '../../core/errors.ts';
import { jsonObjectSchema, type JsonObject } from '../../core/json.ts';
import { HttpError } from '../http.ts';
import { look, rewardOf } from '../sessions/observation.ts';
import { worldOf, type CalledWorld } from '../sessions/tool-call.ts';
import type { BranchEnd } from '../../episode/driven/branches.ts';
import type { ServedSession } from '../sessions/served-session.ts';
import { isEndedByAgent, type LastAnswer, type RecordedEnd } from '../sessions/session-file.ts';
import { closingText, modelResponseSchema, openCalls, type ModelResponse } from './model-response.ts';
import { createStepWorld } from './step-world.ts';
import { callByName } from './tool-route.ts';

const verifySchema = z.looseObject({ responses_create_params: jsonObjectSchema, response: modelResponseSchema });

/** Why an episode ended that `verify` ended before its agent did. */
const stoppedByClient = 'stopped by the client';

/** What there is to see first; nothing where there is no screen. */
export async function resetAnswer(session: ServedSession): Promise<object> {
  const { hasScreen } = session.served.environment;
  const { observation } = (await look(session)) as { readonly observation: { readonly text?: string } };
  return {
    observation: hasScreen === false ? null : (observation.text ?? null),
    info: {
      environment: session.served.environment.id,
      task: session.episode.task.id,
      instruction: session.episode.task.instruction,
      supports_explicit_close: true,
      supports_step_idempotency: true,
    },
  };
}

/** Verifies the rollout and ends it: the reward and other numbers, which go back with the row and the response. */
export async function verify(session: ServedSession, body: JsonObject): Promise<object> {
  const { response } = verifySchema.parse(body);
  const { episode } = session;
  if (episode.end() === null && episode.ended() === null) await finishWith(response, worldOf(session));
  const hasFinished = episode.ended() !== null;
  const end = episode.end() ?? (await episode.finish(hasFinished ? undefined : stoppedByClient));
  return numbersOf({ end, hasFinished, steps: episode.tree.path(episode.at()).length });
}

interface EndedRollout {
  readonly end: Pick<BranchEnd, 'verdict'>;
  /** Whether it ended by itself, and was not stopped. */
  readonly hasFinished: boolean;
  readonly steps: number;
}

function numbersOf({ end, hasFinished, steps }: EndedRollout): object {
  const reward = rewardOf(end);
  if (reward === null) throw new HttpError(500, 'The episode broke and has no verdict. Leave this rollout out.');
  const { verdict } = end;
  // Who stops anywhere to read what holds there would have the verifier as a guide.
  const details = hasFinished && verdict !== null ? { progress: verdict.progress, clean: Number(verdict.clean) } : {};
  return { reward, finished: Number(hasFinished), steps, ...details };
}

/** The same for a rollout that ended before the server was started again. Rollouts have one path, so its node counts its steps. */
export function pastVerdict(end: RecordedEnd): object {
  return numbersOf({ end, hasFinished: isEndedByAgent(end), steps: end.leaf });
}

/** An agent that ends with a message is done, and the message is its answer. */
async function finishWith(response: ModelResponse, world: CalledWorld): Promise<void> {
  const text = closingText(response);
  if (text === null) return;
  const action = { kind: 'finish', ...(text === '' ? {} : { answer: text }) } as const;
  try {
    await world.step(action);
  } catch (cause) {
    // An answer that is refused leaves the episode where it stands: it is verified there.
    if (!(cause instanceof EspalierError) || cause.boundary !== 'input') throw cause;
  }
}

export interface GymnasiumStep {
  readonly response: ModelResponse;
  /** The id that a retry of the request has, too; null without one. */
  readonly request: string | null;
  /** Saves the answer to a request that ends the episode, before it ends. */
  keepAnswer(answer: StepAnswer): Promise<void>;
}

type StepAnswer = Omit<LastAnswer, 'request'>;

/** Calls of one step. Models make a few at once. */
export const mostCalls = 128;
/** Calls that are done before others have their turn. */
const callsInTurn = 8;

export function readStep(body: JsonObject): ModelResponse {
  const { response } = verifySchema.parse(body);
  const { length } = openCalls(response);
  if (length <= mostCalls) return response;
  throw new HttpError(422, `The response has ${length} calls. Send at most ${mostCalls} in one step.`);
}

/** A step of the Gymnasium variant: the calls of one response, one after another. A retry does what is left of it. */
export async function gymnasiumStep(
  session: ServedSession,
  { response, request, keepAnswer }: GymnasiumStep,
): Promise<object> {
  const { episode } = session;
  const world = createStepWorld(session, request);
  if (episode.end() !== null) throw new HttpError(409, 'The episode has ended. Send /reset for another one.');
  const outputs: { call_id: string; output: string }[] = [];
  const calls = openCalls(response);
  for (const [index, { id, ...call }] of calls.entries()) {
    if (index % callsInTurn === callsInTurn - 1) await letOthersRun();
    const { text } = await callByName(session, call, world);
    outputs.push({ call_id: id, output: text });
  }
  if (calls.length === 0 && (world.isBehind() || episode.ended() === null)) await finishWith(response, world);
  const ended = episode.ended();
  if (ended === null) {
    const observation = calls.length === 0 ? 'Call a tool, or say that you are done.' : null;
    return { observation, reward: 0, terminated: false, truncated: false, info: { tool_outputs: outputs } };
  }
  const answer = { ended, outputs };
  await keepAnswer(answer);
  return lastStep(answer, await episode.finish());
}

/** The answer to the step that ended a rollout, also when that was before the server was started again. */
export function lastStep({ ended, outputs }: StepAnswer, end: Pick<BranchEnd, 'verdict'>): object {
  const reward = rewardOf(end);
  if (reward === null) throw new HttpError(500, 'The episode broke and has no verdict. Leave this rollout out.');
  const info = { tool_outputs: outputs };
  return { observation: null, reward, terminated: ended === 'terminated', truncated: ended === 'truncated', info };
}
