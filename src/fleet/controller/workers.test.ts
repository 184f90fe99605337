import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installed } from '../../../test/fixtures/app/services.ts';
import { startDatabase, type TestDatabase } from '../../../test/fixtures/fleet/fleet.ts';
import { connectFleet, type FleetDatabase } from '../database/connect.ts';
import { whyNobodyWorks } from './workers.ts';

let server: TestDatabase;
let database: FleetDatabase;

function add(id: string, offers: string): Promise<unknown> {
  return database.query(
    `INSERT INTO espalier.fleet_workers (id, host, pid, version, offers, slots, busy, episodes, beat, lives_until)
     VALUES ($1, 'here', 1, 'own', $2, 1, 0, 0, now(), now() + interval '1 hour')`,
    [id, offers],
  );
}

describe.skipIf(!installed.postgres)('workers for a run', () => {
  beforeAll(async () => {
    server = await startDatabase();
    database = await connectFleet({ address: server.address, connections: 1 });
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  it('[FLEET-19] take pages, or none of them does, or each that does has refused the run', async () => {
    const why = () => whyNobodyWorks(database, { run: 1, version: 'own', needs: 'browser' });
    expect(await why()).toMatchObject({ text: expect.stringContaining('No worker is connected'), isFinal: false });
    await add('plain', 'core, model');
    expect(await why()).toMatchObject({ text: expect.stringContaining('--browser <n>'), isFinal: false });
    expect(await whyNobodyWorks(database, { run: 1, version: 'own', needs: 'core' })).toBeNull();
    await add('pages', 'browser');
    expect(await why()).toBeNull();
    await database.query("INSERT INTO espalier.fleet_refusals VALUES (1, 'pages', 'no Chromium')");
    expect(await why()).toEqual({ text: 'no Chromium', isFinal: true });
  });
});
