import { describe, expect, it } from 'vitest';
import type { ChatReply, ChatRequest } from '../../../core/chat/chat.ts';
import type { JsonObject } from '../../../core/json.ts';
import { MalformedError, StreamError, type ServerEvent } from '../dialect.ts';
import { collectReply, deltasOf } from '../dialects.ts';
import { responses } from './responses.ts';

const event = (body: JsonObject): ServerEvent => ({ event: String(body['type']), data: JSON.stringify(body) });
const plain = { id: 'r1', object: 'response', model: 'oak', status: 'completed', error: null, output: [] };
const created = { type: 'response.created', response: { ...plain, status: 'in_progress' } };
const completed = { type: 'response.completed', response: plain };
const say = (text: string) => ({
  type: 'message',
  id: 'm',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});
const asked: ChatRequest = { model: 'oak', messages: [], sampling: {} };

function read(...bodies: readonly JsonObject[]): ChatReply {
  const reader = responses.createReader();
  return collectReply([created, ...bodies].flatMap(body => reader.read(event(body))));
}
function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('replies', () => {
  it('[DIA-8] keep thoughts as the server sealed them, and leave those that it would have to remember', () => {
    const summary = (...texts: readonly string[]) => texts.map(text => ({ type: 'summary_text', text }));
    const sealed = {
      type: 'reasoning',
      id: 'rs_1',
      summary: summary('Hm.', 'So.'),
      encrypted_content: 'abc',
      status: null,
    };
    const kept = { type: 'reasoning', id: 'rs_2', summary: [], content: [{ type: 'reasoning_text', text: 'Ah.' }] };
    const whole = responses.readReply({ ...plain, output: [sealed, kept, say('Hi')] });
    expect(whole.message).toEqual({ role: 'assistant', content: 'Hi', thought: 'Hm.\n\nSo.\n\nAh.', sealed: [sealed] });
    const thought = { type: 'response.reasoning_summary_text.delta', output_index: 0 };
    const streamed = read(
      { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs_1', summary: [] } },
      { ...thought, summary_index: 0, delta: 'Hm' },
      { ...thought, summary_index: 0, delta: '.' },
      { ...thought, summary_index: 1, delta: 'So.' },
      { type: 'response.output_item.done', output_index: 0, item: sealed },
      { type: 'response.reasoning_text.delta', output_index: 1, content_index: 0, delta: 'Ah.' },
      { type: 'response.output_item.done', output_index: 1, item: kept },
      { type: 'response.output_text.delta', output_index: 2, content_index: 0, delta: 'Hi' },
      completed,
    );
    expect(streamed.message).toEqual(whole.message);
    expect(responses.writeRequest({ ...asked, messages: [whole.message] })['input']).toEqual([
      sealed,
      { type: 'message', role: 'assistant', content: 'Hi' },
    ]);
  });

  it('[DIA-8] tell a thought of which the server sealed a part', () => {
    const sealed = {
      id: 'rs_1',
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      encrypted_content: 'abc',
    };
    const message = { role: 'assistant', content: '', thought: 'Hm.\n\nSo.', sealed: [sealed] } as const;
    const reply: ChatReply = { ...responses.readReply(plain), message };
    const writer = responses.createWriter(asked);
    const stream = deltasOf(reply)
      .map(delta => writer.write(delta))
      .join('');
    const texts = [...stream.matchAll(/summary_text.done".*"text":"(.*)"/g)].map(([, text]) => text);
    expect(texts).toEqual(['Hm.', '\\n\\nSo.']);
  });

  it('[DIA-8] tell a thought that nobody sealed as a summary', () => {
    const reply = {
      ...responses.readReply(plain),
      message: { role: 'assistant', content: '', thought: 'Hm.' },
    } as const;
    const told = responses.writeReply(reply, asked);
    expect(told['output']).toEqual([
      { id: 'rs_r1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
    ]);
    expect(responses.readReply(told).message.thought).toBe('Hm.');
  });

  it.each([
    [{ status: 'completed' }, 'stop'],
    [{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
    [{ status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, 'filter'],
    [{ output: [{ type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }] }, 'filter'],
    [{ output: [{ type: 'function_call', call_id: 'a', name: 'go', arguments: '' }] }, 'calls'],
  ])('[DIA-1] with %j end with %s', (members, finish) => {
    expect(responses.readReply({ ...plain, ...members }).finish).toBe(finish);
  });

  it.each([
    [{ code: 'rate_limit_exceeded', message: 'Slow down' }, 'rate-limited'],
    [{ code: 'server_error', message: 'Oh' }, 'broken'],
  ])('[DIA-9] that failed say why: %j', (error, kind) => {
    const failed = { ...plain, status: 'failed', error };
    const seen = [
      catchError(() => responses.readReply(failed)),
      catchError(() => read({ type: 'response.failed', response: failed })),
      catchError(() => read({ type: 'error', ...error, param: null, sequence_number: 3 })),
      catchError(() => read({ type: 'error', error })),
    ];
    for (const one of seen) {
      expect(one).toBeInstanceOf(StreamError);
      expect((one as StreamError).error).toEqual({ kind, message: error.message });
    }
  });

  it('[DIA-7] have the tokens that NeMo Gym says with an item, and tell them so', () => {
    const told = { prompt_token_ids: [1], generation_token_ids: [2, 3], generation_log_probs: [-1, -2] };
    const tokens = { prompt: [1], completion: [2, 3], logprobs: [-1, -2] };
    const reply = responses.readReply({ ...plain, output: [{ ...say('Hi'), ...told }] });
    expect(reply.tokens).toEqual(tokens);
    const curious = { ...asked, wantsTokens: true };
    expect(responses.writeReply(reply, curious)['output']).toMatchObject([told]);
    const writer = responses.createWriter(curious);
    const stream = deltasOf(reply).map(delta => writer.write(delta));
    const last = stream.at(-1)?.split('data: ').at(-1);
    const reader = responses.createReader();
    reader.read(event(created));
    expect(reader.read({ event: null, data: last ?? '' })).toContainEqual({ kind: 'tokens', tokens });
  });

  it('[DIA-1] take an input that comes with the whole call', () => {
    const item = { type: 'function_call', call_id: 'a', name: 'go', arguments: '{"x":1}' };
    const reply = read(
      { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
      { type: 'response.output_item.done', output_index: 0, item },
      completed,
    );
    expect(reply).toMatchObject({ finish: 'calls', message: { calls: [{ id: 'a', name: 'go', input: '{"x":1}' }] } });
  });

  it('[DIA-1] are numbered in streams, item after item', () => {
    const calls = [{ id: 'a', name: 'go', input: '{}' }];
    const reply: ChatReply = {
      ...responses.readReply(plain),
      message: { role: 'assistant', content: 'Hi', calls },
      finish: 'calls',
    };
    const writer = responses.createWriter(asked);
    const stream =
      deltasOf(reply)
        .map(delta => writer.write(delta))
        .join('') + writer.close();
    const events = [...stream.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as JsonObject);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.map(({ type }) => String(type).replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ]);
  });

  it('[DIA-5] whose calls are written by turns cannot be told, and that is said', () => {
    const writer = responses.createWriter(asked);
    writer.write({ kind: 'call', index: 0, id: 'a', name: 'go' });
    writer.write({ kind: 'call', index: 1, id: 'b', name: 'go' });
    expect(() => writer.write({ kind: 'input', index: 0, text: '{}' })).toThrow(MalformedError);
  });
});

describe('streams', () => {
  it('[DIA-6] pass over what only repeats, and over what they do not know', () => {
    const done = { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'Hi' };
    expect(read(done, { type: 'response.novelty' }, completed).message.content).toBe('');
  });

  it.each([
    ['is no JSON', '{"type":'],
    ['comes before the response', JSON.stringify(completed)],
    ['has no type', '{}'],
    ['is no response', JSON.stringify({ type: 'response.created', response: {} })],
  ])('[DIA-6] are refused where an event %s', (_name, data) => {
    expect(() => responses.createReader().read({ event: null, data })).toThrow(MalformedError);
  });

  it.each([
    [{ type: 'response.function_call_arguments.delta', output_index: 0, delta: 'x' }, 'no call that began'],
    [{ type: 'response.output_item.done', output_index: 0, item: { type: 'web_search_call' } }, 'item.type'],
    [{ type: 'response.completed', response: { ...plain, status: 'queued' } }, 'status: the response is queued'],
  ])('[DIA-6] are refused where %j comes', (body, said) => {
    const error = catchError(() => read(body));
    expect(error).toBeInstanceOf(MalformedError);
    expect((error as Error).message).toContain(said);
  });

  it('[DIA-6] are over with the response, and with [DONE] after it', () => {
    const reader = responses.createReader();
    reader.read(event(created));
    expect(reader.isDone()).toBe(false);
    reader.read(event(completed));
    expect(reader.isDone()).toBe(true);
    expect(reader.read({ event: null, data: '[DONE]' })).toEqual([]);
    expect(() => reader.read(event(completed))).toThrow(MalformedError);
  });
});

describe('requests', () => {
  it('[DIA-5] leave nothing with the server, and ask reasoning models for what they seal', () => {
    expect(responses.writeRequest(asked)).toEqual({ model: 'oak', input: [], store: false });
    expect(responses.writeRequest({ ...asked, model: 'gpt-5' })).toMatchObject({
      include: ['reasoning.encrypted_content'],
      store: false,
    });
  });

  it('[DIA-5] have no stop sequences, and that is said', () => {
    expect(() => responses.writeRequest({ ...asked, sampling: { stop: ['x'] } })).toThrow('no stop sequences');
  });

  it('[DIA-5] say a failure in words, and show the images of answers', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    const { input } = responses.writeRequest({
      ...asked,
      messages: [{ role: 'tool', call: 'a', content: [image], failed: true }],
    });
    expect(input).toEqual([
      {
        type: 'function_call_output',
        call_id: 'a',
        output: [
          { type: 'input_text', text: 'The call failed.\n' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
        ],
      },
    ]);
  });

  it('[DIA-3] read instructions, plain input and what the model wrote in one turn', () => {
    const call = { type: 'function_call', call_id: 'a', name: 'go', arguments: '{}' };
    const { messages } = responses.readRequest({
      model: 'oak',
      instructions: 'Be brief.',
      input: [
        { role: 'developer', content: [{ type: 'input_text', text: 'Yes.' }] },
        { role: 'user', content: 'Go' },
        { ...say('One'), phase: 'commentary', status: 'completed' },
        call,
        say('Two'),
        { type: 'function_call_output', call_id: 'a', output: 'done' },
      ],
    });
    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'system', content: 'Yes.' },
      { role: 'user', content: [{ type: 'text', text: 'Go' }] },
      { role: 'assistant', content: 'OneTwo', calls: [{ id: 'a', name: 'go', input: '{}' }] },
      { role: 'tool', call: 'a', content: [{ type: 'text', text: 'done' }] },
    ]);
    expect(responses.readRequest({ model: 'oak', input: 'Go' }).messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Go' }] },
    ]);
  });

  it('[DIA-3] keep how strict tools and formats are', () => {
    const body = {
      model: 'oak',
      input: [],
      store: true,
      tools: [{ type: 'function', name: 'go', description: '', parameters: { type: 'object' }, strict: true }],
      text: { verbosity: 'low', format: { type: 'json_schema', name: 'n', schema: {}, strict: false } },
    };
    expect(responses.writeRequest(responses.readRequest(body))).toEqual(body);
    const free = { model: 'oak', input: [], store: false, text: { format: { type: 'json_object' } } };
    expect(responses.writeRequest(responses.readRequest(free))).toEqual(free);
  });

  it.each([
    [{ model: 'm' }, 'input'],
    [{ model: 'm', input: [], previous_response_id: 'r0' }, 'previous_response_id: the responses before are not kept'],
    [{ model: 'm', input: [], conversation: 'c' }, 'conversation: conversations are not kept'],
    [{ model: 'm', input: [], prompt: { id: 'p' } }, 'prompt: prompts are not kept'],
    [{ model: 'm', input: [], background: true }, 'background: nothing is answered later'],
    [{ model: 'm', input: [{ type: 'item_reference', id: 'x' }] }, 'input[0]: nothing is remembered here'],
    [{ model: 'm', input: [{ type: 'computer_call' }] }, 'input[0].type'],
    [{ model: 'm', input: [{ type: 'function_call', name: 'go' }] }, 'input[0].call_id'],
    [{ model: 'm', input: [{ role: 'user', content: [{ type: 'input_file' }] }] }, 'input[0].content[0].type'],
    [
      { model: 'm', input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] },
      'input[0].content[0]',
    ],
    [
      {
        model: 'm',
        input: [{ role: 'system', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AA' }] }],
      },
      'instructions have no images',
    ],
    [{ model: 'm', input: [], tools: [{ type: 'web_search' }] }, 'tools[0].type: only function tools'],
  ])('[DIA-6] are refused by the member that is wrong: %j', (body, said) => {
    const error = catchError(() => responses.readRequest(body));
    expect(error).toBeInstanceOf(MalformedError);
    expect((error as Error).message).toContain(said);
  });
});
