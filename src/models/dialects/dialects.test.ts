import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chatReplySchema,
  type AssistantMessage,
  type ChatDelta,
  type ChatMessage,
  type ChatPart,
  type ChatReply,
  type ChatRequest,
  type Tokens,
} from '../../core/chat/chat.ts';
import type { JsonObject } from '../../core/json.ts';
import { MalformedError, type Dialect } from './dialect.ts';
import { collectReply, deltasOf, dialects as registry } from './dialects.ts';
import { createEventParser } from './events.ts';

const dialects = registry.entries.map(({ dialect }) => dialect);
const each = dialects.map(dialect => [dialect.name, dialect] as const);

const text = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,7}$/);
/** As a server writes it: the text of an object. */
const input = fc
  .dictionary(word, fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.integer(), { maxLength: 3 })))
  .map(value => JSON.stringify(JSON.parse(JSON.stringify(value))));
const calls = fc
  .uniqueArray(fc.record({ id: word, name: word, input }), { selector: ({ id }) => id, minLength: 1, maxLength: 3 })
  .map(list => list.map(call => ({ ...call, id: `call_${call.id}` })));
const image: fc.Arbitrary<ChatPart> = fc
  .tuple(fc.constantFrom('image/png', 'image/jpeg', 'image/webp', 'image/gif'), fc.base64String({ minLength: 4 }))
  .map(([mediaType, data]) => ({ type: 'image', mediaType, data }));
const textPart: fc.Arbitrary<ChatPart> = text.map(said => ({ type: 'text', text: said }));
const parts = fc.array(fc.oneof(textPart, image), { minLength: 1, maxLength: 3 });

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
function compact<Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
}

/** What each dialect seals. */
const sealedBy: Readonly<Record<Dialect['name'], fc.Arbitrary<readonly JsonObject[]>>> = {
  openai: fc.constant([]),
  anthropic: fc.array(
    fc.oneof(
      fc.record({ type: fc.constant('thinking'), thinking: fc.string({ maxLength: 5 }), signature: text }),
      fc.record({ type: fc.constant('redacted_thinking'), data: text }),
    ),
    { maxLength: 3 },
  ),
  responses: fc.array(fc.tuple(fc.array(text, { maxLength: 2 }), text), { maxLength: 3 }).map(items =>
    items.map(([summary, secret], index) => ({
      id: `rs_${index}`,
      type: 'reasoning',
      summary: summary.map(said => ({ type: 'summary_text', text: said })),
      encrypted_content: secret,
    })),
  ),
};

function thoughtOf(sealed: readonly JsonObject[]): string {
  const said = sealed.flatMap(({ thinking, summary }) => {
    if (typeof thinking === 'string') return [thinking];
    return Array.isArray(summary) ? summary.map(part => (part as { text: string }).text) : [];
  });
  return said.join(sealed[0]?.['type'] === 'reasoning' ? '\n\n' : '');
}

const messageOf = (name: Dialect['name']): fc.Arbitrary<AssistantMessage> =>
  fc
    .record({
      content: fc.oneof(fc.constant(''), text),
      sealed: sealedBy[name],
      thought: optional(text),
      calls: optional(calls),
    })
    .map(({ content, sealed, thought, calls: made }) => {
      const thoughts = sealed.length > 0 ? thoughtOf(sealed) : thought;
      return compact({
        role: 'assistant' as const,
        content,
        thought: thoughts === '' ? undefined : thoughts,
        sealed: sealed.length > 0 ? sealed : undefined,
        calls: made,
      });
    });

const usage = fc
  .record({ prompt: fc.nat(900), completion: fc.nat(900), cached: optional(fc.nat(900)) })
  .map(({ prompt, completion, cached }) => compact({ prompt: prompt + (cached ?? 0), completion, cached }));
const ids = fc.array(fc.nat(150_000), { maxLength: 6 });
const tokens: fc.Arbitrary<Tokens> = fc.record({
  prompt: fc.option(ids),
  completion: ids,
  logprobs: fc.option(
    fc.array(fc.double({ min: -30, max: 0, noNaN: true }), { maxLength: 6 }).map(list => list.map(round)),
  ),
});
function round(value: number): number {
  return Math.round(value * 1000) / 1000 + 0;
}

const replyOf = (name: Dialect['name']): fc.Arbitrary<ChatReply> =>
  fc
    .record({
      id: word,
      model: word,
      version: name === 'openai' ? fc.option(word) : fc.constant(null),
      message: messageOf(name),
      lack: fc.constantFrom('none', 'length', 'filter'),
      usage,
      tokens: name === 'openai' ? fc.option(tokens) : fc.constant(null),
    })
    .map(({ lack, ...reply }) => ({
      ...reply,
      usage: name === 'responses' ? { ...reply.usage, cached: reply.usage.cached ?? 0 } : reply.usage,
      finish: lack !== 'none' ? (lack as 'length' | 'filter') : reply.message.calls ? 'calls' : 'stop',
    }));

