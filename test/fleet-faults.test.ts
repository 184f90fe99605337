import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRandom } from '../src/core/random.ts';
import { unpackHeads } from '../src/fleet/database/queue.ts';
import { steerRun } from '../src/fleet/database/runs.ts';
import { readFleetStatus } from '../src/fleet/status.ts';
import { connectBlocking } from '../src/store/postgres/blocking.ts';
import { installed } from './fixtures/app/services.ts';
import { contents } from './fixtures/episode-setup.ts';
import {
  collectLamps,
  exported,
  startDatabase,
  startWorker,
  version,
  type TestDatabase,
  type TestWorker,
} from './fixtures/fleet/fleet.ts';
import { cutConnections } from './fixtures/fleet/storm.ts';
import { episodesIn } from './fixtures/program.ts';
import { isLong } from './long-form.ts';

const kills = 200;
const episodes = 32;
const slow = { ESPALIER_TEST_SLOW: '60' };
/** Long enough for all kills to come while the run goes on. */
const slower = { ESPALIER_TEST_SLOW: '200' };

let parent = '';
let database: TestDatabase;
let workers: TestWorker[] = [];
let runs = 0;
/** What a run without a fleet gives. */
let whole: { readonly contents: unknown; readonly export: Record<string, string> };

async function read(folder: string): Promise<typeof whole> {
  const found = episodesIn(folder);
  const keys = found.map(({ head }) => head.key);
  expect(new Set(keys).size).toBe(keys.length);
  const certified = found.map(({ head, certificates }) => [head.key, certificates.map(({ result }) => result)]);
  return { contents: [contents(found), certified], export: await exported(folder) };
}

async function runWhole(name: string, length: number): Promise<typeof whole> {
  const folder = join(parent, name, 'lamps');
  await collectLamps({ folder, episodes: length });
  return read(folder);
}

async function start(env: Readonly<Record<string, string>> = slow): Promise<TestWorker> {
  const worker = await startWorker({ address: database.address, env });
  workers.push(worker);
  return worker;
}

/** A folder for a run that no test before has made: the fleet knows runs by what they do. */
function fresh(): string {
  const connection = connectBlocking(database.address);
  for (const table of ['fleet_runs', 'fleet_workers', 'episodes', 'certificates'])
    connection.query(`DELETE FROM espalier.${table}`);
  connection.close();
  return join(parent, `run-${++runs}`, 'lamps');
}

