import { z } from 'zod';
import type { ChatDelta } from '../../../core/chat/chat.ts';
import { isJsonObject } from '../../../core/json.ts';
import { MalformedError, StreamError, type StreamReader } from '../dialect.ts';
import { parseEventData, parseWire } from '../wire.ts';
import { assistantBlockSchema, type AssistantBlock } from './blocks.ts';
import { readStreamError } from './errors.ts';
import { readStop, readUsage, stopSchema, usageSchema } from './reply.ts';

const index = z.int().nonnegative();
const eventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message_start'),
    message: z.object({ id: z.string(), model: z.string(), usage: usageSchema.nullish() }),
  }),
  z.object({ type: z.literal('content_block_start'), index, content_block: assistantBlockSchema }),
  z.object({
    type: z.literal('content_block_delta'),
    index,
    delta: z.discriminatedUnion('type', [
      z.object({ type: z.literal('text_delta'), text: z.string() }),
      z.object({ type: z.literal('input_json_delta'), partial_json: z.string() }),
      z.object({ type: z.literal('thinking_delta'), thinking: z.string() }),
      z.object({ type: z.literal('signature_delta'), signature: z.string() }),
      z.object({ type: z.literal('citations_delta') }),
    ]),
  }),
  z.object({ type: z.literal('content_block_stop'), index }),
  z.object({
    type: z.literal('message_delta'),
    delta: z.object({ stop_reason: stopSchema.nullish() }),
    usage: usageSchema.nullish(),
  }),
  z.object({ type: z.literal('message_stop') }),
]);
type WireEvent = z.infer<typeof eventSchema>;
const known: ReadonlySet<unknown> = new Set(eventSchema.options.flatMap(({ shape }) => [...shape.type.values]));

export function createReader(): StreamReader {
  const blocks = createBlockReader();
  let hasStarted = false;
  let isDone = false;
  let stop: z.infer<typeof stopSchema> | null = null;
  let usage: z.infer<typeof usageSchema> | null = null;

  function readEvent(event: WireEvent): ChatDelta[] {
    if (event.type === 'message_start') {
      const { id, model } = event.message;
      usage = event.message.usage ?? null;
      hasStarted = true;
      return [{ kind: 'start', id, model, version: null }];
    }
    if (!hasStarted) throw new MalformedError(`The stream begins with ${event.type}, not with message_start.`);
    if (event.type === 'content_block_start') return blocks.start(event.index, event.content_block);
    if (event.type === 'content_block_delta') return blocks.add(event.index, event.delta);
    if (event.type === 'content_block_stop') return blocks.stop(event.index);
    if (event.type === 'message_delta') {
      stop = event.delta.stop_reason ?? stop;
      usage = { ...usage, ...withValues(event.usage ?? {}) };
      return [];
    }
    if (stop === null) throw new MalformedError('The stream stops without a stop_reason.');
    isDone = true;
    return [{ kind: 'end', finish: readStop(stop, blocks.hasCalls()), usage: usage && readUsage(usage) }];
  }

  return {
    read({ data }) {
      if (isDone) throw new MalformedError('An event came after message_stop.');
      const body = parseEventData(data);
      const type = isJsonObject(body) ? body['type'] : undefined;
      if (isJsonObject(body) && type === 'error') throw new StreamError(readStreamError(body));
      // Pings, and what may be added: the protocol asks clients to pass over events that they do not know.
      if (typeof type === 'string' && !known.has(type)) return [];
      return readEvent(parseWire(eventSchema, 'the event', body));
    },
    isDone: () => isDone,
  };
}

/** Counts are of the message so far; what is left out stays as it was. */
function withValues(usage: z.infer<typeof usageSchema>): z.infer<typeof usageSchema> {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => typeof value === 'number'));
}

type BlockDelta = Extract<WireEvent, { type: 'content_block_delta' }>['delta'];

function createBlockReader() {
  const open = new Map<number, { readonly block: AssistantBlock; text: string; signature: string; call: number }>();
  let calls = 0;

  function blockOf(at: number) {
    const found = open.get(at);
    if (found === undefined) throw new MalformedError(`Block ${at} of the stream was never started.`);
    return found;
  }

  return {
    hasCalls: () => calls > 0,
    start(at: number, block: AssistantBlock): ChatDelta[] {
      open.set(at, { block, text: '', signature: '', call: calls });
      if (block.type === 'tool_use') return [{ kind: 'call', index: calls++, id: block.id, name: block.name }];
      if (block.type === 'redacted_thinking') return [{ kind: 'sealed', item: block }];
      const first: BlockDelta =
        block.type === 'text'
          ? { type: 'text_delta', text: block.text }
          : { type: 'thinking_delta', thinking: block.thinking };
      return this.add(at, first);
    },
    add(at: number, delta: BlockDelta): ChatDelta[] {
      const current = blockOf(at);
      if (delta.type === 'text_delta') return delta.text === '' ? [] : [{ kind: 'text', text: delta.text }];
      if (delta.type === 'citations_delta') return [];
      if (delta.type === 'signature_delta') current.signature += delta.signature;
      if (delta.type === 'signature_delta') return [];
      const text = delta.type === 'thinking_delta' ? delta.thinking : delta.partial_json;
      current.text += text;
      if (text === '') return [];
      return delta.type === 'thinking_delta'
        ? [{ kind: 'thought', text }]
        : [{ kind: 'input', index: current.call, text }];
    },
    stop(at: number): ChatDelta[] {
      const { block, text, signature, call } = blockOf(at);
      open.delete(at);
      if (block.type === 'thinking' && signature + block.signature !== '')
        return [
          { kind: 'sealed', item: { type: 'thinking', thinking: text, signature: signature || block.signature } },
        ];
      // A call without input sends no piece of it.
      if (block.type === 'tool_use' && text === '')
        return [{ kind: 'input', index: call, text: JSON.stringify(block.input) }];
      return [];
    },
  };
}
