import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createSystemTimers } from '../../../../src/system/clock.ts';
import type { Environment } from '../../../../src/core/contracts.ts';
import type { Task } from '../../../../src/core/records.ts';
import { createBrowserPool } from '../../../../src/envs/web/browser/pool.ts';
import { createWaiEnvironment } from '../../../../src/envs/web/sites/wai/environment.ts';
import { alwaysPassing, concurrency, episodes, steps, timeRun } from './timed-run.ts';
import { figure, type Bench, type BenchNews, type Figure } from '../../../../bench/measure.ts';

/** Milliseconds that the student takes for a step: a language model takes 500 to 2,000. */
const latencies = { 'certify.cost': 500, 'certify.cost-instant': 0 } as const;
const repetitions = 3;

const fixture = join(import.meta.dirname, '../../../fixtures/wai/board');
const timers = createSystemTimers();

/**
 * The share of time that certificates add to a run in an app folder. Every episode passes, so every one is replayed:
 * a run in which fewer pass pays less.
 */
export const costBench: Bench = {
  group: 'certify',
  onDemand: true,
  usesBrowser: true,
  figures: Object.keys(latencies),
  async *run({ wai = [], browser }, news) {
    const app = wai[0] ?? fixture;
    const pool = createBrowserPool({ timers, ...browser });
    const environment = await createWaiEnvironment({
      folder: app,
      timers,
      pool,
      viewport: { width: 1280, height: 800 },
      pictures: null,
    });
    const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
    try {
      const world = alwaysPassing(environment);
      const task = await world.task((world.templates[0] as { id: string }).id, 1);
      const setting = { world, task, folder, about: basename(app), news };
      for (const [name, latency] of Object.entries(latencies)) yield await measureCost(name, latency, setting);
    } finally {
      rmSync(folder, { recursive: true });
      await environment.close?.();
      await pool.close();
    }
  },
};

interface Setting {
  readonly world: Environment;
  readonly task: Task;
  /** For the stores of the runs. */
  readonly folder: string;
  readonly about: string;
  readonly news: BenchNews;
}

/** Runs with and without certificates take turns, so that both have the same machine. */
async function measureCost(name: string, latency: number, setting: Setting): Promise<Figure> {
  const { news, about } = setting;
  const shares: number[] = [];
  const [without, withThem]: [number[], number[]] = [[], []];
  // The first run warms up: browser, verifiers, scripts.
  await timeRun({ ...setting, latency: 0, certifies: true });
  for (let repetition = 0; repetition < repetitions; repetition++) {
    news.progress(`${name}: ${repetition + 1} of ${repetitions} …`);
    const order = repetition % 2 === 0 ? [false, true] : [true, false];
    for (const certifies of order)
      (certifies ? withThem : without).push(await timeRun({ ...setting, latency, certifies }));
    shares.push((withThem.at(-1) as number) / (without.at(-1) as number) - 1);
  }
  const seconds = (values: readonly number[]): string => values.map(value => value.toFixed(1)).join(', ');
  news.line(
    `${name}: ${episodes} episodes of ${steps} steps in ${about}, ${concurrency} at once, ${latency} ms a step: ` +
      `${seconds(without)} s without certificates, ${seconds(withThem)} s with them`,
  );
  return figure(name, 'share', shares);
}
