import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemTimers } from '../src/system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../src/envs/web/browser/pool.ts';
import { attackMembers } from './adversarial/members/attack-members.ts';
import { heldObjects } from './adversarial/members/objects.ts';
import { isLong } from './long-form.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers(), pages: 2 });
});
afterAll(() => pool.close());

/** Objects that restores were once wrong for, or broke on. */
const once = ['xhr', 'port', 'target', 'url'];

it('[SITE-175] after a rollback every member of the objects that a page holds reads as in a fresh page (short form: four objects)', async () => {
  const names = isLong ? [...heldObjects.keys()] : once;
  const bad: string[] = [];
  let restored = 0;
  for (const name of names)
    for (const { member, rollback, reason } of await attackMembers(pool, name, heldObjects.get(name) as string)) {
      if (rollback === 'restored') restored++;
      if (rollback === 'wrong' || rollback === 'failed') bad.push(`${name}, ${member}: ${reason}`);
    }
  expect(bad).toEqual([]);
  expect(restored).toBeGreaterThan(isLong ? 500 : 20);
}, 7_200_000);
