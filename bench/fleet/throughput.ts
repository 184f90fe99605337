import { figure, type Figure } from '../measure.ts';
import { collectCheap, startWorkers } from './bench-run.ts';
import type { FleetPlace } from './fleet.ts';

const repetitions = 3;
const restMilliseconds = 50;

/** How many times as long a run with episodes of 50 ms takes on a fleet, with as many at once as in this process. */
export async function measureOverhead({ server, folder, progress }: FleetPlace): Promise<Figure[]> {
  const episodes = 1600;
  const ratios: number[] = [];
  process.env['ESPALIER_BENCH_REST'] = String(restMilliseconds);
  const workers = await startWorkers(server.address, { processes: 1, rest: restMilliseconds });
  try {
    // The first run opens the world.
    for (let run = -1; run < repetitions; run++) {
      progress(`fleet.overhead: run ${run + 2} of ${repetitions + 1} …`);
      const instances = run < 0 ? 100 : episodes;
      const alone = await collectCheap({ folder, name: `alone-${run}`, instances });
      const fleet = await collectCheap({ folder, name: `fleet-${run}`, instances, address: server.address });
      if (run >= 0) ratios.push(fleet.seconds / alone.seconds);
    }
  } finally {
    await workers.stop();
  }
  return [figure('fleet.overhead', 'ratio', ratios)];
}

/** Episodes a second that two workers on this machine are given, end and commit, and a controller copies. */
export async function measureEpisodes({ server, folder, progress }: FleetPlace): Promise<Figure[]> {
  const episodes = 20_000;
  const rates: number[] = [];
  const workers = await startWorkers(server.address, { processes: 2, slots: 8 });
  try {
    for (let run = -1; run < repetitions; run++) {
      progress(`fleet.episodes: run ${run + 2} of ${repetitions + 1} …`);
      const instances = run < 0 ? 500 : episodes;
      const { seconds } = await collectCheap({ folder, name: `cheap-${run}`, instances, address: server.address });
      if (run >= 0) rates.push(instances / seconds);
    }
  } finally {
    await workers.stop();
  }
  return [figure('fleet.episodes', '1/s', rates)];
}
