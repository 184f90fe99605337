import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { generateText, jsonSchema, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatReply, ChatRequest } from '../../core/chat/chat.ts';
import type { WireError } from './dialect.ts';
import { deltasOf, dialects } from './dialects.ts';

const called: ChatReply = {
  id: 'r1',
  model: 'oak',
  version: 'v7',
  message: {
    role: 'assistant',
    content: 'Looking it up.',
    thought: 'They want the weather.',
    calls: [
      { id: 'call_a', name: 'weather', input: '{"city":"Ulm"}' },
      { id: 'call_b', name: 'time', input: '{}' },
    ],
  },
  finish: 'calls',
  usage: { prompt: 11, completion: 5, cached: 4 },
  tokens: { prompt: [1, 2], completion: [3, 4], logprobs: [-0.5, -0.25] },
};
const said: ChatReply = {
  ...called,
  id: 'r2',
  message: { role: 'assistant', content: 'It is **fine**.' },
  finish: 'stop',
};

/** Answers a first question with calls, their answers with text, and tells what it was asked. */
function createModelServer(asked: ChatRequest[]): Server {
  return createServer((request, response) => {
    void (async () => {
      const dialect = dialects.entries.find(entry => request.url?.endsWith(entry.dialect.path))?.dialect;
      if (dialect === undefined) throw new Error(`nothing at ${request.url}`);
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const chat = dialect.readRequest(JSON.parse(text));
      asked.push(chat);
      const refusal = refusals[chat.model];
      if (refusal !== undefined) {
        const { status, body } = dialect.writeError(refusal);
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        return;
      }
      const reply = chat.messages.some(({ role }) => role === 'tool') ? said : called;
      if (!chat.stream) {
        response.setHeader('content-type', 'application/json').end(JSON.stringify(dialect.writeReply(reply, chat)));
        return;
      }
      const writer = dialect.createWriter(chat);
      response.setHeader('content-type', 'text/event-stream');
      for (const delta of deltasOf(reply)) {
        if (chat.model === 'breaks' && delta.kind === 'text') {
          response.end(writer.fail({ kind: 'overloaded', message: 'too much' }));
          return;
        }
        response.write(writer.write(delta));
      }
      response.end(writer.close());
    })();
  });
}

const refusals: Readonly<Record<string, WireError>> = {
  locked: { kind: 'bad-key', message: 'no such key' },
  gone: { kind: 'unknown-model', message: 'no such model' },
  busy: { kind: 'rate-limited', message: 'later' },
  full: { kind: 'context-overflow', message: 'too long' },
};

const asked: ChatRequest[] = [];
const server = createModelServer(asked);
let base = '';
beforeAll(async () => {
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise(resolve => {
    server.close(resolve);
  });
});

const openai = () => new OpenAI({ baseURL: `${base}/v1`, apiKey: 'k', maxRetries: 0 });
const anthropic = () => new Anthropic({ baseURL: base, apiKey: 'k', maxRetries: 0 });
const parameters = { type: 'object' as const, properties: { city: { type: 'string' } } };

