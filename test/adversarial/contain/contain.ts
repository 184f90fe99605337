import { createSystemTimers } from '../../../src/system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../../../src/envs/web/browser/pool.ts';
import { figure, type Bench, type BenchBrowser, type Figure } from '../../../bench/measure.ts';
import type { Attack, AttackResult, AttackTools } from './attack.ts';
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
  usesBrowser: true,
  figures: ['contain.attacks', 'contain.escapes', 'contain.sandbox', 'contain.control'],
  async *run({ browser }, news) {
    const results = await attackAll(browser);
    yield figure('contain.attacks', 'count', [results.length]);
    const escaped = results.filter(({ escape }) => escape !== null);
    yield figure('contain.escapes', 'count', [escaped.length]);
    for (const { area, name, escape } of escaped) {
      news.line(`${area}: ${name} got out: ${escape}`);
      yield figure(`contain.escapes ${area}: ${name}`, 'count', [1]);
    }
    yield figure('contain.sandbox', 'share', [Number(await hasSandbox(browser))]);
    yield* measureControl(browser);
  },
};

/** Runs every attack on record, or some of them, against what sessions, verifiers and proxies have around them. */
export async function attackAll(
  browser: BenchBrowser = {},
  isDue: (attack: Attack) => boolean = () => true,
): Promise<readonly AttackResult[]> {
  return withTools({ browser, visit: visitAsSession }, async tools => {
    const results = await Promise.all(
      attackGroups.map(({ attacks, atOnce }) => runAttacks({ attacks: attacks.filter(isDue), atOnce, tools })),
    );
    return results.flat();
  });
}

interface Visiting {
  readonly browser: BenchBrowser;
  visit(pool: BrowserPool, ...where: Parameters<AttackTools['visit']>): Promise<void>;
}

async function withTools<T>({ browser, visit }: Visiting, use: (tools: AttackTools) => Promise<T>): Promise<T> {
  const pool = createBrowserPool({ timers: createSystemTimers(), ...browser });
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
async function hasSandbox(browser: BenchBrowser): Promise<boolean> {
  const pool = createBrowserPool({ timers: createSystemTimers(), ...browser });
  try {
    await pool.open({ width: 600, height: 400 });
    return pool.figures().notice === null;
  } finally {
    await pool.close();
  }
}

/** The share of attacks by pages that do what they say in a browser without containment: the others prove nothing. */
async function* measureControl(browser: BenchBrowser): AsyncGenerator<Figure> {
  const bare = await openBareBrowser(browser.path);
  try {
    const attacks = browserAttacks.filter(({ needs }) => needs === undefined);
    const results = await withTools({ browser, visit: (_pool, url) => bare.visit(url) }, tools =>
      runAttacks({ attacks, atOnce: pagesAtOnce, tools }),
    );
    const idle = results.filter(({ escape }) => escape === null);
    yield figure('contain.control', 'share', [1 - idle.length / results.length]);
    for (const { area, name } of idle) yield figure(`contain.control ${area}: ${name}`, 'share', [0]);
  } finally {
    await bare.close();
  }
}
