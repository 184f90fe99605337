import Anthropic from '@anthropic-ai/sdk';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { startProxied, type Proxied } from '../../../test/fixtures/models/proxied.ts';
import type { Script } from '../../../test/fixtures/models/scripted-upstream.ts';
import { segmentsOf } from '../../core/chat/segments.ts';
import type { JsonObject } from '../../core/json.ts';
import { readCalls } from './record/read-calls.ts';

/** A harness in few words: asks, calls the tool that the model wants, asks again, and gives the last words. */
type Harness = (url: string, isStreaming: boolean) => Promise<string>;

const question = 'What is the weather in Bonn?';
const system = 'Answer in one word — «straße» included.';
const description = 'Says what the weather is like.';
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const result = 'It is sunny.';
const model = 'their-name';

/** Calls the tool first, and answers when it knows. Both wire formats have the result somewhere in the last message. */
const weather: Script = ({ body }) => {
  const { messages } = body as { messages: JsonObject[] };
  if (!JSON.stringify(messages.at(-1)).includes(result))
    return { thought: 'I must look.', text: 'One moment… ☂', calls: [{ name: 'weather', input: { city: 'Bonn ☀' } }] };
  return { text: 'Sunny.' };
};

const chat: Harness = async (url, isStreaming) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 's-chat', maxRetries: 0 });
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: system },
    { role: 'user', content: question },
  ];
  const tools: OpenAI.ChatCompletionTool[] = [
    { type: 'function', function: { name: 'weather', description, parameters } },
  ];
  for (;;) {
    const { choices } = isStreaming
      ? await client.chat.completions.stream({ model, messages, tools }).finalChatCompletion()
      : await client.chat.completions.create({ model, messages, tools });
    const message = choices[0]!.message;
    messages.push(message);
    if (message.tool_calls === undefined) return message.content ?? '';
    for (const { id } of message.tool_calls) messages.push({ role: 'tool', tool_call_id: id, content: result });
  }
};

const responses: Harness = async (url, isStreaming) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 's-responses', maxRetries: 0 });
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: question }];
  const tools: OpenAI.Responses.Tool[] = [
    { type: 'function', name: 'weather', description, parameters, strict: false },
  ];
  for (;;) {
    const asked = { model, instructions: system, input, tools, store: false };
    const { output, output_text: text } = isStreaming
      ? await client.responses.stream(asked).finalResponse()
      : await client.responses.create(asked);
    input.push(...(output as OpenAI.Responses.ResponseInputItem[]));
    const calls = output.flatMap(item => (item.type === 'function_call' ? [item] : []));
    if (calls.length === 0) return text;
    for (const { call_id } of calls) input.push({ type: 'function_call_output', call_id, output: result });
  }
};

const messages: Harness = async (url, isStreaming) => {
  const client = new Anthropic({ baseURL: url, apiKey: 's-messages', maxRetries: 0 });
  const said: Anthropic.MessageParam[] = [{ role: 'user', content: question }];
  const tools = [{ name: 'weather', description, input_schema: parameters as Anthropic.Tool.InputSchema }];
  for (;;) {
    const asked = { model, system, messages: said, tools, max_tokens: 100 };
    const { content } = isStreaming
      ? await client.messages.stream(asked).finalMessage()
      : await client.messages.create(asked);
    said.push({ role: 'assistant', content });
    const calls = content.filter(block => block.type === 'tool_use');
    if (calls.length === 0) return content.map(block => (block.type === 'text' ? block.text : '')).join('');
    said.push({
      role: 'user',
      content: calls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: result })),
    });
  }
};

const aiSdk: Harness = async (url, isStreaming) => {
  const provider = createOpenAICompatible({ name: 'proxy', baseURL: `${url}/s/ai/v1`, includeUsage: true });
  const asked = {
    model: provider(model),
    instructions: system,
    prompt: question,
    maxRetries: 0,
    tools: { weather: tool({ description, inputSchema: jsonSchema(parameters as object), execute: () => result }) },
    stopWhen: isStepCount(5),
  };
  if (!isStreaming) return (await generateText(asked)).text;
  const { textStream } = streamText(asked);
  let text = '';
  for await (const piece of textStream) text += piece;
  return text.replace('One moment… ☂', '');
};

