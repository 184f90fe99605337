import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { startProxied, type Proxied, type ProxiedOptions } from '../../../test/fixtures/models/proxied.ts';
import {
  chunkOf,
  lastEvents,
  startRawUpstream,
  startSocketUpstream,
  type RawHandler,
  type RawUpstream,
} from '../../../test/fixtures/models/raw-upstream.ts';
import type { Timers } from '../../core/clock.ts';
import { createEventParser } from '../../models/dialects/events.ts';
import { openai } from '../../models/dialects/openai/openai.ts';
import { createRedactor } from '../../models/secrets/redactor.ts';
import { createStreamCopy } from './stream-copy.ts';
import { createStreamRedactor } from './redact/stream-redactor.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

const timers: Timers = {
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
const limits = { bytes: 2 ** 20, idle: 5000, total: 5000 };

async function startBefore(upstream: RawUpstream, options: ProxiedOptions): Promise<Proxied> {
  open.push(upstream);
  const proxied = await startProxied(() => ({}), { timers, limits, base: upstream.url, ...options });
  open.push(proxied);
  return proxied;
}
const start = async (handler: RawHandler, options: ProxiedOptions = {}): Promise<Proxied> =>
  startBefore(await startRawUpstream(handler), options);

const chatPath = '/v1/chat/completions';
const hello = { model: 'one', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 5 };
const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
const paths = [chatPath, '/v1/messages'];

describe('answers of a model server', () => {
  it.each(paths)('[PRX-17] that never end are refused once they are too large, at %s', async path => {
    const { url, calls } = await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => void (response.destroyed || response.write(' '.repeat(65_536), more));
      more();
    });
    const reply = await post(url + path, hello);
    expect(reply.status).toBe(502);
    expect(await reply.text()).toContain('larger than 1048576 bytes');
    expect(calls()[0]?.answer).toMatchObject({ status: 502, problem: expect.stringContaining('larger than') });
  });

  it.each(paths)('[PRX-17] that stream without end are ended, and what came is kept, at %s', async path => {
    const { url, calls } = await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = (): void => void (response.destroyed || response.write(chunkOf('a'.repeat(10_000)), more));
      more();
    });
    const reply = await post(url + path, { ...hello, stream: true });
    const heard = await reply.text().catch((cause: unknown) => String(cause));
    expect(heard).toMatch(path === chatPath ? /terminated/ : /event: error[^]*larger than/);
    const { partial, problem, cut } = calls()[0]?.answer ?? {};
    expect([cut, problem]).toEqual([true, expect.stringContaining('larger than')]);
    expect(partial?.content.length).toBeGreaterThan(500_000);
  });

  it.each([
    ['sends nothing at all', () => {}, { idle: 100 }, 'sent nothing for 100 ms'],
    [
      'goes silent',
      (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
      { idle: 100 },
      'sent nothing for 100 ms',
    ],
    [
      'drips',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 20);
        response.once('close', () => clearInterval(timer));
      },
      { total: 200 },
      'took longer than 200 ms',
    ],
  ] satisfies [string, RawHandler, object, string][])('[PRX-17] from one that %s are given up', async (...given) => {
    const [, handler, narrow, said] = given;
    const { url, calls } = await start(handler, { limits: { ...limits, ...narrow } });
    for (const path of paths) {
      const reply = await post(url + path, hello);
      expect([reply.status, await reply.text()]).toEqual([504, expect.stringContaining(said)]);
    }
    expect(calls().map(({ answer }) => answer?.status)).toEqual([504, 504]);
  });

  it.each([
    ['a head without end', 'HTTP/1.1 200 OK\r\n' + `x-a: ${'b'.repeat(1000)}\r\n`.repeat(100)],
    ['an upgrade that nobody asked for', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
    ['no HTTP', '\0\xff\xfe nothing\r\n\r\n'],
  ])('[PRX-17] that are %s are refused, and the next call goes through', async (_name, bytes) => {
    let asked = 0;
    const whole = JSON.stringify({
      id: 'c',
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    });
    const fine = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${whole.length}\r\n\r\n${whole}`;
    const upstream = await startSocketUpstream(socket => socket.write(asked++ === 0 ? bytes : fine, 'latin1'));
    const { url, calls } = await startBefore(upstream, {});
    expect((await post(url + chatPath, hello)).status).toBe(502);
    expect(await (await post(url + chatPath, hello)).text()).toBe(whole);
    expect(calls().map(({ answer }) => answer?.reply?.message.content ?? null)).toEqual([null, 'Hi']);
  });

  it('[PRX-17] that are packed are refused: nobody can look for keys in them', async () => {
    const { url } = await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync('{}'));
    });
    const reply = await post(url + chatPath, hello);
    expect([reply.status, await reply.text()]).toEqual([
      502,
      expect.stringContaining('packed its answer as \\"gzip\\"'),
    ]);
  });

  it('[PRX-18] with more pieces than a function takes arguments do not stop the proxy', async () => {
    const calls = Array.from({ length: 70_000 }, (_, index) => ({ index, id: `i${index}`, function: { name: 'f' } }));
    const first = { id: 'c', model: 'm', choices: [{ index: 0, delta: { tool_calls: calls } }] };
    const rest = calls.map(call => ({ ...call, index: call.index + calls.length }));
    const second = { id: 'c', model: 'm', choices: [{ index: 0, delta: { tool_calls: rest } }] };
    const { url } = await start(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`data: ${JSON.stringify(first)}\n\ndata: ${JSON.stringify(second)}\n\n${lastEvents}`);
      },
      { limits: { ...limits, bytes: 2 ** 26 } },
    );
    expect(await (await post(url + chatPath, { ...hello, stream: true })).text()).toContain('[DONE]');
    expect((await fetch(`${url}/espalier/sessions`)).status).toBe(200);
  });

  it('[PRX-18] a body that is nested too deep is refused, and does not hold up the verdict', async () => {
    const { url } = await start(() => {});
    const deep = `{"messages":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(url + chatPath, { method: 'POST', body: deep, headers })).status).toBe(400);
    const listed = (await (await fetch(`${url}/espalier/sessions`)).json()) as { sessions: unknown[] };
    expect(listed.sessions).toMatchObject([{ calls: 1, underWay: 0 }]);
  });

  it('[PRX-3] holds back the end until it is written down, also when its mark comes in two pieces', async () => {
    const { url, calls } = await start(async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const text = chunkOf('Hi') + lastEvents;
      const cut = text.indexOf('ONE]');
      response.write(text.slice(0, cut));
      while (calls()[0]?.answer === undefined) await nextTurn();
      response.write(text.slice(cut));
    });
    const reply = await post(url + chatPath, { ...hello, stream: true });
    let heard = '';
    for await (const chunk of reply.body!) {
      heard += Buffer.from(chunk as Uint8Array).toString();
      if (heard.includes('[DONE]')) break;
    }
    expect(calls()[0]?.answer?.reply?.message.content).toBe('Hi');
  });

  it('[PRX-17] are let go when the harness stops reading', async () => {
    const letGo = Promise.withResolvers<string>();
    const { url } = await start(
      (_request, response) => {
        response.once('close', () => letGo.resolve('let go'));
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const more = (): void => void (response.destroyed || response.write(chunkOf('a'.repeat(10_000)), more));
        more();
      },
      { limits: { bytes: Infinity, idle: 150, total: Infinity } },
    );
    const { request } = await import('node:http');
    const asking = request(url + chatPath, { method: 'POST', headers: { 'content-type': 'application/json' } });
    const [reply] = await once(asking.end(JSON.stringify({ ...hello, stream: true })), 'response');
    reply.on('error', () => {}).pause();
    expect(await letGo.promise).toBe('let go');
    asking.destroy();
  });
});

