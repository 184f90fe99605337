import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/envs/web/servers/run-server.ts';
import { startPostgresServer, type PostgresServer } from '../../src/system/postgres/server.ts';
import type { Bench, BenchNews, Figure } from '../measure.ts';
import { measureEpisodes, measureOverhead } from './throughput.ts';
import { measureIdle } from './idle.ts';
import { measurePlan } from './plan.ts';
import { measureRecovery } from './recovery.ts';

/** A database of its own and a folder for runs. */
export interface FleetPlace extends Pick<BenchNews, 'progress'> {
  readonly server: PostgresServer;
  readonly folder: string;
}

/** Each is measured by itself, with a database of its own. */
export const fleetBenches: readonly Bench[] = [
  benchOf(['fleet.overhead'], measureOverhead),
  benchOf(['fleet.episodes'], measureEpisodes),
  benchOf(['fleet.idle'], measureIdle),
  benchOf(['fleet.plan-1m', 'fleet.plan-memory'], measurePlan),
  benchOf(['fleet.recovery'], measureRecovery),
];

function benchOf(figures: readonly string[], measure: (place: FleetPlace) => Promise<readonly Figure[]>): Bench {
  return {
    group: 'fleet',
    onDemand: true,
    figures,
    async *run(_options, { progress }) {
      const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
      // Postgres runs as another user where this is root.
      chmodSync(folder, 0o755);
      const port = await freePort();
      const place = { folder: join(folder, 'database'), host: '127.0.0.1', port };
      // 256 workers have up to five connections each while they start.
      const server = await startPostgresServer({ ...place, connections: 1500 });
      try {
        yield* await measure({ server, folder, progress });
      } finally {
        await server.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
