import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCounterPages } from '../../../../test/fixtures/pages/counter-pages.ts';
import { take } from '../../../../test/fixtures/pages/retrace.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import type { Environment, Session, Snapshot } from '../../../core/contracts.ts';
import type { Page } from '../browser/page.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

const timers = createSystemTimers();
const patience = 6000;
let own: BrowserPool;
let pages: Page[];
/** What the pages were asked. */
let sent: string[];
let pool: BrowserPool;
let sites: { opened: number; closed: number };
beforeEach(() => {
  own = createBrowserPool({ timers, patience });
  pages = [];
  sent = [];
  sites = { opened: 0, closed: 0 };
  pool = {
    ...own,
    async open(viewport) {
      const page = await own.open(viewport);
      pages.push(page);
      const send: Page['send'] = (method, params) => {
        sent.push(String(params?.['functionDeclaration']));
        return page.send(method, params);
      };
      return { ...page, send };
    },
  };
});
afterEach(() => own.close());

async function open(environment: Environment = createCounterPages({ pool, sites })): Promise<Session> {
  return environment.open(await environment.task('count', 1));
}

async function forked(session: Session): Promise<Session> {
  return (await session.fork?.()) as Session;
}

/** What the counter holds, found out in a fork that is thrown away. */
async function counted(session: Session): Promise<string> {
  const probe = await forked(session);
  await take(probe, 'Show');
  const { text } = await probe.observe();
  await probe.close();
  return /count (\d+)/.exec(text)?.[1] ?? '';
}

const closed = async (...sessions: readonly Session[]): Promise<void> => {
  for (const session of sessions) await session.close();
  expect(own.figures().openPages).toBe(0);
  expect(sites.closed).toBe(sites.opened);
};

describe('a fork of a session in a page that keeps snapshots', () => {
  it('[FORK-1] shares the page of its parent: none of them affects the other, whatever the order', async () => {
    const parent = await open();
    await take(parent, 'Add', 'Send');
    const child = await forked(parent);
    const grandchild = await forked(child);
    expect(await child.digest()).toBe(await parent.digest());
    expect(await child.observe()).toEqual(await parent.observe());
    await take(child, 'Double', 'Send');
    await take(parent, 'Add');
    await take(grandchild, 'Later', 'Show');
    await take(child, 'Show');
    await take(parent, 'Show');
    expect((await parent.observe()).text).toContain('count 3');
    expect((await child.observe()).text).toContain('count 4');
    expect((await grandchild.observe()).text).toContain('count 2');
    await take(grandchild, { kind: 'wait', milliseconds: 2000 }, 'Show');
    expect((await grandchild.observe()).text).toContain('count 102');
    const verdicts = [await parent.verify(), await child.verify(), await grandchild.verify()];
    expect(verdicts.map(({ evidence }) => evidence.answer)).toEqual(['2', '4', '2']);
    expect(pages).toHaveLength(1);
    await closed(parent, child, grandchild);
  });

  it('[FORK-1] may be used at the same time as its parent, and outlive it', async () => {
    const parent = await open();
    const children = await Promise.all([forked(parent), forked(parent), forked(parent)]);
    await Promise.all([
      take(parent, 'Add', 'Double', 'Show'),
      ...children.map((child, index) => take(child, ...Array.from({ length: index + 2 }, () => 'Double'), 'Show')),
    ]);
    await parent.close();
    expect(await Promise.all(children.map(counted))).toEqual(['4', '8', '16']);
    expect(pages).toHaveLength(1);
    await expect((async () => parent.observe())()).rejects.toMatchObject({ code: 'closed' });
    await closed(...children);
  });

  it('[FORK-1] restores snapshots of its own, and those of its parent while that is open', async () => {
    const parent = await open();
    await take(parent, 'Add');
    const before = (await parent.snapshot?.()) as Snapshot;
    await take(parent, 'Add');
    const child = await forked(parent);
    await take(child, 'Double');
    const own6 = (await child.snapshot?.()) as Snapshot;
    await take(child, 'Double');
    await child.restore?.(before);
    expect([await counted(child), await counted(parent)]).toEqual(['2', '3']);
    await child.restore?.(own6);
    await parent.restore?.(before);
    expect([await counted(child), await counted(parent)]).toEqual(['6', '2']);
    await parent.close();
    await expect(child.restore?.(before)).rejects.toThrow('the session that kept it is closed');
    expect(await counted(child)).toBe('6');
    expect(pages).toHaveLength(1);
    await closed(child);
  });

  it('[FORK-2] replays its path in a page of its own when the snapshot cannot be restored', async () => {
    const parent = await open();
    await take(parent, 'Add', 'Hold');
    const child = await forked(parent);
    // A promise that was open is settled, then another document is loaded.
    await take(child, 'Free');
    expect(await counted(parent)).toBe('2');
    expect(await counted(child)).toBe('1002');
    expect(pages.length).toBeGreaterThan(1);
    const other = await forked(parent);
    await take(other, 'Next');
    expect((await other.observe()).text).toContain('Another document');
    expect(await take(parent, 'Double', 'Show')).toEqual([{ applied: true }, { applied: true }]);
    expect((await parent.observe()).text).toContain('count 4');
    await closed(parent, child, other);
  });

  it('[FORK-2] has a page of its own from the start where no snapshot is kept', async () => {
    const parent = await open(createCounterPages({ pool, sites, keeps: false }));
    await take(parent, 'Add');
    const child = await forked(parent);
    expect(pages).toHaveLength(2);
    await take(child, 'Add', 'Show');
    await take(parent, 'Show');
    expect((await child.observe()).text).toContain('count 3');
    expect((await parent.observe()).text).toContain('count 2');
    await closed(parent, child);
  });

  it('[FORK-3] is told of its own incidents only, and not of what a restore repeats', async () => {
    const parent = await open();
    const child = await forked(parent);
    const warning = (count: number) => ({
      applied: true,
      incidents: [{ kind: 'dialog', detail: `alert: count ${count}` }],
    });
    expect(await take(child, 'Warn', 'Double')).toEqual([warning(1), { applied: true }]);
    expect(await take(parent, 'Add')).toEqual([{ applied: true }]);
    // What arrives between two turns belongs to whoever had the last one.
    pages[0]?.report({ kind: 'popup', detail: 'late' });
    expect(await take(child, 'Warn')).toEqual([warning(2)]);
    expect(await take(parent, 'Double')).toEqual([{ applied: true, incidents: [{ kind: 'popup', detail: 'late' }] }]);
    await closed(parent, child);
  });
});

