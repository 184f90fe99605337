import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startProxied, type Proxied, type ProxiedOptions } from '../../../test/fixtures/models/proxied.ts';
import { openSessions } from './sessions.ts';

const open: Proxied[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function start(options: ProxiedOptions = {}): Promise<Proxied> {
  const proxied = await startProxied(() => ({ text: 'Good' }), options);
  open.push(proxied);
  return proxied;
}

const hello = JSON.stringify({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] });
const json = { 'content-type': 'application/json' };
const call = (url: string, key: string | null, session?: string): Promise<Response> =>
  fetch(`${url}${session === undefined ? '' : `/s/${session}`}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...json, ...(key !== null && { authorization: `Bearer ${key}` }) },
    body: hello,
  });
const about = (url: string, key: string | null, rest = ''): Promise<Response> =>
  fetch(`${url}/espalier/sessions${rest}`, key === null ? {} : { headers: { authorization: `Bearer ${key}` } });
const rule = (url: string, key: string): Promise<Response> =>
  fetch(`${url}/espalier/sessions/alpha/verdict`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${key}` },
    body: '{"pass":true}',
  });

describe('sessions of the proxy', () => {
  it('[PRX-24] belong to the key of their first call, also when another proxy goes on with them', async () => {
    const { url, sessions, folder } = await start();
    expect((await call(url, 'key-of-alice', 'alpha')).status).toBe(200);
    const refused = await call(url, 'key-of-bob', 'alpha');
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { error: { message: expect.stringContaining('belongs to another key') } },
    ]);
    expect((await call(url, null, 'alpha')).status).toBe(403);
    expect((await call(url, 's-alpha', 'alpha')).status).toBe(403);
    expect((await call(url, 'key-of-alice', 'alpha')).status).toBe(200);
    expect(sessions.standing('alpha')?.calls).toBe(2);
    const later = openSessions(folder);
    expect([later.isOwner('alpha', 'key-of-bob'), later.isOwner('alpha', 'key-of-alice')]).toEqual([false, true]);
    expect(later.claim('alpha', 'key-of-bob').isAllowed).toBe(false);
  });

  it('[PRX-5] [PRX-24] are named and kept by one key, s-<name>:<secret>; without a secret they are open', async () => {
    const { url, sessions } = await start();
    expect((await call(url, 's-beta:of-alice')).status).toBe(200);
    expect((await call(url, 's-beta:of-bob')).status).toBe(403);
    expect((await call(url, 's-beta')).status).toBe(403);
    expect((await call(url, 's-gamma')).status).toBe(200);
    expect((await call(url, 's-gamma')).status).toBe(200);
    expect((await call(url, 'one-key')).status).toBe(200);
    expect((await call(url, 'another-key')).status).toBe(200);
    expect(sessions.names()).toEqual(['beta', 'default', 'gamma']);
  });

  it('[PRX-24] are shown to who has the verdict key, and each to its owner', async () => {
    const { url } = await start({ verdictKey: 'only-the-judge' });
    await call(url, 'key-of-alice', 'alpha');
    const told = async (key: string | null, rest = '') => (await about(url, key, rest)).status;
    expect([await told(null), await told('key-of-alice'), await told('only-the-judge')]).toEqual([401, 401, 200]);
    expect(await told('key-of-alice', '/alpha')).toBe(200);
    expect(await told('only-the-judge', '/alpha')).toBe(200);
    expect([await told('key-of-bob', '/alpha'), await told(null, '/alpha'), await told(null, '/none')]).toEqual([
      401, 401, 401,
    ]);
  });

  it('[PRX-25] throttle who guesses the verdict key; calls go on', async () => {
    const { url } = await start({ verdictKey: 'only-the-judge' });
    await call(url, null, 'alpha');
    const statuses: number[] = [];
    for (let guess = 0; guess < 25; guess++) statuses.push((await rule(url, `guess-${guess}`)).status);
    expect(statuses).toEqual([...Array<number>(20).fill(401), ...Array<number>(5).fill(429)]);
    expect((await rule(url, 'only-the-judge')).status).toBe(429);
    expect((await call(url, null, 'alpha')).status).toBe(200);
  });

  it('[PRX-26] are written for their owner alone', async () => {
    const { url, folder } = await start();
    await call(url, null, 'alpha');
    expect(statSync(join(folder, 'alpha.jsonl')).mode & 0o777).toBe(0o600);
  });
});

describe('headers of a harness', () => {
  it('[PRX-23] that name another server, account or key stay here', async () => {
    const { url, upstream } = await start({ key: 'our-secret-key' });
    const routing = [
      'helicone-target-url',
      'helicone-auth',
      'x-upstream',
      'x-forwarded-host',
      'x-forwarded-for',
      'forwarded',
      'x-original-url',
      'x-rewrite-url',
      'x-target-url',
      'x-portkey-config',
      'x-portkey-custom-host',
      'cf-aig-authorization',
      'openai-organization',
      'openai-project',
      'x-real-ip',
      'via',
      'x-http-method-override',
    ];
    const headers = Object.fromEntries(routing.map(name => [name, 'http://evil.example']));
    await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...json, ...headers, 'openai-beta': 'one', 'user-agent': 'harness' },
      body: hello,
    });
    const sent = upstream.asked[0]?.headers ?? {};
    expect(Object.keys(sent).filter(name => routing.includes(name))).toEqual([]);
    expect(sent).toMatchObject({ 'openai-beta': 'one', 'user-agent': 'harness' });
  });
});
