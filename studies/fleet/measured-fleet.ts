import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../../src/core/random.ts';
import { createFleet } from '../../src/fleet/controller/fleet.ts';
import { collectRun } from '../../src/runs/collect.ts';
import { readConfig } from '../../src/runs/config/config.ts';
import { openStore } from '../../src/store/store.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { drawSeconds } from './simulate.ts';

/** What the measured fleets run: most of the time they wait, as for a model. */
export const measuredEpisode = { median: 0.1, sigma: 1 };
export const measuredVersion = 'study';

const program = join(import.meta.dirname, 'worker-process.ts');
const world = join(import.meta.dirname, 'waiting-world.ts');
/** Workers of one process: each has its connections, all share a thread. */
const workersOfProcess = 64;

/** Seconds of a processor that an episode took. */
interface Spent {
  readonly database: number;
  readonly workers: number;
  readonly controller: number;
}

export interface MeasuredFleet {
  readonly workers: number;
  readonly episodes: number;
  readonly seconds: number;
  /** Episodes in a second. */
  readonly rate: number;
  /** Share of the time of the workers that episodes have run in. */
  readonly efficiency: number;
  readonly spent: Spent;
  readonly connections: number;
}

export interface MeasureOptions {
  readonly address: string;
  /** Process of the database. */
  readonly pid: number;
  readonly folder: string;
  /** Of the run. */
  readonly name: string;
  readonly workers: number;
  readonly episodes: number;
  connections(): Promise<number>;
}

/** Runs cheap episodes on so many workers of one slot, all on this machine. */
export async function measureFleet(options: MeasureOptions): Promise<MeasuredFleet> {
  const { address, pid, folder, name, workers, episodes } = options;
  const processes = Array.from({ length: Math.ceil(workers / workersOfProcess) }, (_, at) => {
    const own = Math.min(workersOfProcess, workers - at * workersOfProcess);
    return spawn(process.execPath, [program, address, String(own)], { stdio: ['ignore', 'pipe', 'inherit'] });
  });
  await Promise.all(processes.map(({ stdout }) => once(stdout, 'data')));
  const machine = createSystemHost({ workers: 0 });
  let [first, last, ended, connections] = [0, 0, 0, 0];
  const spent = (): Spent => ({
    database: processorSeconds(pid),
    workers: processes.reduce((sum, child) => sum + processorSeconds(child.pid ?? 0), 0),
    controller: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  });
  let before = spent();
  await collectRun({
    config: readConfig(
      {
        run: name,
        environments: [world],
        instances: episodes,
        templates: ['star-message'],
        student: { kind: 'random' },
        strategy: { kind: 'linear' },
        limits: { steps: 2 },
      },
      'The study',
    ),
    folder,
    host: { ...machine, fleet: createFleet({ address, version: measuredVersion, machine }) },
    onProgress() {
      // From the first to the last: opening the run and walking its plan are not measured here.
      if (ended++ === 0) [first, before] = [performance.now(), spent()];
      if (ended === Math.ceil(episodes / 2)) void options.connections().then(found => (connections = found));
      last = performance.now();
    },
  });
  const after = spent();
  for (const child of processes) child.kill('SIGTERM');
  await Promise.all(processes.map(child => once(child, 'close')));
  const seconds = (last - first) / 1000;
  const rate = (ended - 1) / seconds;
  const mean = meanSeconds(folder);
  const share = (of: keyof Spent): number => (after[of] - before[of]) / ended;
  return {
    workers,
    episodes: ended,
    seconds,
    rate,
    efficiency: (rate * mean) / workers,
    spent: { database: share('database'), workers: share('workers'), controller: share('controller') },
    connections,
  };
}

/** How long the episodes of a run took to open, as drawn. */
function meanSeconds(folder: string): number {
  const store = openStore({ path: join(folder, 'store.db'), readOnly: true });
  const drawn = [...store.summaries()].map(({ head }) => drawSeconds(measuredEpisode, createRandom(head.task.id)));
  store.close();
  return drawn.reduce((sum, seconds) => sum + seconds, 0) / drawn.length;
}

const ticksInSecond = 100;

/** Of a process, of its children, and of those that have ended. */
export function processorSeconds(root: number): number {
  const own = times(root);
  const children = readdirSync('/proc').filter(name => /^\d+$/.test(name) && times(Number(name)).parent === root);
  return children.reduce((sum, name) => sum + times(Number(name)).seconds, own.seconds + own.ended);
}

function times(pid: number): { readonly parent: number; readonly seconds: number; readonly ended: number } {
  let text = '';
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // It has ended, and its parent knows what it took.
  }
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  const [, parent = 0] = fields;
  return { parent, seconds: (user + system) / ticksInSecond, ended: (endedUser + endedSystem) / ticksInSecond };
}