describe.skipIf(!installed.postgres)('a fleet under faults', () => {
  beforeAll(async () => {
    parent = mkdtempSync(join(tmpdir(), 'espalier-fleet-'));
    database = await startDatabase();
    whole = await runWhole('whole', episodes);
  });
  beforeEach(() => {
    workers = [];
  });
  afterEach(async () => {
    for (const { child } of workers) child.kill('SIGCONT');
    await Promise.all(workers.map(worker => worker.kill()));
  });
  afterAll(async () => {
    await database.stop();
    rmSync(parent, { recursive: true });
  });

  it.skipIf(!isLong)(
    `[FLEET-1] loses nothing and does nothing twice when workers are killed ${kills} times (long form; a storm tries it otherwise)`,
    async () => {
      const [folder, many] = [await prepared(), 4000];
      let living: TestWorker[] = await Promise.all([start(slower), start(slower), start(slower)]);
      const random = createRandom('kills');
      const collecting = collectLamps({ folder, episodes: many, address: database.address });
      let killed = 0;
      const ending = collecting.then(() => true);
      const isOver = (): Promise<boolean> => Promise.race([ending, wait(50 + 400 * random.next(), false)]);
      for (; killed < kills && !(await isOver()); killed++) {
        const victim = living[Math.floor(random.next() * living.length)] as TestWorker;
        await victim.kill();
        living = living.filter(worker => worker !== victim);
        const next = start(slower).then(worker => (living = [...living, worker]));
        if (living.length < 2) await next;
      }
      expect((await collecting).ended).toBe(many);
      expect(killed).toBe(kills);
      const alone = await runWhole('many', many);
      expect(Object.keys(alone.export).length).toBeGreaterThan(2);
      expect(await read(folder)).toEqual(alone);
    },
    2_400_000,
  );

  it('[FLEET-1] goes on with episodes that workers were lost with thirty times', async () => {
    const folder = await prepared();
    const address = database.address;
    const collecting = collectLamps({ folder, episodes: 3, address });
    const planned = async () => (await readFleetStatus(address)).runs[0]?.planned;
    await vi.waitFor(async () => expect(await planned()).toBe(3), 10_000);
    const connection = connectBlocking(address);
    connection.query(
      'SELECT espalier_queue.reschedule_jobs(ARRAY(SELECT id FROM espalier_queue.jobs), attempts := 30)',
    );
    connection.close();
    await start({});
    expect((await collecting).ended).toBe(3);
  });

  it('[FLEET-9] commits an episode when it has ended, whatever else is in its job', async () => {
    const folder = await prepared();
    await start({ ESPALIER_TEST_SLOW: '500' });
    const stop = new AbortController();
    const found: string[] = [];
    // One whose job has ended before the controller heard of it says nothing: the next one does.
    const onProgress = (): void => {
      found.push(...committedInJobs());
      if (found.length > 0) stop.abort();
    };
    await collectLamps({ folder, episodes: 256, address: database.address, onProgress, signal: stop.signal });
    expect(found).not.toEqual([]);
  });

  it('[FLEET-18] goes on after commits that the database refused while their jobs went on', async () => {
    const folder = await prepared();
    refuseCommits(3);
    const worker = await start({ ESPALIER_TEST_SLOW: '20' });
    // Jobs of two episodes: the first one is committed while the second one runs.
    expect((await collectLamps({ folder, episodes: 256, address: database.address })).ended).toBe(256);
    expect(worker.said()).toContain('A job failed; the queue gives it out again later: not today.');
    expect([worker.child.exitCode, worker.child.signalCode]).toEqual([null, null]);
  });

  it('[FLEET-10] takes the episodes of the run with the higher priority first', async () => {
    const order: string[] = [];
    const address = database.address;
    const collect = (run: string, priority: number) =>
      collectLamps({
        folder: join(parent, `ranked-${run}`, run),
        run,
        episodes: 24,
        address,
        priority,
        onProgress: () => order.push(run),
      });
    await prepared();
    const waiting = collect('later', 0);
    await vi.waitFor(
      async () => expect((await readFleetStatus(address)).runs[0]).toMatchObject({ planned: 24 }),
      10_000,
    );
    const urgent = collect('sooner', 5);
    await vi.waitFor(
      async () => expect((await readFleetStatus(address)).runs[1]).toMatchObject({ planned: 24 }),
      10_000,
    );
    await start();
    await Promise.all([waiting, urgent]);
    // Each controller tells of its own episodes when it has copied them: only the ends can be compared.
    expect(order.lastIndexOf('sooner')).toBeLessThan(order.lastIndexOf('later'));
    expect(order.slice(0, 20)).not.toContain('later');
  });

  it('[FLEET-11] begins no episode of a paused run, goes on when it is resumed, and ends when it is cancelled', async () => {
    const folder = await prepared();
    const address = database.address;
    await start(slower);
    const notices: string[] = [];
    const onNotice = (text: string): void => void notices.push(text);
    let paused: Promise<unknown> | null = null;
    const onProgress = (): void => void (paused ??= steerRun(address, 'lamps', 'pause'));
    const collecting = collectLamps({ folder, episodes: 96, address, onProgress, onNotice });
    await vi.waitFor(() => expect(notices.join()).toContain('is paused'), 20_000);
    const held = async () => (await readFleetStatus(address)).runs[0];
    await vi.waitFor(async () => expect(await held()).toMatchObject({ held: 0 }), 10_000);
    const before = await held();
    expect(before?.done).toBeLessThan(96);
    await wait(600);
    expect(await held()).toEqual(before);
    await steerRun(address, String(before?.id), 'resume');
    await vi.waitFor(async () => expect((await held())?.done).toBeGreaterThan(before?.done ?? 0), 10_000);
    await steerRun(address, 'lamps', 'cancel');
    const found = await collecting;
    const after = await held();
    expect([found.stopped, found.ended]).toEqual([true, after?.done]);
    expect(after).toMatchObject({ state: 'cancelled', waiting: 0, held: 0 });
    await expect(steerRun(address, 'lamps', 'pause')).rejects.toThrow('is cancelled: there is nothing to pause');
    await expect(steerRun(address, 'other', 'pause')).rejects.toThrow('The fleet has no run "other"');
  });

  it('[FLEET-12] gives a late job near the end to another worker as well, and keeps the first result', async () => {
    const folder = await prepared();
    const address = database.address;
    const late = episodesIn(join(parent, 'whole', 'lamps'))[5]?.head.task.id ?? '';
    const stuck = await start({ ...slow, ESPALIER_TEST_STUCK: late });
    const notices: string[] = [];
    const onProgress = (ended: number): void => {
      if (ended === 8) void start();
    };
    const found = await collectLamps({ folder, episodes, address, onProgress, onNotice: text => notices.push(text) });
    expect(found.ended).toBe(episodes);
    expect(notices.join()).toContain('the first result is kept');
    expect((await readFleetStatus(address)).runs[0]).toMatchObject({ state: 'done', duplicated: 1, waiting: 0 });
    expect(stuck.child.exitCode).toBeNull();
    expect(await read(folder)).toEqual(whole);
  });

  it('[FLEET-2] waits for a database that is away while workers and controllers start', async () => {
    const folder = await prepared();
    const address = database.address;
    const notices: string[] = [];
    const onNotice = (text: string): void => void notices.push(text);
    const begun: (() => Promise<unknown>)[] = [];
    await database.restart(async () => {
      const [collecting, worker] = [collectLamps({ folder, episodes: 8, address, onNotice }), start()];
      begun.push(
        () => collecting,
        () => worker,
      );
      await vi.waitFor(() => expect(notices.join()).toContain('the run waits for it'), 10_000);
      await wait(500);
    });
    const [found] = await Promise.all(begun.map(ended => ended()));
    expect(found).toMatchObject({ ended: 8 });
  });

  it('[FLEET-2] waits for a database that restarts, and for connections that are cut', async () => {
    const folder = await prepared();
    await Promise.all([start(), start()]);
    let faults = 0;
    const onProgress = (ended: number): void => {
      if (faults === 0 && ended >= 4) [faults] = [1, cutConnections(database.address)];
      else if (faults === 1 && ended >= 12) [faults] = [2, void database.restart()];
    };
    const found = await collectLamps({ folder, episodes, address: database.address, onProgress });
    expect([found.ended, faults]).toEqual([episodes, 2]);
    expect(await read(folder)).toEqual(whole);
  });

  it('[FLEET-3] drops what a worker commits that was frozen past its lease', async () => {
    const folder = await prepared();
    const frozen = await start();
    let other: Promise<TestWorker> | null = null;
    const freeze = async (): Promise<TestWorker> => {
      frozen.child.kill('SIGSTOP');
      const worker = await start();
      await worker.says(/Lost/);
      frozen.child.kill('SIGCONT');
      return worker;
    };
    const onProgress = (ended: number): void => {
      if (ended >= 4) other ??= freeze();
    };
    const found = await collectLamps({ folder, episodes, address: database.address, onProgress });
    expect(found.ended).toBe(episodes);
    expect((await (other as unknown as Promise<TestWorker>)).said()).toContain('What they held goes to others');
    expect(await read(folder)).toEqual(whole);
  });

  it('[FLEET-4] lets two controllers collect the same run, each into its folder', async () => {
    const folders = [await prepared(), join(parent, 'second', 'lamps')];
    await Promise.all([start(), start()]);
    const found = await Promise.all(
      folders.map(folder => collectLamps({ folder, episodes, address: database.address })),
    );
    expect(found.map(({ ended }) => ended)).toEqual([episodes, episodes]);
    for (const folder of folders) expect(await read(folder)).toEqual(whole);
  });

  it('[FLEET-5] sets an episode aside that ended its worker three times, and names it', async () => {
    const folder = await prepared();
    const [poisoned] = episodesIn(join(parent, 'whole', 'lamps')).slice(7);
    const task = poisoned?.head.task.id ?? '';
    const env = { ...slow, ESPALIER_TEST_POISON: task };
    await Promise.all([start(env), start(env), start(env)]);
    const { breakages } = await collectLamps({ folder, episodes, address: database.address });
    expect(breakages).toEqual([
      {
        boundary: 'environment',
        count: 1,
        episode: poisoned?.head.key,
        message: expect.stringContaining('three times'),
      },
    ]);
    expect(workers.filter(({ child }) => child.signalCode === 'SIGKILL')).toHaveLength(2);
    const healthy = (of: string): unknown =>
      contents(episodesIn(of).filter(({ head }) => head.key !== poisoned?.head.key));
    expect(healthy(folder)).toEqual(healthy(join(parent, 'whole', 'lamps')));
  });

  it('[FLEET-6] gives a run to workers of its own version alone, and says why', async () => {
    const folder = await prepared();
    const other = await startWorker({ address: database.address, version: 'another', env: slow });
    workers.push(other);
    const notices: string[] = [];
    const collecting = collectLamps({
      folder,
      episodes,
      address: database.address,
      onNotice: text => notices.push(text),
    });
    await other.says(/takes no episodes/);
    expect(other.said()).toContain('it runs on Espalier test, and this is another.');
    const { runs: found } = await readFleetStatus(database.address);
    expect(found[0]).toMatchObject({ done: 0, refusals: ['it runs on Espalier test, and this is another.'] });
    await vi.waitFor(() => expect(notices.join()).toContain(`No worker runs Espalier ${version}`), 20_000);
    await start();
    expect((await collecting).ended).toBe(episodes);
    expect(await read(folder)).toEqual(whole);
  });

  it('[FLEET-7] gives episodes back when a worker is told to stop, and goes on with a run that was stopped', async () => {
    const folder = await prepared();
    const first = await start();
    const stop = new AbortController();
    const onProgress = (ended: number): void => void (ended >= 4 && stop.abort());
    const address = database.address;
    const stopped = await collectLamps({ folder, episodes, address, onProgress, signal: stop.signal });
    expect([stopped.stopped, stopped.ended < episodes]).toEqual([true, true]);
    const collecting = collectLamps({ folder, episodes, address });
    await start();
    await first.kill('SIGTERM');
    expect(first.said()).toContain('left after');
    const found = await collecting;
    expect(found.ended + found.skipped).toBe(episodes);
    expect(await read(folder)).toEqual(whole);
  });
});

/** Keys of episodes that are committed while a worker goes on with their job. */
function committedInJobs(): string[] {
  const connection = connectBlocking(database.address);
  const rows = connection.query<{ key: string }>('SELECT key FROM espalier.episodes');
  const keys = new Set(rows.map(({ key }) => key));
  const jobs = connection.query<{ payload: { heads: string } }>(
    'SELECT payload FROM espalier_queue._private_jobs WHERE locked_at IS NOT NULL',
  );
  connection.close();
  const held = jobs.flatMap(({ payload }) => unpackHeads(payload)).map(({ key }) => key);
  return held.filter(key => keys.has(key));
}

/** Lets the database refuse so many commits. */
function refuseCommits(times: number): void {
  const connection = connectBlocking(database.address);
  connection.query('CREATE SEQUENCE refused');
  connection.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF nextval('refused') <= ${times} THEN RAISE EXCEPTION 'not today.'; END IF;
       RETURN NULL;
     END $$`,
  );
  connection.query('CREATE TRIGGER refuse AFTER INSERT ON espalier.episodes EXECUTE FUNCTION refuse()');
  connection.close();
}

/** The tables are there once somebody has connected. */
async function prepared(): Promise<string> {
  await readFleetStatus(database.address);
  return fresh();
}
