import { z } from 'zod';
import type { ChatMessage, ChatPart } from '../chat/chat.ts';
import type { CallEvent, ModelCall } from '../chat/model.ts';
import { EspalierError } from '../errors.ts';
import { jsonObjectSchema, type JsonObject } from '../json.ts';
import type { Actor } from '../tree.ts';
import { fromBase64, toBase64 } from './base64.ts';

/** Who was asked, the node that the episode stood at, and the number of the cursor. */
interface Asked {
  readonly by: Actor;
  readonly at: number;
  readonly cursor?: number;
}

/** Keeps the whole of an exchange, and gives the event that stands for it: to be appended next. */
type CallWriter = (call: ModelCall, asked: Asked) => CallEvent;

const count = z.int().nonnegative();

/** An exchange as it is kept: what it adds to an earlier one, its base. Prompts that only grow take no more than they grow by. */
const recordSchema = z.strictObject({
  format: z.literal('espalier-call'),
  version: z.literal(1),
  base: z.string().nullable(),
  /** Taken from the base: its first messages, with its reply as the last; tokens of prompt and completion; its tools. */
  keep: z.strictObject({ messages: count, tokens: count, tools: z.boolean() }),
  /** The exchange without what is kept. */
  call: jsonObjectSchema,
});
type CallRecord = z.infer<typeof recordSchema>;
type Keep = CallRecord['keep'];

/** The end of a line of exchanges that grew out of each other. */
interface Thread extends Pick<ModelCall, 'messages' | 'tools' | 'reply'> {
  readonly address: string;
}

/** Agents and their questions have a line of exchanges each; more than these at a time cost space, nothing else. */
const mostThreads = 4;

const nothing: Keep = { messages: 0, tokens: 0, tools: false };
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Of one episode. What is attached is only known by its address until the event is appended. */
export function createCallWriter(attach: (data: Uint8Array) => string): CallWriter {
  let threads: readonly Thread[] = [];
  return (call, asked) => {
    const { base, keep } = nearest(threads, call);
    const record: CallRecord = {
      format: 'espalier-call',
      version: 1,
      base: base?.address ?? null,
      keep,
      call: added(call, keep, attach),
    };
    const address = attach(encoder.encode(JSON.stringify(record)));
    const { messages, tools, reply } = call;
    // What goes on from most of a line is its new end; what has little of it begins another.
    const rest = keep.messages * 2 > messages.length ? threads.filter(thread => thread !== base) : threads;
    threads = [{ address, messages, tools, reply }, ...rest].slice(0, mostThreads);
    return eventOf(call, asked, address);
  };
}

function eventOf(call: ModelCall, { by, at, cursor = 0 }: Asked, record: string): CallEvent {
  const { question, endpoint, reply, cost, attempts, problem } = call;
  const { model, version, finish, usage, tokens } = reply;
  const given = (field: unknown): boolean => field !== null && field !== undefined;
  return {
    kind: 'call',
    by,
    question,
    at,
    ...(cursor === 0 ? {} : { cursor }),
    endpoint,
    model,
    version,
    finish,
    usage,
    cost,
    attempts,
    problem,
    tokens: {
      prompt: given(tokens?.prompt),
      completion: given(tokens?.completion),
      logprobs: given(tokens?.logprobs),
    },
    record,
  };
}

/** The exchange that this one has most of, and what it has of it. */
function nearest(threads: readonly Thread[], call: ModelCall): { readonly base: Thread | null; readonly keep: Keep } {
  let best: { base: Thread | null; keep: Keep } = { base: null, keep: nothing };
  for (const base of threads) {
    const keep = shared(base, call);
    if (keep.messages > best.keep.messages || (keep.tools && best.base === null)) best = { base, keep };
    if (keep.messages === base.messages.length + 1) break;
  }
  return best;
}

function shared(base: Thread, { messages, tools, reply }: ModelCall): Keep {
  return {
    messages: sharedMessages(base, messages),
    tokens: sharedTokens(base, reply.tokens?.prompt ?? []),
    tools: tools.length > 0 && isAlike(base.tools, tools),
  };
}

function sharedMessages({ messages, reply }: Thread, prompt: readonly ChatMessage[]): number {
  let length = 0;
  while (length < messages.length && isAlike(messages[length], prompt[length])) length++;
  return length === messages.length && isAlike(reply.message, prompt[length]) ? length + 1 : length;
}

function sharedTokens({ reply: { tokens } }: Thread, prompt: readonly number[]): number {
  let length = 0;
  for (const before of [tokens?.prompt ?? [], tokens?.completion ?? []]) {
    const start = length;
    while (length - start < before.length && before[length - start] === prompt[length]) length++;
    if (length - start < before.length) break;
  }
  return length;
}

/** Whether two values are the same JSON. */
export function isAlike(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every(name => name in right && isAlike(left[name as keyof typeof left], right[name as keyof typeof right]))
  );
}

