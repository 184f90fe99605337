import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/envs/web/servers/run-server.ts';
import { startPostgresServer, type PostgresServer } from '../../src/system/postgres/server.ts';
import type { Bench, BenchNews } from '../measure.ts';
import { measureEpisodes, measureOverhead } from './throughput.ts';
import { measureIdle } from './idle.ts';
import { measurePlan } from './plan.ts';
import { measureRecovery } from './recovery.ts';

/** A database of its own and a folder for runs. */
export interface FleetPlace extends Pick<BenchNews, 'progress'> {
  readonly server: PostgresServer;
  readonly folder: string;
}

export const fleetBench: Bench = {
  group: 'fleet',
  onDemand: true,
  figures: ['fleet.overhead', 'fleet.episodes', 'fleet.idle', 'fleet.plan-1m', 'fleet.plan-memory', 'fleet.recovery'],
  async *run(_options, { progress }) {
    const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
    const server = await startPostgresServer({
      folder: join(folder, 'database'),
      host: '127.0.0.1',
      port: await freePort(),
    });
    try {
      const place: FleetPlace = { server, folder, progress };
      yield await measureOverhead(place);
      yield await measureEpisodes(place);
      yield await measureIdle(place);
      yield* await measurePlan(place);
      yield await measureRecovery(place);
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
