import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSystemTimers } from '../../../system/clock.ts';
import { EspalierError } from '../../../core/errors.ts';
import { findBrowser } from './find-browser.ts';
import type { Page } from './page.ts';
import { createBrowserPool, type BrowserPool } from './pool.ts';

const timers = createSystemTimers();
const viewport = { width: 640, height: 480 };
const folder = mkdtempSync(join(tmpdir(), 'pool-'));
const asked: IncomingMessage[] = [];
const server = createServer((request, response) => {
  asked.push(request);
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>Here</title>');
});
let pool: BrowserPool;
let site: string;

beforeAll(async () => {
  pool = createBrowserPool({ timers, pages: 6 });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await pool.close();
  server.close();
  rmSync(folder, { recursive: true });
});

/** Ids of the processes that draw pages of these browsers. */
function renderers(browsers: readonly number[]): string[] {
  const running = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  return running.filter(id => {
    try {
      const [, group] = /^.*\) \S \d+ (\d+) /.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? [];
      return (
        browsers.includes(Number(group)) && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--type=renderer')
      );
    } catch {
      return false;
    }
  });
}

/** Loads the site, and waits until it is there. */
async function visit(page: Page): Promise<void> {
  const loaded = new Promise<void>(resolve => {
    const stop = page.listen(({ method }) => {
      if (method !== 'Page.loadEventFired') return;
      stop();
      resolve();
    });
  });
  page.allow(site);
  await page.send('Page.navigate', { url: site });
  await loaded;
}

async function closeAll(pages: readonly Page[]): Promise<void> {
  await Promise.all(pages.map(page => page.close()));
}

