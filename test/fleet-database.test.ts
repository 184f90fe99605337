import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readFleetStatus } from '../src/fleet/status.ts';
import { connectBlocking } from '../src/store/postgres/blocking.ts';
import { installed } from './fixtures/app/services.ts';
import { contents } from './fixtures/episode-setup.ts';
import {
  collectLamps,
  startDatabase,
  startWorker,
  type TestDatabase,
  type TestWorker,
} from './fixtures/fleet/fleet.ts';
import { openSlowWay } from './fixtures/fleet/slow-way.ts';
import { episodesIn } from './fixtures/program.ts';

const episodes = 16;
const slow = { ESPALIER_TEST_SLOW: '60' };
/** A file system that can be filled is mounted by root alone. */
const mayMount = process.getuid?.() === 0;
const clock = pathToFileURL(join(import.meta.dirname, 'fixtures', 'fleet', 'shifted-clock.js')).href;

let parent = '';
let database: TestDatabase;
let workers: TestWorker[] = [];
let whole: unknown;

async function start(address: string, env: Readonly<Record<string, string>> = {}): Promise<TestWorker> {
  const worker = await startWorker({ address, env: { ...slow, ...env } });
  workers.push(worker);
  return worker;
}

describe.skipIf(!installed.postgres)('a fleet whose database is in trouble', () => {
  beforeAll(async () => {
    parent = mkdtempSync(join(tmpdir(), 'espalier-fleet-'));
    chmodSync(parent, 0o755);
    database = await startDatabase();
    const folder = join(parent, 'whole', 'lamps');
    await collectLamps({ folder, episodes });
    whole = contents(episodesIn(folder));
  });
  afterEach(async () => {
    await Promise.all(workers.map(worker => worker.kill()));
    workers = [];
  });
  afterAll(async () => {
    await database.stop();
    rmSync(parent, { recursive: true });
  });

  it('[FLEET-16] ends a run on a database that answers late, and not at all for longer than a lease', async () => {
    const folder = join(parent, 'slow', 'lamps');
    const way = await openSlowWay(database.address, 30);
    await start(way.address);
    let isStalled = false;
    const onProgress = (ended: number): void => {
      if (ended >= 4 && !isStalled) [isStalled] = [true, way.stall(2500)];
    };
    const found = await collectLamps({ folder, episodes, address: way.address, onProgress });
    expect([found.ended, isStalled]).toEqual([episodes, true]);
    expect(contents(episodesIn(folder))).toEqual(whole);
    await Promise.all(workers.map(worker => worker.kill()));
    await way.close();
  });

  it('[FLEET-3] [FLEET-16] goes by the clock of the database: machines whose clocks are hours apart work on one run', async () => {
    const folder = join(parent, 'clocks', 'lamps');
    const address = await emptied();
    const shifted = (minutes: number) => ({
      NODE_OPTIONS: `--import=${clock}`,
      ESPALIER_TEST_MINUTES: String(minutes),
    });
    const [early, late] = await Promise.all([start(address, shifted(-90)), start(address, shifted(90))]);
    let killed: Promise<void> | null = null;
    const onProgress = (ended: number): void => {
      if (ended >= 4) killed ??= late.kill();
    };
    const found = await collectLamps({ folder, episodes, address, onProgress });
    await killed;
    expect(found.ended).toBe(episodes);
    expect(contents(episodesIn(folder))).toEqual(whole);
    // The other one is seen to be lost after its lease, perhaps when the run is over, and nobody else is.
    expect(killed).not.toBeNull();
    await early.says(/Lost: /);
    expect(early.said().match(/Lost: /g)).toHaveLength(1);
  });

  it.skipIf(!mayMount)('[FLEET-16] waits while the database is full (needs root, to mount a small disk)', async () => {
    const disk = join(parent, 'disk');
    const folder = join(parent, 'full', 'lamps');
    const address = await emptied();
    execFileSync('mkdir', [disk]);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=700', 'tmpfs', disk]);
    const { uid, gid } = statSync(database.folder);
    chownSync(disk, uid, gid);
    try {
      const connection = connectBlocking(address);
      connection.query(`CREATE TABLESPACE small LOCATION '${disk}'`);
      for (const table of ['episodes', 'fleet_workers'])
        for (const { name } of connection.query<{ name: string }>(
          "SELECT relname AS name FROM pg_class WHERE relnamespace = 'espalier'::regnamespace AND relkind = 'r' AND relname LIKE $1",
          [`${table}%`],
        ))
          connection.query(`ALTER TABLE espalier.${name} SET TABLESPACE small`);
      connection.query('ALTER DATABASE postgres SET default_tablespace = small');
      connection.close();
      const worker = await start(address);
      const filler = join(disk, 'filler');
      let isFull = false;
      const fill = (): void => {
        isFull = true;
        const file = openSync(filler, 'w');
        const block = Buffer.alloc(4096);
        const fillUp = (): never => {
          for (;;) writeSync(file, block);
        };
        expect(fillUp).toThrow('ENOSPC');
        closeSync(file);
      };
      const onProgress = (ended: number): void => void (ended >= 4 && !isFull && fill());
      const collecting = collectLamps({ folder, episodes: 400, address, onProgress });
      await worker.says(/No space left on device/);
      const [before] = (await readFleetStatus(address)).runs;
      rmSync(filler);
      expect((await collecting).ended).toBe(400);
      expect(before?.done).toBeLessThan(400);
      const keys = episodesIn(folder).map(({ head }) => head.key);
      expect(new Set(keys).size).toBe(400);
      expect(contents(episodesIn(folder).slice(0, episodes))).toEqual(whole);
    } finally {
      await database.stop();
      execFileSync('umount', ['-l', disk]);
    }
  });
});

/** The address of the database, without runs of the tests before. */
async function emptied(): Promise<string> {
  const { address } = database;
  await vi.waitFor(() => readFleetStatus(address), 10_000);
  const connection = connectBlocking(address);
  for (const table of ['fleet_runs', 'fleet_workers', 'episodes', 'certificates'])
    connection.query(`DELETE FROM espalier.${table}`);
  connection.close();
  return address;
}
