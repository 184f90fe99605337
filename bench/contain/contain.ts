import { createSystemTimers } from '../../src/system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../../src/envs/web/browser/pool.ts';
import { figure, type Bench, type Figure } from '../measure.ts';
import type { AttackResult, AttackTools } from './attack.ts';
import { attackGroups, browserAttacks, pagesAtOnce } from './attacks.ts';
import { openBareBrowser } from './pages/bare-browser.ts';
import { runAttacks } from './run-attacks.ts';
import { visitAsSession } from './pages/visit.ts';
import { closeApps, openApps } from './state.ts';
import { openGround } from './verifiers.ts';

/** Every attack on record, and how many of them get out. */
export const containBench: Bench = {
  group: 'contain',
  onDemand: true,
  figures: ['contain.attacks', 'contain.escapes', 'contain.sandbox', 'contain.control'],
  async *run(_options, news) {
    const results = await attackAll();
    yield figure('contain.attacks', 'count', [results.length]);
    const escaped = results.filter(({ escape }) => escape !== null);
    yield figure('contain.escapes', 'count', [escaped.length]);
    for (const { area, name, escape } of escaped) {
      news.line(`${area}: ${name} got out: ${escape}`);
      yield figure(`contain.escapes ${area}: ${name}`, 'count', [1]);
    }
    yield figure('contain.sandbox', 'share', [Number(await hasSandbox())]);
    yield* measureControl();
  },
};

/** Runs every attack on record against what sessions, verifiers and proxies have around them. */
export async function attackAll(): Promise<readonly AttackResult[]> {
  return withTools(visitAsSession, async tools => {
    const results = await Promise.all(attackGroups.map(group => runAttacks({ ...group, tools })));
    return results.flat();
  });
}

type Visit = (pool: BrowserPool, ...where: Parameters<AttackTools['visit']>) => Promise<void>;

async function withTools<T>(visit: Visit, use: (tools: AttackTools) => Promise<T>): Promise<T> {
  const pool = createBrowserPool({ timers: createSystemTimers() });
  const closers = [() => pool.close()];
  try {
    const apps = await openApps(pool);
    closers.unshift(() => closeApps(apps));
    const verifiers = await openGround('require');
    closers.unshift(() => verifiers.close());
    return await use({ pool, apps, verifiers, visit: (...where) => visit(pool, ...where) });
  } finally {
    for (const close of closers) await close();
  }
}

/** Whether the browser runs in its sandbox here, and not as root. */
async function hasSandbox(): Promise<boolean> {
  const pool = createBrowserPool({ timers: createSystemTimers() });
  try {
    await pool.open({ width: 600, height: 400 });
    return pool.figures().notice === null;
  } finally {
    await pool.close();
  }
}

/** The share of attacks by pages that do what they say in a browser without containment: the others prove nothing. */
async function* measureControl(): AsyncGenerator<Figure> {
  const bare = await openBareBrowser();
  try {
    const attacks = browserAttacks.filter(({ needs }) => needs === undefined);
    const results = await withTools(
      (_pool, url) => bare.visit(url),
      tools => runAttacks({ attacks, atOnce: pagesAtOnce, tools }),
    );
    const idle = results.filter(({ escape }) => escape === null);
    yield figure('contain.control', 'share', [1 - idle.length / results.length]);
    for (const { area, name } of idle) yield figure(`contain.control ${area}: ${name}`, 'share', [0]);
  } finally {
    await bare.close();
  }
}
