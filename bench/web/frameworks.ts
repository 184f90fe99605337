import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Environment, Session } from '../../src/core/contracts.ts';
import { createRandom, type Random } from '../../src/core/random.ts';
import { createBrowserPool, type BrowserPool } from '../../src/envs/web/browser/pool.ts';
import { createWaiFiles } from '../../src/envs/web/sites/wai/files.ts';
import { createSystemTimers } from '../../src/system/clock.ts';
import { createTrail } from '../../src/worlds/trail.ts';
import { triedApps, type FrameworkApp } from '../../test/frameworks/apps.ts';
import { builtApp } from '../../test/frameworks/build.ts';
import { openApp } from '../../test/frameworks/site.ts';
import { walkApp } from '../../test/frameworks/walk.ts';
import { figure, type Bench, type BenchBrowser, type BenchNews, type Figure, type Reason } from '../measure.ts';
import { clickAtRandom, launchPlain, measureSequence, unpaused } from '../wai/reference.ts';

const viewport = { width: 900, height: 700 };
const lanes = 4;
/** Steps at random after those that the app is known for. */
const more = 12;
const rollbacksPerWalk = 20;
/** The app that speed is measured on. */
const react = 'react-19';
const depth = 20;
const rollbackRounds = 30;
const [stepRounds, stepsPerRound] = [5, 15];

/** Apps of frameworks: which rollbacks are restores, whether any is wrong, and how fast React is. */
export const frameworksBench: Bench = {
  group: 'frameworks',
  onDemand: true,
  usesBrowser: true,
  figures: [
    'web.restored',
    'web.wrong',
    'web.unsteady',
    'web.react-open',
    'web.react-rollback@20',
    'web.react-reference-nosleep@20',
    'web.react-rollback',
    'web.react-steps-1',
    'web.react-steps-4',
    'web.react-steps-4-plain',
  ],
  async *run({ rollbacks, browser }, news) {
    const pool = createBrowserPool({ timers: createSystemTimers(), pages: 2 * lanes + 2, ...browser });
    try {
      yield* measureRollbacks({ pool, rollbacks }, news);
      const environment = await openApp(react, { pool });
      yield await measureOpen(environment);
      const own = await measureDepth(environment);
      const [plain] = await Array.fromAsync(measureReferenceOn(react, browser));
      yield own;
      yield plain as Figure;
      yield ratio('web.react-rollback', (plain as Figure).value / own.value);
      yield await measureSteps(environment, 1);
      yield await measureSteps(environment, 4);
    } finally {
      await pool.close();
    }
    yield await measurePlainSteps(browser);
  },
};

function ratio(name: string, value: number): Figure {
  return { name, unit: 'ratio', value, spread: 0, runs: 1 };
}

interface Tally {
  walks: number;
  rollbacks: number;
  restored: number;
  readonly reasons: Map<string, number>;
  readonly wrong: string[];
  /** Where two fresh pages disagreed; such a walk ends early. */
  readonly unsteady: string[];
}

async function* measureRollbacks(
  { pool, rollbacks }: { readonly pool: BrowserPool; readonly rollbacks: number },
  news: BenchNews,
): AsyncGenerator<Figure> {
  const [all, wrong]: [Tally[], string[]] = [[], []];
  for (const app of triedApps) {
    news.progress(`walking through ${app.name} …`);
    const tally = await walkOften(app, { pool, rollbacks: Math.ceil(rollbacks / triedApps.length) });
    all.push(tally);
    wrong.push(...tally.wrong.map(each => `${app.name}: ${each}`));
    for (const each of tally.unsteady) news.line(`unsteady: ${app.name}: ${each}`);
    yield shareOf(`web.restored ${app.name}`, [tally]);
  }
  yield shareOf('web.restored', all);
  for (const each of wrong) news.line(`wrong: ${each}`);
  const done = all.reduce((total, tally) => total + tally.rollbacks, 0);
  yield { name: 'web.wrong', unit: 'count', value: wrong.length, spread: 0, runs: done };
  const [walks, unsteady] = [sum(all.map(tally => tally.walks)), sum(all.map(tally => tally.unsteady.length))];
  yield { name: 'web.unsteady', unit: 'count', value: unsteady, spread: 0, runs: walks };
}

async function walkOften(
  { name, steps }: FrameworkApp,
  { pool, rollbacks }: { readonly pool: BrowserPool; readonly rollbacks: number },
): Promise<Tally> {
  const environment = await openApp(name, { pool });
  const tally: Tally = { walks: 0, rollbacks: 0, restored: 0, reasons: new Map(), wrong: [], unsteady: [] };
  let left = rollbacks;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (left > 0) {
        const due = Math.min(left, rollbacksPerWalk);
        left -= due;
        const report = await walkApp(environment, { steps, more, rollbacks: due, seed: `${name} ${tally.walks++}` });
        tally.rollbacks += report.rollbacks;
        tally.restored += report.restored;
        tally.wrong.push(...report.wrong);
        tally.unsteady.push(...report.unsteady.slice(0, 1));
        for (const { reason, count } of report.replayed)
          tally.reasons.set(reason, (tally.reasons.get(reason) ?? 0) + count);
      }
    }),
  );
  return tally;
}

