import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startProxied, type Proxied, type ProxiedOptions } from '../../../test/fixtures/models/proxied.ts';
import {
  authorizationOf,
  chunkOf,
  lastEvents,
  startRawUpstream,
  type RawHandler,
} from '../../../test/fixtures/models/raw-upstream.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

async function start(handler: RawHandler, options: ProxiedOptions = {}): Promise<Proxied> {
  const upstream = await startRawUpstream(handler);
  const proxied = await startProxied(() => ({}), { key: 'our-secret-key', base: upstream.url, ...options });
  open.push(upstream, proxied);
  return proxied;
}

const hello = { model: 'one', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 5 };
const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

const everythingIn = (folder: string): string =>
  readdirSync(folder)
    .map(name => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

/** All that a client hears, headers included. */
async function heardOf(reply: Response): Promise<string> {
  return JSON.stringify([...reply.headers]) + (await reply.text());
}

describe('keys', () => {
  it('[PRX-27] are no name of a session, and no address that an error repeats', async () => {
    const { url, folder } = await start((_request, response) => {
      response.writeHead(200).end('{}');
    });
    const addresses = ['/s/our-secret-key/v1/chat/completions', '/s/a/v1/our-secret-key', '/espalier/our%2dsecret-key'];
    const replies = [
      ...addresses.map(path => post(url + path, hello)),
      post(`${url}/v1/chat/completions`, hello, { authorization: 'Bearer s-our-secret-key' }),
      post(`${url}/v1/chat/completions`, hello, { 'x-espalier-session': 'our-secret-key' }),
    ];
    for (const reply of await Promise.all(replies)) {
      expect(reply.status).toBe(400);
      expect(await heardOf(reply)).not.toContain('secret');
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it('[PRX-6] are in no header of an answer, nor is leave for pages of elsewhere to read it', async () => {
    const { url } = await start((request, response) => {
      const key = authorizationOf(request);
      const headers = {
        'x-echo': `Bearer ${key}`,
        'x-request-id': `Bearer ${key}`,
        [`x-${key}`]: '1',
        'set-cookie': key,
        'access-control-allow-origin': '*',
      };
      response.writeHead(request.url?.includes('messages') === true ? 401 : 200, headers).end('{}');
    });
    for (const path of ['/v1/chat/completions', '/v1/messages']) {
      const heard = await heardOf(await post(url + path, hello));
      expect(heard).not.toMatch(/secret|access-control/);
    }
    expect(await heardOf(await post(`${url}/v1/chat/completions`, hello))).toContain('Bearer [key]');
  });

  it.each(['/v1/chat/completions', '/v1/messages'])(
    '[PRX-6] are in no streamed text of %s, in one event or spread over many',
    async path => {
      const { url, folder, calls } = await start((request, response) => {
        const key = authorizationOf(request);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const pieces = [`Whole ${key}. `, 'Spread ', ...key, '.'];
        for (const piece of pieces) response.write(chunkOf(piece));
        response.end(lastEvents);
      });
      const heard = await heardOf(await post(url + path, { ...hello, stream: true }));
      const texts = [...heard.matchAll(/"(?:content|text)":"([^"]*)"/g)].map(([, text]) => text).join('');
      expect(texts.replace(/o?u?r?\[key\]\.$/, '[key].')).toBe('Whole [key]. Spread [key].');
      expect(everythingIn(folder)).not.toMatch(/secret/);
      expect(calls()[0]?.answer?.reply?.message.content).toContain('Whole [key]');
    },
  );

  it('[PRX-6] are in no whole answer, refusal, list of models or count, also in escapes', async () => {
    const { url, folder } = await start((request, response) => {
      const spelled = [...authorizationOf(request)].map(sign => `\\u00${sign.charCodeAt(0).toString(16)}`).join('');
      response.writeHead(request.url?.endsWith('models') === true ? 200 : 400, { 'content-type': 'application/json' });
      response.end(`{"data":[{"id":"${spelled}"}],"error":{"message":"wrong: ${spelled}"}}`);
    });
    const heard = [
      await heardOf(await post(`${url}/v1/chat/completions`, hello)),
      await heardOf(await post(`${url}/v1/messages`, hello)),
      await heardOf(await fetch(`${url}/v1/models`)),
    ];
    expect(heard.map(text => JSON.stringify(text).replaceAll('\\\\u00', '%'))).toEqual([
      expect.stringContaining('[key]'),
      expect.stringContaining('[key]'),
      expect.stringContaining('[key]'),
    ]);
    expect(heard.join('')).not.toMatch(/secret|u0073/);
    expect(everythingIn(folder)).not.toMatch(/secret/);
  });

  it('[PRX-6] of the harness go nowhere, by whatever name: not on, not into a file, not into a message', async () => {
    const seen: string[] = [];
    const { url, folder } = await start((request, response) => {
      seen.push(JSON.stringify([request.url, request.headers]));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    const theirs = 'their-secret-key';
    const names = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'x-auth-token'];
    for (const name of names) {
      const repeated = { ...hello, messages: [{ role: 'user', content: `My key is ${theirs}` }] };
      await post(`${url}/v1/chat/completions`, repeated, {
        [name]: name === 'authorization' ? `Bearer ${theirs}` : theirs,
      });
    }
    await post(`${url}/v1/chat/completions?api_key=${theirs}`, { ...hello, user: theirs });
    expect(seen.join('').replaceAll('our-secret-key', '')).not.toMatch(/secret/);
    expect(everythingIn(folder)).not.toMatch(/secret/);
    const refused = await post(`${url}/v1/chat/completions`, hello, { 'x-api-key': 's-not/a/name-secret' });
    expect([refused.status, await refused.text()]).toEqual([400, expect.not.stringContaining('secret')]);
    const missing = await fetch(`${url}/nothing?key=${theirs}`);
    expect([missing.status, await missing.text()]).toEqual([404, expect.not.stringContaining('secret')]);
  });
});
