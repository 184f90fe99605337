import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/envs/web/servers/run-server.ts';
import { connectFleet } from '../../src/fleet/database/connect.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import { describeMachine } from '../../src/system/about.ts';
import { startPostgresServer } from '../../src/system/postgres/server.ts';
import type { ExitCode, Output } from '../../src/cli/terminal/output.ts';
import { forecastFleets, type FleetScenario } from './forecast.ts';
import { measureCosts } from './measure-costs.ts';
import { measuredEpisode, measureFleet, type MeasuredFleet } from './measured-fleet.ts';
import { fleetTable, pointTable } from './fleet-table.ts';
import { simulateFleet, type FleetCosts } from './simulate.ts';

interface FleetRequest {
  readonly out: string;
  /** Times that each point is measured. */
  readonly seeds: number;
  readonly json?: boolean;
}

/** A number of workers, measured several times, beside what the model says of this machine. */
export interface FleetPoint {
  readonly workers: number;
  readonly measured: readonly MeasuredFleet[];
  readonly simulated: { readonly rate: number; readonly efficiency: number };
}

export interface FleetStudy {
  readonly machine: string;
  readonly cores: number;
  readonly costs: FleetCosts;
  readonly points: readonly FleetPoint[];
  readonly scenarios: readonly FleetScenario[];
}

const sizes = [1, 2, 4, 8, 64, 256];
/** The costs of workers and controller are taken from here, where no processor is short. */
const calmSize = 8;
const episodesOfWorker = (workers: number): number => (workers <= 8 ? 60 : 30);
/** More than a fleet of one slot a worker ever has open. */
const connections = 2000;

/** Measures fleets on this machine and what the database spends on them, and goes on from there by simulation. */
export async function studyFleet(output: Output, { out, seeds, json = false }: FleetRequest): Promise<ExitCode> {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-fleet-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const server = await startPostgresServer({ folder: join(folder, 'data'), host: '127.0.0.1', port, connections });
  try {
    const measured = await measureAll({ ...server, folder, seeds, kept: join(out, 'points.json') }, output);
    output.progress('what the database spends …');
    const calm = await measureFleet({
      ...server,
      folder: join(folder, 'calm', 'run'),
      name: 'calm',
      workers: calmSize,
      episodes: calmSize * episodesOfWorker(calmSize),
      connections: () => Promise.resolve(0),
    });
    const database = await measureCosts({ ...server, like: 'calm' });
    const costs = { ...database, work: calm.spent.workers, control: calm.spent.controller };
    const machine = describeMachine();
    const cores = availableParallelism();
    const points = sizes.map(workers => ({
      workers,
      measured: measured.get(workers) ?? [],
      simulated: simulateHere(workers, costs, cores),
    }));
    const scenarios = forecastFleets(costs, text => output.progress(text));
    const study: FleetStudy = { machine, cores, costs, points, scenarios };
    output.progress('');
    writeWhole(join(out, 'fleet.json'), `${JSON.stringify(study, null, 2)}\n`);
    if (json) output.json(study);
    else for (const line of [...pointTable(study), '', ...fleetTable(study)]) output.line(line);
    return 0;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measuring {
  readonly address: string;
  readonly pid: number;
  readonly folder: string;
  readonly seeds: number;
  /** Path of what was measured before. */
  readonly kept: string;
}

async function measureAll(
  { address, pid, folder, seeds, kept }: Measuring,
  output: Output,
): Promise<Map<number, MeasuredFleet[]>> {
  const looking = await connectFleet({ address, connections: 1 });
  const before = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as MeasuredFleet[]) : [];
  const found = new Map(sizes.map(size => [size, before.filter(({ workers }) => workers === size)]));
  try {
    for (const workers of sizes) {
      for (let time = found.get(workers)?.length ?? 0; time < seeds; time++) {
        output.progress(`${workers} workers, ${time + 1} of ${seeds} times …`);
        const point = await measureFleet({
          address,
          pid,
          folder: join(folder, `${workers}-${time}`, 'run'),
          name: `fleet-${workers}-${time}`,
          workers,
          episodes: workers * episodesOfWorker(workers),
          async connections() {
            const rows = await looking.query<{ open: number }>(
              "SELECT count(*) AS open FROM pg_stat_activity WHERE application_name = 'espalier fleet'",
            );
            return rows[0]?.open ?? 0;
          },
        });
        found.set(workers, [...(found.get(workers) ?? []), point]);
        writeWhole(kept, JSON.stringify([...found.values()].flat()));
      }
    }
  } finally {
    await looking.close();
  }
  return found;
}

/** The model of a fleet whose workers, controller and database share this machine. */
function simulateHere(workers: number, costs: FleetCosts, cores: number): FleetPoint['simulated'] {
  const { rate, efficiency } = simulateFleet({
    workers,
    slots: 1,
    jobSize: 1,
    episode: measuredEpisode,
    blobs: 0,
    costs,
    cores,
    isOneMachine: true,
    way: 0.0002,
    losses: 0,
    comeback: 0,
    lease: 20,
    seconds: 120,
    seed: 'here',
  });
  return { rate, efficiency };
}
