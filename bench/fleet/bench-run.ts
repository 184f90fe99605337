import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createFleet } from '../../src/fleet/controller/fleet.ts';
import { collectRun, type Collected } from '../../src/runs/collect.ts';
import { readConfig } from '../../src/runs/config/config.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';

const world = join(import.meta.dirname, 'resting-world.ts');
const program = join(import.meta.dirname, 'worker-process.ts');

export interface BenchRunOptions {
  readonly folder: string;
  readonly name: string;
  readonly instances: number;
  readonly trials?: number;
  /** None runs in this process. */
  readonly address?: string;
  readonly signal?: AbortSignal;
  onProgress?(ended: number): void;
}

/** One step of a random policy each: what is measured is everything around it. */
export function collectCheap(options: BenchRunOptions): Promise<Collected> {
  const { folder, name, instances, trials = 1, address, signal, onProgress } = options;
  const machine = createSystemHost({ workers: 0 });
  const draft = {
    run: name,
    environments: [world],
    instances,
    trials,
    templates: ['press'],
    student: { kind: 'random' },
    strategy: { kind: 'linear' },
    limits: { steps: 1 },
    concurrency: 8,
  };
  return collectRun({
    config: readConfig(draft, 'The bench'),
    folder: join(folder, name),
    host: address === undefined ? machine : { ...machine, fleet: createFleet({ address, version: 'bench', machine }) },
    signal,
    onProgress: ({ ended }) => onProgress?.(ended),
  });
}

export interface BenchWorkers {
  readonly children: readonly ChildProcess[];
  stop(): Promise<void>;
}

/** Processes with workers, once all are ready. */
export async function startWorkers(
  address: string,
  given: { readonly processes: number; readonly workers?: number; readonly slots?: number; readonly rest?: number },
): Promise<BenchWorkers> {
  const { processes, workers = 1, slots = 8, rest = 0 } = given;
  const env = { ...process.env, ESPALIER_BENCH_REST: String(rest) };
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, [program, address, String(workers), String(slots)], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env,
    }),
  );
  await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
  return {
    children,
    async stop() {
      const left = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      for (const child of left) child.kill('SIGTERM');
      await Promise.all(left.map(child => once(child, 'close')));
    },
  };
}
