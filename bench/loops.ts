import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectRun, type Collected } from '../src/runs/collect.ts';
import { readConfig } from '../src/runs/config/config.ts';
import { keepWorkers } from '../src/runs/jobs/keep-workers.ts';
import { runLoop } from '../src/runs/loop.ts';
import type { Host } from '../src/runs/host/host.ts';
import { createSystemHost } from '../src/system/workers/host.ts';
import { figure, type Bench, type Figure } from './measure.ts';

const repetitions = 5;

export const loopsBench: Bench = {
  group: 'loops',
  onDemand: true,
  figures: ['loops.retry', 'loops.alternatives', 'loops.forge'],
  async *run(_options, { line }) {
    const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
    try {
      yield await retrySpeed(folder);
      yield await alternativesTime(folder, line);
      yield await forgeTime(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

interface Collecting {
  readonly folder: string;
  readonly host: Host;
  readonly strategy: { readonly kind: string };
  readonly instances: number;
  readonly seed: number;
}

function collect({ folder, host, strategy, instances, seed }: Collecting): Promise<Collected> {
  const student = { kind: 'untrained' };
  const config = readConfig({ run: 'bench', environments: ['mail'], instances, seed, student, strategy }, 'The bench');
  return collectRun({ config, folder, host });
}

/** Steps a second with retries from nodes of the attempt, beside those of the same student without; in turns. */
async function retrySpeed(folder: string): Promise<Figure> {
  const { host, close } = keepWorkers(createSystemHost({ workers: 1 }));
  const speed = async (strategy: Collecting['strategy'], run: number): Promise<number> => {
    const own = join(folder, `${strategy.kind}-${run}`);
    const { environments, seconds } = await collect({ folder: own, host, strategy, instances: 20, seed: run + 1 });
    return environments.reduce((sum, { steps }) => sum + steps, 0) / seconds;
  };
  const ratios: number[] = [];
  // The first round warms the worker up.
  for (let run = -1; run < repetitions; run++) {
    const alone = await speed({ kind: 'linear' }, run);
    const retried = await speed({ kind: 'retry', from: 'spread', retries: 2 } as Collecting['strategy'], run);
    if (run >= 0) ratios.push(retried / alone);
  }
  await close();
  return figure('loops.retry', 'ratio', ratios);
}

const pathsWanted = 1000;

/** Seconds for four other actions in every state of 1,000 paths of the planner: two workers, no browser, to the disk. */
async function alternativesTime(folder: string, line: (text: string) => void): Promise<Figure> {
  const host = createSystemHost({ workers: 2 });
  const strategy = { kind: 'alternatives', width: 4 };
  const { environments, seconds } = await collect({
    folder: join(folder, 'alternatives'),
    host,
    strategy,
    instances: 84,
    seed: 1,
  });
  const [paths, steps] = environments.reduce(
    ([all, taken], { outcomes, steps: own }) => [all + outcomes.passed, taken + own],
    [0, 0],
  );
  line(
    `${paths} paths of the planner, ${steps} steps tried in ${seconds.toFixed(1)} s; the figure is for ${pathsWanted}.`,
  );
  return figure('loops.alternatives', 's', [(seconds * pathsWanted) / paths]);
}

/** Seconds for three rounds of forge, train, forge where the student failed, in a made-up app, with an evaluation after each. */
async function forgeTime(folder: string): Promise<Figure> {
  const started = performance.now();
  const rounds = runLoop({
    folder: join(folder, 'forge'),
    draft: { run: 'bench', environments: ['forge:synth:17'], strategy: { kind: 'speculative-rollback' } },
    rounds: 3,
    instances: [2],
    imitate: false,
    focus: 'failures',
    evaluationInstances: 2,
    baselines: false,
    host: createSystemHost({ workers: 2 }),
    signal: new AbortController().signal,
  });
  while ((await rounds.next()).done !== true);
  return figure('loops.forge', 's', [(performance.now() - started) / 1000]);
}