describe('the client of OpenAI, chat completions', () => {
  const request = {
    model: 'oak',
    messages: [{ role: 'user' as const, content: 'Weather in Ulm?' }],
    tools: [{ type: 'function' as const, function: { name: 'weather', parameters } }],
    logprobs: true,
  };

  it('[DIA-11] reads a whole reply', async () => {
    const reply = await openai().chat.completions.create(request);
    const [choice] = reply.choices;
    expect(choice?.message.content).toBe('Looking it up.');
    expect(choice?.message.tool_calls).toMatchObject([
      { id: 'call_a', function: { name: 'weather', arguments: '{"city":"Ulm"}' } },
      { id: 'call_b', function: { name: 'time', arguments: '{}' } },
    ]);
    expect(choice?.finish_reason).toBe('tool_calls');
    expect(choice?.logprobs?.content?.map(({ logprob }) => logprob)).toEqual([-0.5, -0.25]);
    expect(reply).toMatchObject({ system_fingerprint: 'v7', usage: { prompt_tokens: 11, total_tokens: 16 } });
  });

  it('[DIA-11] reads a stream', async () => {
    const stream = openai().chat.completions.stream({ ...request, stream_options: { include_usage: true } });
    const reply = await stream.finalChatCompletion();
    expect(reply.choices[0]?.message).toMatchObject({
      content: 'Looking it up.',
      tool_calls: [{ function: { arguments: '{"city":"Ulm"}' } }, { id: 'call_b' }],
    });
    expect(reply.usage).toMatchObject({ completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } });
  });

  // This client forgets thoughts.
  it('[DIA-11] leads a loop of calls to its end', async () => {
    const runner = openai().chat.completions.runTools({
      model: 'oak',
      messages: request.messages,
      stream: true,
      tools: [
        {
          type: 'function',
          function: { name: 'weather', parameters, function: () => 'sunny', parse: JSON.parse, description: 'w' },
        },
        {
          type: 'function',
          function: { name: 'time', parameters, function: () => 'noon', parse: JSON.parse, description: 't' },
        },
      ],
    });
    expect(await runner.finalContent()).toBe('It is **fine**.');
    expect(asked.at(-1)?.messages.slice(1)).toEqual([
      { role: 'assistant', content: 'Looking it up.', calls: called.message.calls },
      { role: 'tool', call: 'call_a', content: [{ type: 'text', text: 'sunny' }] },
      { role: 'tool', call: 'call_b', content: [{ type: 'text', text: 'noon' }] },
    ]);
  });

  it.each([
    ['locked', OpenAI.AuthenticationError],
    ['gone', OpenAI.NotFoundError],
    ['busy', OpenAI.RateLimitError],
    ['full', OpenAI.BadRequestError],
  ])('[DIA-11] is told that %s in its own words', async (model, kind) => {
    await expect(openai().chat.completions.create({ ...request, model })).rejects.toThrow(kind);
  });

  it('[DIA-11] is told in the middle of a stream', async () => {
    const stream = openai().chat.completions.stream({ ...request, model: 'breaks' });
    await expect(stream.finalChatCompletion()).rejects.toThrow('too much');
  });
});

