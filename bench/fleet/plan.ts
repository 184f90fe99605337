import { setTimeout as wait } from 'node:timers/promises';
import { connectFleet } from '../../src/fleet/database/connect.ts';
import { figure, heapInUse, type Figure } from '../measure.ts';
import { collectCheap } from './bench-run.ts';
import type { FleetPlace } from './fleet.ts';

/** Tasks, and attempts at each. */
const [instances, trials] = [62_500, 16];

/** Puts a million episodes into the queue: how long it takes, and what the controller holds more at its end than early on. */
export async function measurePlan({ server, folder, progress }: FleetPlace): Promise<Figure[]> {
  progress('fleet.plan-1m …');
  const database = await connectFleet({ address: server.address, connections: 1 });
  const stop = new AbortController();
  const began = performance.now();
  const run = { folder, name: 'million', instances, trials, address: server.address, signal: stop.signal };
  const collecting = collectCheap(run);
  let early = 0;
  try {
    for (;;) {
      const [row] = await database.query<{ walked: number; planned: number | null }>(
        "SELECT walked, planned FROM espalier.fleet_runs WHERE name = 'million'",
      );
      if (early === 0 && (row?.walked ?? 0) > (instances * trials) / 10) early = heapInUse();
      if (row !== undefined && row.planned !== null) break;
      await wait(100);
    }
    const seconds = (performance.now() - began) / 1000;
    const memory = heapInUse() - early;
    return [figure('fleet.plan-1m', 's', [seconds]), figure('fleet.plan-memory', 'MiB', [memory])];
  } finally {
    stop.abort();
    await collecting;
    await database.close();
  }
}
