import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installed } from './fixtures/app/services.ts';
import { contents } from './fixtures/episode-setup.ts';
import { collectLamps, exported, startDatabase, type TestDatabase } from './fixtures/fleet/fleet.ts';
import { runStorm } from './fixtures/fleet/storm.ts';
import { episodesIn } from './fixtures/program.ts';
import { isLong } from './long-form.ts';

const times = isLong ? { kill: 76, cut: 53, freeze: 29, controller: 9 } : { kill: 3, cut: 3, freeze: 1, controller: 1 };
const [episodes, pause, slow] = isLong ? [400, 2000, '4000'] : [40, 400, '200'];

let parent = '';
let database: TestDatabase;

describe.skipIf(!installed.postgres)('a fleet in a storm', () => {
  beforeAll(async () => {
    parent = mkdtempSync(join(tmpdir(), 'espalier-fleet-'));
    database = await startDatabase();
  });
  afterAll(async () => {
    await database.stop();
    rmSync(parent, { recursive: true });
  });

  it(
    '[FLEET-1] [FLEET-2] [FLEET-3] ends a run while workers and controllers are killed, frozen and cut off',
    async () => {
      const [alone, folder] = [join(parent, 'alone', 'lamps'), join(parent, 'storm', 'lamps')];
      await collectLamps({ folder: alone, episodes });
      const env = { ESPALIER_TEST_SLOW: slow };
      const options = { address: database.address, folder, episodes, times, pause, env, workers: 3 };
      const { struck, said, seconds } = await runStorm({ ...options, seed: 'storm' });
      expect(said.join('\n')).toContain(`collected ${episodes}\n`.trim());
      // oxlint-disable-next-line no-console -- the long form is run for its figures
      if (isLong) console.log(JSON.stringify({ struck, seconds }));
      expect(struck.kill + struck.cut).toBeGreaterThan(2);
      const keys = episodesIn(folder).map(({ head }) => head.key);
      expect(new Set(keys).size).toBe(keys.length);
      expect(contents(episodesIn(folder))).toEqual(contents(episodesIn(alone)));
      expect(await exported(folder)).toEqual(await exported(alone));
    },
    isLong ? 1_200_000 : 120_000,
  );
});
