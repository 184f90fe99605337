import { chmodSync, globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as tickets from '../../../../../examples/tickets/tasks.ts';
import type { Action } from '../../../../core/action.ts';
import type { Environment, Session } from '../../../../core/contracts.ts';
import { createSystemTimers } from '../../../../system/clock.ts';
import { certify } from '../../../../episode/certify/certify.ts';
import { createTrail } from '../../../../worlds/trail.ts';
import { createBrowserPool, type BrowserPool } from '../../browser/pool.ts';
import type { AppTasks } from '../url/tasks.ts';
import { createWebAppEnvironment } from './environment.ts';

const timers = createSystemTimers();
const actor = { role: 'student', name: 'hand' } as const;
const module = join(import.meta.dirname, '../../../../../examples/tickets/tasks.ts');
let pool: BrowserPool;
/** Where files of servers go: nobody else's are here. */
let place: string;
const before = env['TMPDIR'];
beforeAll(() => {
  pool = createBrowserPool({ timers });
  place = mkdtempSync(join(tmpdir(), 'espalier-apps-'));
  // The browser has its profile here, too, and may run as another user.
  chmodSync(place, 0o755);
  env['TMPDIR'] = place;
});
afterAll(async () => {
  if (before === undefined) delete env['TMPDIR'];
  else env['TMPDIR'] = before;
  await pool.close();
  rmSync(place, { recursive: true, force: true });
});

const leftovers = (): string[] => readdirSync(place).filter(name => !name.startsWith('espalier-browser-'));

async function withApp<T>(tasks: object, use: (app: Environment) => Promise<T>): Promise<T> {
  const app = await createWebAppEnvironment({
    module,
    tasks,
    pool,
    timers,
    viewport: { width: 600, height: 400 },
    pictures: null,
  });
  try {
    return await use(app);
  } finally {
    await app.close?.();
  }
}

const textOf = async (session: Session): Promise<string> => (await session.observe()).text;
const add = (title: string): Action[] => [
  { kind: 'fill', ref: 'e1', text: title },
  { kind: 'click', ref: 'e2' },
];

describe('an app with a server', () => {
  it('[WAPP-1] [WAPP-2] [WAPP-3] has a server a session, rolled back with the page', async () => {
    await withApp(tickets, async app => {
      const task = await app.task('add-ticket', 1);
      const [trail, other] = [await createTrail(app, task), await app.open(task)];
      const session = trail.session();
      try {
        expect(await textOf(session)).toContain('Paint the door');
        const start = await session.digest();
        expect(await other.digest()).toBe(start);
        for (const action of add('Replace the lamp')) await trail.step(action, actor);
        expect(await textOf(session)).toContain('Close Replace the lamp');
        expect(await session.verify()).toMatchObject({ pass: true });
        expect(await other.verify()).toMatchObject({ pass: false });
        const added = trail.at();
        await trail.step({ kind: 'click', ref: 'e3' }, actor);
        expect(await textOf(session)).toContain('Paint the door (closed)');

        expect(await trail.rollback(added)).toMatchObject({ method: 'restore', divergence: null });
        expect(await textOf(session)).toContain('Close Paint the door');
        expect(await session.verify()).toMatchObject({ pass: true });
        expect(await trail.rollback(0)).toMatchObject({ method: 'restore', divergence: null });
        expect(await session.verify()).toMatchObject({ pass: false });
        // The server itself is back: what is added next gets the number it got before.
        for (const action of add('Replace the lamp')) await trail.step(action, actor);
        expect(await session.digest()).toBe(trail.tree.digest(added));
      } finally {
        await Promise.all([trail.session().close(), other.close()]);
      }
    });
    expect(leftovers()).toEqual([]);
  });

  const fixture = join(import.meta.dirname, '../../../../../test/fixtures/app/server.ts');
  const task = { id: 'note', instruction: 'Note it.', verify: () => true };
  const notesApp = (server: object) => ({ tasks: [task], server: { command: [execPath, fixture], ...server } });

  it.each([
    { how: 'its requests are sent to a new one', server: {} },
    { how: 'a folder is copied', server: { env: { KEEP: 'folder', FOLDER: '{folder}' }, state: { kind: 'folder' } } },
    {
      how: 'it reads its folder at the start alone',
      server: { env: { KEEP: 'cached', FOLDER: '{folder}' }, state: { kind: 'folder' }, restart: true },
    },
    { how: 'it hands its state out', server: { state: { kind: 'http', snapshot: '/snapshot', restore: '/restore' } } },
  ])('[WAPP-2] [WAPP-5] restores a server when $how', async ({ server }) => {
    await withApp(notesApp(server), async app => {
      const trail = await createTrail(app, await app.task('note', 1));
      try {
        const note = async (text: string): Promise<number> => {
          await trail.step({ kind: 'fill', ref: 'e1', text }, actor);
          return (await trail.step({ kind: 'click', ref: 'e2' }, actor)).id;
        };
        const one = await note('one');
        await note('two');
        expect(await textOf(trail.session())).toMatch(/first, one, two/);
        expect(await trail.rollback(one)).toMatchObject({ method: 'restore', divergence: null });
        await note('three');
        expect(await textOf(trail.session())).toMatch(/first, one, three/);
        expect(await trail.rollback(one)).toMatchObject({ method: 'restore', divergence: null });
        await trail.step({ kind: 'click', ref: 'e4' }, actor);
        expect(await textOf(trail.session())).toContain('cookie last=one');
        expect(await trail.rollback(0)).toMatchObject({ method: 'restore', divergence: null });
        await trail.step({ kind: 'click', ref: 'e4' }, actor);
        expect(await textOf(trail.session())).toContain('cookie none');
      } finally {
        await trail.session().close();
      }
    });
    expect(leftovers()).toEqual([]);
  });

  it('[WAPP-5] replays where a server answers the same requests otherwise, and says which', async () => {
    await withApp(notesApp({ env: { CHANCE: 'yes' } }), async app => {
      const trail = await createTrail(app, await app.task('note', 1));
      try {
        await trail.step({ kind: 'click', ref: 'e2' }, actor);
        const divergence = expect.stringContaining('GET /chance was answered otherwise when it was sent again');
        expect(await trail.rollback(0)).toMatchObject({ method: 'replay', divergence });
      } finally {
        await trail.session().close();
      }
    });
  });

  it('[WAPP-9] says which answer differs from session to session where a replay does', async () => {
    const since = `<!doctype html><p id="p"></p><script>fetch('/since').then(a => a.text()).then(t => { p.textContent = t; });</script>`;
    const program = `import { createServer } from 'node:http';
      const since = String(process.hrtime.bigint());
      createServer(({ url }, response) => {
        response.setHeader('content-type', url === '/' ? 'text/html' : 'text/plain');
        response.end(url === '/' ? ${JSON.stringify(since)} : 'up since ' + since);
      }).listen(process.env.PORT);`;
    await withApp(notesApp({ command: [execPath, '--input-type=module', '--eval', program] }), async app => {
      const given = await app.task('note', 1);
      const session = await app.open(given);
      const [root, { text: screen }, look] = [
        await session.digest(),
        await session.observe(),
        (await session.appearance?.()) ?? null,
      ];
      const verdict = await session.verify();
      await session.close();
      const path = { task: given, root, steps: [], screen, appearance: look, verdict };
      const found = await certify(app, path);
      expect(found).toMatchObject({ certified: false, step: 0, what: 'digest' });
      expect('why' in found ? found.why : null).toMatch(
        /^its server answered GET \/since otherwise than in another session: .*\d+ instead of .*\d+ \(clock: 'pinned'/,
      );
    });
  });

  const hasFaketime = globSync('/usr/lib/*/faketime/libfaketime.so.1').length > 0;
  it.runIf(hasFaketime)('[WAPP-7] pins the clock of a server to the start of the page', async () => {
    const verify: AppTasks['tasks'][number]['verify'] = async ({ http }) => ({
      pass: true,
      message: await (await http('/now')).text(),
    });
    const pinned = { ...notesApp({ clock: 'pinned' }), tasks: [{ ...task, verify }] };
    await withApp(pinned, async app => {
      const session = await app.open(await app.task('note', 1));
      expect((await session.verify()).checks[0]?.name).toBe('note: 2026-02-02T09:00:00.000Z');
      await session.close();
    });
  });

  it.runIf(!hasFaketime)('[WAPP-7] says so where the clock cannot be pinned', async () => {
    const opened = withApp(notesApp({ clock: 'pinned' }), async app => app.open(await app.task('note', 1)));
    await expect(opened).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('libfaketime'),
    });
  });

  it('[WAPP-4] says why a server does not start, and leaves nothing behind', async () => {
    const said = async (server: object): Promise<unknown> =>
      withApp(notesApp(server), async app => app.open(await app.task('note', 1))).catch((cause: unknown) => cause);
    const unavailable = { boundary: 'environment', code: 'unavailable' };
    expect(await said({ env: { BROKEN: 'yes' } })).toMatchObject({
      ...unavailable,
      message: expect.stringMatching(/does not start: it ended with 1: .*the disk is torn/),
    });
    expect(await said({ env: { SILENT: 'yes' }, startSeconds: 0.5 })).toMatchObject({
      ...unavailable,
      message: expect.stringContaining('no answer at / in 500 ms'),
    });
    expect(await said({ command: ['no-such-program'] })).toMatchObject(unavailable);
    expect(await said({ reset: ['false'] })).toMatchObject(unavailable);
    expect(await said({ reset: () => Promise.reject(new Error('no seed')) })).toMatchObject({
      code: 'template-failed',
      message: expect.stringContaining('no seed'),
    });
    expect([leftovers(), pool.figures().openPages]).toEqual([[], 0]);
  });

  it('[WAPP-4] ends the episode with an error when its server dies', async () => {
    await withApp(notesApp({}), async app => {
      const session = await app.open(await app.task('note', 1));
      await expect(session.step({ kind: 'click', ref: 'e3' })).rejects.toMatchObject({
        boundary: 'environment',
        code: 'unavailable',
        message: expect.stringContaining('died in the middle of a session: it ended with 3'),
      });
      await session.close();
    });
    expect(leftovers()).toEqual([]);
  });

  it('[WAPP-6] refuses a module with the member that is wrong', async () => {
    const refused = async (server: unknown): Promise<unknown> =>
      withApp({ tasks: [task], server }, async () => null).catch((cause: unknown) => cause);
    const cases: [unknown, string][] = [
      [undefined, 'server'],
      [{ command: [] }, 'server.command'],
      [{ command: ['node'], ready: 'health' }, 'server.ready'],
      [{ command: ['node'], state: { kind: 'oracle' } }, 'server.state'],
      [{ command: ['node'], port: 3000 }, 'port'],
    ];
    for (const [server, words] of cases)
      expect(await refused(server)).toMatchObject({ code: 'invalid-module', message: expect.stringContaining(words) });
  });
});
