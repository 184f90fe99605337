import { z } from 'zod';
import type { ChatDelta, Usage } from '../../../core/chat/chat.ts';
import { isJsonObject, jsonObjectSchema } from '../../../core/json.ts';
import { MalformedError, StreamError, type StreamReader } from '../dialect.ts';
import { parseEventData, parseWire } from '../wire.ts';
import { sealedOfCall } from './calls.ts';
import { readStreamError } from './errors.ts';
import { finishSchema, readFinish, readUsage, usageSchema } from './reply.ts';
import { choiceTokensShape, readTokens, replyTokensShape } from './tokens.ts';

const callDeltaSchema = z.object({
  index: z.int().nonnegative().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
  extra_content: jsonObjectSchema.nullish(),
});
const choiceSchema = z.object({
  index: z.literal(0, 'one answer at a time'),
  delta: z.object({
    content: z.string().nullish(),
    refusal: z.string().nullish(),
    reasoning_content: z.string().nullish(),
    reasoning: z.string().nullish(),
    tool_calls: z.array(callDeltaSchema).nullish(),
  }),
  finish_reason: finishSchema.nullish(),
  ...choiceTokensShape,
});
const chunkSchema = z.object({
  id: z.string(),
  model: z.string(),
  system_fingerprint: z.string().nullish(),
  choices: z.array(choiceSchema),
  usage: usageSchema.nullish(),
  ...replyTokensShape,
});

export function createReader(): StreamReader {
  let hasStarted = false;
  let isDone = false;
  let isRefused = false;
  let finish: z.infer<typeof finishSchema> | null = null;
  let usage: Usage | null = null;
  const readCall = createCallReader();
  let hasCalls = false;

  function readEnd(): ChatDelta[] {
    if (finish === null) throw new MalformedError('The stream is said to be done without a finish_reason.');
    isDone = true;
    return [{ kind: 'end', finish: readFinish(finish, { hasCalls, isRefused }), usage }];
  }

  return {
    read({ data }) {
      if (isDone) throw new MalformedError('An event came after [DONE].');
      if (data === '[DONE]') return readEnd();
      const body = parseEventData(data);
      if (isJsonObject(body) && body['error']) throw new StreamError(readStreamError(body));
      const chunk = parseWire(chunkSchema, 'the chunk', body);
      const [choice] = chunk.choices;
      const { content, refusal, reasoning_content, reasoning, tool_calls } = choice?.delta ?? {};
      const thought = reasoning_content ?? reasoning;
      const tokens = readTokens(chunk, choice ?? {});
      const deltas: ChatDelta[] = [];
      if (!hasStarted)
        deltas.push({ kind: 'start', id: chunk.id, model: chunk.model, version: chunk.system_fingerprint ?? null });
      if (thought) deltas.push({ kind: 'thought', text: thought });
      if (content) deltas.push({ kind: 'text', text: content });
      if (refusal) deltas.push({ kind: 'text', text: refusal });
      for (const call of tool_calls ?? []) deltas.push(...readCall(call));
      if (tokens !== null) deltas.push({ kind: 'tokens', tokens });
      hasStarted = true;
      hasCalls ||= Boolean(tool_calls?.length);
      isRefused ||= Boolean(refusal);
      finish = choice?.finish_reason ?? finish;
      usage = chunk.usage ? readUsage(chunk.usage) : usage;
      return deltas;
    },
    isDone: () => isDone,
    // `transformers serve` sends no [DONE]. What it used is the last that was asked for.
    close: () => (isDone || finish === null || usage === null ? [] : readEnd()),
  };
}

/** A call says its id and name once; servers that write whole calls leave out the index. */
function createCallReader(): (call: z.infer<typeof callDeltaSchema>) => ChatDelta[] {
  const ids: string[] = [];
  return call => {
    const index = call.index ?? (call.id ? ids.length : ids.length - 1);
    const { name, arguments: text } = call.function ?? {};
    const deltas: ChatDelta[] = [];
    if (ids[index] === undefined) {
      if (index !== ids.length || !call.id || !name)
        throw new MalformedError(`choices[0].delta.tool_calls: call ${index} begins without its id or its name.`);
      ids.push(call.id);
      deltas.push({ kind: 'call', index, id: call.id, name });
    }
    if (text) deltas.push({ kind: 'input', index, text });
    if (call.extra_content) deltas.push({ kind: 'sealed', item: sealedOfCall(ids[index] ?? '', call.extra_content) });
    return deltas;
  };
}