describe('a page that several sessions share', () => {
  it.each(['crashes', 'hangs'])('[FORK-4] and that %s in a step of one: the others go on in other pages', async how => {
    let isHit = false;
    const asked = async (path: string): Promise<void> => {
      if (!path.startsWith('/save/') || isHit) return;
      isHit = true;
      if (how === 'crashes') await pages[0]?.send('Page.crash').catch(() => null);
      else await new Promise(() => null);
    };
    const parent = await open(createCounterPages({ pool, sites, asked }));
    await take(parent, 'Add');
    const [child, sibling] = [await forked(parent), await forked(parent)];
    await take(child, 'Double');
    await take(sibling, 'Add');
    const outcome = await take(child, 'Send').catch((cause: unknown) => [cause]);
    const lost = { applied: true, incidents: [{ kind: 'lost' }] };
    expect(outcome[0]).toMatchObject(how === 'crashes' ? lost : { code: 'deadline' });
    const steps = await Promise.all([take(sibling, 'Show'), take(parent, 'Show'), take(child, 'Show')]);
    expect(steps.slice(0, 2)).toEqual([[{ applied: true }], [{ applied: true }]]);
    const texts = await Promise.all([sibling, parent, child].map(async session => (await session.observe()).text));
    expect(texts.map(text => /count \d+/.exec(text)?.[0])).toEqual(['count 3', 'count 2', 'count 4']);
    // The place of the lost page was given back.
    expect(own.figures().openPages).toBe(3);
    await closed(parent, child, sibling);
  });

  it('[FORK-5] is closed once, by the last session, also in the middle of a step', async () => {
    const parent = await open();
    await take(parent, 'Add');
    const [child, sibling] = [await forked(parent), await forked(parent)];
    // More steps than fit into the wait, however fast the machine is.
    const late = take(child, ...Array.from({ length: 12 }, () => 'Double'));
    late.catch(() => null);
    await new Promise(resolve => setTimeout(resolve, 20));
    await child.close();
    await child.close();
    await expect(late).rejects.toMatchObject({ code: 'closed' });
    expect(await counted(parent)).toBe('2');
    expect(sites.closed).toBe(0);
    await parent.close();
    const last = take(sibling, ...Array.from({ length: 12 }, () => 'Double'));
    last.catch(() => null);
    await new Promise(resolve => setTimeout(resolve, 20));
    await sibling.close();
    await expect(last).rejects.toMatchObject({ code: 'closed' });
    await closed();
    expect(sites).toEqual({ opened: 1, closed: 1 });
  });

  it('[FORK-5] leaves no page behind when a session is closed while it walks', async () => {
    const parent = await open();
    await take(parent, 'Add', 'Hold', 'Add', 'Add');
    const child = await forked(parent);
    await take(child, 'Free');
    const walking = (async () => parent.observe())();
    const step = take(parent, ...Array.from({ length: 12 }, () => 'Show'));
    step.catch(() => null);
    await walking;
    await new Promise(resolve => setTimeout(resolve, 60));
    await parent.close();
    await expect(step).rejects.toMatchObject({ code: 'closed' });
    await closed(child);
  });

  it('[FORK-6] forgets the snapshots that no session needs', async () => {
    const parent = await open();
    await take(parent, 'Add');
    for (let round = 0; round < 12; round++) {
      const child = await forked(parent);
      await take(child, 'Double', 'Add', 'Show');
      await child.close();
    }
    await take(parent, 'Show');
    expect((await parent.observe()).text).toContain('count 2');
    expect(pages).toHaveLength(1);
    const forgotten = sent.flatMap(
      text => /program\.forget\(program\.given\("\[([\d,]+)\]"\)\)/.exec(text)?.[1]?.split(',') ?? [],
    );
    expect(new Set(forgotten).size).toBeGreaterThanOrEqual(30);
    await closed(parent);
  });
});
