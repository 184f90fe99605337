import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSystemTimers } from '../../../system/clock.ts';
import { LostError } from './connection.ts';
import { findBrowser } from './find-browser.ts';
import { createBrowserPool, type BrowserPool } from './pool.ts';

const timers = createSystemTimers();
const viewport = { width: 640, height: 480 };
const folder = mkdtempSync(join(tmpdir(), 'pool-loss-'));
const unhandled: unknown[] = [];
const hear = (cause: unknown): void => void unhandled.push(cause);

beforeAll(() => void process.on('unhandledRejection', hear));
afterAll(() => {
  process.off('unhandledRejection', hear);
  rmSync(folder, { recursive: true });
});

interface Running {
  readonly id: number;
  readonly command: string;
}

/** The processes of a browser that run: one that ends gives its memory back first, and its command line with it. */
function processesOf(browser: number): Running[] {
  const running = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  return running.flatMap(name => {
    try {
      const [, group] = /^.*\) \S \d+ (\d+) /.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      return Number(group) === browser && command !== '' ? [{ id: Number(name), command }] : [];
    } catch {
      return [];
    }
  });
}

function browserOf(pool: BrowserPool): number {
  return pool.figures().processes.at(-1) as number;
}

/** Where a browser keeps its files, as it was told at its start. */
function profileOf(browser: number): string {
  const main = processesOf(browser).find(({ id }) => id === browser);
  return /--user-data-dir=([^\0]+)/.exec(main?.command ?? '')?.[1] ?? '';
}

/** A program that notes its process id and then does this. */
function program(name: string, then: string): { readonly path: string; pid(): number } {
  const path = join(folder, name);
  const noted = `${path}.pid`;
  writeFileSync(path, `#!/bin/sh\necho $$ > ${noted}\n${then}\n`);
  chmodSync(path, 0o755);
  return { path, pid: () => (existsSync(noted) ? Number(readFileSync(noted, 'utf8')) : 0) };
}

describe('a browser that goes away', () => {
  it('[WEB-9] killed: whoever waits hears of it, and one other is started however many pages are wanted', async () => {
    const pool = createBrowserPool({ timers });
    const pages = await Promise.all([1, 2, 3].map(() => pool.open(viewport)));
    const waits = pages.map(page => page.evaluate('new Promise(() => 0)').catch((cause: unknown) => cause));
    const killed = browserOf(pool);
    process.kill(killed, 'SIGKILL');
    for (const cause of await Promise.all(waits)) expect(cause).toBeInstanceOf(LostError);
    expect(pages.map(page => page.isLost())).toEqual([true, true, true]);
    const others = await Promise.all(pages.map(() => pool.open(viewport)));
    expect(await others[0]?.evaluate('1 + 1')).toBe(2);
    expect(pool.figures()).toMatchObject({ launches: 2, openPages: 6 });
    for (const page of pages) await page.close();
    expect(pool.figures().openPages).toBe(3);
    await vi.waitFor(() => expect(pool.figures().processes).not.toContain(killed), 20_000);
    expect(processesOf(killed)).toEqual([]);
    await pool.close();
  });

  it('[WEB-9] killed while pages are opened: they are opened in another', async () => {
    const pool = createBrowserPool({ timers });
    const first = await pool.open(viewport);
    const wanted = [1, 2, 3, 4].map(() => pool.open(viewport));
    process.kill(browserOf(pool), 'SIGKILL');
    const pages = await Promise.all(wanted);
    expect(await Promise.all(pages.map(page => page.evaluate('1 + 1')))).toEqual([2, 2, 2, 2]);
    expect([first.isLost(), pool.figures().launches]).toEqual([true, 2]);
    await pool.close();
  });

  it('[WEB-9] one page that crashes takes no other with it, and can be closed', async () => {
    const pool = createBrowserPool({ timers });
    const [page, other] = [await pool.open(viewport), await pool.open(viewport)];
    const waits = page.evaluate('new Promise(() => 0)').catch((cause: unknown) => cause);
    await expect(page.send('Page.crash')).rejects.toBeInstanceOf(LostError);
    expect(await waits).toBeInstanceOf(LostError);
    expect([page.isLost(), other.isLost(), await other.evaluate('1 + 1')]).toEqual([true, false, 2]);
    await page.close();
    expect(pool.figures()).toMatchObject({ launches: 1, openPages: 1 });
    await pool.close();
  });

  it('[WEB-9] a page that crashed before it was wanted is not given to anybody', async () => {
    const pool = createBrowserPool({ timers });
    const page = await pool.open(viewport);
    await page.evaluate('0');
    const renderers = (): Running[] =>
      processesOf(browserOf(pool)).filter(({ command }) => command.includes('--type=renderer'));
    // The spare one is made while the first is used.
    await vi.waitFor(() => expect(renderers().length).toBeGreaterThan(1), 20_000);
    for (const { id } of renderers()) process.kill(id, 'SIGKILL');
    await vi.waitFor(() => expect(page.isLost()).toBe(true), 20_000);
    const pages = await Promise.all([1, 2].map(() => pool.open(viewport)));
    expect(await Promise.all(pages.map(other => other.evaluate('1 + 1')))).toEqual([2, 2]);
    expect(pool.figures().launches).toBe(1);
    await pool.close();
  });

  it('[WEB-7] one that answers nothing gets no more pages: another takes its place', async () => {
    let isHasty = false;
    const turning = { after: (wait: number, run: () => void) => timers.after(isHasty ? 50 : wait, run) };
    const pool = createBrowserPool({ timers: turning });
    const page = await pool.open(viewport);
    const stopped = browserOf(pool);
    process.kill(stopped, 'SIGSTOP');
    isHasty = true;
    const failed = [pool.open(viewport), pool.open(viewport)];
    for (const wanted of failed) await expect(wanted).rejects.toMatchObject({ code: 'deadline' });
    await expect(page.evaluate('1')).rejects.toMatchObject({ code: 'deadline' });
    isHasty = false;
    const other = await pool.open(viewport);
    expect(await other.evaluate('1 + 1')).toBe(2);
    isHasty = true;
    await page.close();
    isHasty = false;
    await vi.waitFor(() => expect(pool.figures().processes).not.toContain(stopped), 20_000);
    expect(processesOf(stopped)).toEqual([]);
    await pool.close();
  });
});

