import { createServer, Agent, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createSystemClock, createSystemTimers } from '../../system/clock.ts';
import { createAnswerBudget, type AnswerBudget, type IncomingAnswer } from './answer-budget.ts';
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

/** The same budget, with some verbs of its answers changed. */
function watch(answers: AnswerBudget, change: (incoming: IncomingAnswer) => Partial<IncomingAnswer>): AnswerBudget {
  const begin = (): IncomingAnswer => {
    const incoming = answers.begin();
    return { ...incoming, ...change(incoming) };
  };
  return { ...answers, begin };
}

/** However slow the machine is. */
const deadlines = { connect: 120_000, firstToken: 120_000, total: 240_000 };

/** Asks for an answer at a path of the server. */
function asker(url: string, answers: AnswerBudget): (path: string) => Promise<Answer> {
  const agent = new Agent({ keepAlive: true });
  closing.push(() => agent.destroy());
  const endpoint = readEndpoint(`openai:m@${url}`);
  return path => {
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
    let peak = 0;
    const watched = watch(answers, incoming => ({
      hold(characters) {
        incoming.hold(characters);
        peak = Math.max(peak, answers.held());
      },
    }));
    const ask = asker(await startStreams(), watched);
    const endless = Array.from({ length: 24 }, () => ask('/endless').then(() => 'answered', String));
    const short = await ask('/short');
    expect(short.reply.message.content).toBe('yes');
    for (const said of await Promise.all(endless)) expect(said).toMatch(/while \d+ answers hold \d+ of at most/);
    expect(peak).toBeGreaterThan(most / 4);
    // Answers within their share go on until a longer one is read again, and fails.
    expect(peak).toBeLessThanOrEqual(2 * most);
    expect(answers.held()).toBe(0);
  });

  it('[MOD-14] are read in turns: others wait for a part of one chunk of each at most', async () => {
    let came = 0;
    const paused = new Set<IncomingAnswer>();
    const watched = watch(createAnswerBudget(), incoming => ({
      take(characters) {
        came += characters;
        incoming.take(characters);
      },
      pause() {
        const pause = incoming.pause();
        if (pause !== null) paused.add(incoming);
        return pause;
      },
    }));
    const ask = asker(await startStreams(), watched);
    const endless = Array.from({ length: 48 }, () => ask('/endless').catch(() => null));
    const nextTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
    // Their first chunks may come all at once.
    while (paused.size < endless.length) await nextTurn();
    const grown: number[] = [];
    const total = (): number => grown.reduce((sum, characters) => sum + characters, 0);
    while (total() < 2 ** 23) {
      const before = came;
      await nextTurn();
      grown.push(came - before);
    }
    for (const close of closing.splice(0)) close();
    await Promise.all(endless);
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
    const letter = { url, agent, headers: {}, body: () => '{}', deadlines, timers: createSystemTimers() };
    await send(letter, { head: () => undefined, text: () => 'done' });
    await expect(hungUp).resolves.toBeUndefined();
  });
});
