import { z } from 'zod';
import type { ChatDelta } from '../../../core/chat/chat.ts';
import { isJsonObject, jsonObjectSchema, type Json } from '../../../core/json.ts';
import { MalformedError, StreamError, type StreamReader } from '../dialect.ts';
import { readStreamError } from '../openai/errors.ts';
import { parseEventData, parseWire } from '../wire.ts';
import { isSealedReasoning, outputItemSchema, pause } from './items.ts';
import { readEnd, readTokens, responseSchema } from './reply.ts';

const at = z.int().nonnegative();
const piece = { output_index: at, delta: z.string() };
const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('response.created'), response: z.object({ id: z.string(), model: z.string() }) }),
  z.object({ type: z.literal('response.output_item.added'), output_index: at, item: jsonObjectSchema }),
  z.object({ type: z.literal('response.output_item.done'), output_index: at, item: jsonObjectSchema }),
  z.object({ type: z.literal('response.output_text.delta'), ...piece }),
  z.object({ type: z.literal('response.refusal.delta'), ...piece }),
  z.object({ type: z.literal('response.reasoning_summary_text.delta'), ...piece, summary_index: at }),
  z.object({ type: z.literal('response.reasoning_text.delta'), ...piece, content_index: at }),
  z.object({ type: z.literal('response.function_call_arguments.delta'), ...piece }),
  z.object({ type: z.literal('response.completed'), response: responseSchema }),
  z.object({ type: z.literal('response.incomplete'), response: responseSchema }),
  z.object({ type: z.literal('response.failed'), response: responseSchema }),
]);
type WireEvent = z.infer<typeof eventSchema>;
const known: ReadonlySet<unknown> = new Set(eventSchema.options.flatMap(({ shape }) => [...shape.type.values]));

export function createReader(): StreamReader {
  const items = createItemReader();
  let hasStarted = false;
  let isDone = false;
  let isRefused = false;

  function readEvent(event: WireEvent): ChatDelta[] {
    if (event.type === 'response.created') {
      hasStarted = true;
      return [{ kind: 'start', id: event.response.id, model: event.response.model, version: null }];
    }
    if (!hasStarted) throw new MalformedError(`The stream begins with ${event.type}, not with response.created.`);
    switch (event.type) {
      case 'response.output_item.added':
        return items.add(event.output_index, event.item);
      case 'response.output_item.done':
        return items.finish(event.output_index, event.item);
      case 'response.function_call_arguments.delta':
        return items.input(event.output_index, event.delta);
      case 'response.reasoning_summary_text.delta':
        return items.think(`${event.output_index} summary ${event.summary_index}`, event.delta);
      case 'response.reasoning_text.delta':
        return items.think(`${event.output_index} content ${event.content_index}`, event.delta);
      case 'response.refusal.delta':
      case 'response.output_text.delta':
        isRefused ||= event.type === 'response.refusal.delta';
        return event.delta === '' ? [] : [{ kind: 'text', text: event.delta }];
      default: {
        const end = readEnd(event.response, { hasCalls: items.hasCalls(), isRefused });
        isDone = true;
        const tokens = readTokens(event.response.output ?? []);
        return [...(tokens === null ? [] : [{ kind: 'tokens', tokens } as const]), { kind: 'end', ...end }];
      }
    }
  }

  return {
    read({ data }) {
      // Some servers close as chat completions do.
      if (isDone && data === '[DONE]') return [];
      if (isDone) throw new MalformedError('An event came after the end of the response.');
      const body = parseEventData(data);
      const type = typeOf(body);
      if (type === 'error') throw new StreamError(readStreamError(body));
      // What only repeats the pieces, and what may be added.
      if (typeof type === 'string' && !known.has(type)) return [];
      return readEvent(parseWire(eventSchema, 'the event', body));
    },
    isDone: () => isDone,
  };
}

function typeOf(body: Json): Json | undefined {
  return isJsonObject(body) ? body['type'] : undefined;
}

function createItemReader() {
  const calls = new Map<number, { readonly index: number; hasInput: boolean }>();
  let part: string | null = null;

  function callOf(output: number) {
    const call = calls.get(output);
    if (call === undefined) throw new MalformedError(`output_index ${output} of the stream is no call that began.`);
    return call;
  }

  return {
    hasCalls: () => calls.size > 0,
    add(output: number, item: z.infer<typeof jsonObjectSchema>): ChatDelta[] {
      if (item['type'] !== 'function_call') return [];
      const { call_id: id, name } = parseWire(z.object({ call_id: z.string(), name: z.string() }), 'item', item);
      const index = calls.size;
      calls.set(output, { index, hasInput: false });
      return [{ kind: 'call', index, id, name }];
    },
    input(output: number, text: string): ChatDelta[] {
      const call = callOf(output);
      if (text === '') return [];
      call.hasInput = true;
      return [{ kind: 'input', index: call.index, text }];
    },
    think(name: string, text: string): ChatDelta[] {
      if (text === '') return [];
      const isNext = part !== null && part !== name;
      part = name;
      return [{ kind: 'thought', text: isNext ? pause + text : text }];
    },
    finish(output: number, whole: z.infer<typeof jsonObjectSchema>): ChatDelta[] {
      const item = parseWire(outputItemSchema, 'item', whole);
      if (item.type === 'reasoning' && isSealedReasoning(whole)) return [{ kind: 'sealed', item: whole }];
      if (item.type !== 'function_call') return [];
      // Some servers send the input at once, with the whole call.
      const { index, hasInput } = callOf(output);
      return hasInput || item.arguments === '' ? [] : [{ kind: 'input', index, text: item.arguments }];
    },
  };
}
