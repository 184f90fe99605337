import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemTimers } from '../../../src/system/clock.ts';
import { dialectOf } from '../../../src/models/dialects/dialects.ts';
import { listen } from '../../../src/serve/http.ts';
import { createProxy } from '../../../src/serve/proxy/proxy.ts';
import { openSessions, usualSessionLimits, type SessionLimits } from '../../../src/serve/proxy/sessions.ts';
import type { Attack } from './attack.ts';

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
/** Milliseconds: more than a busy machine takes for an honest answer. */
const limits = { bytes: 2 ** 20, idle: 1500, total: 3000 };
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
        return asked() === 0 ? null : 'the model server was asked';
      }),
  };
}

/** An answer of a model server that has the key in it: held when nobody hears it and no file has it. */
function byEcho(name: string, how: string, answer: NonNullable<SettingOptions['answer']>): Attack {
  const run = (): Promise<string | null> =>
    withProxy({ answer }, async ({ url, folder }) => {
      const told = await send(url + chatPath, json, streamed);
      const all = told.text + unescaped(told.text) + contentOf(told.text) + recorded(folder);
      return all.includes(key) || all.includes('secret') ? 'the key is in an answer or a file' : null;
    });
  return { area: 'proxy', name, how, run };
}

/** An answer that never ends: held when the call ends all the same, and the next one goes through. */
function byEndless(name: string, how: string, answer: NonNullable<SettingOptions['answer']>): Attack {
  const run = (): Promise<string | null> => {
    let calls = 0;
    return withProxy(
      { answer: (incoming, response) => (calls++ === 0 ? answer : answerHello)(incoming, response) },
      async ({ url }) => {
        const late = new Promise<null>(resolve => setTimeout(resolve, 10_000, null).unref());
        const first = await Promise.race([send(url + chatPath, json), late]);
        if (first === null) return 'the call did not end';
        const { status } = await send(url + chatPath, json);
        return status === 200 ? null : `the next call had status ${status}`;
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
  byPage('form of another local page', 'a page of another port posts JSON as a text/plain form', () => ({
    'content-type': 'text/plain',
    origin: 'http://localhost:3000',
  })),
  byPage('form without an origin', 'a text/plain form that carries no Origin', () => ({
    'content-type': 'text/plain',
  })),
  byPage('fetch without a type', 'fetch in no-cors mode with a body that has no type', () => ({
    origin: 'null',
    'sec-fetch-site': 'cross-site',
  })),
  byPage('JSON from another page', 'a page sends JSON, as if a preflight had let it', () => ({
    ...json,
    origin: 'https://evil.example',
  })),
  byPage('rebound name', 'a page whose name was pointed to this machine asks as its own origin', () => ({
    ...json,
    host: 'evil.example',
    origin: 'http://evil.example',
  })),
  byPage('rebound name, no origin', 'the same without an Origin', () => ({ ...json, host: 'evil.example' })),
  byEcho('key in a header', 'the model server repeats our key in a header', (incoming, response) => {
    response.writeHead(401, { ...json, 'x-echo': incoming.headers.authorization ?? '' }).end('{}');
  }),
  byEcho('key in an error, escaped', 'an error spells the key in escapes of JSON', (_incoming, response) => {
    const spelled = [...key].map(sign => `\\u00${sign.charCodeAt(0).toString(16)}`).join('');
    response.writeHead(400, json).end(`{"error":{"message":"${spelled}"}}`);
  }),
  byEcho('key in one event', 'a stream says the key in one event', streamTexts([`It is ${key}.`])),
  byEcho(
    'key letter by letter',
    'a stream says the key in an event for each letter',
    streamTexts(['It is ', ...key, '.']),
  ),
  byEndless('endless answer', 'an answer of spaces without end', (_incoming, response) => {
    response.writeHead(200, json);
    const more = (): void => void (response.destroyed || response.write(' '.repeat(65_536), more));
    more();
  }),
  byEndless('silent server', 'a server that never says anything', () => {}),
  byEndless('dripping server', 'a byte now and then, without end', (_incoming, response) => {
    response.writeHead(200, json);
    drip(response, ' ', 100);
  }),
  byEndless('nonsense', 'a stream of bytes that are no text, no events and no JSON', (_incoming, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(Buffer.concat([Buffer.from('data: {"a\n\ndata: \0'), Buffer.from([0xff, 0xfe, 0x0a, 0x0a])]));
  }),
  {
    area: 'proxy',
    name: 'filling the disk by repeating',
    how: 'a harness sends the same large prompt again and again',
    run: () =>
      withProxy({}, async ({ url, folder }) => {
        const content = Array.from({ length: 40_000 }, (_, index) => `${(index * 7919) % 10_007}`).join(' ');
        const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
        for (let turn = 0; turn < 20; turn++) await send(url + chatPath, json, body);
        const { size } = statSync(join(folder, 'default.jsonl'));
        return size < 3 * body.length ? null : `${size} bytes were recorded`;
      }),
  },
  {
    area: 'proxy',
    name: 'filling the disk with sessions',
    how: 'a harness opens one session after the other',
    run: () =>
      withProxy({ sessionLimits: { ...usualSessionLimits, sessions: 5 } }, async ({ url, folder }) => {
        for (let turn = 0; turn < 20; turn++) await send(`${url}/s/session-${turn}${chatPath}`, json);
        const files = readdirSync(folder).length;
        return files === 5 ? null : `${files} sessions were recorded`;
      }),
  },
  {
    area: 'proxy',
    name: 'verdict of its own',
    how: 'an agent gives its own session a verdict',
    run: () =>
      withProxy({}, async ({ url }) => {
        await send(url + chatPath, json);
        const told = await send(`${url}/espalier/sessions/default/verdict`, json, '{"pass":true}');
        return told.status === 401 ? null : `the verdict had status ${told.status}`;
      }),
  },
];
