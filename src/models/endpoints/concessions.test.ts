import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../core/chat/chat.ts';
import { createRandom } from '../../core/random.ts';
import { createModel } from './client.ts';
import { createConcessions } from './concessions.ts';
import { createEndpointConnection, type EndpointConnection } from './connection.ts';
import { readEndpoint } from './endpoint.ts';

type Body = Readonly<Record<string, unknown>>;
const opened: { server: Server; line: EndpointConnection }[] = [];

afterEach(async () => {
  for (const { server, line } of opened.splice(0)) {
    line.close();
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  }
});

/** A server that refuses some requests, and answers the others whole as llama.cpp does. */
async function setUp(refusalOf: (body: Body) => string | null, status = 400) {
  const bodies: Body[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', chunk => (text += String(chunk)));
    request.on('end', () => {
      const body = JSON.parse(text) as Body;
      bodies.push(body);
      const message = refusalOf(body);
      response.writeHead(message === null ? 200 : status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(message === null ? reply(body) : { error: { code: status, message } }));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const notices: string[] = [];
  const line = createEndpointConnection({
    endpoint: readEndpoint(`openai:m@http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`),
    key: 'sk-very-secret-0123456789',
    clock: { now: () => 0 },
    timers: { after: () => () => {} },
    random: createRandom(1),
    onConcession: text => notices.push(text),
  });
  opened.push({ server, line });
  return { model: createModel({ line, boundary: 'policy' }), bodies, notices };
}

function reply({ logprobs }: Body): object {
  const content = [
    { id: 11, token: 'Hi', logprob: -0.5 },
    { id: 12, token: '!', logprob: -0.25 },
  ];
  const message = { role: 'assistant', content: 'Hi!' };
  const choice = { index: 0, message, finish_reason: 'stop', ...(logprobs === true ? { logprobs: { content } } : {}) };
  return { id: 'r', model: 'm', choices: [choice], usage: { prompt_tokens: 9, completion_tokens: 2 } };
}

const question: Omit<ChatRequest, 'model'> = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [{ name: 'click', description: 'Click.', input: { type: 'object' } }],
  parallelCalls: false,
  sampling: { seed: 7 },
  wantsTokens: true,
};

const llamaCpp = ({ logprobs, tools, stream }: Body): string | null =>
  logprobs === true && tools !== undefined && stream === true ? 'logprobs is not supported with tools + stream' : null;

describe('what a server refuses', () => {
  it('[MOD-16] is left out of the next try and of all others: llama.cpp gives token ids without a stream', async () => {
    const { model, bodies, notices } = await setUp(llamaCpp);
    const first = await model.complete(question);
    expect(first).toMatchObject({ attempts: 2, reply: { message: { content: 'Hi!' } } });
    expect(first.reply.tokens).toEqual({ prompt: null, completion: [11, 12], logprobs: [-0.5, -0.25] });
    await model.complete(question);
    expect(bodies.map(({ stream }) => stream)).toEqual([true, false, false]);
    expect(notices).toEqual([expect.stringMatching(/refuses streaming.*answered 400: logprobs is not supported/)]);
  });

  it('[MOD-16] is told with the call where something is lost, and once for many requests under way', async () => {
    const refused = ({ logprobs, seed }: Body): string | null =>
      logprobs === true
        ? 'Unrecognized request argument: logprobs'
        : seed === undefined
          ? null
          : 'seed: Extra inputs are not permitted';
    const { model, notices } = await setUp(refused, 422);
    const completions = await Promise.all([1, 2, 3, 4].map(() => model.complete(question)));
    for (const { without, reply: answer } of completions) {
      expect(without).toEqual(['seed', 'tokens']);
      expect(answer.tokens).toBeNull();
    }
    expect(notices).toHaveLength(2);
  });

  it.each(['messages[0].role is wrong', 'response_format must not be set'])(
    '[MOD-16] is an error as before when nothing can be left out: %s',
    async message => {
      const { model, bodies } = await setUp(() => message);
      await expect(model.complete({ messages: question.messages, sampling: {} })).rejects.toThrow(message.slice(0, 10));
      expect(bodies).toHaveLength(1);
    },
  );

  it('[MOD-16] is told from a server that is broken', () => {
    const concessions = createConcessions(() => {});
    const sent = { ...question, model: 'm', stream: true };
    expect(concessions.learn(sent, 'answered 500: the stream of weights broke')).toBe(false);
    expect(concessions.learn(sent, 'answered 500: logprobs is not supported with tools + stream')).toBe(true);
  });
});