describe('closing', () => {
  it('[WEB-10] leaves no process and no file, turns away whoever waits, and can be done twice', async () => {
    const pool = createBrowserPool({ timers, pages: 2 });
    const pages = await Promise.all([1, 2].map(() => pool.open(viewport)));
    const browser = browserOf(pool);
    const profile = profileOf(browser);
    expect([processesOf(browser).length > 3, existsSync(profile)]).toEqual([true, true]);
    const waiting = pool.open(viewport).catch((cause: unknown) => cause);
    const answer = pages[0]?.evaluate('new Promise(() => 0)').catch((cause: unknown) => cause);
    await Promise.all([pool.close(), pool.close()]);
    expect(processesOf(browser)).toEqual([]);
    expect(existsSync(profile)).toBe(false);
    expect(await waiting).toMatchObject({ boundary: 'environment', code: 'closed' });
    expect(await answer).toBeInstanceOf(LostError);
    await expect(pool.open(viewport)).rejects.toMatchObject({ code: 'closed' });
    for (const page of pages) await page.close();
    await pool.close();
    expect(pool.figures()).toEqual({ launches: 1, openPages: 0, processes: [], notice: null });
  });

  it('[WEB-10] ends pages that are being opened', async () => {
    const pool = createBrowserPool({ timers });
    await pool.open(viewport);
    const browser = browserOf(pool);
    const opening = [1, 2, 3].map(() => pool.open(viewport).catch((cause: unknown) => cause));
    await pool.close();
    for (const cause of await Promise.all(opening)) expect(cause).toMatchObject({ code: 'closed' });
    expect(processesOf(browser)).toEqual([]);
  });

  it('[WEB-10] does not wait for a browser that is being started', async () => {
    const slow = program('slow', 'exec sleep 1000');
    const pool = createBrowserPool({ timers, path: slow.path });
    const opening = [1, 2].map(() => pool.open(viewport).catch((cause: unknown) => cause));
    await vi.waitFor(() => expect(slow.pid()).toBeGreaterThan(0), 20_000);
    await pool.close();
    for (const cause of await Promise.all(opening)) expect(cause).toMatchObject({ code: 'closed' });
    expect(processesOf(slow.pid())).toEqual([]);

    const quick = program('quick', `exec ${findBrowser()} "$@"`);
    const other = createBrowserPool({ timers, path: quick.path });
    const cause = other.open(viewport).catch((thrown: unknown) => thrown);
    await other.close();
    expect(await cause).toMatchObject({ code: 'closed' });
    // It may have been ended before it could say who it is.
    expect(quick.pid() === 0 || processesOf(quick.pid()).length === 0).toBe(true);
    await createBrowserPool({ timers }).close();
  });

  it('[WEB-11] a browser ends with the process that started it, even one that was killed', async () => {
    const here = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
    const script = `
      import { createBrowserPool } from ${here('pool.ts')};
      import { createSystemTimers } from ${here('../../../cli/system-clock.ts')};
      const pool = createBrowserPool({ timers: createSystemTimers() });
      const page = await pool.open({ width: 640, height: 480 });
      await page.evaluate('0');
      process.stdout.write(String(pool.figures().processes[0]));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const browser = Number(said.toString());
    const profile = profileOf(browser);
    expect(processesOf(browser).length).toBeGreaterThan(3);
    child.kill('SIGKILL');
    await vi.waitFor(() => expect(processesOf(browser)).toEqual([]), 20_000);
    rmSync(profile, { recursive: true, force: true });
  });
});

// The last: it speaks of all that were before it.
it('[WEB-9] nothing that went away is complained about where nobody listens', async () => {
  await new Promise(resolve => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});