function shareOf(name: string, tallies: readonly Tally[]): Figure {
  const [runs, restored] = [sum(tallies.map(tally => tally.rollbacks)), sum(tallies.map(tally => tally.restored))];
  const counts = new Map<string, number>();
  for (const { reasons } of tallies)
    for (const [reason, count] of reasons) counts.set(reason, (counts.get(reason) ?? 0) + count);
  const reasons: Reason[] = [...counts].map(([reason, count]) => ({ reason, count }));
  const sorted = reasons.toSorted((one, other) => other.count - one.count);
  return { name, unit: 'share', value: runs === 0 ? 0 : restored / runs, spread: 0, runs, reasons: sorted };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** One action that does something; whether it did, in the end. */
async function stepAtRandom(session: Session, random: Random): Promise<void> {
  const offered = (await session.candidates?.()) ?? [];
  await session.step(random.pick(offered).action);
}

/** Until the first look, all that its functions hold learned. */
async function measureOpen(environment: Environment): Promise<Figure> {
  const task = await environment.task('look', 1);
  const values: number[] = [];
  for (let round = -1; round < stepRounds; round++) {
    const start = performance.now();
    const session = await environment.open(task);
    if (round >= 0) values.push(performance.now() - start);
    await session.close();
  }
  return figure('web.react-open', 'ms', values);
}

async function measureDepth(environment: Environment): Promise<Figure> {
  const random = createRandom('depth');
  const trail = await createTrail(environment, await environment.task('look', 1));
  try {
    for (let step = 0; step < depth; step++) {
      const offered = (await trail.session().candidates?.()) ?? [];
      await trail.step(random.pick(offered).action, { role: 'student', name: 'random' });
    }
    const end = trail.at();
    const values: number[] = [];
    for (let round = 0; round < rollbackRounds; round++) {
      await stepAtRandom(trail.session(), random);
      const start = performance.now();
      await trail.rollback(end);
      values.push(performance.now() - start);
    }
    return figure('web.react-rollback@20', 'ms', values);
  } finally {
    await trail.session().close();
  }
}

/** The same app on a server of its own. It has no state there: the reference's questions are answered at once. */
async function* measureReferenceOn(name: string, { path }: BenchBrowser): AsyncGenerator<Figure> {
  const { url, close } = await serveFolder(await builtApp(name));
  try {
    yield* measureSequence(url, { 'web.react-reference-nosleep@20': unpaused }, { viewport, path });
  } finally {
    close();
  }
}

async function serveFolder(folder: string): Promise<{ readonly url: string; close(): void }> {
  const files = createWaiFiles(folder);
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const file = pathname.startsWith('/api/') ? { type: 'application/json', body: '{}' } : await files.read(pathname);
    if (file === null) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': file.type }).end(file.body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

/** Steps with a look after each, in so many pages at once. */
async function measureSteps(environment: Environment, pages: number): Promise<Figure> {
  const task = await environment.task('look', 1);
  const sessions = await Promise.all(Array.from({ length: pages }, async () => environment.open(task)));
  const walks = sessions.map((session, index) => {
    const random = createRandom(`steps ${index}`);
    return async (): Promise<void> => {
      await stepAtRandom(session, random);
      await session.observe();
    };
  });
  const values = await pace(walks);
  for (const session of sessions) await session.close();
  return figure(`web.react-steps-${pages}`, '1/s', values);
}

/** Clicks in four pages of a plain browser: what steps would cost if nothing was looked at, settled or kept. */
async function measurePlainSteps({ path }: BenchBrowser): Promise<Figure> {
  const { url, close } = await serveFolder(await builtApp(react));
  const browser = await launchPlain(path);
  try {
    const walks = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        const page = await browser.newPage({ viewport });
        await page.goto(url, { waitUntil: 'load' });
        const random = createRandom(`steps ${index}`);
        return async (): Promise<void> => void (await clickAtRandom(page, random));
      }),
    );
    return figure('web.react-steps-4-plain', '1/s', await pace(walks));
  } finally {
    await browser.close();
    close();
  }
}

/** Steps a second, all walks together, once for each round. */
async function pace(walks: readonly (() => Promise<void>)[]): Promise<number[]> {
  const values: number[] = [];
  for (let round = -1; round < stepRounds; round++) {
    const start = performance.now();
    await Promise.all(
      walks.map(async walk => {
        for (let step = 0; step < stepsPerRound; step++) await walk();
      }),
    );
    if (round >= 0) values.push((walks.length * stepsPerRound * 1000) / (performance.now() - start));
  }
  return values;
}