describe('pages of a browser', () => {
  it('[WEB-3] one browser is started however many pages are wanted at once', async () => {
    const pages = await Promise.all(Array.from({ length: 6 }, () => pool.open(viewport)));
    expect(pool.figures()).toMatchObject({ launches: 1, openPages: 6 });
    expect(pool.figures().processes).toHaveLength(1);
    const sizes = await Promise.all(pages.map(page => page.evaluate('[innerWidth, innerHeight, devicePixelRatio]')));
    expect(sizes).toEqual(pages.map(() => [640, 480, 1]));
    await closeAll(pages);
    expect(pool.figures()).toMatchObject({ launches: 1, openPages: 0 });
  });

  it('[WEB-4] whoever finds no place waits, and is served in the order of coming', async () => {
    const held = await Promise.all(Array.from({ length: 6 }, () => pool.open(viewport)));
    const served: string[] = [];
    const waiting = ['first', 'second', 'third'].map(async name => {
      const page = await pool.open(viewport);
      served.push(name);
      return page;
    });
    // Somebody who asks the browser twice has given everybody else time to be served wrongly.
    await held[0]?.evaluate('0');
    await held[0]?.evaluate('0');
    expect([served, pool.figures().openPages]).toEqual([[], 6]);
    for (const [index, page] of held.slice(0, 3).entries()) {
      await page.close();
      await waiting[index];
      expect(served).toHaveLength(index + 1);
      expect(pool.figures().openPages).toBe(6);
    }
    expect(served).toEqual(['first', 'second', 'third']);
    await closeAll([...held.slice(3), ...(await Promise.all(waiting))]);
    expect(pool.figures().openPages).toBe(0);
  });

  it('[WEB-4] a page that cannot be opened, or is closed twice, gives its place to the next once', async () => {
    const ready = join(folder, 'ready');
    const path = join(folder, 'moody');
    writeFileSync(path, `#!/bin/sh\n[ -e ${ready} ] || { touch ${ready}; exit 1; }\nexec ${findBrowser()} "$@"\n`);
    chmodSync(path, 0o755);
    const moody = createBrowserPool({ timers, pages: 1, path });
    const [failed, opened] = [moody.open(viewport), moody.open(viewport)];
    await expect(failed).rejects.toThrow(`The browser ${path} does not start`);
    const page = await opened;
    expect(moody.figures()).toMatchObject({ launches: 2, openPages: 1 });
    const next = [moody.open(viewport), moody.open(viewport)];
    await closeAll([page, page]);
    await page.close();
    await next[0];
    expect(moody.figures().openPages).toBe(1);
    const turnedAway = next[1]?.catch((cause: unknown) => cause);
    await moody.close();
    expect(await turnedAway).toMatchObject({ code: 'closed' });
  });

  it('[WEB-5] nothing of one page is ever seen by another', async () => {
    const marks = `document.cookie = 'who=one'; localStorage.who = 'one'; sessionStorage.who = 'one';
      caches.open('who').then(() => new Promise(resolve => { indexedDB.open('who').onsuccess = resolve; })).then(() => 0)`;
    const look = `Promise.all([caches.keys(), indexedDB.databases()]).then(([caches, bases]) =>
      [document.cookie, localStorage.length, sessionStorage.length, caches.length, bases.length])`;
    const one = await pool.open(viewport);
    await visit(one);
    await one.evaluate(marks);
    expect(await one.evaluate(look)).toEqual(['who=one', 1, 1, 1, 1]);
    const beside = await pool.open(viewport);
    await visit(beside);
    expect(await beside.evaluate(look)).toEqual(['', 0, 0, 0, 0]);
    await closeAll([one, beside]);
    const after = await pool.open(viewport);
    asked.length = 0;
    await visit(after);
    expect(await after.evaluate(look)).toEqual(['', 0, 0, 0, 0]);
    const cookies = asked.filter(({ url }) => url === '/').map(({ headers }) => headers.cookie);
    expect(cookies).toEqual([undefined]);
    await after.close();
    expect(pool.figures().launches).toBe(1);
  });

  it('[WEB-5] what a page was drawn by ends with it', async () => {
    const { processes } = pool.figures();
    const before = renderers(processes);
    const pages = await Promise.all([1, 2, 3].map(() => pool.open(viewport)));
    expect(renderers(processes).length).toBeGreaterThan(before.length);
    await closeAll(pages);
    await vi.waitFor(() => expect(renderers(processes).length).toBeLessThanOrEqual(before.length), 20_000);
  });

  it('[WEB-6] a browser is replaced when it has had its pages, and those that are open stay', async () => {
    const small = createBrowserPool({ timers, pages: 8, contextsPerBrowser: 3 });
    const first = await Promise.all([1, 2, 3].map(() => small.open(viewport)));
    const [old] = small.figures().processes;
    await first[0]?.evaluate('globalThis.mark = 1');
    const later = await Promise.all([4, 5, 6, 7].map(() => small.open(viewport)));
    expect(small.figures()).toMatchObject({ launches: 3, openPages: 7 });
    expect(small.figures().processes).toContain(old);
    expect(await first[0]?.evaluate('globalThis.mark')).toBe(1);
    await closeAll(first.slice(1));
    expect(await first[0]?.evaluate('globalThis.mark')).toBe(1);
    await first[0]?.close();
    await vi.waitFor(() => expect(small.figures().processes).not.toContain(old), 20_000);
    expect(await later[3]?.evaluate('1 + 1')).toBe(2);
    await small.close();
  });

  it('[WEB-7] a page that hangs is given up; it can be closed, burns nothing, and the others go on', async () => {
    let isHasty = false;
    const turning = { after: (wait: number, run: () => void) => timers.after(isHasty ? 50 : wait, run) };
    const hasty = createBrowserPool({ timers: turning });
    const other = await hasty.open(viewport);
    const before = renderers(hasty.figures().processes);
    const page = await hasty.open(viewport);
    isHasty = true;
    const cause = await page.evaluate('for (;;);').catch((thrown: unknown) => thrown);
    isHasty = false;
    expect(cause).toBeInstanceOf(EspalierError);
    expect(cause).toMatchObject({ boundary: 'environment', code: 'deadline' });
    expect(page.isLost()).toBe(true);
    await expect(page.evaluate('1')).rejects.toMatchObject({ name: 'LostError', code: 'unavailable' });
    expect(await other.evaluate('1 + 1')).toBe(2);
    await page.close();
    const again = await hasty.open(viewport);
    expect(await again.evaluate('1 + 1')).toBe(2);
    await again.close();
    const { processes, launches } = hasty.figures();
    expect(launches).toBe(1);
    // One spare beside those that were there before.
    await vi.waitFor(() => expect(renderers(processes).length).toBeLessThanOrEqual(before.length + 1), 20_000);
    await hasty.close();
  });

  it('[WEB-7] what a script throws is told, and the page goes on', async () => {
    const page = await pool.open(viewport);
    await expect(page.evaluate('nothing.here')).rejects.toThrow('nothing is not defined');
    await expect(page.evaluate('Promise.reject(new Error("no"))')).rejects.toThrow('Error: no');
    expect(await page.evaluate('Promise.resolve([1, "ä", null])')).toEqual([1, 'ä', null]);
    await expect(page.send('No.such')).rejects.toThrow("'No.such' wasn't found");
    await page.close();
    await expect(page.evaluate('1')).rejects.toMatchObject({ name: 'LostError' });
  });

  it('[WEB-8] windows that a page opens are closed, downloads are refused, and both are told', async () => {
    const page = await pool.open(viewport);
    await visit(page);
    await page.evaluate(`window.open('${site}beside'); 0`);
    await vi.waitFor(() => expect(page.incidents()).toEqual([expect.objectContaining({ kind: 'popup' })]), 20_000);
    const link = `Object.assign(document.createElement('a'), { href: 'data:text/plain,x', download: 'x.txt' })`;
    await page.evaluate(`document.body.appendChild(${link}).click()`);
    const refusal = { kind: 'download', detail: 'a download was refused: x.txt from data:text/plain,x' };
    await vi.waitFor(() => expect(page.incidents()).toEqual([refusal]), 20_000);
    expect(existsSync('x.txt')).toBe(false);
    await page.close();
  });
});
