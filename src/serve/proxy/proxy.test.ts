import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startProxied, type Proxied } from '../../../test/fixtures/models/proxied.ts';
import type { Script } from '../../../test/fixtures/models/scripted-upstream.ts';
import type { JsonObject } from '../../core/json.ts';

const open: Proxied[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
async function start(...given: Parameters<typeof startProxied>): Promise<Proxied> {
  const started = await startProxied(...given);
  open.push(started);
  return started;
}

const checkEndpoint: Script = () => ({ text: 'Good morning' });
const chatPath = '/v1/chat/completions';
const hello = { model: 'one', messages: [{ role: 'user', content: 'Hello' }] };

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(url, { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...headers } });
}

/** Waits for something that others bring about. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextTurn();
}

function everythingIn(folder: string): string {
  return readdirSync(folder)
    .map(name => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

describe('calls through the proxy', () => {
  it('[PRX-3] passes bytes on as they are, in both directions, and writes down what they say', async () => {
    const { url, upstream, calls } = await start(checkEndpoint);
    const odd = `{ "model":"one",\n "messages":[{"role":"user","content":"\\u0048ello"}], "temperature": 0.50 , "other": [1e3] }`;
    const reply = await post(url + chatPath, odd, { 'user-agent': 'mine' });
    const direct = await post(`${upstream.url}/chat/completions`, odd);
    expect((await reply.text()).replace('chatcmpl-0', 'chatcmpl-1')).toBe(await direct.text());
    expect(upstream.asked[0]?.headers).toMatchObject({ 'user-agent': 'mine', 'content-length': String(odd.length) });
    expect(upstream.asked[0]?.body).toEqual(JSON.parse(odd));
    expect(calls()).toMatchObject([
      {
        ask: { session: 'default', attempt: 1, index: 0, dialect: 'openai', body: odd, fault: null },
        answer: { status: 200, cut: false, reply: { message: { content: 'Good morning' }, version: 'fp_1' } },
      },
    ]);
  });

  it('[PRX-3] passes each piece of a stream on when it comes, and the end when it is written down', async () => {
    const gates: (() => void)[] = [];
    const pace = (): Promise<void> => new Promise(resolve => void gates.push(resolve));
    const { url, calls } = await start(() => ({ text: 'Good morning', pace }));
    const reply = await post(url + chatPath, { ...hello, stream: true });
    const written: [isEnd: boolean, content: string | null][] = [];
    let heard = '';
    for await (const chunk of reply.body!) {
      heard += Buffer.from(chunk as Uint8Array).toString('utf8');
      const isEnd = heard.includes('[DONE]');
      written.push([isEnd, calls()[0]?.answer?.reply?.message.content ?? null]);
      await until(() => isEnd || gates.length > 0);
      gates.shift()?.();
    }
    expect(written).toEqual([...Array.from({ length: 5 }, () => [false, null]), [true, 'Good morning']]);
    expect(heard.match(/data: /g)).toHaveLength(6);
  });

  it('[PRX-5] tells sessions apart by path, by header and by key; who says nothing is in one of its own', async () => {
    const { url, sessions } = await start(checkEndpoint);
    await post(`${url}/s/by-path${chatPath}`, hello, { 'x-espalier-session': 'not-this' });
    await post(url + chatPath, hello, { 'x-espalier-session': 'by-header', authorization: 'Bearer s-not-this' });
    await post(url + chatPath, hello, { authorization: 'Bearer s-by-key' });
    await post(url + chatPath, hello, { 'x-api-key': 's-by-key' });
    await post(url + chatPath, hello, { authorization: 'Bearer sk-something' });
    await post(url + chatPath, hello);
    expect(sessions.names().map(name => [name, sessions.standing(name)?.calls])).toEqual([
      ['by-header', 1],
      ['by-key', 2],
      ['by-path', 1],
      ['default', 2],
    ]);
    const refused = await post(`${url}/s/..%2Fup${chatPath}`, hello);
    expect([refused.status, await refused.text()]).toMatchObject([
      400,
      expect.stringContaining('no name of a session'),
    ]);
  });

  it('[PRX-6] asks with our key, keeps the key of the harness to itself, and writes down neither', async () => {
    const echo: Script = ({ headers }) => ({ status: 401, error: `Wrong key: ${headers.authorization}` });
    const { url, upstream, folder } = await start(echo, { key: 'our-secret-key' });
    const reply = await post(url + chatPath, hello, { authorization: 'Bearer their-secret-key' });
    expect(upstream.asked[0]?.headers.authorization).toBe('Bearer our-secret-key');
    expect([reply.status, await reply.text()]).toMatchObject([401, expect.stringContaining('Wrong key: Bearer [key]')]);
    const translated = await post(
      `${url}/v1/messages`,
      { ...hello, max_tokens: 5 },
      { 'x-api-key': 'their-secret-key' },
    );
    expect(await translated.text()).toContain('Bearer [key]');
    expect(everythingIn(folder)).not.toMatch(/secret/);
  });

  it('[PRX-6] writes down no key that the server repeats in an answer, whole or streamed', async () => {
    const echo: Script = ({ headers }) => ({ text: `You are ${headers.authorization}.` });
    const { url, folder } = await start(echo, { key: 'our-secret-key' });
    expect(await (await post(url + chatPath, hello)).text()).toContain('You are Bearer [key].');
    await (await post(url + chatPath, { ...hello, stream: true })).text();
    await (await post(`${url}/v1/messages`, { ...hello, max_tokens: 5 })).text();
    expect(everythingIn(folder)).toMatch(/You are Bearer \[key\]/);
    expect(everythingIn(folder)).not.toMatch(/secret/);
  });

  it('[PRX-6] asks without a key when we have none, whatever the harness sends', async () => {
    const { url, upstream } = await start(checkEndpoint);
    const theirs = { authorization: 'Bearer their-secret-key', 'x-api-key': 'their-secret-key', cookie: 'a=b' };
    await post(url + chatPath, hello, { ...theirs, 'x-espalier-session': 'x' });
    const sent = upstream.asked[0]!.headers;
    const names = ['authorization', 'x-api-key', 'cookie', 'x-espalier-session'];
    expect(names.filter(name => name in sent)).toEqual([]);
  });

  it('[PRX-6] asks with the key of the harness when told to, unless it is the name of a session', async () => {
    const { url, upstream, folder } = await start(checkEndpoint, { key: 'our-secret-key', passesKey: true });
    await post(url + chatPath, hello, { authorization: 'Bearer their-secret-key' });
    await post(url + chatPath, hello, { authorization: 'Bearer s-one' });
    const sent = upstream.asked.map(({ headers }) => headers.authorization);
    expect(sent).toEqual(['Bearer their-secret-key', 'Bearer our-secret-key']);
    expect(everythingIn(folder)).not.toMatch(/secret/);
  });

  it('[PRX-7] asks for tokens when told to, and keeps them with the call', async () => {
    const { url, upstream, calls } = await start(checkEndpoint, { wantsTokens: true });
    const whole = (await (await post(url + chatPath, hello)).json()) as JsonObject;
    await (await post(url + chatPath, { ...hello, stream: true })).text();
    await (await post(`${url}/v1/messages`, { ...hello, max_tokens: 50 })).text();
    expect(upstream.asked.map(({ body }) => [body['logprobs'], body['return_token_ids']])).toEqual(
      Array.from({ length: 3 }, () => [true, true]),
    );
    const given = calls().map(({ answer }) => answer?.reply?.tokens);
    expect(given[0]?.completion).toEqual([...Buffer.from('Good morning[]</>')]);
    expect(given[0]?.logprobs?.[0]).toBe(-'G'.charCodeAt(0) / 1000);
    expect(given[0]?.prompt).toEqual(whole['prompt_token_ids']);
    expect(given[1]).toEqual(given[0]);
    expect(given[2]).toEqual(given[0]);
  });

  it('[PRX-8] passes refusals on with their status, in the dialect of the harness', async () => {
    const refusals = [
      { status: 429, error: 'slow down', headers: { 'retry-after': '7' } },
      { status: 404, error: 'The model `one` does not exist' },
      { status: 400, error: 'maximum context length is 10 tokens' },
      { status: 503, error: 'busy' },
    ];
    const { url, calls } = await start(({ index }) => refusals[Math.floor(index / 2)]!);
    for (const { status, error, headers } of refusals) {
      const same = await post(url + chatPath, hello);
      const other = await post(`${url}/v1/messages`, { ...hello, max_tokens: 5 });
      expect([same.status, other.status]).toEqual([status, status]);
      expect([same.headers.get('retry-after'), other.headers.get('retry-after')]).toEqual([
        headers?.['retry-after'] ?? null,
        headers?.['retry-after'] ?? null,
      ]);
      expect(await same.json()).toMatchObject({ error: { message: error } });
      expect(await other.json()).toMatchObject({ type: 'error', error: { message: error } });
    }
    expect(calls().map(({ answer }) => [answer?.status, answer?.reply])).toEqual(
      refusals.flatMap(({ status }) => [
        [status, null],
        [status, null],
      ]),
    );
    expect(calls()[0]?.answer?.problem).toBe('slow down');
  });

  it('[PRX-8] says in the dialect of the harness that the model server is down', async () => {
    const { url, calls } = await start(checkEndpoint, { base: 'http://127.0.0.1:9/v1' });
    const chat = await post(url + chatPath, hello);
    const messages = await post(`${url}/v1/messages`, { ...hello, max_tokens: 5 });
    expect([chat.status, messages.status]).toEqual([502, 502]);
    const said = expect.stringMatching(/cannot be reached: connect ECONNREFUSED/) as string;
    expect(await chat.json()).toMatchObject({ error: { message: said } });
    expect(await messages.json()).toMatchObject({ type: 'error', error: { message: said } });
    expect(calls().map(({ answer }) => answer?.status)).toEqual([502, 502]);
  });

  it.each(['/v1/chat/completions', '/v1/messages'])(
    '[PRX-9] cuts %s when the model server breaks off in the middle, and keeps what came',
    async path => {
      const { url, calls } = await start(() => ({ text: 'Good morning', cutAfter: 3 }));
      const reply = await post(url + path, { ...hello, stream: true, max_tokens: 5 });
      await expect(reply.text()).rejects.toThrow(/terminated|fetch failed/);
      const whole = post(url + path, { ...hello, max_tokens: 5 }).then(answer => answer.text());
      await expect(whole).rejects.toThrow(/terminated|fetch failed/);
      expect(calls().map(({ answer }) => [answer?.cut, answer?.reply, answer?.partial?.content ?? null])).toEqual([
        [true, null, 'Good mor'],
        [true, null, null],
      ]);
    },
  );

  it('[PRX-9] hangs up on the model server when the harness does, and keeps what came', async () => {
    const gates: (() => void)[] = [];
    const pace = (event: number): Promise<void> =>
      event < 3 ? nextTurn() : new Promise(resolve => void gates.push(resolve));
    const { url, upstream, calls } = await start(() => ({ text: 'Good morning', pace }));
    const hangUp = new AbortController();
    const reply = await fetch(url + chatPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...hello, stream: true }),
      signal: hangUp.signal,
    });
    await until(() => gates.length > 0);
    const reader = reply.body!.getReader();
    await reader.read();
    hangUp.abort();
    await until(() => upstream.hungUp() === 1 && calls()[0]?.answer !== null);
    expect(calls()[0]?.answer).toMatchObject({
      cut: true,
      status: 200,
      reply: null,
      partial: { content: 'Good mor' },
      problem: 'The harness hung up.',
    });
  });

  it('[PRX-9] passes on what cannot be read, and says so in the record', async () => {
    const { url, calls } = await start(() => ({ raw: 'data: {"what\n\n' }));
    expect(await (await post(url + chatPath, hello)).text()).toBe('data: {"what\n\n');
    expect(await (await post(url + chatPath, { ...hello, stream: true })).text()).toBe('data: {"what\n\n');
    const translated = await post(`${url}/v1/messages`, { ...hello, max_tokens: 5 });
    expect(translated.status).toBe(502);
    const told = await (await post(`${url}/v1/messages`, { ...hello, max_tokens: 5, stream: true })).text();
    expect(told).toContain('event: error');
    const answers = calls().map(({ answer }) => answer);
    expect(answers.map(answer => answer?.reply)).toEqual([null, null, null, null]);
    expect(answers.every(answer => answer?.problem !== null)).toBe(true);
  });

  it('[PRX-8] refuses what is no call of a model, in words', async () => {
    const { url, calls, upstream } = await start(checkEndpoint);
    const told = await Promise.all([
      post(url + chatPath, '{"model":'),
      post(url + chatPath, '[1]'),
      post(`${url}/v1/messages`, { messages: 'none' }),
      post(`${url}/v1/embeddings`, {}),
      fetch(url + chatPath),
      post(`${url}/v1/messages/count_tokens`, hello),
    ]);
    expect(told.map(({ status }) => status)).toEqual([400, 400, 400, 404, 405, 404]);
    expect(await told[2].json()).toMatchObject({ type: 'error', error: { message: expect.stringContaining('model') } });
    expect(await told[3].text()).toContain('/v1/chat/completions');
    expect(upstream.asked).toEqual([]);
    expect(calls()).toHaveLength(3);
  });

  it('[PRX-8] says which members another dialect has no word for', async () => {
    const { url, upstream } = await start(checkEndpoint, { dialect: 'anthropic' });
    const reply = await post(url + chatPath, { ...hello, user: 'me', presence_penalty: 1 });
    expect(reply.headers.get('x-espalier-left-out')).toBe('user, presence_penalty');
    expect(upstream.asked[0]?.body).not.toHaveProperty('user');
  });

  it('[PRX-4] lists models as the family of the harness does, and lets a server count that can', async () => {
    const any = await start(checkEndpoint);
    const list = (url: string, headers = {}): Promise<unknown> =>
      fetch(`${url}/v1/models`, { headers }).then(r => r.json());
    expect(await list(any.url)).toMatchObject({ object: 'list', data: [{ id: 'one' }, { id: 'two' }] });
    const named = await start(checkEndpoint, { dialect: 'anthropic', model: 'claude' });
    expect(await list(named.url, { 'anthropic-version': '2023-06-01' })).toMatchObject({
      data: [{ type: 'model', id: 'claude' }],
      has_more: false,
    });
    const counted = await post(`${named.url}/v1/messages/count_tokens`, hello);
    expect(await counted.json()).toEqual({ input_tokens: JSON.stringify({ ...hello, model: 'claude' }).length });
    expect(named.calls()).toEqual([]);
  });

  it('[PRX-9] answers nothing that it cannot write down', async () => {
    const { url, folder } = await start(checkEndpoint);
    rmSync(folder, { recursive: true });
    const reply = await post(url + chatPath, hello);
    expect([reply.status, await reply.text()]).toMatchObject([500, expect.not.stringContaining('Good morning')]);
  });
});
