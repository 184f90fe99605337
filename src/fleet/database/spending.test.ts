import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installed } from '../../../test/fixtures/app/services.ts';
import { startDatabase, type TestDatabase } from '../../../test/fixtures/fleet/fleet.ts';
import { createRandom } from '../../core/random.ts';
import type { Timers } from '../../core/clock.ts';
import { connectFleet, type FleetDatabase } from './connect.ts';
import { losePortions, openSpending, readSpending, settleParts, takeParts } from './spending.ts';

const timers: Timers = {
  after(_milliseconds, run) {
    const timer = setTimeout(run, 1);
    return () => clearTimeout(timer);
  },
};

let server: TestDatabase;
let database: FleetDatabase;

type Ask = (...statement: unknown[]) => Promise<unknown>;

/** Makes the answers of a database get lost now and then, after it has done what it was asked. */
function loseAnswers({ pool }: FleetDatabase, isLost: () => boolean): void {
  const losing = (ask: Ask): Ask => {
    return async (...statement) => {
      const found = await ask(...statement);
      if (isLost()) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      return found;
    };
  };
  const connect = pool.connect.bind(pool);
  Object.assign(pool, {
    query: losing(pool.query.bind(pool) as Ask),
    // `query` asks for its connection by a callback; transactions wait for theirs.
    connect: (listener?: never) => (listener === undefined ? connect().then(losingClient) : connect(listener)),
  });
  const losingClient = (client: PoolClient): PoolClient =>
    new Proxy(client, {
      get(of, name) {
        const found: unknown = Reflect.get(of, name);
        const bound = typeof found === 'function' ? (found.bind(of) as Ask) : found;
        return name === 'query' ? losing(bound as Ask) : bound;
      },
    });
}

async function heldOf(run: number): Promise<unknown> {
  const [row] = await database.queryOnce(
    `SELECT held_dollars AS dollars, held_tokens AS tokens, (SELECT count(*) FROM espalier.fleet_parts WHERE run = $1) AS parts
     FROM espalier.fleet_spending WHERE run = $1`,
    [run],
  );
  return row;
}

const nothing = { dollars: 0, tokens: 0, calls: 0 };

describe.skipIf(!installed.postgres)('the budget of a run in the database', () => {
  beforeAll(async () => {
    server = await startDatabase();
    database = await connectFleet({ address: server.address, connections: 2 });
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  it('[FLEET-15] counts every question once, whatever answers of the database are lost', async () => {
    const random = createRandom('answers');
    let losses = 0;
    const losing = await connectFleet({ address: server.address, connections: 4, retry: { timers } });
    loseAnswers(losing, () => random.next() < 0.3 && ++losses > 0);
    await openSpending(losing, 1, { dollars: 1000, tokens: null, spent: nothing });
    const spent = { ...nothing };
    const ask = async (worker: string, questions: number): Promise<void> => {
      for (let asked = 0; asked < questions; asked++) {
        const ids = Array.from({ length: 1 + Math.floor(3 * random.next()) }, () => randomUUID());
        const [first, ...rest] = await takeParts(losing, { run: 1, worker, ids });
        expect([first?.id, ...rest.map(({ id }) => id)]).toEqual(ids);
        const cost = { dollars: Math.ceil(4 * random.next()) / 4, tokens: Math.floor(100 * random.next()), calls: 1 };
        await settleParts(losing, { run: 1, ids: ids.slice(0, 1) }, cost);
        spent.dollars += cost.dollars;
        spent.tokens += cost.tokens;
        spent.calls += 1;
        if (rest.length > 0) await settleParts(losing, { run: 1, ids: ids.slice(1) }, nothing);
      }
    };
    await Promise.all([ask('one', 30), ask('two', 30), ask('three', 30)]);
    expect(losses).toBeGreaterThan(30);
    expect(await readSpending(database, 1)).toMatchObject(spent);
    expect(await heldOf(1)).toEqual({ dollars: 0, tokens: 0, parts: 0 });
    await losing.close();
  });

  it('[FLEET-15] counts what a lost worker held as spent, and what it was when the worker comes back', async () => {
    await openSpending(database, 2, { dollars: null, tokens: 8000, spent: nothing });
    const ids = [randomUUID(), randomUUID()];
    await takeParts(database, { run: 2, worker: 'frozen', ids });
    expect(await heldOf(2)).toMatchObject({ tokens: 16 });
    for (let times = 0; times < 2; times++) await database.query(losePortions, [['frozen']]);
    expect(await readSpending(database, 2)).toMatchObject({ tokens: 16, calls: 0 });
    for (let times = 0; times < 2; times++)
      await settleParts(database, { run: 2, ids: ids.slice(0, 1) }, { dollars: 0, tokens: 5, calls: 1 });
    expect(await readSpending(database, 2)).toMatchObject({ tokens: 13, calls: 1 });
    expect(await heldOf(2)).toEqual({ dollars: 0, tokens: 0, parts: 1 });
  });

  it('[FLEET-15] gives nothing that the budget does not cover', async () => {
    await openSpending(database, 3, { dollars: null, tokens: 2000, spent: { ...nothing, tokens: 1995 } });
    const take = (parts: number) =>
      takeParts(database, { run: 3, worker: 'one', ids: Array.from({ length: parts }, () => randomUUID()) });
    expect(await take(4)).toHaveLength(0);
    expect(await take(2)).toHaveLength(2);
    expect(await take(1)).toHaveLength(0);
  });
});
