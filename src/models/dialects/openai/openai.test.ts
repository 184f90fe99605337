import { describe, expect, it } from 'vitest';
import type { ChatReply, ChatRequest } from '../../../core/chat/chat.ts';
import { MalformedError, StreamError, type ServerEvent } from '../dialect.ts';
import { collectReply, deltasOf } from '../dialects.ts';
import { openai } from './openai.ts';

const data = (body: unknown): ServerEvent => ({
  event: null,
  data: typeof body === 'string' ? body : JSON.stringify(body),
});
const head = { id: 'c1', object: 'chat.completion', created: 1, model: 'oak' };
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const plain = { index: 0, message: { role: 'assistant', content: 'Hi' }, logprobs: null, finish_reason: 'stop' };
const asked: ChatRequest = { model: 'oak', messages: [], sampling: {} };

function read(...bodies: readonly unknown[]): ChatReply {
  const reader = openai.createReader();
  return collectReply([...bodies, '[DONE]'].flatMap(body => reader.read(data(body))));
}
function chunk(delta: unknown, more: object = {}, whole: object = {}) {
  return { ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...more }], ...whole };
}

describe('tokens', () => {
  const logprobs = {
    content: [
      { token: 'H', logprob: -0.5, bytes: [72], top_logprobs: [] },
      { token: 'i', logprob: -1.5 },
    ],
  };

  const listed = (members: readonly object[]) => ({
    content: [
      { token: 'H', logprob: -0.5 },
      { token: 'i', logprob: -1.5 },
    ].map((token, index) => ({ ...token, ...members[index] })),
  });
  const all = { prompt: [1, 2], completion: [3, 4], logprobs: [-0.5, -1.5] };
  const answered = { ...all, prompt: null };

  it.each([
    { server: 'vLLM', whole: { prompt_token_ids: [1, 2] }, choice: { token_ids: [3, 4], logprobs }, tokens: all },
    { server: 'SGLang', choice: { prompt_token_ids: [1, 2], token_ids: [3, 4], logprobs }, tokens: all },
    {
      server: 'the extension of SGLang',
      whole: { sglext: { input_ids: [1, 2], output_ids: [[3, 4]] } },
      tokens: { ...all, logprobs: null },
    },
    {
      server: 'the notes of SGLang',
      choice: {
        meta_info: {
          output_token_logprobs: [
            [-0.5, 3, 'H'],
            [-1.5, 4, null],
          ],
        },
      },
      tokens: answered,
    },
    { server: 'llama.cpp', choice: { logprobs: listed([{ id: 3 }, { id: 4 }]) }, tokens: answered },
    {
      server: 'a text that is an id',
      choice: { logprobs: listed([{ token: 'token_id:3' }, { token: 'token_id:4' }]) },
      tokens: answered,
    },
    { server: 'OpenAI', choice: { logprobs }, tokens: { ...answered, completion: null } },
  ])('[DIA-7] are read where $server says them', ({ whole, choice, tokens }) => {
    const body = { ...head, choices: [{ ...plain, ...choice }], usage, ...whole };
    expect(openai.readReply(body).tokens).toEqual(tokens);
  });

  it('[DIA-7] are null where nobody says them', () => {
    expect(openai.readReply({ ...head, choices: [plain], usage }).tokens).toBeNull();
    expect(read(chunk({ content: 'Hi' }, { finish_reason: 'stop' })).tokens).toBeNull();
  });

  it('[DIA-7] are put together from the pieces of vLLM', () => {
    const reply = read(
      chunk({ role: 'assistant', content: '' }, {}, { prompt_token_ids: [1, 2] }),
      chunk({ content: 'H' }, { token_ids: [3], logprobs: { content: [{ token: 'H', logprob: -0.5 }] } }),
      chunk(
        {},
        {
          token_ids: [4, 5],
          logprobs: {
            content: [
              { token: 'i', logprob: -1 },
              { token: '', logprob: -2 },
            ],
          },
        },
      ),
      chunk({}, { finish_reason: 'stop', token_ids: [] }),
      { ...head, choices: [], usage },
    );
    expect(reply.tokens).toEqual({ prompt: [1, 2], completion: [3, 4, 5], logprobs: [-0.5, -1, -2] });
    expect(reply.usage).toEqual({ prompt: 3, completion: 2 });
  });

  it('[DIA-7] are read from the last piece of SGLang', () => {
    const reply = read(chunk({ content: 'Hi' }, { finish_reason: 'stop' }), {
      ...head,
      choices: [],
      sglext: { input_ids: [1], output_ids: [[2, 3]] },
    });
    expect(reply.tokens).toEqual({ prompt: [1], completion: [2, 3], logprobs: null });
  });

  it('[DIA-7] are asked for, and less of them by saying which not', () => {
    expect(openai.writeRequest({ ...asked, wantsTokens: true })).toMatchObject({
      logprobs: true,
      return_token_ids: true,
    });
    const less = openai.writeRequest({ ...asked, wantsTokens: true, extra: { return_token_ids: false } });
    expect(less).toEqual({ model: 'oak', messages: [], logprobs: true });
    const request = openai.readRequest({ model: 'oak', messages: [], logprobs: true, top_logprobs: 2 });
    expect(request.wantsTokens).toBe(true);
    expect(openai.writeRequest(request)).toEqual({ model: 'oak', messages: [], logprobs: true, top_logprobs: 2 });
  });

  it('[DIA-7] are told as far as they were asked for', () => {
    const reply = openai.readReply({
      ...head,
      choices: [{ ...plain, token_ids: [3, 4], logprobs }],
      prompt_token_ids: [1],
    });
    const request = openai.readRequest({ model: 'oak', messages: [], return_token_ids: true });
    const told = openai.writeReply(reply, request);
    expect(told).toMatchObject({ prompt_token_ids: [1], choices: [{ token_ids: [3, 4], logprobs: null }] });
  });
});

