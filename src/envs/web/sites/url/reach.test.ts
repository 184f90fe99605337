import { createServer, type RequestListener, type Server } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../../../core/contracts.ts';
import { createSystemTimers } from '../../../../system/clock.ts';
import { createTrail } from '../../../../worlds/trail.ts';
import { createBrowserPool, type BrowserPool } from '../../browser/pool.ts';
import { createUrlEnvironment } from './environment.ts';

const timers = createSystemTimers();
const actor = { role: 'student', name: 'hand' } as const;
const task = { id: 'look', instruction: 'Look.', verify: () => true };
const servers: Server[] = [];
let pool: BrowserPool;
let root: string;
/** The page, and a service beside it; both are beyond the addresses that every page may have. */
let [site, service]: [string, string] = ['', ''];
let drawn = 0;
let expired = false;

const page = (beside: string) => `<!doctype html><title>Shop</title><p id="said"></p>
<button id="price">Price</button><button id="order">Order</button><button id="other">Other</button>
<script>
  const said = document.getElementById('said');
  said.textContent = [early, localStorage.getItem('theme'), document.cookie].join(' ');
  const ask = (path, init) => fetch(path, init).then(answer => answer.text()).then(text => { said.textContent = text; });
  document.getElementById('price').onclick = () => ask('${beside}/price');
  document.getElementById('order').onclick = () => ask('/order', { method: 'POST', body: 'one' });
  document.getElementById('other').onclick = () => ask('/other').catch(() => { said.textContent = 'out of reach'; });
  ask('/me');
</script>`;

const answer: RequestListener = (request, response) => {
  const { url, method, headers } = request;
  response.setHeader('access-control-allow-origin', '*');
  if (url === '/login' && method === 'POST')
    return void response.writeHead(204, { 'set-cookie': 'sid=ada; HttpOnly' }).end();
  if (url === '/') return void response.setHeader('content-type', 'text/html').end(page(service));
  if (url === '/me') return void response.end(`${expired ? '' : headers.cookie} of ${headers['x-team']}`);
  if (url === '/price') return void response.end(`price ${++drawn}, team ${headers['x-team']}`);
  response.end(`${method} ${url}`);
};