/** A client that wants all there is. */
const curious: ChatRequest = {
  model: 'm',
  messages: [],
  sampling: {},
  wantsTokens: true,
  stream: true,
  extra: { stream_options: { include_usage: true } },
};

/** Cuts a text at places that the numbers choose, between the halves of a letter as well. */
function cut(whole: string, places: readonly number[]): string[] {
  const ends = [...places.map(place => place % (whole.length + 1)), whole.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => whole.slice(ends[index - 1] ?? 0, end));
}

function streamOf(dialect: Dialect, reply: ChatReply, request: ChatRequest): string {
  const writer = dialect.createWriter(request);
  return (
    deltasOf(reply)
      .map(delta => writer.write(delta))
      .join('') + writer.close()
  );
}

function readPieces(dialect: Dialect, pieces: readonly string[]) {
  const parser = createEventParser();
  const reader = dialect.createReader();
  const deltas = pieces.flatMap(piece => parser.read(piece)).flatMap(event => reader.read(event));
  return { deltas, isDone: reader.isDone() };
}

describe.each(each)('replies of %s', (name, dialect) => {
  it('[DIA-1] are the same after a stream, wherever it was cut', () => {
    fc.assert(
      fc.property(replyOf(name), fc.array(fc.nat(), { maxLength: 20 }), (reply, places) => {
        const { deltas, isDone } = readPieces(dialect, cut(streamOf(dialect, reply, curious), places));
        expect(isDone).toBe(true);
        expect(collectReply(deltas)).toEqual(reply);
      }),
    );
  });

  it('[DIA-1] are the same when they come in small pieces', () => {
    fc.assert(
      fc.property(replyOf(name), fc.integer({ min: 1, max: 3 }), (reply, size) => {
        const writer = dialect.createWriter(curious);
        const small = deltasOf(reply).flatMap((delta): ChatDelta[] =>
          'text' in delta
            ? (delta.text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []).map(said => ({ ...delta, text: said }))
            : [delta],
        );
        const stream = small.map(delta => writer.write(delta)).join('') + writer.close();
        expect(collectReply(readPieces(dialect, [stream]).deltas)).toEqual(reply);
      }),
    );
  });

  it('[DIA-2] are not done when the stream stops before its last event', () => {
    fc.assert(
      fc.property(replyOf(name), fc.double({ min: 0, max: 1, noNaN: true }), (reply, share) => {
        const whole = streamOf(dialect, reply, curious).trimEnd();
        const { deltas, isDone } = readPieces(dialect, [whole.slice(0, Math.floor(whole.length * share))]);
        expect(isDone).toBe(false);
        expect(() => collectReply(deltas)).toThrow(MalformedError);
      }),
    );
  });

  it('[DIA-1] are the same when they come whole', () => {
    fc.assert(
      fc.property(replyOf(name), reply => {
        const read = dialect.readReply(JSON.parse(JSON.stringify(dialect.writeReply(reply, curious))));
        expect(read).toEqual(reply);
        expect(() => chatReplySchema.parse(read)).not.toThrow();
      }),
    );
  });

  it('[DIA-7] say nothing of tokens to a client that did not ask', () => {
    fc.assert(
      fc.property(replyOf(name), tokens, (reply, said) => {
        const { wantsTokens: _, ...request } = curious;
        const silent = { ...reply, tokens: null };
        const told = { ...reply, tokens: said };
        expect(dialect.writeReply(told, request)).toEqual(dialect.writeReply(silent, request));
        expect(streamOf(dialect, told, request)).toBe(streamOf(dialect, silent, request));
      }),
    );
  });
});

const schema = fc
  .dictionary(word, fc.record({ type: fc.constantFrom('string', 'number') }))
  .map((properties): JsonObject => ({ type: 'object', properties, required: Object.keys(properties) }));
const tools = fc.uniqueArray(fc.record({ name: word, description: fc.string(), input: schema }), {
  selector: ({ name }) => name,
  minLength: 1,
  maxLength: 3,
});

/** A chat as agents lead it: the model's turns are followed by answers to its calls, or by the user. */
function chatOf(name: Dialect['name'], answer: fc.Arbitrary<ChatPart>): fc.Arbitrary<readonly ChatMessage[]> {
  const answers = fc.array(answer, { maxLength: 2 }).map(joinTexts);
  const user = parts.map(content => ({ role: 'user', content: joinTexts(content) }) as const);
  const turn = fc
    .tuple(messageOf(name), answers, user, fc.boolean())
    .map(([message, content, said, isAlsoTold]): readonly ChatMessage[] => {
      const called = (message.calls ?? []).map(({ id }) => ({ role: 'tool', call: id, content }) as const);
      return [message, ...called, ...(called.length === 0 || isAlsoTold ? [said] : [])];
    });
  return fc
    .tuple(fc.array(text, { maxLength: 1 }), user, fc.array(turn, { maxLength: 3 }))
    .map(([system, first, turns]) => [
      ...system.map(content => ({ role: 'system', content }) as const),
      first,
      ...turns.flat(),
    ]);
}

