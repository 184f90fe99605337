import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { kill } from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutFingerprint } from '../../../../../test/fixtures/pages/retrace.ts';
import { tasks } from '../../../../../test/fixtures/url/guest-tasks.ts';
import { createSystemTimers } from '../../../../system/clock.ts';
import type { Action } from '../../../../core/action.ts';
import type { Environment, Session } from '../../../../core/contracts.ts';
import type { StepOutcome } from '../../../../core/records.ts';
import { createTrail } from '../../../../worlds/trail.ts';
import { createBrowserPool, type BrowserPool } from '../../browser/pool.ts';
import { createWaiFiles } from '../wai/files.ts';
import { createUrlEnvironment } from './environment.ts';
import type { UrlTask } from './tasks.ts';

const timers = createSystemTimers();
const actor = { role: 'student', name: 'hand' } as const;
const none = 'http://127.0.0.1:9/';
let server: Server;
let base: string;
let pool: BrowserPool;

beforeAll(async () => {
  const files = createWaiFiles(join(import.meta.dirname, '../../../../../test/fixtures/url/site'));
  server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', none);
    if (pathname === '/moved') return void response.writeHead(302, { location: '/' }).end();
    if (pathname === '/away') return void response.writeHead(302, { location: 'http://127.0.0.2/' }).end();
    if (pathname === '/kept') return void response.writeHead(204).end();
    if (pathname === '/broken') return void response.writeHead(500).end('<h1>Broken</h1>');
    const file = await files.read(pathname);
    // Comes in when the page has long been at rest.
    if (pathname === '/map.svg') await new Promise<void>(resolve => void timers.after(150, resolve));
    if (file === null) return void response.writeHead(404).end('not here');
    response.writeHead(200, { 'content-type': file.type }).end(file.body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  pool = createBrowserPool({ timers });
});

afterAll(async () => {
  await pool.close();
  server.closeAllConnections();
  server.close();
});

const environmentAt = (path: string, module: unknown = { tasks }, pages = pool): Promise<Environment> =>
  createUrlEnvironment({
    url: base + path,
    tasks: module,
    pool: pages,
    timers,
    viewport: { width: 600, height: 400 },
    pictures: null,
  });

async function withSession<T>(template: string, use: (session: Session) => Promise<T>, path = '/'): Promise<T> {
  const environment = await environmentAt(path);
  const session = await environment.open(await environment.task(template, 1));
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

const take = async (session: Session, ...actions: Action[]): Promise<StepOutcome[]> => {
  const outcomes: StepOutcome[] = [];
  for (const action of actions) outcomes.push(withoutFingerprint(await session.step(action)));
  return outcomes;
};

const addGrace: Action[] = [
  { kind: 'fill', ref: 'e1', text: 'Grace' },
  { kind: 'click', ref: 'e2' },
];

describe('a page that somebody serves', () => {
  it('[URL-1] has the tasks of a module, judged by its own verifiers', async () => {
    const environment = await environmentAt('/');
    expect(environment.templates.map(({ id }) => id)).toEqual(['add-guest', 'count-guests', 'find-about']);
    expect(await environment.task('add-guest', 1)).toMatchObject({ budget: { steps: 5 } });
    expect(await environment.task('find-about', 1)).toMatchObject({ budget: { steps: 30 } });
    await withSession('add-guest', async session => {
      expect(await session.verify()).toMatchObject({ pass: false, progress: 0, checks: [{ pass: false }] });
      await take(session, ...addGrace);
      const name = 'add-guest: the list has Ada, Grace';
      expect(await session.verify()).toMatchObject({ pass: true, progress: 1, checks: [{ name, pass: true }] });
    });
  });

  it('[URL-1] prepares the page as the task says, and judges the answer and the address', async () => {
    await withSession('count-guests', async session => {
      expect((await session.observe()).text).toContain('3 guests');
      await take(session, { kind: 'finish', answer: '3' });
      expect(await session.verify()).toMatchObject({ pass: true, evidence: { answer: '3' } });
    });
    await withSession('find-about', async session => {
      expect((await session.observe()).text).toContain('page "/"');
      await take(session, { kind: 'click', ref: 'e3' });
      expect((await session.observe()).text).toContain('Made in 1987.');
      expect((await session.verify()).pass).toBe(true);
      await take(session, { kind: 'finish', infeasible: true });
      const checks = [{ id: 'verifier', name: 'find-about: given up as infeasible', pass: false }];
      expect(await session.verify()).toMatchObject({ pass: false, checks });
    });
  });

  it('[URL-2] restores a page whose server was not written to', async () => {
    const environment = await environmentAt('/');
    const trail = await createTrail(environment, await environment.task('add-guest', 1));
    try {
      const filled = await trail.step(addGrace[0] as Action, actor);
      await trail.step(addGrace[1] as Action, actor);
      expect((await trail.session().verify()).pass).toBe(true);
      expect(await trail.rollback(filled.id)).toMatchObject({ method: 'restore', digest: filled.after });
      expect((await trail.session().observe()).text).toContain('textbox "Name": Grace');
      expect((await trail.session().verify()).pass).toBe(false);
    } finally {
      await trail.session().close();
    }
  });

  it.each([
    {
      what: undefined,
      methods: ['replay', 'restore'],
      reason: expect.stringContaining('the page sent POST /kept to a server that nobody declared'),
    },
    { what: { state: 'none' }, methods: ['restore', 'restore'], reason: null },
  ])(
    '[URL-2] [URL-7] replays what lies before a write to a server ($what), and restores what lies after',
    async given => {
      const own = { id: 'keep', instruction: 'Keep them.', verify: () => true };
      const environment = await environmentAt('/keep.html', { tasks: [own], server: given.what });
      const trail = await createTrail(environment, await environment.task('keep', 1));
      try {
        const press = (ref: string) => trail.step({ kind: 'click', ref }, actor);
        const [counted, sent] = [await press('e1'), await press('e2')];
        await press('e1');
        const rollbacks = [await trail.rollback(counted.id)];
        await press('e2');
        const again = await press('e1');
        await press('e1');
        rollbacks.push(await trail.rollback(again.id));
        expect(withoutFingerprint(sent.outcome)).toEqual({ applied: true });
        expect(rollbacks.map(({ method }) => method)).toEqual(given.methods);
        expect(rollbacks[0]?.divergence).toEqual(given.reason);
        expect((await trail.session().observe()).text).toContain('2 pressed');
      } finally {
        await trail.session().close();
      }
    },
  );

  it('[URL-3] stays within its origin: what leads out is told, and the page stays', async () => {
    await withSession('add-guest', async session => {
      const before = (await session.observe()).text;
      const [outcome] = await take(session, { kind: 'click', ref: 'e4' });
      expect(outcome).toEqual({
        applied: true,
        incidents: [{ kind: 'blocked', detail: 'GET http://127.0.0.2/elsewhere' }],
      });
      expect((await session.observe()).text).toBe(before);
      await take(session, { kind: 'back' });
      expect((await session.observe()).text).toBe(before);
    });
  });

  it('[URL-3] is seen when its pictures have come in', async () => {
    await withSession('add-guest', async session => {
      const aboutAt = async (): Promise<number> => (await session.observe()).layout?.elements[2]?.box.y ?? 0;
      const before = await aboutAt();
      await take(session, { kind: 'click', ref: 'e5' });
      expect((await aboutAt()) - before).toBeGreaterThanOrEqual(120);
    });
  });

  it('[URL-4] says so when the page is not there, leads elsewhere or answers with an error', async () => {
    const opening = (path: string): Promise<string> =>
      withSession('add-guest', async session => session.digest(), path);
    const said = async (path: string): Promise<unknown> => opening(path).catch((cause: unknown) => cause);
    const unavailable = { boundary: 'environment', code: 'unavailable' };
    expect(await said('/broken')).toMatchObject({ ...unavailable, message: expect.stringContaining('is 500') });
    expect(await said('/nothing')).toMatchObject({ ...unavailable, message: expect.stringContaining('is 404') });
    const elsewhere = expect.stringContaining('it leads elsewhere (GET http://127.0.0.2/)');
    expect(await said('/away')).toMatchObject({ ...unavailable, message: elsewhere });
    // Within the origin, a redirection is followed.
    expect(await said('/moved')).toMatch(/^[0-9a-f]{32}$/);
    const free = createServer();
    await new Promise<void>(resolve => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise(resolve => free.close(resolve));
    const gone = await createUrlEnvironment({
      url: `http://127.0.0.1:${port}/`,
      tasks: { tasks },
      pool,
      timers,
      viewport: { width: 600, height: 400 },
      pictures: null,
    });
    await expect(gone.open(await gone.task('add-guest', 1))).rejects.toMatchObject(unavailable);
    expect(pool.figures().openPages).toBe(0);
  });

  it('[URL-4] refuses an address that is none, or out of reach', async () => {
    const at = (url: string): Promise<Environment> =>
      createUrlEnvironment({ url, tasks: { tasks }, pool, timers, viewport: { width: 1, height: 1 }, pictures: null });
    await expect(at('guests')).rejects.toMatchObject({ boundary: 'input', code: 'invalid-option' });
    await expect(at('file:///etc/passwd')).rejects.toMatchObject({ boundary: 'input', code: 'invalid-option' });
    await expect(at('https://example.org/')).rejects.toMatchObject({ boundary: 'input', code: 'unsupported' });
  });
});

describe('the module of tasks', () => {
  const task = { id: 'one', instruction: 'Do it.', verify: () => true };
  const refusal = async (module: unknown): Promise<unknown> => environmentAt('/', module).catch(cause => cause);

  it('[URL-5] is refused with the member that is wrong', async () => {
    const cases: [unknown, string][] = [
      [{}, 'tasks'],
      [{ tasks: [] }, 'at least one task'],
      [{ tasks: [{ ...task, id: 'One Task' }] }, 'tasks.0.id'],
      [{ tasks: [{ ...task, instruction: ' ' }] }, 'tasks.0.instruction'],
      [{ tasks: [{ ...task, verify: 'yes' }] }, 'tasks.0.verify: expected a function'],
      [{ tasks: [{ ...task, steps: 0 }] }, 'tasks.0.steps'],
      [{ tasks: [{ ...task, check: 1 }] }, 'check'],
      [{ tasks: [task, task] }, 'two tasks are called "one"'],
    ];
    for (const [module, words] of cases) {
      const message = expect.stringContaining(words);
      expect(await refusal(module)).toMatchObject({ boundary: 'input', code: 'invalid-module', message });
    }
  });

  it('[URL-6] has the same split wherever the page is served', async () => {
    const many = { tasks: Array.from({ length: 20 }, (_, index) => ({ ...task, id: `task-${index}` })) };
    const options = { tasks: many, pool, timers, viewport: { width: 600, height: 400 }, pictures: null };
    const splitsAt = async (url: string): Promise<readonly string[]> => {
      const { templates, task: make } = await createUrlEnvironment({ ...options, url });
      expect((await make('task-3', 1)).split).toBe(templates[3]?.split);
      return templates.map(({ split }) => split);
    };
    const first = await splitsAt('http://127.0.0.1:3000/');
    expect(new Set(first)).toEqual(new Set(['train', 'test']));
    for (const url of ['http://127.0.0.1:3001/', 'http://localhost:5173/app/', 'http://127.0.0.1:41234/'])
      expect(await splitsAt(url)).toEqual(first);
  });

  it('[URL-5] tells a verifier that throws or says something else from one that says no', async () => {
    const judged = async (verify: unknown, more: object = {}): Promise<unknown> => {
      const environment = await environmentAt('/', { tasks: [{ ...task, verify, ...more }] });
      const opened = async (): Promise<unknown> => {
        const session = await environment.open(await environment.task('one', 1));
        return Promise.resolve(session.verify()).finally(() => session.close());
      };
      return opened().catch((cause: unknown) => cause);
    };
    const failed = { boundary: 'verifier', code: 'check-failed' };
    expect(await judged(() => false)).toMatchObject({ pass: false });
    expect(await judged(() => 'yes')).toMatchObject(failed);
    expect(await judged(() => Promise.reject(new Error('torn')))).toMatchObject({
      ...failed,
      message: expect.stringContaining('torn'),
    });
    const asksWrong: UrlTask['verify'] = ({ ask }) => ask('nothing.at.all') as Promise<boolean>;
    expect(await judged(asksWrong)).toMatchObject({ ...failed, message: expect.stringContaining('nothing') });
    const broken = { boundary: 'environment', code: 'template-failed' };
    expect(await judged(() => true, { setup: 'missing()' })).toMatchObject(broken);
    expect(pool.figures().openPages).toBe(0);
  });

  it('[URL-5] is asked again when the page was lost while it judged, whatever it said', async () => {
    const own = createBrowserPool({ timers });
    let calls = 0;
    const verify: UrlTask['verify'] = async ({ ask }) => {
      calls++;
      if (calls === 1) for (const browser of own.figures().processes) kill(browser, 'SIGKILL');
      return (await ask('guests.length').catch(() => 0)) === 1;
    };
    try {
      const environment = await environmentAt('/', { tasks: [{ ...task, verify }] }, own);
      const session = await environment.open(await environment.task('one', 1));
      expect(await session.verify()).toMatchObject({ pass: true });
      expect(calls).toBe(2);
      await session.close();
    } finally {
      await own.close();
    }
  });
});
