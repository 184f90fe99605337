import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemTimers } from '../../src/system/clock.ts';
import { dialectOf } from '../../src/dialects/dialects.ts';
import { listen } from '../../src/server/http.ts';
import { createProxy } from '../../src/server/proxy/proxy.ts';
import { openSessions, usualSessionLimits, type SessionLimits } from '../../src/server/proxy/sessions.ts';

/** One attack, and whether it was held. */
export interface Attack {
  readonly area: string;
  readonly name: string;
  /** What is done, in a sentence. */
  readonly how: string;
  run(): Promise<'held' | 'out'>;
}

interface Setting {
  readonly url: string;
  readonly folder: string;
  /** Requests that came to the model server. */
  asked(): number;
}

interface SettingOptions {
  answer?(incoming: IncomingMessage, response: ServerResponse): void;
  readonly sessionLimits?: SessionLimits;
}

const key = 'sk-upstream-secret-1234567890';
const limits = { bytes: 2 ** 20, idle: 300, total: 1500 };
const hello = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] });
const streamed = JSON.stringify({ ...JSON.parse(hello), stream: true });
const json = { 'content-type': 'application/json' };
const chatPath = '/v1/chat/completions';

/** A real proxy before a real server, both on loopback, on a folder of its own. */
async function withProxy<T>(options: SettingOptions, attack: (setting: Setting) => Promise<T>): Promise<T> {
  let asked = 0;
  const server = createServer((incoming, response) => {
    asked++;
    incoming.resume().once('end', () => (options.answer ?? answerHello)(incoming, response));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const folder = mkdtempSync(join(tmpdir(), 'espalier-contain-'));
  const proxy = createProxy({
    upstream: { endpoint: `openai:*@${base}`, dialect: dialectOf('openai'), base, model: null, key },
    sessions: openSessions(folder, options.sessionLimits ?? usualSessionLimits),
    clock: { now: Date.now },
    timers: createSystemTimers(),
    limits,
    verdictKey: 'only-the-judge-knows',
    keep() {},
  });
  const listening = await listen(proxy.handle);
  try {
    return await attack({ url: listening.url, folder, asked: () => asked });
  } finally {
    await listening.close(AbortSignal.abort());
    server.close();
    server.closeAllConnections();
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function answerHello(_incoming: IncomingMessage, response: ServerResponse): void {
  const message = { role: 'assistant', content: 'Hi' };
  response.writeHead(200, json);
  response.end(JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] }));
}

function streamTexts(texts: readonly string[]): (incoming: IncomingMessage, response: ServerResponse) => void {
  return (_incoming, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const event = (content: string, finish: string | null): string =>
      `data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;
    response.end(`${texts.map(text => event(text, null)).join('')}${event('', 'stop')}data: [DONE]\n\n`);
  };
}

interface Told {
  readonly status: number;
  /** Headers and body, or that there was none. */
  readonly text: string;
}

/** Node's own client: it sends the headers that a browser sends and `fetch` does not let a program set. */
function send(url: string, headers: Record<string, string>, body = hello): Promise<Told> {
  return new Promise(resolve => {
    const asking = request(url, { method: 'POST', headers }, response => {
      const parts: Buffer[] = [];
      const end = (): void =>
        resolve({
          status: response.statusCode ?? 0,
          text: JSON.stringify(response.rawHeaders) + Buffer.concat(parts).toString(),
        });
      response.on('data', (part: Buffer) => parts.push(part)).once('close', end);
    });
    asking.on('error', cause => resolve({ status: 0, text: String(cause) }));
    asking.end(body);
  });
}

const recorded = (folder: string): string =>
  readdirSync(folder)
    .map(name => readFileSync(join(folder, name), 'utf8'))
    .join('');
const heldIf = (isHeld: boolean): 'held' | 'out' => (isHeld ? 'held' : 'out');
/** As whoever reads JSON has it. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\u([0-9a-f]{4})/g, (_sign, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
const contentOf = (text: string): string =>
  [...text.matchAll(/"content":"([^"]*)"/g)].map(([, content]) => content).join('');

/** A request of a page: held when the model server was not asked. */
function byPage(name: string, how: string, headers: (url: string) => Record<string, string>): Attack {
  return {
    area: 'proxy',
    name,
    how,
    run: () =>
      withProxy({}, async ({ url, asked }) => {
        await send(url + chatPath, headers(url));
        return heldIf(asked() === 0);
      }),
  };
}

/** An answer of a model server that has the key in it: held when nobody hears it and no file has it. */
function byEcho(name: string, how: string, answer: NonNullable<SettingOptions['answer']>): Attack {
  const run = (): Promise<'held' | 'out'> =>
    withProxy({ answer }, async ({ url, folder }) => {
      const told = await send(url + chatPath, json, streamed);
      const all = told.text + unescaped(told.text) + contentOf(told.text) + recorded(folder);
      return heldIf(!all.includes(key) && !all.includes('secret'));
    });
  return { area: 'proxy', name, how, run };
}

/** An answer that never ends: held when the call ends all the same, and the next one goes through. */
function byEndless(name: string, how: string, answer: NonNullable<SettingOptions['answer']>): Attack {
  const run = (): Promise<'held' | 'out'> => {
    let calls = 0;
    return withProxy(
      { answer: (incoming, response) => (calls++ === 0 ? answer : answerHello)(incoming, response) },
      async ({ url }) => {
        const late = new Promise<null>(resolve => setTimeout(resolve, 10_000, null).unref());
        const first = await Promise.race([send(url + chatPath, json), late]);
        return heldIf(first !== null && (await send(url + chatPath, json)).status === 200);
      },
    );
  };
  return { area: 'proxy', name, how, run };
}

const drip = (response: ServerResponse, text: string, milliseconds: number): void => {
  const timer = setInterval(() => response.write(text), milliseconds);
  response.once('close', () => clearInterval(timer));
};

export const proxyAttacks: readonly Attack[] = [
  byPage('form of another local page', 'A page of another port posts JSON as a text/plain form.', () => ({
    'content-type': 'text/plain',
    origin: 'http://localhost:3000',
  })),
  byPage('form without an origin', 'A text/plain form that carries no Origin.', () => ({
    'content-type': 'text/plain',
  })),
  byPage('fetch without a type', 'fetch in no-cors mode with a body that has no type.', () => ({
    origin: 'null',
    'sec-fetch-site': 'cross-site',
  })),
  byPage('JSON from another page', 'A page sends JSON, as if a preflight had let it.', () => ({
    ...json,
    origin: 'https://evil.example',
  })),
  byPage('rebound name', 'A page whose name was pointed to this machine asks as its own origin.', () => ({
    ...json,
    host: 'evil.example',
    origin: 'http://evil.example',
  })),
  byPage('rebound name, no origin', 'The same without an Origin.', () => ({ ...json, host: 'evil.example' })),
  byEcho('key in a header', 'The model server repeats our key in a header.', (incoming, response) => {
    response.writeHead(401, { ...json, 'x-echo': incoming.headers.authorization ?? '' }).end('{}');
  }),
  byEcho('key in an error, escaped', 'An error spells the key in escapes of JSON.', (_incoming, response) => {
    const spelled = [...key].map(sign => `\\u00${sign.charCodeAt(0).toString(16)}`).join('');
    response.writeHead(400, json).end(`{"error":{"message":"${spelled}"}}`);
  }),
  byEcho('key in one event', 'A stream says the key in one event.', streamTexts([`It is ${key}.`])),
  byEcho(
    'key letter by letter',
    'A stream says the key in an event for each letter.',
    streamTexts(['It is ', ...key, '.']),
  ),
  byEndless('endless answer', 'An answer of spaces without end.', (_incoming, response) => {
    response.writeHead(200, json);
    const more = (): void => void (response.destroyed || response.write(' '.repeat(65_536), more));
    more();
  }),
  byEndless('silent server', 'A server that never says anything.', () => {}),
  byEndless('dripping server', 'A byte now and then, without end.', (_incoming, response) => {
    response.writeHead(200, json);
    drip(response, ' ', 100);
  }),
  byEndless('nonsense', 'A stream of bytes that are no text, no events and no JSON.', (_incoming, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(Buffer.concat([Buffer.from('data: {"a\n\ndata: \0'), Buffer.from([0xff, 0xfe, 0x0a, 0x0a])]));
  }),
  {
    area: 'proxy',
    name: 'filling the disk by repeating',
    how: 'A harness sends the same large prompt again and again.',
    run: () =>
      withProxy({}, async ({ url, folder }) => {
        const content = Array.from({ length: 40_000 }, (_, index) => `${(index * 7919) % 10_007}`).join(' ');
        const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
        for (let turn = 0; turn < 20; turn++) await send(url + chatPath, json, body);
        return heldIf(statSync(join(folder, 'default.jsonl')).size < 3 * body.length);
      }),
  },
  {
    area: 'proxy',
    name: 'filling the disk with sessions',
    how: 'A harness opens one session after the other.',
    run: () =>
      withProxy({ sessionLimits: { ...usualSessionLimits, sessions: 5 } }, async ({ url, folder }) => {
        for (let turn = 0; turn < 20; turn++) await send(`${url}/s/session-${turn}${chatPath}`, json);
        return heldIf(readdirSync(folder).length === 5);
      }),
  },
  {
    area: 'proxy',
    name: 'verdict of its own',
    how: 'An agent gives its own session a verdict.',
    run: () =>
      withProxy({}, async ({ url }) => {
        await send(url + chatPath, json);
        const told = await send(`${url}/espalier/sessions/default/verdict`, json, '{"pass":true}');
        return heldIf(told.status === 401);
      }),
  },
];