/** Texts that follow each other may be told as one. */
function joinTexts(content: readonly ChatPart[]): ChatPart[] {
  return content.filter((part, index) => part.type === 'image' || content[index - 1]?.type !== 'text');
}

function requestOf(name: Dialect['name'], answer: fc.Arbitrary<ChatPart>): fc.Arbitrary<ChatRequest> {
  return fc
    .record({
      model: word,
      messages: chatOf(name, answer),
      tools,
      toolChoice: fc.oneof(fc.constantFrom('auto' as const, 'required' as const), fc.record({ name: word })),
      parallelCalls: fc.boolean(),
      format: optional(fc.record({ name: fc.constant('answer'), schema })),
      temperature: optional(fc.constantFrom(0, 0.7, 1)),
      maxTokens: fc.integer({ min: 1, max: 9999 }),
      stop: optional(fc.array(text, { minLength: 1, maxLength: 2 })),
    })
    .map(({ temperature, maxTokens, stop, ...request }) => ({
      ...compact(request),
      sampling: compact({ temperature, maxTokens, stop: name === 'responses' ? undefined : stop }),
    }));
}

/** A thought goes back as it was sealed; where nothing is sealed, it is text or left out. */
function heard(name: Dialect['name'], messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.map(message => {
    if (message.role !== 'assistant' || name === 'openai' || message.sealed !== undefined) return message;
    const { thought: _, ...others } = message;
    return others;
  });
}

describe.each(each)('requests of %s', (name, dialect) => {
  const answer = name === 'openai' ? textPart : fc.oneof(textPart, image);

  it('[DIA-3] are the same when they are read again', () => {
    fc.assert(
      fc.property(requestOf(name, answer), request => {
        const { extra: _, ...read } = dialect.readRequest(JSON.parse(JSON.stringify(dialect.writeRequest(request))));
        expect(read).toEqual({ ...request, messages: heard(name, request.messages) });
      }),
    );
  });

  it('[DIA-3] keep what there is no word for', () => {
    const plain = dialect.writeRequest({
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      sampling: { maxTokens: 5 },
    });
    const body = { ...plain, user: 'somebody', top_k: 3, metadata: { run: '7' } };
    const request = dialect.readRequest(body);
    expect(request.extra).toMatchObject({ user: 'somebody', top_k: 3, metadata: { run: '7' } });
    expect(dialect.writeRequest(request)).toEqual(JSON.parse(JSON.stringify(body)));
  });

  it('[DIA-12] hold a reply that a client sends back as the message that it was', () => {
    fc.assert(
      fc.property(replyOf(name), reply => {
        fc.pre(reply.message.content !== '' || reply.message.calls !== undefined);
        const wire = dialect.writeReply(reply, curious);
        const { messages } = dialect.readRequest(JSON.parse(JSON.stringify(echoOf(name, wire))));
        expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }, reply.message]);
      }),
    );
  });
});

/** What the loops of other people put into the next request. */
function echoOf(name: Dialect['name'], wire: JsonObject): JsonObject {
  const asked = { role: 'user', content: 'Hello' };
  const { choices, content, output } = wire as {
    choices?: { message: JsonObject }[];
    content?: JsonObject;
    output?: JsonObject[];
  };
  if (name === 'openai') return { model: 'm', messages: [asked, choices?.[0]?.message ?? null] };
  if (name === 'anthropic')
    return { model: 'm', max_tokens: 9, messages: [asked, { role: 'assistant', content: content ?? null }] };
  return { model: 'm', input: [asked, ...(output ?? [])] };
}

const pairs = dialects.flatMap(from =>
  dialects.filter(to => to !== from).map(to => ({ name: `from ${from.name} to ${to.name}`, from, to })),
);

describe.each(pairs)('$name', ({ from, to }) => {
  it('[DIA-4] messages, calls, images and tools stay', () => {
    fc.assert(
      fc.property(requestOf('openai', textPart), request => {
        const { stop: _stop, ...sampling } = request.sampling;
        const asked = { ...request, sampling, messages: heard('anthropic', request.messages) };
        const { extra: _first, ...seen } = from.readRequest(JSON.parse(JSON.stringify(from.writeRequest(asked))));
        const { extra: _second, ...told } = to.readRequest(JSON.parse(JSON.stringify(to.writeRequest(seen))));
        expect(told).toEqual(asked);
      }),
      { numRuns: 50 },
    );
  });

  it('[DIA-8] what one sealed is not told to the other', () => {
    fc.assert(
      fc.property(messageOf(from.name), message => {
        fc.pre(message.content !== '' || message.calls !== undefined);
        const { sealed: _sealed, thought: _thought, ...plain } = message;
        const request: ChatRequest = { model: 'm', messages: [message], sampling: { maxTokens: 5 } };
        const read = to.readRequest(to.writeRequest(request)).messages[0] as AssistantMessage;
        expect(read).toEqual(to.name === 'openai' ? compact({ ...plain, thought: message.thought }) : plain);
      }),
      { numRuns: 50 },
    );
  });
});