describe('a line of 60 MB', () => {
  const piece = 'x'.repeat(65_536);
  const pieces = 60 * 16;

  /** Characters and bytes that are looked through or copied meanwhile: the clock of a shared machine tells less. */
  function workOf(run: () => void): number {
    const strings = String.prototype;
    const [split, concat] = [strings.split, Buffer.concat];
    let work = 0;
    strings.split = function (this: string, ...given: [never]) {
      work += this.length;
      return split.apply(this, given);
    };
    Buffer.concat = (...given) => {
      const joined = concat(...given);
      work += joined.length;
      return joined;
    };
    try {
      run();
    } finally {
      strings.split = split;
      Buffer.concat = concat;
    }
    return work;
  }

  it.each([
    ['the parser of events', () => createEventParser().read],
    [
      'the redactor',
      () => {
        const redactor = createStreamRedactor(createRedactor(['sk-secret-key-1234']));
        return (text: string) => redactor.push(Buffer.from(text));
      },
    ],
    [
      'the copy of a stream',
      () => {
        const copy = createStreamCopy(openai);
        return (text: string) => copy.feed(Buffer.from(text));
      },
    ],
  ])('[DIA-13] is looked through by %s a few times, however many pieces it comes in', (_name, read) => {
    const take = read();
    const work = workOf(() => {
      take('data: "');
      for (let at = 0; at < pieces; at++) take(piece);
      take('"\n\n');
    });
    // Looked through anew with every piece, it would be five hundred times.
    expect(work / (pieces * piece.length)).toBeLessThan(5);
    expect(work).toBeGreaterThan(0);
  });
});
