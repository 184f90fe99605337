import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { take } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import type { Session } from '../../../core/contracts.ts';
import type { Page } from '../browser/page.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

/** No snapshots are kept of these pages: every fork has a page of its own. */
const counter = `<button onclick="out.textContent = ++n">Add</button><p role="status" id="out"></p><script>let n = 0</script>`;

let pool: BrowserPool;
/** All that were opened. */
let opened: Page[];
beforeEach(() => {
  const own = createBrowserPool({ timers: createSystemTimers(), pages: 2 });
  opened = [];
  pool = {
    ...own,
    async open(viewport, onWait) {
      const page = await own.open(viewport, onWait);
      opened.push(page);
      return page;
    },
  };
});
afterEach(() => pool.close());

async function open(keeps?: 'kept'): Promise<Session> {
  const environment = createPages({ pool, pages: { '/': counter }, ...(keeps === undefined ? { keeps: false } : {}) });
  return environment.open(await environment.task('look', 1));
}

const forkOf = async (session: Session): Promise<Session> => (await session.fork?.()) as Session;
const shown = async (session: Session): Promise<string> => (await session.observe()).text;

describe('places of a pool of pages', () => {
  it('[SITE-87] pass to forks that need a page of their own, and back, and no session loses its state', async () => {
    const session = await open();
    const forks: Session[] = [];
    for (let count = 1; count <= 4; count++) {
      const fork = await forkOf(forks.at(-1) ?? session);
      await take(fork, 'Add');
      forks.push(fork);
    }
    expect(pool.figures().openPages).toBe(2);
    for (const [at, fork] of forks.entries()) expect(await shown(fork)).toContain(`"${at + 1}"`);
    await take(session, 'Add');
    expect(await shown(session)).toContain('"1"');
    for (const one of [session, ...forks]) await one.close();
    expect(pool.figures().openPages).toBe(0);
  });

  it('[SITE-87] are enough for forks that work at the same time', async () => {
    const session = await open();
    const forks = await Promise.all(Array.from({ length: 4 }, () => forkOf(session)));
    await Promise.all(forks.map(fork => take(fork, 'Add', 'Add')));
    for (const fork of forks) expect(await shown(fork)).toContain('"2"');
    await Promise.all([session, ...forks].map(one => one.close()));
    expect(pool.figures().openPages).toBe(0);
  });

  it('[SITE-87] are not taken from other episodes', async () => {
    const [one, other] = [await open(), await open()];
    const fork = await forkOf(one);
    // The page of the first session was given up, not that of the other one.
    await take(other, 'Add');
    expect(await shown(other)).toContain('"1"');
    await take(fork, 'Add');
    expect(await shown(fork)).toContain('"1"');
    await Promise.all([one, other, fork].map(each => each.close()));
    expect(pool.figures().openPages).toBe(0);
  });
});

describe('what happened in a page whose place was given up', () => {
  it('[SITE-88] is told with the next step of the session that used it last', async () => {
    const session = await open();
    await take(session, 'Add');
    const late = { kind: 'popup', detail: 'late' } as const;
    opened[0]?.report(late);
    const forks = [await forkOf(session), await forkOf(session)];
    for (const fork of forks) expect(await take(fork, 'Add')).toEqual([{ applied: true }]);
    expect(await take(session, 'Add', 'Add')).toEqual([{ applied: true, incidents: [late] }, { applied: true }]);
    await Promise.all([session, ...forks].map(one => one.close()));
  });

  it('[SITE-88] is told as a loss where the page was lost before', async () => {
    const session = await open();
    await take(session, 'Add');
    await opened[0]?.send('Page.crash').catch(() => null);
    const forks = [await forkOf(session), await forkOf(session)];
    for (const fork of forks) expect(await take(fork, 'Add')).toEqual([{ applied: true }]);
    expect(await take(session, 'Add')).toMatchObject([{ applied: true, incidents: [{ kind: 'lost' }] }]);
    await Promise.all([session, ...forks].map(one => one.close()));
  });

  it('[SITE-88] is told as a loss where another session left the lost page first', async () => {
    const session = await open('kept');
    const fork = await forkOf(session);
    await take(fork, 'Add');
    await take(session, 'Add');
    await opened[0]?.send('Page.crash').catch(() => null);
    expect(await take(fork, 'Add')).toEqual([{ applied: true }]);
    expect(await take(session, 'Add')).toMatchObject([{ applied: true, incidents: [{ kind: 'lost' }] }]);
    await Promise.all([session, fork].map(one => one.close()));
    expect(pool.figures().openPages).toBe(0);
  });
});
