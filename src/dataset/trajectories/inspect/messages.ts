import { defined, type Json, type JsonObject } from '../../../core/json.ts';
import type { Message } from '../../requests/wire.ts';
import { callsIn } from '../conversation.ts';

/** The messages of a sample, each once. Requests of an episode repeat them, so events name ranges of this pool. */
export interface MessagePool {
  /** The message as Inspect has it. */
  message(message: Message): JsonObject;
  /** The ranges of these messages, from and to before. */
  ranges(messages: readonly Message[]): readonly (readonly [number, number])[];
  all(): readonly JsonObject[];
}

/** Ids begin with that of the sample: Inspect joins the messages of a log by them. */
export function createMessagePool(sample: string): MessagePool {
  const written: JsonObject[] = [];
  const places = new Map<string, number>();
  const known = new WeakMap<Message, number>();
  const placeOf = (message: Message): number => {
    const found = known.get(message);
    if (found !== undefined) return found;
    const text = JSON.stringify(message);
    let place = places.get(text);
    if (place === undefined) {
      place = written.push(inspectMessage(message, `${sample}-m${written.length + 1}`)) - 1;
      places.set(text, place);
    }
    known.set(message, place);
    return place;
  };
  return {
    message: message => written[placeOf(message)] as JsonObject,
    all: () => written,
    ranges(messages) {
      const ranges: [number, number][] = [];
      for (const place of messages.map(placeOf)) {
        const last = ranges.at(-1);
        if (last?.[1] === place) last[1]++;
        else ranges.push([place, place + 1]);
      }
      return ranges;
    },
  };
}

function inspectMessage(message: Message, id: string): JsonObject {
  const { role, tool_call_id: call } = message;
  const calls = callsIn(message).map(({ id: callId, name, input }) =>
    typeof input === 'string'
      ? { id: callId, function: name, arguments: {}, parse_error: `Not a JSON object: ${input}`, type: 'function' }
      : { id: callId, function: name, arguments: input, type: 'function' },
  );
  return defined({
    id,
    role,
    content: contentOf(message),
    tool_calls: calls.length === 0 ? undefined : calls,
    tool_call_id: role === 'tool' ? call : undefined,
  }) as JsonObject;
}

function contentOf({ content, reasoning_content: reasoning }: Message): Json {
  const parts = Array.isArray(content) ? (content as readonly JsonObject[]).map(partOf) : null;
  if (typeof reasoning !== 'string' || reasoning === '') return parts ?? content ?? '';
  return [{ type: 'reasoning', reasoning }, ...(parts ?? [{ type: 'text', text: content ?? '' }])];
}

function partOf(part: JsonObject): JsonObject {
  const image = part['image_url'] as JsonObject | undefined;
  return image === undefined ? part : { type: 'image', image: image['url'] ?? '' };
}
