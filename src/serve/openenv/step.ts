import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Action } from '../../core/action.ts';
import { jsonObjectSchema, type JsonObject } from '../../core/json.ts';
import type { ServedEnvironment, ServedSession } from '../sessions/served-session.ts';
import { afterStep, look, problemIn, type StepResult } from '../sessions/observation.ts';
import { callTool, seenBy, worldOf, type CalledWorld } from '../sessions/tool-call.ts';
import { checked, WireError } from './wire.ts';

const callSchema = z.strictObject({
  type: z.literal('call_tool'),
  tool_name: z.string().min(1).max(200),
  arguments: jsonObjectSchema.default({}),
  metadata: z.unknown().optional(),
});

/** Tools as OpenEnv lists them. No step, and no session is needed. */
export function listTools({ offer }: ServedEnvironment): StepResult {
  const tools = offer.tools.map(({ name, description, input }) => ({ name, description, input_schema: input }));
  return { observation: { tools }, reward: null, done: false };
}

export function isListTools(data: JsonObject): boolean {
  return data['type'] === 'list_tools';
}

/** Takes a step: an action of ours, or a call of a tool as OpenEnv has it. A retry of the last step is answered from the journal. */
export async function takeStep(session: ServedSession, data: JsonObject, step = nameless): Promise<StepResult> {
  const world = worldFor(session, step.request);
  const answer = async (observation: object): Promise<StepResult> => {
    if (world.isTaken && session.episode.end() !== null) return look(session, observation);
    const ended = session.episode.ended();
    if (step.request !== null && ended !== null) await step.keep(ended, { ...observation, node: session.episode.at() });
    return afterStep(session, observation);
  };
  if (data['type'] === 'call_tool') {
    const { tool_name: tool, arguments: input } = checked(callSchema, data);
    return answer(await callTool(session, { tool, input, world }));
  }
  const { metadata: _metadata, ...action } = data;
  const { outcome } = await world.step(action as unknown as Action);
  const text = await world.look();
  const result = outcome.result === undefined ? {} : { result: outcome.result };
  return answer({ ...problemIn(outcome), ...result, text });
}

/** What tells a step from every other one, and keeps its answer where it is the last of its session. */
interface NamedStep {
  /** Null where a retry cannot be known. */
  readonly request: string | null;
  keep(ended: 'terminated' | 'truncated', observation: object): Promise<void>;
}

const nameless: NamedStep = { request: null, keep: async () => undefined };

/** The name of a step for the journal: what its client calls it, and a digest of what it asks for. */
export function stepName(request: string | null, data: JsonObject): string | null {
  return request === null ? null : `${hash('sha256', JSON.stringify(data)).slice(0, 32)} ${request}`;
}

/** Does the action once: where an earlier try of the request did it, that is what it led to. */
function worldFor(session: ServedSession, request: string | null): CalledWorld & { readonly isTaken: boolean } {
  const { episode } = session;
  const live = worldOf(session);
  const [taken] = request === null ? [] : episode.takenFor(request);
  const last = episode.lastRequest();
  if (request !== null && last !== null && last !== request && nameIn(last) === nameIn(request))
    throw new WireError('VALIDATION_ERROR', 'The last step had the same "request" and asked for something else.');
  return {
    isTaken: taken !== undefined,
    step: async action =>
      taken?.node ?? episode.step(action, { ...seenBy(session), ...(request === null ? {} : { request }) }),
    look: async () => (episode.end() === null ? live.look() : ''),
  };
}

function nameIn(request: string): string {
  return request.slice(request.indexOf(' ') + 1);
}
