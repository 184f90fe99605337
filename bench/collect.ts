import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectRun } from '../src/runs/collect.ts';
import { readConfig } from '../src/runs/config/config.ts';
import { keepWorkers } from '../src/runs/jobs/keep-workers.ts';
import { createSystemHost } from '../src/system/workers/host.ts';
import type { EpisodeHead } from '../src/core/episode/events.ts';
import { mail } from '../src/envs/apps/mail/mail.ts';
import { createTrail } from '../src/worlds/trail.ts';
import { createWorld } from '../src/worlds/world.ts';
import { createPlanner } from '../src/agents/planner/planner.ts';
import { createScripted } from '../src/agents/scripted.ts';
import { runEpisodes } from '../src/episode/engine.ts';
import { createLinear } from '../src/episode/strategies/linear.ts';
import { openStore } from '../src/store/store.ts';
import { figure, heapInUse, type Bench, type Figure } from './measure.ts';

const host = createSystemHost();
/** By the first look, every cache is full. */
const memoryEpisodes: MemoryEpisodes = { settled: 10_000, last: 100_000 };

export const collectBench: Bench = {
  group: 'collect',
  figures: ['collect.steps', 'collect.scaling', 'collect.memory-growth'],
  async *run() {
    const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
    try {
      yield await collectSteps(folder);
      yield await collectScaling(folder);
      yield await memoryGrowth(folder, memoryEpisodes);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** Steps a second that a learned student takes alone in all apps, with one worker, from the command's own function to the disk. */
async function collectSteps(folder: string): Promise<Figure> {
  const { host: warm, close } = keepWorkers(createSystemHost({ workers: 1 }));
  const values: number[] = [];
  for (let run = -1; run < 5; run++) {
    const config = {
      run: 'bench',
      environments: ['mail', 'shop', 'tracker'],
      instances: 20,
      seed: run + 1,
      // How much it has learned does not change what a step takes.
      student: { kind: 'untrained' },
      strategy: { kind: 'linear' },
    };
    const { environments, seconds } = await collectRun({
      config: readConfig(config, 'The bench'),
      folder: join(folder, `run-${run}`),
      host: warm,
    });
    const steps = environments.reduce((sum, totals) => sum + totals.steps, 0);
    // The first run warms the worker up, as the earlier rounds of a loop do.
    if (run >= 0) values.push(steps / seconds);
  }
  await close();
  return figure('collect.steps', '1/s', values);
}

/** How many times faster two workers collect than one: the usual run, a taught student in all apps, to the disk. */
async function collectScaling(folder: string): Promise<Figure> {
  const secondsWith = async (workers: number, run: number): Promise<number> => {
    const { seconds } = await collectRun({
      config: readConfig(
        { run: 'bench', environments: ['mail', 'shop', 'tracker'], instances: 4, seed: run },
        'The bench',
      ),
      folder: join(folder, `scaling-${workers}-${run}`),
      host: createSystemHost({ workers }),
    });
    return seconds;
  };
  const values: number[] = [];
  for (let run = 1; run <= 3; run++) {
    const one = await secondsWith(1, run);
    values.push(one / (await secondsWith(2, run)));
  }
  return figure('collect.scaling', 'ratio', values);
}

/** How many episodes run before the first look at memory, and before the second. */
export interface MemoryEpisodes {
  readonly settled: number;
  readonly last: number;
}

/** MiB that the heap, or the memory of the whole process, grew by between the two looks: the larger of them. */
export async function memoryGrowth(folder: string, episodes: MemoryEpisodes): Promise<Figure> {
  const world = createWorld(mail);
  const task = world.task('star-message', 1);
  const plan = createPlanner({ clock: host.clock }).plan(world.open(task));
  if (plan.outcome !== 'solved') throw new Error('The planner did not solve the task that memory is measured on.');
  const student = createScripted({ actions: plan.actions });
  const parts = { environment: world, student, strategy: createLinear() };
  const store = openStore({ path: join(folder, 'memory.db') });
  const agents = { student: 'scripted', teacher: null, strategy: 'linear' };
  function* heads(from: number, to: number): Generator<EpisodeHead> {
    for (let index = from; index < to; index++) {
      const key = `collect/1/${task.id}/${index}`;
      yield { run: 'bench', key, index, phase: 'collect', round: 1, trial: index, task, ...agents };
    }
  }
  const none = new Set<string>();
  const journal = { ...store, done: () => none };
  const runTo = async (from: number, to: number): Promise<void> => {
    const { outcomes } = await runEpisodes({
      plan: heads(from, to),
      seed: '1',
      concurrency: 8,
      journal,
      clock: host.clock,
      timers: host.timers,
      createTrail,
      start: () => parts,
    });
    if (outcomes.passed !== to - from) throw new Error(`${outcomes.passed} of ${to - from} episodes passed.`);
  };
  try {
    await runTo(0, episodes.settled);
    const before = memory();
    await runTo(episodes.settled, episodes.last);
    const after = memory();
    const growth = Math.max(after.heap - before.heap, after.resident - before.resident);
    return figure('collect.memory-growth', 'MiB', [growth]);
  } finally {
    store.close();
  }
}

function memory(): { heap: number; resident: number } {
  const heap = heapInUse();
  return { heap, resident: process.memoryUsage().rss / 2 ** 20 };
}
