import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { findBrowser } from '../../src/envs/web/browser/find-browser.ts';
import { createStudioSource } from '../../src/studio/data/studio-source.ts';
import type { StudioSource } from '../../src/studio/api/api.ts';
import { loadStudioProgram, type StudioProgram } from '../../src/studio/server/studio-program.ts';
import { createStudioServer } from '../../src/studio/server/studio-server.ts';
import { createSystemTimers } from '../../src/system/clock.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { figure, type Bench, type BenchBrowser, type Figure } from '../measure.ts';
import { startChild } from '../models/child.ts';
import { writeLargeEpisode, writeManyEpisodes } from './made-runs.ts';

const episodes = 100_000;
const steps = 100_000;
const runs = 3;
const viewport = { width: 1360, height: 860 };

/** How the studio shows large runs. */
export const studioBench: Bench = {
  group: 'studio',
  onDemand: true,
  usesBrowser: true,
  figures: [
    'studio.open',
    'studio.filter',
    'studio.tree',
    'studio.frames',
    'studio.size',
    'studio.paint',
    'studio.cost',
  ],
  async *run({ browser }, news) {
    const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
    try {
      news.progress('writing 100,000 episodes …');
      mkdirSync(join(folder, 'many/many'), { recursive: true });
      writeManyEpisodes(join(folder, 'many/many'), episodes);
      news.progress('writing an episode of 100,000 steps …');
      mkdirSync(join(folder, 'large/large'), { recursive: true });
      writeLargeEpisode(join(folder, 'large/large'), steps);
      news.progress('measuring …');
      yield* await measureTable(join(folder, 'many'));
      yield await measureSize();
      yield* await measurePage(join(folder, 'large'), browser);
      yield await measureCost(join(folder, 'large'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

function openSource(folder: string): StudioSource {
  const host = createSystemHost({ workers: 0 });
  return createStudioSource({ folder, host, machine: '', version: '', createId: () => 'bench' });
}

/** From the store to the first rows of the table; then, when the server has read the run behind it, filters that were not asked before. */
async function measureTable(folder: string): Promise<Figure[]> {
  const opened: number[] = [];
  const filtered: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    const source = openSource(folder);
    const place = { from: 0, count: 100, sort: '' };
    if ((await source.episodes('many', {}, place)).total !== episodes) throw new Error('Not all episodes were found.');
    opened.push((performance.now() - start) / 1000);
    while (source.isReading()) source.refresh();
    const filters = [
      { outcome: 'failed' },
      { cause: 'out of interventions' },
      { cost: 50 },
      { text: `${run} message` },
      { text: 'star', outcome: 'passed' },
    ];
    for (const filter of filters) {
      const from = performance.now();
      await source.episodes('many', filter, place);
      filtered.push((performance.now() - from) / 1000);
    }
    await source.close();
  }
  return [figure('studio.open', 's', opened), figure('studio.filter', 's', filtered)];
}

async function measureSize(): Promise<Figure> {
  const { script, style } = await loadStudioProgram();
  return figure('studio.size', 'KiB', [(gzipSync(script).length + gzipSync(style).length) / 1024]);
}

/** Until the first paint, until a large tree is drawn, and while it is panned. */
async function measurePage(folder: string, browser: BenchBrowser): Promise<Figure[]> {
  const program = await loadStudioProgram();
  const paints: number[] = [];
  const trees: number[] = [];
  const frames: number[] = [];
  // Only in a checkout: the package brings no driver for browsers.
  const { chromium } = await import('playwright-core');
  const args = ['--no-sandbox', '--disable-gpu'];
  const chrome = await chromium.launch({ executablePath: findBrowser(browser.path), args });
  try {
    for (let run = 0; run < runs; run++) {
      const context = await chrome.newContext({ viewport });
      const { paint, tree, rate } = await visit(folder, program, await context.newPage());
      await context.close();
      paints.push(paint);
      trees.push(tree);
      frames.push(rate);
    }
  } finally {
    await chrome.close();
  }
  return [
    figure('studio.paint', 's', paints),
    figure('studio.tree', 's', trees),
    figure('studio.frames', '1/s', frames),
  ];
}

/** What is needed of a page of the browser. */
interface StudioPage {
  goto(address: string): Promise<unknown>;
  evaluate<T>(expression: string): Promise<T>;
}

interface Visit {
  readonly paint: number;
  readonly tree: number;
  readonly rate: number;
}

async function visit(folder: string, program: StudioProgram, page: StudioPage): Promise<Visit> {
  const source = openSource(folder);
  const timers = createSystemTimers();
  const server = await createStudioServer({
    source,
    program,
    timers,
    key: 'key',
    pass: 'pass',
    createKey: () => 'key',
  });
  try {
    await page.goto(`${server.url}/?key=key`);
    const paint = await untilNumber(page, paintTime);
    const tree = await untilNumber(page, openTree, treeTime);
    const rate = await untilNumber(page, panTree, panRate);
    return { paint: paint / 1000, tree: tree / 1000, rate };
  } finally {
    await server.close(AbortSignal.abort());
    await source.close();
  }
}

const mostMilliseconds = 60_000;
const lookMilliseconds = 50;

/** Starts something in the page, and looks until an expression there gives a number. A page that is loaded anew loses what waits in it. */
async function untilNumber(page: StudioPage, ...expressions: readonly string[]): Promise<number> {
  const [last, ...before] = expressions.toReversed();
  for (const expression of before) await page.evaluate(expression);
  for (let waited = 0; waited < mostMilliseconds; waited += lookMilliseconds) {
    const found = await page.evaluate<number | null>(last as string).catch(() => null);
    if (typeof found === 'number') return found;
    await wait(lookMilliseconds);
  }
  throw new Error('The page of the studio did not come so far.');
}

const paintTime = `document.querySelector('.card') === null ? null
  : performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null`;

const openTree = `void (() => {
  const start = performance.now();
  location.hash = '#/run/large/episode/1';
  const look = () => {
    if (document.querySelector('.tree[data-steps="${steps}"]') === null) requestAnimationFrame(look);
    else requestAnimationFrame(() => (globalThis.treeTime = performance.now() - start));
  };
  look();
})()`;
const treeTime = 'globalThis.treeTime ?? null';

const panTree = `void (() => {
  const tree = document.querySelector('.tree');
  const frames = 90;
  let frame = 0;
  const start = performance.now();
  const pan = () => {
    tree.scrollTop += 1700;
    if (++frame < frames) requestAnimationFrame(pan);
    else globalThis.panRate = frames / (performance.now() - start) * 1000;
  };
  requestAnimationFrame(pan);
})()`;
const panRate = 'globalThis.panRate ?? null';

interface Written {
  readonly milliseconds: number;
}

/** How much longer a run takes to write 200 steps a second while the studio follows it. */
async function measureCost(folder: string): Promise<Figure> {
  const write = async (): Promise<number> => {
    const child = startChild<Written>('./writing-run', { folder: join(folder, 'large'), episodes: 10 });
    const { milliseconds } = await child.heard();
    await child.close();
    return milliseconds / (10 * 21 * 5);
  };
  const values: number[] = [];
  for (let run = 0; run < runs; run++) {
    const alone = await write();
    const source = openSource(folder);
    const timer = setInterval(() => source.refresh() && source.runs(), 500);
    const followed = await write();
    clearInterval(timer);
    await source.close();
    // Both are shares of the time that the run took: the difference is what following costs it.
    values.push(Math.max(0, followed - alone));
  }
  return figure('studio.cost', 'share', values);
}