async function serve(): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.2', resolve));
  return `http://127.0.0.2:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  [site, service] = [await serve(), await serve()];
  root = mkdtempSync(join(tmpdir(), 'espalier-reach-'));
  pool = createBrowserPool({ timers });
});
afterAll(async () => {
  await pool.close();
  for (const server of servers) server.close();
  rmSync(root, { recursive: true, force: true });
});

const init = 'globalThis.early = "early";';
const environmentOf = (module: object) =>
  createUrlEnvironment({
    url: `${site}/`,
    tasks: { tasks: [{ ...task, init }], allow: [site, service], headers: { 'x-team': 'blue' }, ...module },
    root,
    pool,
    timers,
    viewport: { width: 600, height: 400 },
    pictures: null,
  });

async function inPage<T>(module: object, use: (session: Session) => Promise<T>): Promise<T> {
  const environment = await environmentOf(module);
  try {
    const session = await environment.open(await environment.task('look', 1));
    try {
      return await use(session);
    } finally {
      await session.close();
    }
  } finally {
    await environment.close?.();
  }
}

const press = (session: Session, ref: string) => session.step({ kind: 'click', ref });
const textOf = async (session: Session): Promise<string> => (await session.observe()).text;

describe('a page beyond this machine', () => {
  it('[URL-8] reaches what its module allows, and gives its headers to its own server alone', async () => {
    const out = { boundary: 'input', code: 'unsupported', message: expect.stringContaining('is out of reach') };
    await expect(environmentOf({ allow: [] })).rejects.toMatchObject(out);
    await inPage({ allow: [site] }, async session => {
      const blocked = { kind: 'blocked', detail: `GET ${service}/price` };
      expect(await press(session, 'e1')).toMatchObject({ incidents: expect.arrayContaining([blocked]) });
    });
    await inPage({}, async session => {
      expect(await textOf(session)).toContain('of blue');
      await press(session, 'e1');
      expect(await textOf(session)).toMatch(/price \d+, team undefined/);
    });
  });

  it('[URL-9] is recorded, and runs without its servers afterwards', async () => {
    const file = 'answers.har';
    await inPage({ har: { file, record: true } }, async session => {
      for (const ref of ['e1', 'e1', 'e2']) await press(session, ref);
    });
    const written = readFileSync(join(root, file), 'utf8');
    expect(written).not.toContain('blue');
    for (const server of servers) server.closeAllConnections();
    const [before] = [drawn];
    const environment = await environmentOf({ har: { file } });
    const trail = await createTrail(environment, await environment.task('look', 1));
    try {
      const pressed = async (ref: string): Promise<string> => {
        await trail.step({ kind: 'click', ref }, actor);
        return textOf(trail.session());
      };
      const said = [await pressed('e1'), await pressed('e1'), await pressed('e1')];
      expect(said.map(text => /price (\d+)/.exec(text)?.[1])).toEqual([before - 1, before, before].map(String));
      // The recording goes back with the page: the same request is answered as it was then.
      expect(await trail.rollback(1)).toMatchObject({ method: 'restore' });
      expect(await pressed('e1')).toContain(`price ${before},`);
      expect(await pressed('e2')).toContain('POST /order');
      expect(await trail.rollback(2)).toMatchObject({ method: 'restore' });
      const other = await trail.step({ kind: 'click', ref: 'e3' }, actor);
      const detail = `GET ${site}/other is not in the recording`;
      expect(other.outcome).toMatchObject({ incidents: expect.arrayContaining([{ kind: 'blocked', detail }]) });
      expect(drawn).toBe(before);
    } finally {
      await trail.session().close();
    }
    await expect(environmentOf({ har: { file: 'none.har' } })).rejects.toMatchObject({ code: 'invalid-option' });
  });
});

describe('a page with a login', () => {
  const state = (cookie: object) => ({
    cookies: [{ name: 'sid', value: 'ada', domain: '127.0.0.2', path: '/', httpOnly: true, ...cookie }],
    origins: [{ origin: site, localStorage: [{ name: 'theme', value: 'dark' }] }],
  });

  it('[URL-10] starts signed in: from a file, a state or a function', async () => {
    writeFileSync(join(root, 'login.json'), JSON.stringify(state({ expires: -1 })));
    const signingIn = ({ http }: { http: typeof fetch }) => http('/login', { method: 'POST' });
    for (const storageState of ['login.json', state({}), signingIn])
      await inPage({ storageState }, async session => expect(await textOf(session)).toContain('sid=ada of blue'));
    const seen = { ...task, init, setup: 'said.textContent = localStorage.theme + document.cookie' };
    await inPage({ tasks: [seen], storageState: 'login.json' }, async session =>
      expect(await textOf(session)).toMatch(/dark$/m),
    );
  });

  it('[URL-11] is an error of the environment when the login has expired, before and in the middle', async () => {
    const module = { storageState: state({}), signedIn: `said.textContent.startsWith('sid')` };
    const gone = { boundary: 'environment', code: 'unavailable' };
    await expect(inPage({ storageState: state({ expires: 1000 }) }, textOf)).rejects.toMatchObject({
      ...gone,
      message: expect.stringContaining('the cookie "sid" of the login has expired'),
    });
    await inPage(module, async session => {
      expect(await session.verify()).toMatchObject({ pass: true });
      const message = expect.stringContaining('does not hold');
      await expect(press(session, 'e2')).rejects.toMatchObject({ ...gone, message });
    });
    expired = true;
    const message = expect.stringContaining('Nobody is signed in');
    await expect(inPage(module, textOf)).rejects.toMatchObject({ ...gone, message });
    expired = false;
    await expect(inPage({ storageState: 'none.json' }, textOf)).rejects.toMatchObject({ code: 'invalid-option' });
  });
});
