import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { EspalierError } from '../../src/core/errors.ts';
import { createRandom, type Random } from '../../src/core/random.ts';
import { findBrowser } from '../../src/envs/web/browser/find-browser.ts';
import { figure, type Figure } from '../measure.ts';

const depth = 20;
const rounds = 5;

interface Click {
  readonly x: number;
  readonly y: number;
}

interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** Pauses of the reference implementation, in milliseconds; all of them none to see what is left without. */
interface Pauses {
  /** After every action. */
  readonly settle: number;
  /** Between two questions whether the state is there. */
  readonly poll: number;
}

interface ReferenceBrowser {
  readonly viewport: Viewport;
  /** The program; the first in the usual places when there is none. */
  readonly path?: string | undefined;
}

/** With the pauses of the reference implementation, and with none. */
const paused: Pauses = { settle: 300, poll: 500 };
export const unpaused: Pauses = { settle: 0, poll: 10 };

/** The reference's way back in an app folder, whose own server is started for it. */
export async function* measureReference(folder: string, browser: ReferenceBrowser): AsyncGenerator<Figure> {
  const port = await freePort();
  const server = spawn('python3', ['server.py', '--port', String(port)], { cwd: folder, stdio: 'ignore' });
  // Whether it runs is found out by asking it.
  server.on('error', () => null);
  try {
    const url = `http://127.0.0.1:${port}`;
    await reachable(url, server);
    yield* measureSequence(url, { 'wai.reference@20': paused, 'wai.reference-nosleep@20': unpaused }, browser);
  } finally {
    server.kill('SIGKILL');
  }
}

/**
 * The way back of the reference implementation, re-created: reset the app's own server, load the page anew, wait until it
 * has a state, and repeat every action by its coordinates. Nothing is compared at the end. One figure for each name.
 */
export async function* measureSequence(
  url: string,
  names: Readonly<Record<string, Pauses>>,
  { viewport, path }: ReferenceBrowser,
): AsyncGenerator<Figure> {
  const browser = await launchPlain(path);
  try {
    const page = await browser.newPage({ viewport });
    await page.goto(url, { waitUntil: 'load' });
    const actions = await walk(page, url);
    for (const [name, pauses] of Object.entries(names)) {
      const values: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const start = performance.now();
        await resetAndReplay(page, { url, actions, pauses });
        values.push(performance.now() - start);
      }
      yield figure(name, 'ms', values);
    }
  } finally {
    await browser.close();
  }
}

/** A browser with nothing of ours in it. */
export async function launchPlain(path: string | undefined): Promise<Browser> {
  const { chromium } = await import('playwright-core').catch(missingPeer);
  return chromium.launch({ executablePath: findBrowser(path), args: ['--no-sandbox', '--disable-gpu'] });
}

interface Replay {
  readonly url: string;
  readonly actions: readonly Click[];
  readonly pauses: Pauses;
}

async function resetAndReplay(page: Page, { url, actions, pauses }: Replay): Promise<void> {
  await fetch(`${url}/api/reset`, { method: 'POST' });
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  for (let poll = 0; poll < 10; poll++) {
    const answer = await fetch(`${url}/api/state`);
    if (answer.ok && (await answer.json()) !== null) break;
    await wait(pauses.poll);
  }
  for (const { x, y } of actions) {
    await page.mouse.click(x, y);
    if (pauses.settle > 0) await wait(pauses.settle);
  }
}

/** Clicks on things that look as if they could be clicked, as an agent that sees pixels would find them. */
async function walk(page: Page, url: string): Promise<Click[]> {
  const random = createRandom('reference');
  await resetAndReplay(page, { url, actions: [], pauses: { settle: 0, poll: 50 } });
  const actions: Click[] = [];
  while (actions.length < depth) {
    actions.push(await clickAtRandom(page, random));
    await wait(50);
  }
  return actions;
}

/** A click on something that looks as if it could be clicked; where it was. */
export async function clickAtRandom(page: Page, random: Random): Promise<Click> {
  const spots = (await page.evaluate(spotsText)) as Click[];
  const spot = random.pick(spots.length === 0 ? [{ x: 10, y: 10 }] : spots);
  await page.mouse.click(spot.x, spot.y);
  return spot;
}

const spotsText = `[...document.querySelectorAll('a, button, [role=button], [data-action]')]
  .map(element => element.getBoundingClientRect())
  .filter(({ x, y, width, height }) => width > 4 && height > 4 && x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight)
  .map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))`;

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise(resolve => probe.close(resolve));
  return port;
}

async function reachable(url: string, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (server.exitCode !== null) break;
    const answer = await fetch(url).catch(() => null);
    if (answer !== null) return;
    await wait(100);
  }
  throw new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `The app's own server at ${url} does not start.`,
    expected: 'Expected python3 to run the server.py of the app folder.',
  });
}

function missingPeer(cause: unknown): never {
  throw new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: 'The reference way is driven by playwright-core, which is not installed.',
    expected: 'Install it beside Espalier: npm install playwright-core. Or run the bench from a checkout.',
    cause,
  });
}
