import { EventEmitter } from 'node:events';
import { run, type Runner } from 'graphile-worker';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { installed } from '../../../test/fixtures/app/services.ts';
import { startDatabase, type TestDatabase } from '../../../test/fixtures/fleet/fleet.ts';
import { connectFleet, silent, type FleetDatabase } from './connect.ts';
import { addJobs, freeLanes, jobSpecs } from './queue.ts';
import { queueSchema } from './tables.ts';

let server: TestDatabase;
let database: FleetDatabase;
const runners: Runner[] = [];

/** A worker of the queue whose jobs end when they are told to. */
async function startQueue() {
  const events = new EventEmitter() as NonNullable<Parameters<typeof run>[0]['events']>;
  const known = Promise.withResolvers<string>();
  events.on('pool:create', ({ workerPool }) => known.resolve(workerPool.id));
  const begun: string[] = [];
  const held: (() => void)[] = [];
  const task = (_payload: unknown, { job }: { job: { key: string | null } }): Promise<void> => {
    begun.push(job.key ?? '');
    return new Promise(resolve => void held.push(resolve));
  };
  runners.push(
    await run({
      pgPool: database.pool,
      events,
      concurrency: 1,
      noHandleSignals: true,
      logger: silent(await import('graphile-worker')),
      taskList: { lamps: task },
      preset: { worker: { schema: queueSchema, pollInterval: 50 } },
    }),
  );
  return { id: await known.promise, begun, end: () => held.shift()?.() };
}

function add(name: string): Promise<unknown> {
  const job = { name, run: 1, lost: 0, lane: 'one', heads: '', runAt: new Date(0), priority: 0, task: 'lamps' };
  return database.query(addJobs, [jobSpecs([job])]);
}

describe.skipIf(!installed.postgres)('the queue', () => {
  beforeAll(async () => {
    server = await startDatabase();
    database = await connectFleet({ address: server.address, connections: 10 });
  });
  afterAll(async () => {
    await Promise.all(runners.map(runner => runner.stop()));
    await database.close();
    await server.stop();
  });

  it('[FLEET-17] frees a lane whose job somebody else has ended', async () => {
    const thoughtLost = await startQueue();
    await add('first');
    await vi.waitFor(() => expect(thoughtLost.begun).toEqual(['1/first']));
    const other = await startQueue();
    await database.query(`SELECT ${queueSchema}.force_unlock_workers($1::text[])`, [[thoughtLost.id]]);
    await vi.waitFor(() => expect(other.begun).toEqual(['1/first']));
    expect(await database.query(freeLanes, [other.id])).toEqual([]);
    const left = `SELECT count(*) AS jobs FROM ${queueSchema}.jobs`;
    thoughtLost.end();
    await vi.waitFor(async () => expect(await database.query(left)).toEqual([{ jobs: 0 }]));
    other.end();
    await add('second');
    const lane = `SELECT locked_by AS by FROM ${queueSchema}._private_job_queues`;
    expect(await database.query(lane)).toEqual([{ by: other.id }]);
    expect(await database.query(freeLanes, [other.id])).toHaveLength(1);
    await vi.waitFor(() => expect([...thoughtLost.begun, ...other.begun]).toContain('1/second'));
    [thoughtLost, other].forEach(({ end }) => end());
  });
});