describe('replies', () => {
  it.each([
    ['reasoning_content', { reasoning_content: 'Hm.' }],
    ['reasoning', { reasoning: 'Hm.' }],
  ])('[DIA-8] have a thought in %s', (_name, members) => {
    const body = { ...head, choices: [{ ...plain, message: { ...plain.message, ...members } }] };
    expect(openai.readReply(body).message).toEqual({ role: 'assistant', content: 'Hi', thought: 'Hm.' });
    expect(read(chunk(members), chunk({ content: 'Hi' }, { finish_reason: 'stop' })).message.thought).toBe('Hm.');
  });

  it('[DIA-1] that call a tool end with calls, whatever the server says', () => {
    const call = { id: 'a', type: 'function', function: { name: 'go', arguments: '{"x":' } };
    const body = { ...head, choices: [{ ...plain, message: { content: null, tool_calls: [call] } }] };
    expect(openai.readReply(body)).toMatchObject({
      finish: 'calls',
      message: { content: '', calls: [{ input: '{"x":' }] },
    });
    expect(openai.readReply({ ...head, choices: [{ ...plain, finish_reason: 'tool_calls' }] }).finish).toBe('stop');
  });

  it('[DIA-1] that are refused are filtered', () => {
    const body = { ...head, choices: [{ ...plain, message: { content: null, refusal: 'No.' } }] };
    expect(openai.readReply(body)).toMatchObject({ finish: 'filter', message: { content: 'No.' } });
    expect(read(chunk({ refusal: 'No.' }, { finish_reason: 'stop' }))).toMatchObject({
      finish: 'filter',
      message: { content: 'No.' },
    });
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['repetition', 'length'],
    ['content_filter', 'filter'],
  ])('[DIA-1] that end with %s finish with %s', (reason, finish) => {
    expect(openai.readReply({ ...head, choices: [{ ...plain, finish_reason: reason }] }).finish).toBe(finish);
    expect(read(chunk({ content: 'Hi' }, { finish_reason: reason })).finish).toBe(finish);
  });

  it.each(['abort', 'error'])('[DIA-9] that end with %s are none: the server gave up', reason => {
    const ends = { finish_reason: reason };
    expect(() => openai.readReply({ ...head, choices: [{ ...plain, ...ends }] })).toThrow(StreamError);
    expect(() => read(chunk({ content: 'Hi' }, ends))).toThrow(StreamError);
  });

  it('[DIA-6] that end with another word are refused', () => {
    expect(() => openai.readReply({ ...head, choices: [{ ...plain, finish_reason: 'tired' }] })).toThrow(
      'finish_reason',
    );
  });

  it('[DIA-1] take calls that come whole and without an index', () => {
    const call = (id: string) => ({ id, type: 'function', function: { name: 'go', arguments: '{}' } });
    const reply = read(
      chunk({ tool_calls: [call('a')] }),
      chunk({ tool_calls: [call('b')] }, { finish_reason: 'stop' }),
    );
    expect(reply.message.calls?.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('[DIA-8] give back what a server sealed with a call', () => {
    const sealed = { google: { thought_signature: 'xyz' } };
    const call = { id: 'a', type: 'function', function: { name: 'go', arguments: '{}' }, extra_content: sealed };
    const whole = openai.readReply({ ...head, choices: [{ ...plain, message: { content: '', tool_calls: [call] } }] });
    const piece = { index: 0, ...call };
    expect(read(chunk({ tool_calls: [piece] }, { finish_reason: 'tool_calls' })).message).toEqual(whole.message);
    const written = openai.writeRequest({ ...asked, messages: [whole.message] });
    expect(written['messages']).toMatchObject([{ tool_calls: [call] }]);
    const writer = openai.createWriter(asked);
    const stream = deltasOf(whole)
      .map(delta => writer.write(delta))
      .join('');
    expect(stream).toContain('"extra_content":{"google":{"thought_signature":"xyz"}}');
  });

  it('[DIA-1] tell their usage at the end of a stream to a client that asked for it', () => {
    const reply = openai.readReply({ ...head, choices: [plain], usage });
    const end = deltasOf(reply).at(-1)!;
    expect(openai.createWriter(asked).write(end)).not.toContain('usage');
    const request = openai.readRequest({
      model: 'oak',
      messages: [],
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(openai.createWriter(request).write(end)).toContain('"choices":[],"usage":{"prompt_tokens":3');
    expect(openai.writeRequest({ ...asked, stream: true })).toMatchObject({ stream_options: { include_usage: true } });
  });
});

describe('streams', () => {
  it.each([
    ['is no JSON', '{"id":'],
    ['is no chunk', { id: 'c1' }],
    ['has a second answer', { ...head, choices: [{ index: 1, delta: {} }] }],
    ['begins a call without a name', chunk({ tool_calls: [{ index: 0, id: 'a' }] })],
    ['leaves out a call', chunk({ tool_calls: [{ index: 1, id: 'a', function: { name: 'go' } }] })],
    ['is done without a reason', '[DONE]'],
  ])('[DIA-6] are refused where an event %s', (_name, body) => {
    expect(() => openai.createReader().read(data(body))).toThrow(MalformedError);
  });

  it('[DIA-6] are over with [DONE]', () => {
    const reader = openai.createReader();
    reader.read(data(chunk({ content: 'Hi' }, { finish_reason: 'stop' })));
    expect(reader.isDone()).toBe(false);
    reader.read(data('[DONE]'));
    expect(reader.isDone()).toBe(true);
    expect(() => reader.read(data('[DONE]'))).toThrow(MalformedError);
  });

  it.each([
    [{ error: { message: 'CUDA error', type: 'InternalServerError', code: 500 } }, 'broken'],
    [
      { error: { message: 'This model has a maximum context length of 8', type: 'BadRequestError', code: 400 } },
      'context-overflow',
    ],
    [{ error: { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' } }, 'rate-limited'],
    [openai.writeError({ kind: 'overloaded', message: 'later' }).body, 'overloaded'],
  ])('[DIA-9] say that the server gave up: %j is %s', (body, kind) => {
    const error = catchError(() => openai.createReader().read(data(body)));
    expect(error).toBeInstanceOf(StreamError);
    expect((error as StreamError).error.kind).toBe(kind);
  });
});

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('requests', () => {
  const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;

  it('[DIA-5] show the images of answers in a message of the user, after all answers', () => {
    const { messages } = openai.writeRequest({
      ...asked,
      messages: [
        { role: 'tool', call: 'a', content: [{ type: 'text', text: 'see' }, image] },
        { role: 'tool', call: 'b', content: [{ type: 'text', text: 'gone' }], failed: true },
        { role: 'assistant', content: 'I see.' },
      ],
    });
    expect(messages).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'see' },
      { role: 'tool', tool_call_id: 'b', content: 'The call failed.\ngone' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What the call a shows:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      { role: 'assistant', content: 'I see.' },
    ]);
  });

  it.each([
    ['gpt-5.2', 'max_completion_tokens'],
    ['o4-mini', 'max_completion_tokens'],
    ['qwen3', 'max_tokens'],
    ['gpt-4o', 'max_tokens'],
  ])('[DIA-5] limit the tokens of %s by %s, and read both', (model, member) => {
    const body = openai.writeRequest({ model, messages: [], sampling: { maxTokens: 7 } });
    expect(body).toEqual({ model, messages: [], [member]: 7 });
    expect(openai.readRequest(body).sampling).toEqual({ maxTokens: 7 });
  });

  it('[DIA-3] keep how strict tools and formats are', () => {
    const body = {
      model: 'oak',
      messages: [],
      tools: [
        { type: 'function', function: { name: 'go', description: '', parameters: { type: 'object' }, strict: true } },
      ],
      response_format: { type: 'json_schema', json_schema: { strict: false, description: 'd', name: 'n', schema: {} } },
    };
    const request = openai.readRequest(body);
    expect(request).toMatchObject({ tools: [{ name: 'go' }], format: { name: 'n', schema: {} } });
    expect(openai.writeRequest(request)).toEqual(body);
    const free = { model: 'oak', messages: [], response_format: { type: 'json_object' } };
    expect(openai.writeRequest(openai.readRequest(free))).toEqual(free);
  });

  it('[DIA-3] read images by their wrong name too', () => {
    const content = [{ type: 'image_url', image_url: { url: 'data:image/jpg;base64,AAAA', detail: 'high' } }];
    expect(openai.readRequest({ model: 'oak', messages: [{ role: 'user', content }] }).messages).toEqual([
      { role: 'user', content: [{ ...image, mediaType: 'image/jpeg' }] },
    ]);
  });

  it('[DIA-3] take null for nothing', () => {
    const body = { model: 'oak', messages: [], temperature: null, tools: null, stop: null, stream: null, user: null };
    expect(openai.readRequest(body)).toEqual({ model: 'oak', messages: [], sampling: {} });
  });

  const user = (content: unknown) => ({ model: 'm', messages: [{ role: 'user', content }] });
  it.each([
    [[], 'the request: expected a JSON object'],
    [{ messages: [] }, 'model'],
    [{ model: 'm', messages: 'hello' }, 'messages'],
    [{ model: 'm', messages: [{ role: 'robot', content: '' }] }, 'messages[0].role'],
    [{ model: 'm', messages: [{ role: 'tool', content: '' }] }, 'messages[0].tool_call_id'],
    [{ model: 'm', messages: [{ role: 'user', content: '', mood: 1 }] }, 'messages[0]: Unrecognized key: "mood"'],
    [user(7), 'messages[0].content'],
    [user([{ type: 'input_audio', input_audio: {} }]), 'messages[0].content[0].type'],
    [
      user([{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }]),
      'messages[0].content[0].image_url.url',
    ],
    [user([{ type: 'image_url', image_url: { url: 'data:image/tiff;base64,AA' } }]), 'image/tiff is no image'],
    [{ model: 'm', messages: [], tools: [{ type: 'custom', custom: {} }] }, 'tools[0].type: only function tools'],
    [{ model: 'm', messages: [], tool_choice: { type: 'allowed_tools' } }, 'tool_choice'],
    [{ model: 'm', messages: [], functions: [] }, 'functions: is older than tools'],
    [{ model: 'm', messages: [], n: 2 }, 'n: one answer at a time'],
    [{ model: 'm', messages: [], temperature: -1 }, 'temperature'],
    [{ model: 'm', messages: [], response_format: { type: 'json_schema' } }, 'name'],
  ])('[DIA-6] are refused by the member that is wrong: %j', (body, said) => {
    const error = catchError(() => openai.readRequest(body));
    expect(error).toBeInstanceOf(MalformedError);
    expect((error as Error).message).toContain(said);
  });
});

describe('errors', () => {
  it.each([
    [401, { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 'bad-key'],
    [
      404,
      { object: 'error', message: 'The model `x` does not exist.', type: 'NotFoundError', code: 404 },
      'unknown-model',
    ],
    [
      400,
      { error: { message: "This model's maximum context length is 8192 tokens.", code: null } },
      'context-overflow',
    ],
    [
      400,
      { error: { code: 400, message: 'too big', type: 'exceed_context_size_error', n_ctx: 1 } },
      'context-overflow',
    ],
    [
      400,
      { object: 'error', message: "The input (9 tokens) is longer than the model's context length (8 tokens)." },
      'context-overflow',
    ],
    [400, { error: { message: 'At most 0 image(s) may be provided in one prompt.' } }, 'no-images'],
    [500, { error: { message: 'image input is not supported - hint: provide the mmproj' } }, 'no-images'],
    [400, { error: { message: 'Invalid content type. image_url is only supported by certain models.' } }, 'no-images'],
    [400, { error: { message: 'temperature: too high' } }, 'bad-request'],
    [422, { detail: [{ loc: ['body'], msg: 'field required' }] }, 'bad-request'],
    [429, { error: { message: 'Rate limit reached' } }, 'rate-limited'],
    [429, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }, 'no-credit'],
    [503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }, 'overloaded'],
    [502, '<html>Bad gateway</html>', 'overloaded'],
    [500, '', 'broken'],
  ])('[DIA-9] %i %j is %s', (status, body, kind) => {
    const error = openai.readError(status, body);
    expect(error.kind).toBe(kind);
    expect(error.message).not.toBe('');
  });
});
