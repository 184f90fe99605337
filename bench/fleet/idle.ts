import { setTimeout as wait } from 'node:timers/promises';
import { processorSeconds } from '../../studies/fleet/measured-fleet.ts';
import { figure, type Figure } from '../measure.ts';
import { startWorkers } from './bench-run.ts';
import type { FleetPlace } from './fleet.ts';

const repetitions = 5;
/** As long as several beats: each process counts what it took in hundredths of a second. */
const seconds = 20;

/** Share of a core that the database needs for 256 workers with nothing to do. */
export async function measureIdle({ server, progress }: FleetPlace): Promise<Figure[]> {
  progress('fleet.idle: 256 workers connect …');
  const workers = await startWorkers(server.address, { processes: 4, workers: 64, slots: 1 });
  const shares: number[] = [];
  try {
    await wait(15_000);
    for (let run = 0; run < repetitions; run++) {
      progress(`fleet.idle: ${run + 1} of ${repetitions} …`);
      const [before, began] = [processorSeconds(server.pid), performance.now()];
      await wait(seconds * 1000);
      shares.push((processorSeconds(server.pid) - before) / ((performance.now() - began) / 1000));
    }
  } finally {
    await workers.stop();
  }
  return [figure('fleet.idle', 'share', shares)];
}