describe('the client of OpenAI, responses', () => {
  const request = {
    model: 'oak',
    input: 'Weather in Ulm?',
    tools: [{ type: 'function' as const, name: 'weather', parameters, strict: false }],
  };

  it('[DIA-11] reads a whole reply', async () => {
    const reply = await openai().responses.create(request);
    expect(reply.output_text).toBe('Looking it up.');
    expect(reply.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call', 'function_call']);
    expect(reply.usage).toMatchObject({ input_tokens: 11, total_tokens: 16 });
  });

  it('[DIA-11] reads a stream, and sends it back', async () => {
    const stream = openai().responses.stream(request);
    const reply = await stream.finalResponse();
    expect(reply.output_text).toBe('Looking it up.');
    expect(reply.output.filter(({ type }) => type === 'function_call')).toMatchObject([
      { call_id: 'call_a', name: 'weather', arguments: '{"city":"Ulm"}', status: 'completed' },
      { call_id: 'call_b', arguments: '{}' },
    ]);
    const answer = { type: 'function_call_output' as const, call_id: 'call_a', output: 'sunny' };
    const input = [{ role: 'user' as const, content: 'Weather in Ulm?' }, ...reply.output, answer];
    const next = await openai().responses.create({ ...request, input: input as OpenAI.Responses.ResponseInput });
    expect(next.output_text).toBe('It is **fine**.');
    expect(asked.at(-1)?.messages[1]).toEqual(called.message);
  });

  it('[DIA-11] is told in the middle of a stream', async () => {
    const stream = openai().responses.stream({ ...request, model: 'breaks' });
    await expect(stream.finalResponse()).rejects.toThrow('too much');
  });
});

describe('the client of Anthropic', () => {
  const request = {
    model: 'oak',
    max_tokens: 100,
    system: 'Be brief.',
    messages: [{ role: 'user' as const, content: 'Weather in Ulm?' }],
    tools: [{ name: 'weather', input_schema: parameters }],
  };

  it('[DIA-11] reads a whole reply', async () => {
    const reply = await anthropic().messages.create(request);
    expect(reply.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use', 'tool_use']);
    expect(reply.content[2]).toMatchObject({ id: 'call_a', name: 'weather', input: { city: 'Ulm' } });
    expect(reply.stop_reason).toBe('tool_use');
    expect(reply.usage).toMatchObject({ input_tokens: 7, cache_read_input_tokens: 4, output_tokens: 5 });
  });

  it('[DIA-11] reads a stream, and sends it back', async () => {
    const reply = await anthropic().messages.stream(request).finalMessage();
    expect(reply.content).toMatchObject([
      { type: 'thinking', thinking: 'They want the weather.' },
      { type: 'text', text: 'Looking it up.' },
      { type: 'tool_use', input: { city: 'Ulm' } },
      { type: 'tool_use', input: {} },
    ]);
    expect(reply.usage).toMatchObject({ input_tokens: 7, output_tokens: 5 });
    const results = ['call_a', 'call_b'].map(id => ({ type: 'tool_result' as const, tool_use_id: id, content: 'ok' }));
    const messages = [
      ...request.messages,
      { role: 'assistant' as const, content: reply.content },
      { role: 'user' as const, content: results },
    ];
    const next = await anthropic()
      .messages.stream({ ...request, messages })
      .finalText();
    expect(next).toBe('It is **fine**.');
    expect(asked.at(-1)?.messages[2]).toEqual(called.message);
  });

  it.each([
    ['locked', Anthropic.AuthenticationError],
    ['gone', Anthropic.NotFoundError],
    ['busy', Anthropic.RateLimitError],
    ['full', Anthropic.BadRequestError],
  ])('[DIA-11] is told that %s in its own words', async (model, kind) => {
    await expect(anthropic().messages.create({ ...request, model })).rejects.toThrow(kind);
  });

  it('[DIA-11] is told in the middle of a stream', async () => {
    await expect(
      anthropic()
        .messages.stream({ ...request, model: 'breaks' })
        .finalMessage(),
    ).rejects.toThrow('too much');
  });
});

describe('the client of Vercel', () => {
  const model = (name: string) =>
    createOpenAICompatible({ name: 'oak', baseURL: `${base}/v1`, apiKey: 'k', includeUsage: true })(name);
  const tools = {
    weather: tool({ inputSchema: jsonSchema<{ city: string }>(parameters), execute: ({ city }) => `sunny in ${city}` }),
    time: tool({ inputSchema: jsonSchema(parameters), execute: () => 'noon' }),
  };

  it('[DIA-11] reads a whole reply', async () => {
    const reply = await generateText({ model: model('oak'), prompt: 'Weather in Ulm?', tools });
    expect(reply.text).toBe('Looking it up.');
    expect(reply.reasoningText).toBe('They want the weather.');
    expect(reply.toolResults.map(({ output }) => output)).toEqual(['sunny in Ulm', 'noon']);
  });

  it('[DIA-11] reads a stream', async () => {
    const stream = streamText({ model: model('oak'), prompt: 'Weather in Ulm?', tools });
    expect(await stream.text).toBe('Looking it up.');
    expect((await stream.toolCalls).map(({ toolName, input }) => [toolName, input])).toEqual([
      ['weather', { city: 'Ulm' }],
      ['time', {}],
    ]);
    expect(await stream.usage).toMatchObject({ inputTokens: 11, outputTokens: 5 });
  });
});