const harnesses = { chat, responses, messages, ai: aiSdk } as const;
const pairs = (Object.keys(harnesses) as (keyof typeof harnesses)[]).flatMap(client =>
  (['openai', 'anthropic'] as const).flatMap(upstream =>
    [false, true].map(isStreaming => ({ client, upstream, isStreaming, how: isStreaming ? 'streaming' : 'whole' })),
  ),
);

describe('clients of other people through the proxy', () => {
  let open: Proxied | null = null;
  let behind: Proxied | null = null;
  afterEach(async () => {
    await open?.close();
    await behind?.close();
    behind = null;
  });

  it.each(pairs)('[PRX-4] $client → $upstream, $how: the harness works, and all of it is written down', async pair => {
    const wantsTokens = pair.upstream === 'openai';
    open = await startProxied(weather, { dialect: pair.upstream, model: 'real-name', wantsTokens });
    const answer = await harnesses[pair.client](open.url, pair.isStreaming);
    expect(answer).toBe('Sunny.');
    expect(open.upstream.asked.map(({ body }) => body['model'])).toEqual(['real-name', 'real-name']);

    const calls = open.calls(pair.client);
    expect(calls.map(({ answer: told }) => [told?.status, told?.cut, told?.problem])).toEqual([
      [200, false, null],
      [200, false, null],
    ]);
    const read = readCalls(calls);
    expect(read.map(({ exchange }) => exchange.reply)).toMatchObject([
      {
        model: 'real-name',
        finish: 'calls',
        message: {
          content: 'One moment… ☂',
          thought: 'I must look.',
          calls: [{ name: 'weather', input: '{"city":"Bonn ☀"}' }],
        },
      },
      { finish: 'stop', message: { content: 'Sunny.' } },
    ]);
    expect(read[1]?.request.messages).toMatchObject([
      { role: 'system', content: system },
      { role: 'user', content: [{ text: question }] },
      { role: 'assistant', content: 'One moment… ☂', calls: [{ name: 'weather' }] },
      { role: 'tool', content: [{ text: result }] },
    ]);
    expect(read[1]?.request.tools).toMatchObject([{ name: 'weather', description }]);
    // The streams of this client put thoughts together wrongly: the tokens of the next prompt are others.
    const isRewritten = wantsTokens && pair.client === 'chat' && pair.isStreaming;
    const by = wantsTokens ? 'tokens' : 'messages';
    expect(segmentsOf(read.map(({ exchange }) => exchange))).toEqual(
      (isRewritten ? [[0], [1]] : [[0, 1]]).map(places => ({ calls: places, by })),
    );
  });

  const chained = (['chat', 'responses', 'messages'] as const).flatMap(client =>
    [false, true].map(isStreaming => ({ client, isStreaming, how: isStreaming ? 'streaming' : 'whole' })),
  );
  it.each(chained)('[PRX-4] $client → responses, $how: a proxy is a model server to another one', async pair => {
    behind = await startProxied(weather);
    open = await startProxied(weather, { dialect: 'responses', base: `${behind.url}/s/behind/v1` });
    expect(await harnesses[pair.client](open.url, pair.isStreaming)).toBe('Sunny.');
    const [here, there] = [open.calls(pair.client), behind.calls('behind')].map(readCalls);
    expect(here?.map(({ exchange }) => exchange.reply.message)).toMatchObject(
      there?.map(({ exchange }) => {
        const { content, calls } = exchange.reply.message;
        return calls === undefined ? { content } : { content, calls };
      }) ?? [],
    );
    expect(segmentsOf(here?.map(({ exchange }) => exchange) ?? [])).toHaveLength(1);
  });
});
