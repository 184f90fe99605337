import { describe, expect, it } from 'vitest';
import type { ChatReply, ChatRequest } from '../../../core/chat/chat.ts';
import type { JsonObject } from '../../../core/json.ts';
import { anthropic } from './anthropic.ts';
import { MalformedError, StreamError, type ServerEvent } from '../dialect.ts';
import { collectReply, deltasOf } from '../dialects.ts';

const event = (body: JsonObject): ServerEvent => ({ event: String(body['type']), data: JSON.stringify(body) });
const start = {
  type: 'message_start',
  message: { id: 'm1', model: 'oak', usage: { input_tokens: 5, output_tokens: 1 } },
};
const stop = (stop_reason: string, usage: JsonObject = { output_tokens: 9 }) => [
  { type: 'message_delta', delta: { stop_reason }, usage },
  { type: 'message_stop' },
];
const block = (index: number, content_block: JsonObject, ...deltas: readonly JsonObject[]) => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const plain = {
  id: 'm1',
  type: 'message',
  role: 'assistant',
  model: 'oak',
  usage: { input_tokens: 5, output_tokens: 9 },
};
const asked: ChatRequest = { model: 'oak', messages: [], sampling: { maxTokens: 9 } };

function read(...bodies: readonly JsonObject[]): ChatReply {
  const reader = anthropic.createReader();
  return collectReply([start, ...bodies].flatMap(body => reader.read(event(body))));
}
function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('replies', () => {
  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'filter'],
  ])('[DIA-1] that stop for %s end with %s', (reason, finish) => {
    expect(anthropic.readReply({ ...plain, content: [], stop_reason: reason }).finish).toBe(finish);
    expect(read(...stop(reason)).finish).toBe(finish);
  });

  it('[DIA-1] count what was cached with the prompt', () => {
    const usage = { input_tokens: 5, output_tokens: 9, cache_creation_input_tokens: 7, cache_read_input_tokens: 100 };
    const expected = { prompt: 112, completion: 9, cached: 100 };
    expect(anthropic.readReply({ ...plain, content: [], stop_reason: 'end_turn', usage }).usage).toEqual(expected);
    expect(read(...stop('end_turn', usage)).usage).toEqual(expected);
    expect(read(...stop('end_turn', { output_tokens: 9 })).usage).toEqual({ prompt: 5, completion: 9 });
  });

  it('[DIA-8] keep thoughts as the server sealed them', () => {
    const signed = { type: 'thinking', thinking: 'Hm.', signature: 'abc' };
    const hidden = { type: 'redacted_thinking', data: 'xyz' };
    const unsaid = { type: 'thinking', thinking: '', signature: 'def' };
    const content = [signed, hidden, unsaid, { type: 'text', text: 'Hi', citations: null, new_member: 1 }];
    const whole = anthropic.readReply({ ...plain, content, stop_reason: 'end_turn' });
    expect(whole.message).toEqual({
      role: 'assistant',
      content: 'Hi',
      thought: 'Hm.',
      sealed: [signed, hidden, unsaid],
    });
    const streamed = read(
      ...block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: 'Hm.' },
        { type: 'signature_delta', signature: 'abc' },
      ),
      ...block(1, hidden),
      ...block(2, { type: 'thinking', thinking: '' }, { type: 'signature_delta', signature: 'def' }),
      ...block(
        3,
        { type: 'text', text: '' },
        { type: 'text_delta', text: 'Hi' },
        { type: 'citations_delta', citation: {} },
      ),
      ...stop('end_turn'),
    );
    expect(streamed.message).toEqual(whole.message);
    const { messages } = anthropic.writeRequest({ ...asked, messages: [whole.message] });
    expect(messages).toEqual([{ role: 'assistant', content: [signed, hidden, unsaid, { type: 'text', text: 'Hi' }] }]);
  });

  it('[DIA-8] do not give back a thought that nobody signed', () => {
    const message = { role: 'assistant', content: 'Hi', thought: 'Hm.' } as const;
    expect(anthropic.writeRequest({ ...asked, messages: [message] })['messages']).toEqual([
      { role: 'assistant', content: 'Hi' },
    ]);
  });

  it('[DIA-1] have calls whose input is missing, in pieces, or not JSON', () => {
    const call = (id: string) => ({ type: 'tool_use', id, name: 'go', input: {} });
    const reply = read(
      ...block(0, call('a')),
      ...block(
        1,
        call('b'),
        { type: 'input_json_delta', partial_json: '{"x"' },
        { type: 'input_json_delta', partial_json: ':1}' },
      ),
      ...block(2, call('c'), { type: 'input_json_delta', partial_json: '{"x":' }),
      ...stop('tool_use'),
    );
    expect(reply.finish).toBe('calls');
    expect(reply.message.calls?.map(({ input }) => input)).toEqual(['{}', '{"x":1}', '{"x":']);
  });

  it('[DIA-5] wrap an input that is no object, and unwrap it', () => {
    const calls = ['{"x":', '[1]', ''].map((input, index) => ({ id: `c${index}`, name: 'go', input }));
    const { messages } = anthropic.writeRequest({ ...asked, messages: [{ role: 'assistant', content: '', calls }] });
    expect(messages).toMatchObject([
      { content: [{ input: { INVALID_JSON: '{"x":' } }, { input: { INVALID_JSON: '[1]' } }, { input: {} }] },
    ]);
    const [read_] = anthropic.readRequest({ model: 'm', max_tokens: 1, messages } as JsonObject).messages;
    expect(read_).toMatchObject({ calls: [{ input: '{"x":' }, { input: '[1]' }, { input: '{}' }] });
  });

  it('[DIA-5] whose calls are written by turns cannot be told, and that is said', () => {
    const writer = anthropic.createWriter(asked);
    writer.write({ kind: 'call', index: 0, id: 'a', name: 'go' });
    writer.write({ kind: 'call', index: 1, id: 'b', name: 'go' });
    expect(() => writer.write({ kind: 'input', index: 0, text: '{}' })).toThrow(MalformedError);
  });
});