function added(call: ModelCall, keep: Keep, attach: (data: Uint8Array) => string): JsonObject {
  const { messages, tools, reply } = call;
  const prompt = reply.tokens?.prompt;
  const tokens =
    prompt === undefined || prompt === null ? reply.tokens : { ...reply.tokens, prompt: prompt.slice(keep.tokens) };
  return {
    ...call,
    messages: messages.slice(keep.messages).map(message => withParts(message, part => withoutPicture(part, attach))),
    tools: keep.tools ? [] : tools,
    reply: { ...reply, tokens },
  } as unknown as JsonObject;
}

type PackedPart = ChatPart | { readonly type: 'image'; readonly mediaType: string; readonly picture: string };

function withParts(message: ChatMessage, change: (part: ChatPart) => PackedPart): ChatMessage {
  if (message.role !== 'user' && message.role !== 'tool') return message;
  return { ...message, content: message.content.map(change) as ChatPart[] };
}

/** A picture is attached by itself: the step that is taken on it names the same one. */
function withoutPicture(part: ChatPart, attach: (data: Uint8Array) => string): PackedPart {
  if (part.type !== 'image') return part;
  const data = fromBase64(part.data);
  if (data === null) return part;
  return { type: 'image', mediaType: part.mediaType, picture: attach(data) };
}

/** The pictures that a record shows, by their addresses. In a text of the record the quotes would be escaped. */
export function picturesIn(record: Uint8Array): string[] {
  return [...decoder.decode(record).matchAll(/"picture":"([0-9a-f]{64})"/g)].map(match => match[1] as string);
}

/** Finds what was attached; null when there is nothing of this address. */
type Attachments = (address: string) => Uint8Array | null;

/** Exchanges that are remembered, as the next is likely to go on from one of them. */
const callsInMemory = 2 * mostThreads;

/** Reads exchanges back by their address, exactly as they were. */
export function createCallReader(attachment: Attachments): (address: string) => ModelCall {
  const known = new Map<string, ModelCall>();
  const remember = (address: string, call: ModelCall): void => {
    known.delete(address);
    known.set(address, call);
    if (known.size > callsInMemory) known.delete(known.keys().next().value as string);
  };
  return address => {
    const chain: { readonly address: string; readonly record: CallRecord }[] = [];
    let found: ModelCall | null = null;
    for (let at: string | null = address; at !== null && found === null; ) {
      found = known.get(at) ?? null;
      if (found !== null) break;
      const record = readRecord(attachment, at);
      chain.push({ address: at, record });
      at = record.base;
    }
    for (const { address: at, record } of chain.toReversed()) {
      found = restored(record, found, { address: at, attachment });
      remember(at, found);
    }
    return found as ModelCall;
  };
}

function readRecord(attachment: Attachments, address: string): CallRecord {
  const data = attachment(address);
  if (data === null) throw corrupt(`The record ${address} of a call is not there.`);
  const parsed = recordSchema.safeParse(parse(data));
  if (parsed.success) return parsed.data;
  throw corrupt(`What is kept as ${address} is no record of a call.`);
}

function parse(data: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(data));
  } catch {
    return null;
  }
}

interface Origin {
  readonly address: string;
  readonly attachment: Attachments;
}

/** The inside of a record is as it was written: its address says so. */
function restored(
  { keep, call: stored }: CallRecord,
  base: ModelCall | null,
  { address, attachment }: Origin,
): ModelCall {
  const call = stored as unknown as ModelCall;
  const messages = base === null ? [] : [...base.messages, base.reply.message];
  const known = [...(base?.reply.tokens?.prompt ?? []), ...(base?.reply.tokens?.completion ?? [])];
  if (keep.messages > messages.length || keep.tokens > known.length || (keep.tools && base === null))
    throw corrupt(`The record ${address} of a call takes more from its base than there is.`);
  const tokens = call.reply.tokens;
  const prompt = tokens === null || tokens.prompt === null ? null : [...known.slice(0, keep.tokens), ...tokens.prompt];
  return {
    ...call,
    messages: [
      ...messages.slice(0, keep.messages),
      ...call.messages.map(message => withParts(message, part => withPicture(part, attachment))),
    ],
    tools: keep.tools && base !== null ? base.tools : call.tools,
    reply: { ...call.reply, tokens: tokens === null ? null : { ...tokens, prompt } },
  };
}

function withPicture(part: PackedPart, attachment: Attachments): ChatPart {
  if (part.type !== 'image' || !('picture' in part)) return part;
  const data = attachment(part.picture);
  if (data === null) throw corrupt(`The picture ${part.picture} that a call shows is not there.`);
  return { type: 'image', mediaType: part.mediaType, data: toBase64(data) } as ChatPart;
}

function corrupt(message: string): EspalierError {
  return new EspalierError({
    boundary: 'store',
    code: 'corrupt-record',
    message,
    expected: 'Expected everything that an episode names, as it was written: put back a copy of the store.',
  });
}
