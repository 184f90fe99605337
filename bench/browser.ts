import { setTimeout as wait } from 'node:timers/promises';
import { openBuiltIn } from '../src/catalog.ts';
import { createSystemTimers } from '../src/system/clock.ts';
import type { Environment, Session } from '../src/core/contracts.ts';
import { createRandom } from '../src/core/random.ts';
import { createAppEnvironment } from '../src/envs/web/apps/app-environment.ts';
import { createBrowserPool, type BrowserPool } from '../src/envs/web/browser/pool.ts';
import { figure, type Bench, type BenchBrowser, type Figure } from './measure.ts';
import { memoryOf } from './processes.ts';

const viewport = { width: 1280, height: 800 };
const look = { theme: 'light', density: 'comfortable' } as const;
const apps = ['mail', 'shop', 'tracker'];
const rounds = 9;
const stepsPerRound = 15;
const extraSessions = 8;

/** Our apps as pages in Chromium. */
export const browserBench: Bench = {
  group: 'browser',
  onDemand: true,
  usesBrowser: true,
  figures: ['web.first', 'web.rollback', 'web.step', 'web.screenshot', 'web.steps-4', 'web.session-memory'],
  async *run({ browser }) {
    yield await measureFirst(browser);
    const pool = createBrowserPool({ timers: createSystemTimers(), ...browser });
    try {
      yield* measureOne(pool);
      yield await measureFour(pool);
      yield await measureMemory(pool);
    } finally {
      await pool.close();
    }
  },
};

async function openApp(pool: BrowserPool, app: string, type: 'image/png' | null = null): Promise<Environment> {
  const pictures = type === null ? null : { type, marks: false };
  return createAppEnvironment(await openBuiltIn(app), { pool, viewport, look, pictures });
}

async function openSession(environment: Environment, seed: number): Promise<Session> {
  const template = environment.templates[seed % environment.templates.length]?.id as string;
  return environment.open(await environment.task(template, seed));
}

/** From nothing to the first observation: the browser is started for it. */
async function measureFirst(browser: BenchBrowser): Promise<Figure> {
  const values: number[] = [];
  for (let round = 0; round < 5; round++) {
    const pool = createBrowserPool({ timers: createSystemTimers(), ...browser });
    const environment = await openApp(pool, 'mail');
    const start = performance.now();
    const session = await openSession(environment, 1);
    await session.observe();
    values.push(performance.now() - start);
    await session.close();
    await pool.close();
  }
  return figure('web.first', 'ms', values);
}

type Walk = (session: Session) => Promise<number>;

/** Takes an action on offer and looks at what came of it; the milliseconds that took. */
function walker(seed: string): Walk {
  const random = createRandom(seed);
  return async session => {
    const offered = (await session.candidates?.()) ?? [];
    const { action } = random.pick(offered);
    const start = performance.now();
    await session.step(action);
    await session.observe();
    return performance.now() - start;
  };
}

async function* measureOne(pool: BrowserPool): AsyncGenerator<Figure> {
  const [steps, rollbacks, pictures]: [number[], number[], number[]] = [[], [], []];
  for (const [index, app] of apps.entries()) {
    const session = await openSession(await openApp(pool, app), index + 1);
    const walk = walker(app);
    const random = createRandom(`back ${app}`);
    for (let round = 0; round < rounds; round++) {
      const snapshots = [];
      for (let step = 0; step < stepsPerRound; step++) {
        steps.push(await walk(session));
        snapshots.push(await session.snapshot?.());
      }
      for (let back = 0; back < stepsPerRound; back++) {
        const start = performance.now();
        const snapshot = random.pick(snapshots);
        if (snapshot !== undefined) await session.restore?.(snapshot);
        await session.observe();
        rollbacks.push(performance.now() - start);
      }
    }
    await session.close();
    const drawn = await openSession(await openApp(pool, app, 'image/png'), index + 1);
    const takePicture = walker(`picture ${app}`);
    for (let step = 0; step < stepsPerRound; step++) pictures.push(await takePicture(drawn));
    await drawn.close();
  }
  yield figure('web.rollback', 'ms', rollbacks);
  yield figure('web.step', 'ms', steps);
  yield figure('web.screenshot', 'ms', pictures);
}

/** Four sessions at once, as fast as they go. */
async function measureFour(pool: BrowserPool): Promise<Figure> {
  const environments = await Promise.all(apps.map(app => openApp(pool, app)));
  const sessions = await Promise.all(
    Array.from({ length: 4 }, (_, index) => openSession(environments[index % apps.length] as Environment, index + 1)),
  );
  const walks = sessions.map((_, index) => walker(`four ${index}`));
  const values: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const start = performance.now();
    await Promise.all(
      sessions.map(async (session, index) => {
        for (let step = 0; step < stepsPerRound; step++) await (walks[index] as Walk)(session);
      }),
    );
    if (round >= 0) values.push((4 * stepsPerRound * 1000) / (performance.now() - start));
  }
  for (const session of sessions) await session.close();
  return figure('web.steps-4', '1/s', values);
}

/** What every further session adds to the browser. */
async function measureMemory(pool: BrowserPool): Promise<Figure> {
  const environment = await openApp(pool, 'mail');
  const values: number[] = [];
  for (let round = 0; round < 3; round++) {
    const first = await openSession(environment, 1);
    await first.observe();
    await wait(500);
    const before = memoryOf(pool.figures().processes);
    const more = [];
    for (let count = 0; count < extraSessions; count++) {
      const session = await openSession(environment, count + 2);
      await session.observe();
      more.push(session);
    }
    await wait(500);
    values.push((memoryOf(pool.figures().processes) - before) / extraSessions);
    for (const session of [first, ...more]) await session.close();
  }
  return figure('web.session-memory', 'MB', values);
}
