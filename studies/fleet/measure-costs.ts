import { connectFleet, silent, type FleetDatabase } from '../../src/fleet/database/connect.ts';
import { queueSchema } from '../../src/fleet/database/tables.ts';
import { startHeartbeat } from '../../src/fleet/worker/heartbeat.ts';
import { commitValues, type EpisodeRow } from '../../src/store/postgres/episode-row.ts';
import { commitEpisodes, episodeColumns } from '../../src/store/postgres/statements.ts';
import { processorSeconds } from './measured-fleet.ts';
import type { FleetCosts } from './simulate.ts';

type DatabaseCosts = Omit<FleetCosts, 'work' | 'control'>;

const repeats = { jobs: 4000, commits: 1500, beats: 1500, blobs: 600 };
const blobBytes = 64 * 1024;
/** Episodes that a large statement commits. */
const together = 16;
const few = 16;
const many = 2048;

export interface CostOptions {
  readonly address: string;
  /** Process of the database. */
  readonly pid: number;
  /** Whose episodes are committed again. */
  readonly like: string;
}

/** Works so many times, in as many lanes as there are connections. */
type Spending = (times: number, work: (at: number, lane: number) => Promise<unknown>) => Promise<number>;

/** What a real database spends on each thing that a fleet asks of it. */
export async function measureCosts({ address, pid, like }: CostOptions): Promise<DatabaseCosts> {
  const database = await connectFleet({ address, connections: few });
  /** Seconds of the processors of the database that one call takes. */
  const spent: Spending = async (times, work) => {
    const before = processorSeconds(pid);
    let next = 0;
    const go = async (lane: number): Promise<void> => {
      while (next < times) await work(next++, lane);
    };
    await Promise.all(Array.from({ length: few }, (_, lane) => go(lane)));
    return (processorSeconds(pid) - before) / times;
  };
  try {
    const rows = await database.query<EpisodeRow>(
      `SELECT ${episodeColumns} FROM espalier.episodes JOIN espalier.stores ON id = store WHERE starts_with(name, $1)
       LIMIT 400`,
      [like],
    );
    const store = await database.store('costs');
    const commitOf = (size: number, name: string) => (at: number) => {
      const some = Array.from({ length: size }, (_, own): EpisodeRow => {
        const row = rows[(at * size + own) % rows.length] as EpisodeRow;
        return { ...row, key: `${name}/${at}/${own}` };
      });
      return database.query(commitEpisodes, commitValues(store, some, new Map()));
    };
    const small = await spent(repeats.commits, commitOf(1, 'small'));
    const large = await spent(repeats.commits / few, commitOf(together, 'large'));
    const episode = (large - small) / (together - 1);
    const blob = await spent(repeats.blobs, at => {
      const hash = Buffer.alloc(32);
      hash.writeUInt32LE(at);
      const attached = new Map([[hash.toString('hex'), new Uint8Array(blobBytes).fill(at)]]);
      return database.query(commitEpisodes, commitValues(store, [], attached));
    });
    const follow = await spent(repeats.commits / few, at =>
      database.query(
        `SELECT attempt, written::text, ${episodeColumns} FROM espalier.episodes WHERE store = $1
         ORDER BY episodes.written, attempt LIMIT ${together} OFFSET $2`,
        [store, at % few],
      ),
    );
    const [beatFew, beatMany] = [await beatCost(database, few, spent), await beatCost(database, many, spent)];
    const beatForWorker = Math.max(0, (beatMany - beatFew) / (many - few));
    return {
      job: await jobCost(database, pid),
      commit: small - episode,
      episode,
      blob,
      follow: follow / together,
      beat: beatFew - beatForWorker * few,
      beatForWorker,
      sync: await syncSeconds(database),
    };
  } finally {
    await database.close();
  }
}

/** The queue gives empty jobs to workers that do nothing else. */
async function jobCost(database: FleetDatabase, pid: number): Promise<number> {
  const worker = await import('graphile-worker');
  await database.query(
    `SELECT count(*) FROM ${queueSchema}.add_jobs(ARRAY(
       SELECT row('cost', '{}', null, now() - interval '1 day', 25, null, 0, null)::${queueSchema}.job_spec
       FROM generate_series(1, $1)))`,
    [repeats.jobs],
  );
  const before = processorSeconds(pid);
  await worker.runOnce({
    pgPool: database.pool,
    noHandleSignals: true,
    concurrency: few,
    logger: silent(worker),
    taskList: { cost: () => undefined },
    preset: { worker: { schema: queueSchema } },
  });
  return (processorSeconds(pid) - before) / repeats.jobs;
}

async function beatCost(database: FleetDatabase, known: number, spent: Spending): Promise<number> {
  await database.query('DELETE FROM espalier.fleet_workers');
  await database.query(
    `INSERT INTO espalier.fleet_workers (id, host, pid, version, offers, slots, busy, episodes, beat, lives_until)
     SELECT 'known ' || at, 'study', at, 'study', 'core', 1, 0, 0, now(), now() + interval '1 hour'
     FROM generate_series(1, $1) AS at`,
    [known],
  );
  await database.query('ANALYZE espalier.fleet_workers');
  const beats = await Promise.all(Array.from({ length: few }, (_, at) => beating(database, `known ${at + 1}`)));
  const cost = await spent(repeats.beats, (_at, lane) => (beats[lane] as () => Promise<void>)());
  await database.query('DELETE FROM espalier.fleet_workers');
  return cost;
}

/** A worker that beats when it is told to. */
async function beating(database: FleetDatabase, id: string): Promise<() => Promise<void>> {
  let [next, beaten] = [(): void => undefined, (): void => undefined];
  const facts = { id, host: 'study', pid: 1, version: 'study', offers: 'core', slots: 1, lease: 3600 };
  await startHeartbeat(
    database,
    { ...facts, jobs: () => ['1'], episodes: () => 1 },
    {
      timers: {
        after(_milliseconds, run) {
          next = run;
          beaten();
          return () => undefined;
        },
      },
      signal: new AbortController().signal,
      onDead: () => undefined,
      onOthers: () => Promise.resolve(),
      onOutage(cause) {
        throw cause;
      },
    },
  );
  return () =>
    new Promise(done => {
      beaten = done;
      next();
    });
}

/** How much longer a commit takes that waits for the disk. */
async function syncSeconds(database: FleetDatabase): Promise<number> {
  const client = await database.pool.connect();
  const times = 300;
  const timed = async (setting: 'on' | 'off'): Promise<number> => {
    await client.query(`SET synchronous_commit = ${setting}`);
    const start = performance.now();
    for (let at = 0; at < times; at++) await client.query('UPDATE espalier.format SET format = format');
    return (performance.now() - start) / 1000 / times;
  };
  try {
    const [off, on] = [await timed('off'), await timed('on')];
    await client.query('RESET synchronous_commit');
    return Math.max(0, on - off);
  } finally {
    client.release();
  }
}
