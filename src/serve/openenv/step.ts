import { z } from 'zod';
import type { Action } from '../../core/action.ts';
import { jsonObjectSchema, type JsonObject } from '../../core/json.ts';
import type { ServedEnvironment, ServedSession } from '../sessions/served-session.ts';
import { afterStep, problemIn, type StepResult } from '../sessions/observation.ts';
import { callTool, seenBy } from '../sessions/tool-call.ts';
import { checked } from './wire.ts';

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

/** Takes a step: an action of ours, or a call of a tool as OpenEnv has it. */
export async function takeStep(session: ServedSession, data: JsonObject): Promise<StepResult> {
  if (data['type'] === 'call_tool') {
    const { tool_name: tool, arguments: input } = checked(callSchema, data);
    return afterStep(session, await callTool(session, { tool, input }));
  }
  const { metadata: _metadata, ...action } = data;
  const { outcome } = await session.episode.step(action as unknown as Action, seenBy(session));
  const { text } = await session.episode.observe();
  const result = outcome.result === undefined ? {} : { result: outcome.result };
  return afterStep(session, { ...problemIn(outcome), ...result, text });
}
