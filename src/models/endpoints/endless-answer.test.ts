import { createServer, Agent, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createSystemClock, createSystemTimers } from '../../system/clock.ts';
import { createAnswerBudget, type AnswerBudget } from './answer-budget.ts';
import { readEndpoint } from './endpoint.ts';
import { exchange, type Answer } from './exchange.ts';
import { createRedactor } from '../secrets/redactor.ts';
import { send } from './transport.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Answers, and never stops talking after that. */
async function startTalker(): Promise<{ readonly url: string; readonly hungUp: Promise<void> }> {
  const hungUp = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: [DONE]\n\n');
    const talking = setInterval(() => response.write('x'.repeat(2 ** 14)), 2);
    response.once('close', () => {
      clearInterval(talking);
      hungUp.resolve();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, hungUp: hungUp.promise };
}

/** Streams words without an end; at /short it says one word and stops. */
async function startStreams(): Promise<string> {
  const event = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: 'x', model: 'm', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (request.url === '/tokens') return void writeTokens(response, event);
    if (request.url === '/short')
      return void response.end(`${event({ role: 'assistant', content: 'yes' }, 'stop')}data: [DONE]\n\n`);
    const long = event({ content: 'word '.repeat(3000) }, null);
    const write = (): void => {
      while (!response.destroyed && response.write(long));
    };
    response.on('drain', write);
    write();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An answer of many small tokens, each with much around it. */
function writeTokens(response: ServerResponse, event: (delta: object, finish: string | null) => string): void {
  const padding = `: ${'.'.repeat(2000)}\n`;
  for (let token = 0; token < 500; token++) response.write(padding + event({ content: 'ab ' }, null));
  response.end(`${event({}, 'stop')}data: [DONE]\n\n`);
}

/** Asks for an answer at a path of the server. */
function asker(url: string, answers: AnswerBudget): (path: string, total?: number) => Promise<Answer> {
  const agent = new Agent({ keepAlive: true });
  closing.push(() => agent.destroy());
  const endpoint = readEndpoint(`openai:m@${url}`);
  return (path, total = 30_000) => {
    const deadlines = { connect: 5000, firstToken: 5000, total };
    const letter = { url: url + path, agent, headers: {}, body: () => '{}', deadlines, timers: createSystemTimers() };
    return exchange({
      endpoint,
      dialect: endpoint.dialect,
      redactor: createRedactor([]),
      clock: createSystemClock(),
      answers,
      letter,
    });
  };
}

describe('many endless answers at once', () => {
  it('[MOD-13] hold no more than the limit together, and a short answer beside them is read', async () => {
    const most = 2 ** 22;
    const answers = createAnswerBudget(most);
    const ask = asker(await startStreams(), answers);
    let peak = 0;
    const watching = setInterval(() => (peak = Math.max(peak, answers.held())), 1);
    closing.push(() => clearInterval(watching));
    const endless = Array.from({ length: 24 }, () => ask('/endless').then(() => 'answered', String));
    const short = await ask('/short');
    expect(short.reply.message.content).toBe('yes');
    for (const said of await Promise.all(endless)) expect(said).toMatch(/while \d+ answers hold \d+ of at most/);
    expect(peak).toBeGreaterThan(most / 4);
    expect(peak).toBeLessThanOrEqual(most + 2 ** 18);
    expect(answers.held()).toBe(0);
  });

  it('[MOD-14] are read in turns: others wait for a part of one chunk of each at most', async () => {
    const answers = createAnswerBudget();
    const ask = asker(await startStreams(), answers);
    const endless = Array.from({ length: 48 }, () => ask('/endless', 1500).catch(() => null));
    const grown: number[] = [];
    const begun = performance.now();
    while (performance.now() < begun + 1200) {
      const before = answers.held();
      await new Promise(resolve => setImmediate(resolve));
      // All of them send their first chunk at once.
      if (performance.now() > begun + 400) grown.push(answers.held() - before);
    }
    await Promise.all(endless);
    expect(grown.filter(characters => characters > 0).length).toBeGreaterThan(10);
    expect(Math.max(...grown)).toBeLessThan(2 ** 20);
  });
});

describe('an answer of many small tokens', () => {
  it('[MOD-13] counts with what is held of it, and not with what came around it', async () => {
    // 1,500 characters of text come in more than a million.
    const answers = createAnswerBudget(2 ** 17);
    const { reply } = await asker(await startStreams(), answers)('/tokens');
    expect(reply.message.content).toBe('ab '.repeat(500));
    expect(answers.held()).toBe(0);
  });
});

describe('a model server that goes on after its answer has ended', () => {
  it('[MOD-12] is hung up on', async () => {
    const { url, hungUp } = await startTalker();
    const agent = new Agent({ keepAlive: true });
    closing.push(() => agent.destroy());
    const deadlines = { connect: 1000, firstToken: 1000, total: Infinity };
    const letter = { url, agent, headers: {}, body: () => '{}', deadlines, timers: createSystemTimers() };
    await send(letter, { head: () => undefined, text: () => 'done' });
    await expect(hungUp).resolves.toBeUndefined();
  });
});