describe('streams', () => {
  it('[DIA-6] pass over pings and what they do not know', () => {
    expect(read({ type: 'ping' }, { type: 'novelty', x: 1 }, ...stop('end_turn')).message.content).toBe('');
  });

  it.each([
    ['is no JSON', '{"type":'],
    ['comes before the message', JSON.stringify({ type: 'message_stop' })],
    ['has no type', '{}'],
    ['is no message', JSON.stringify({ type: 'message_start', message: {} })],
  ])('[DIA-6] are refused where an event %s', (_name, data) => {
    expect(() => anthropic.createReader().read({ event: null, data })).toThrow(MalformedError);
  });

  it.each([
    [{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } }, 'never started'],
    [{ type: 'content_block_start', index: 0, content_block: { type: 'server_tool_use' } }, 'content_block.type'],
    [{ type: 'message_stop' }, 'stop_reason'],
  ])('[DIA-6] are refused where %j comes first', (body, said) => {
    expect(() => read(body)).toThrow(said);
  });

  it('[DIA-6] are over with message_stop', () => {
    const reader = anthropic.createReader();
    for (const body of [start, ...stop('end_turn')]) {
      expect(reader.isDone()).toBe(false);
      reader.read(event(body));
    }
    expect(reader.isDone()).toBe(true);
    expect(() => reader.read(event({ type: 'ping' }))).toThrow(MalformedError);
  });

  it.each([
    ['overloaded_error', 'Overloaded', 'overloaded'],
    ['rate_limit_error', 'Slow down', 'rate-limited'],
    ['api_error', 'Oh', 'broken'],
    ['novel_error', 'Oh', 'broken'],
  ])('[DIA-9] say that the server gave up: %s', (type, message, kind) => {
    const error = catchError(() => read({ type: 'error', error: { type, message } }));
    expect(error).toBeInstanceOf(StreamError);
    expect((error as StreamError).error).toEqual({ kind, message });
  });

  it('[DIA-1] are written as the protocol has them', () => {
    const reply = anthropic.readReply({ ...plain, content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn' });
    const writer = anthropic.createWriter(asked);
    const stream =
      deltasOf(reply)
        .map(delta => writer.write(delta))
        .join('') + writer.close();
    expect([...stream.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)).toEqual([
      'message_start',
      'ping',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });
});

describe('requests', () => {
  it('[DIA-5] have instructions at the head, and later ones in their place', () => {
    const messages = [
      { role: 'system', content: 'One.' },
      { role: 'system', content: 'Two.' },
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
      { role: 'system', content: 'Three.' },
    ] as const;
    const body = anthropic.writeRequest({ ...asked, messages });
    expect(body).toMatchObject({
      system: [
        { type: 'text', text: 'One.' },
        { type: 'text', text: 'Two.' },
      ],
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'system', content: 'Three.' },
      ],
    });
    expect(anthropic.readRequest(body).messages[0]).toEqual({ role: 'system', content: 'One.Two.' });
  });

  it('[DIA-5] hold the answers of a turn and what is said after in one message', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    const messages = [
      { role: 'tool', call: 'a', content: [image] },
      { role: 'tool', call: 'b', content: [{ type: 'text', text: 'gone' }], failed: true },
      { role: 'user', content: [{ type: 'text', text: 'And?' }] },
    ] as const;
    const body = anthropic.writeRequest({ ...asked, messages });
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    expect(body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image', source }] },
          { type: 'tool_result', tool_use_id: 'b', content: 'gone', is_error: true },
          { type: 'text', text: 'And?' },
        ],
      },
    ]);
    expect(anthropic.readRequest(body).messages).toEqual(messages);
  });

  it('[DIA-5] have a limit of tokens, no seed and no empty texts', () => {
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: '' },
          { type: 'text', text: 'Hi' },
        ],
      },
    ] as const;
    expect(anthropic.writeRequest({ model: 'oak', messages, sampling: { seed: 3 }, wantsTokens: true })).toEqual({
      model: 'oak',
      max_tokens: 8192,
      messages: [{ role: 'user', content: 'Hi' }],
    });
  });

  it('[DIA-3] ask for a format, and keep what else is said of the output and of tools', () => {
    const body = {
      model: 'oak',
      max_tokens: 9,
      messages: [],
      output_config: { effort: 'low', format: { type: 'json_schema', schema: { type: 'object' } } },
      tools: [{ cache_control: { type: 'ephemeral' }, name: 'go', description: '', input_schema: { type: 'object' } }],
      thinking: { type: 'adaptive' },
    };
    const request = anthropic.readRequest(body);
    expect(request).toMatchObject({ format: { name: 'answer', schema: { type: 'object' } }, tools: [{ name: 'go' }] });
    expect(anthropic.writeRequest(request)).toEqual(body);
  });

  it('[DIA-5] mark as a whole what they marked for the cache in parts', () => {
    const mark = { cache_control: { type: 'ephemeral' } };
    const request = anthropic.readRequest({
      model: 'oak',
      max_tokens: 9,
      system: [{ type: 'text', text: 'Be brief.', ...mark }],
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect(anthropic.writeRequest(request)).toMatchObject({ system: 'Be brief.', ...mark });
  });

  it('[DIA-5] say one call at a time with the choice of tools', () => {
    const tools = [{ name: 'go', description: '', input: { type: 'object' } }];
    const body = anthropic.writeRequest({ ...asked, tools, parallelCalls: false });
    expect(body).toMatchObject({ tool_choice: { type: 'auto', disable_parallel_tool_use: true } });
    expect(anthropic.writeRequest({ ...asked, toolChoice: 'required' })).not.toHaveProperty('tool_choice');
    expect(anthropic.writeRequest({ ...asked, tools, toolChoice: 'none', parallelCalls: false })).toMatchObject({
      tool_choice: { type: 'none' },
    });
  });

  const user = (...content: readonly JsonObject[]) => ({
    model: 'm',
    max_tokens: 1,
    messages: [{ role: 'user', content }],
  });
  it.each([
    [{ model: 'm', messages: [] }, 'max_tokens'],
    [
      user({ type: 'image', source: { type: 'url', url: 'https://example.org' } }),
      'messages[0].content[0].source.type',
    ],
    [user({ type: 'image', source: { type: 'base64', media_type: 'image/bmp', data: '' } }), 'image/bmp is no image'],
    [user({ type: 'document', source: {} }), 'messages[0].content[0].type'],
    [user({ type: 'tool_result' }), 'messages[0].content[0].tool_use_id'],
    [user({ type: 'text', text: 'x', mood: 1 }), 'Unrecognized key: "mood"'],
    [{ model: 'm', max_tokens: 1, messages: [], tools: [{ type: 'bash_20250124', name: 'bash' }] }, 'tools[0].type'],
    [{ model: 'm', max_tokens: 1, messages: [], tool_choice: { type: 'some' } }, 'tool_choice.type'],
    [{ model: 'm', max_tokens: 1, messages: [], container: 'c' }, 'container: the server would have to remember'],
  ])('[DIA-6] are refused by the member that is wrong: %j', (body, said) => {
    const error = catchError(() => anthropic.readRequest(body));
    expect(error).toBeInstanceOf(MalformedError);
    expect((error as Error).message).toContain(said);
  });
});

describe('errors', () => {
  const said = (type: string, message: string) => ({ type: 'error', error: { type, message } });
  it.each([
    [401, said('authentication_error', 'invalid x-api-key'), 'bad-key'],
    [403, said('permission_error', 'no'), 'bad-key'],
    [404, said('not_found_error', 'model: oak'), 'unknown-model'],
    [400, said('invalid_request_error', 'prompt is too long: 207791 tokens > 200000 maximum'), 'context-overflow'],
    [
      400,
      said('invalid_request_error', 'input length and `max_tokens` exceed context limit: 1 + 2 > 2'),
      'context-overflow',
    ],
    [400, said('invalid_request_error', 'Your credit balance is too low'), 'no-credit'],
    [402, said('billing_error', 'pay'), 'no-credit'],
    [429, said('rate_limit_error', 'slow down'), 'rate-limited'],
    [529, said('overloaded_error', 'Overloaded'), 'overloaded'],
    [500, said('api_error', 'Internal server error'), 'broken'],
  ])('[DIA-9] %i %j is %s', (status, body, kind) => {
    expect(anthropic.readError(status, body)).toEqual({ kind, message: body.error.message });
  });
});
