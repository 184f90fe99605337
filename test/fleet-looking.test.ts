import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '../src/core/clock.ts';
import { fleetMetrics } from '../src/fleet/metrics.ts';
import { openFleetView, type FleetView } from '../src/fleet/view.ts';
import { connectBlocking } from '../src/store/postgres/blocking.ts';
import { launchChromium } from './chromium.ts';
import { installed } from './fixtures/app/services.ts';
import { collectLamps, startDatabase, startWorker, version, type TestDatabase } from './fixtures/fleet/fleet.ts';
import { openStudio } from './fixtures/studio/open-studio.ts';

let folder = '';
let database: TestDatabase;
let view: FleetView;
const clock = createManualClock();

/** The value of a series. */
async function sample(series: string): Promise<number> {
  const text = fleetMetrics(await view.look());
  const line = text.split('\n').find(found => found.startsWith(`espalier_fleet_${series} `)) ?? '';
  return Number(line.split(' ').at(-1));
}

describe.skipIf(!installed.postgres)('looking at a fleet', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'espalier-looking-'));
    database = await startDatabase();
    view = await openFleetView(database.address, clock);
  });
  afterAll(async () => {
    await view.close();
    await database.stop();
    rmSync(folder, { recursive: true });
  });

  it('[FLEET-41] tells Prometheus of workers, queue, outcomes, failures by boundary and money', async () => {
    expect((await view.look()).workers).toEqual([]);
    const worker = await startWorker({ address: database.address });
    await collectLamps({ folder: join(folder, 'lamps'), episodes: 12, address: database.address });
    clock.advance(3000);
    const { runs } = await view.look();
    expect(runs.map(({ name, done, outcomes, rate }) => [name, done, outcomes, rate])).toEqual([
      ['lamps', 12, { passed: 12 }, 0],
    ]);
    const store = runs[0]?.store ?? '';
    const own = `run="lamps",store="${store}"`;
    expect(await sample(`workers{version="${version}",offers="core, model"}`)).toBe(1);
    expect(await sample(`episodes_total{${own},outcome="passed"}`)).toBe(12);
    expect(await sample(`jobs{${own},needs="core",state="waiting"}`)).toBe(0);
    // Two that broke at the model, at ten cents each: only what is new is read.
    const connection = connectBlocking(database.address);
    connection.query(`
      INSERT INTO espalier.episodes (store, ${'run, key, phase, round, place, outcome, events, head, ending, body, seal'})
      SELECT store, run, key || ' again', phase, round, place, 'errored', events, head,
        jsonb_set(jsonb_set(ending::jsonb, '{boundary}', '"policy"'), '{counts,cost}', '0.1')::text, body, seal
      FROM espalier.episodes LIMIT 2`);
    connection.query(`UPDATE espalier.fleet_runs SET name = E'la"m\\nps'`);
    connection.close();
    clock.advance(1000);
    expect((await view.look()).runs[0]?.rate).toBe(2);
    const odd = `run="la\\"m\\nps",store="${store}"`;
    expect(await sample(`errors_total{${odd},boundary="policy"}`)).toBe(2);
    expect(await sample(`dollars_total{${odd}}`)).toBeCloseTo(0.2);
    expect(await sample(`episodes_total{${odd},outcome="passed"}`)).toBe(12);
    await worker.kill();
  });

  it('[STUDIO-43] shows the fleet that it was given, and says so where it was given none', async () => {
    const browser = await launchChromium();
    const studio = await openStudio(folder, undefined, view);
    const alone = await openStudio(folder);
    try {
      const page = await browser.newPage({ viewport: { width: 1200, height: 640 } });
      await page.goto(studio.link);
      await page.getByRole('link', { name: 'Fleet' }).click();
      const row = page.getByRole('row', { name: /lamps|la"m/ });
      await row.waitFor();
      expect(await row.textContent()).toMatch(/14 of 12.*12 passed, 2 errored.*2 policy.*\$0\.20/);
      const picture = process.env['ESPALIER_TEST_PICTURE'];
      if (picture !== undefined) await page.screenshot({ path: picture });
      await page.goto(`${alone.link}#/fleet`);
      await page.getByText('This studio was started without a fleet').waitFor();
    } finally {
      await studio.close();
      await alone.close();
      await browser.close();
    }
  });
});
