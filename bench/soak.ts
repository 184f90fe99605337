import { readdirSync, readlinkSync } from 'node:fs';
import { createSystemTimers } from '../src/system/clock.ts';
import { openBuiltIn } from '../src/catalog.ts';
import type { Environment } from '../src/core/contracts.ts';
import { createRandom } from '../src/core/random.ts';
import { createAppEnvironment } from '../src/envs/web/apps/app-environment.ts';
import { createBrowserPool, type BrowserPool } from '../src/envs/web/browser/pool.ts';
import { createWaiEnvironment } from '../src/envs/web/sites/wai/environment.ts';
import { createTrail } from '../src/worlds/trail.ts';
import { heapInUse, type Bench, type BenchOptions, type Figure } from './measure.ts';
import { countChildren, memoryOf } from './processes.ts';

const episodes = 2000;
const workers = 4;
const steps = 4;
const actor = { role: 'student', name: 'random' } as const;
/** Where growth is counted from: by then everything is warm. */
const warm = 400;

/** Many short episodes in a browser, one after the other: what is left of them when they are over. */
export const soakBench: Bench = {
  group: 'soak',
  onDemand: true,
  usesBrowser: true,
  figures: [
    'soak.episodes',
    'soak.browser-growth',
    'soak.heap-growth',
    'soak.pages-left',
    'soak.sockets-left',
    'soak.processes-left',
  ],
  async *run(options) {
    const timers = createSystemTimers();
    const pool = createBrowserPool({ timers, pages: 2 * workers + 2, ...options.browser });
    const environments = await openAll(pool, options);
    const [sockets, children] = [countSockets(), countChildren()];
    const samples: { browser: number; heap: number }[] = [];
    const started = performance.now();
    let next = 0;
    const work = async (): Promise<void> => {
      for (let index = next++; index < episodes; index = next++) {
        await runEpisode(environments[index % environments.length] as Environment, index);
        if (index === warm || index === episodes - 1)
          samples.push({ browser: memoryOf(pool.figures().processes), heap: heapInUse() });
      }
    };
    let openPages = 0;
    try {
      await Promise.all(Array.from({ length: workers }, work));
      ({ openPages } = pool.figures());
    } finally {
      for (const environment of environments) await environment.close?.();
      await pool.close();
    }
    const [first, last] = [samples[0], samples.at(-1)];
    const seconds = (performance.now() - started) / 1000;
    yield once('soak.episodes', '1/s', episodes / seconds);
    yield once('soak.browser-growth', 'MB', (last?.browser ?? 0) - (first?.browser ?? 0));
    yield once('soak.heap-growth', 'MiB', (last?.heap ?? 0) - (first?.heap ?? 0));
    yield once('soak.pages-left', 'count', openPages);
    yield once('soak.sockets-left', 'count', countSockets() - sockets);
    yield once('soak.processes-left', 'count', countChildren() - children);
  },
};

async function openAll(pool: BrowserPool, { wai = [] }: BenchOptions): Promise<Environment[]> {
  const drawing = { pool, viewport: { width: 1280, height: 800 }, pictures: null };
  const look = { theme: 'light', density: 'comfortable' } as const;
  const names = ['mail', 'shop', 'tracker'];
  const apps = await Promise.all(
    names.map(async name => createAppEnvironment(await openBuiltIn(name), { ...drawing, look })),
  );
  const timers = createSystemTimers();
  return [...apps, ...(await Promise.all(wai.map(folder => createWaiEnvironment({ ...drawing, timers, folder }))))];
}

async function runEpisode(environment: Environment, index: number): Promise<void> {
  const random = createRandom(`soak ${index}`);
  const template = environment.templates[index % environment.templates.length]?.id as string;
  const trail = await createTrail(environment, await environment.task(template, 1 + (index % 7)));
  for (let step = 0; step < steps; step++) {
    const offered = (await trail.session().candidates?.()) ?? [];
    if (offered.length > 0) await trail.step(random.pick(offered).action, actor);
    await trail.session().observe();
  }
  await trail.rollback(1);
  await trail.session().observe();
  await trail.session().close();
}

function once(name: string, unit: Figure['unit'], value: number): Figure {
  return { name, unit, value, spread: 0, runs: 1 };
}

/** Sockets and pipes that this process holds. */
function countSockets(): number {
  return readdirSync('/proc/self/fd').filter(name => {
    try {
      return /^(socket|pipe):/.test(readlinkSync(`/proc/self/fd/${name}`));
    } catch {
      return false;
    }
  }).length;
}
