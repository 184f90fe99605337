import { figure, type Figure } from '../measure.ts';
import { collectCheap, startWorkers } from './bench-run.ts';
import type { FleetPlace } from './fleet.ts';

const repetitions = 3;
/** As workers have it by default. */
const leaseSeconds = 20;
const episodes = 64;

/** Seconds after its lease that the episodes of a killed worker are done by another one. */
export async function measureRecovery({ server, folder, progress }: FleetPlace): Promise<Figure[]> {
  const delays: number[] = [];
  for (let run = 0; run < repetitions; run++) {
    progress(`fleet.recovery: ${run + 1} of ${repetitions} …`);
    // The first one rests for ever: it holds eight episodes when it is killed.
    const killed = await startWorkers(server.address, { processes: 1, rest: 3_600_000 });
    const collecting = collectCheap({ folder, name: `killed-${run}`, instances: episodes, address: server.address });
    await new Promise(resolve => setTimeout(resolve, 3000));
    const other = await startWorkers(server.address, { processes: 1 });
    for (const child of killed.children) child.kill('SIGKILL');
    const began = performance.now();
    await collecting;
    delays.push((performance.now() - began) / 1000 - leaseSeconds);
    await other.stop();
  }
  return [figure('fleet.recovery', 's', delays)];
}
