import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../../core/contracts.ts';
import { take } from '../../../../test/fixtures/pages/retrace.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';
import { createWaiEnvironment, type WaiEnvironment } from '../sites/wai/environment.ts';
import { createWarmStarts, type StartKeeper } from './warm-starts.ts';

const fixtures = join(import.meta.dirname, '../../../../test/fixtures');
const timers = createSystemTimers();
const pool = createBrowserPool({ timers, pages: 2 });
let desk: WaiEnvironment;

const openApp = (name: string, places: BrowserPool): Promise<WaiEnvironment> =>
  createWaiEnvironment({
    folder: join(fixtures, name),
    timers,
    pool: places,
    viewport: { width: 1280, height: 720 },
    pictures: null,
  });

beforeAll(async () => {
  desk = await openApp('wai-study/desk', pool);
}, 60_000);
afterAll(async () => {
  await desk.close?.();
  await pool.close();
});

const openWarm = async (template: string, app = desk): Promise<Session> =>
  (await app.openWarm?.(await app.task(template, 1))) as Session;

async function lookOf(session: Session) {
  const look = { digest: await session.digest(), text: (await session.observe()).text };
  return { ...look, judged: await session.judgedState?.(), picture: await session.appearance?.() };
}

/** The number of the first element with these words, and of a star in its row. */
async function star(session: Session, note: string): Promise<void> {
  const { text } = await session.observe();
  const lines = text.split('\n');
  const row = lines.findIndex(line => line.includes(note));
  const ref = /\[(\w+)\]/.exec(lines.slice(row).find(line => /star/i.test(line) && /\[\w+\]/.test(line)) ?? '')?.[1];
  expect((await session.step({ kind: 'click', ref: ref ?? '' })).applied).toBe(true);
}

describe('sessions in pages that others have left', () => {
  it('[SITE-96] begin as in a fresh page, whatever was done there before', async () => {
    const fresh = await desk.open(await desk.task('function-task-click-3', 1));
    const expected = await lookOf(fresh);
    await fresh.close();
    const first = await openWarm('function-task-click-1');
    await star(first, 'Order paper');
    expect((await first.verify()).pass).toBe(true);
    await first.close();
    const opened = pool.figures().openPages;
    const second = await openWarm('function-task-click-3');
    // The same page, and the verifier of its own task.
    expect(pool.figures().openPages).toBe(opened);
    expect(await lookOf(second)).toEqual(expected);
    expect((await second.verify()).pass).toBe(false);
    await star(second, 'Book a room');
    expect((await second.verify()).pass).toBe(true);
    await second.close();
  }, 60_000);

  it('[SITE-96] have a page to themselves', async () => {
    const [left, right] = [await openWarm('function-task-click-1'), await openWarm('function-task-click-3')];
    expect(pool.figures().openPages).toBe(2);
    await star(left, 'Order paper');
    expect((await right.verify()).pass).toBe(false);
    expect((await left.verify()).pass).toBe(true);
    await Promise.all([left.close(), right.close()]);
    // What is closed twice is given away once.
    await left.close();
    const again = [await openWarm('function-task-click-1'), await openWarm('function-task-click-1')];
    expect(pool.figures().openPages).toBe(2);
    await Promise.all(again.map(session => session.close()));
  }, 60_000);
});

describe('pages that wait for the next search', () => {
  it('[SEARCH-85] give their place to whoever wants one', async () => {
    const one = createBrowserPool({ timers, pages: 1 });
    const apps = [await openApp('wai-study/desk', one), await openApp('wai-study/club', one)] as const;
    try {
      for (const app of apps) {
        const template = app.templates[0]?.id ?? '';
        await (await openWarm(template, app)).close();
        // To certify, and what waits while a session is in the page.
        await (await app.open(await app.task(template, 1))).close();
        const held = await openWarm(template, app);
        const waiting = app.open(await app.task(template, 1));
        await held.close();
        await (await waiting).close();
      }
      expect(one.figures().openPages).toBe(0);
      await (await openWarm(apps[0].templates[0]?.id ?? '', apps[0])).close();
      expect(one.figures().openPages).toBe(1);
    } finally {
      await Promise.all(apps.map(app => app.close?.()));
      expect(one.figures().openPages).toBe(0);
      await one.close();
    }
  }, 90_000);

  it('[SEARCH-86] are left where a script ran that the app does not ship: the next search is not blamed', async () => {
    const app = await openApp('wai/reactions', pool);
    try {
      const first = await openWarm('real-task-e2', app);
      await first.step({ kind: 'fill', ref: 'e1', text: '<img src=x onerror="document.title += 1">' });
      await take(first, 'Post', { kind: 'wait', milliseconds: 100 });
      expect(await first.verify()).toMatchObject({ pass: false, clean: false });
      await first.close();
      const next = await openWarm('real-task-e2', app);
      const outcomes = await take(next, 'Message=Hello', 'Post', { kind: 'finish' });
      expect(outcomes.flatMap(({ incidents = [] }) => incidents)).toEqual([]);
      expect(await next.verify()).toMatchObject({ pass: true, clean: true });
      await next.close();
    } finally {
      await app.close?.();
    }
  }, 60_000);

  it('[SEARCH-85] are closed when no session can begin in them', async () => {
    const closed: string[] = [];
    const keeper: StartKeeper = {
      isUsable: () => Promise.resolve(true),
      begin: () => Promise.reject(new Error('no session')),
      close: () => Promise.resolve(void closed.push('page')),
    };
    const starts = createWarmStarts(
      () => Promise.resolve(keeper),
      () => () => undefined,
    );
    await expect(starts.open(await desk.task('function-task-click-1', 1))).rejects.toThrow('no session');
    expect(closed).toEqual(['page']);
  });
});
