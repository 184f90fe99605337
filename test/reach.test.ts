import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSystemTimers } from '../src/system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../src/envs/web/browser/pool.ts';
import { attackKinds, type Attack } from './adversarial/reach/attacks.ts';
import { hunt, openHunt } from './adversarial/reach/reach.ts';
import { isLong } from './long-form.ts';

const lanes = 3;
let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers(), pages: lanes + 2 });
});
afterAll(() => pool.close());

/** As once happened: functions that our program called while a document was loaded showed it to the page. */
const loading: readonly (readonly [name: string, script: string])[] = [
  [
    'Promise.race',
    "const real = Promise.race; Promise.race = function (list) { kit.spy('race', this, list, ...list); return real.call(this, list) }",
  ],
  ['the constructor of promises', "kit.inherit(() => Promise.prototype, 'constructor', Promise, 'always')"],
  ['a then that all objects have', "kit.inherit(() => Object.prototype, 'then', undefined, 'always')"],
  ['maps', "kit.patchAll(() => WeakMap.prototype, 'always'); kit.patchAll(() => Map.prototype, 'always')"],
  [
    'the name of our realm',
    "kit.proxy(() => HTMLIFrameElement.prototype); addEventListener('click', () => document.body.append(document.createElement('iframe')))",
  ],
  [
    'lists that are iterated over',
    "kit.patchAll(() => [].values().__proto__, 'always'); kit.patchAll(() => Array.prototype, 'few')",
  ],
];

describe('a page that tries to reach our program', () => {
  it('[SITE-113] gets nothing of it by what once led there', async () => {
    const open = await openHunt(pool);
    for (const [name, script] of loading) {
      const attack: Attack = { kind: 'loading', name, script, html: '' };
      expect(await open.visit(name, [attack], true), name).toMatchObject({ found: [] });
    }
    await open.close();
  });

  it('[SITE-113] [SITE-114] gets nothing of it, and no rollback in it is wrong (short form: eight pages)', async () => {
    const reached = await hunt({ pool, lanes, pages: isLong ? 2000 : 8, seed: isLong ? 'long' : 'test' });
    const bad = reached.filter(({ found, rollback }) => found.length > 0 || rollback === 'wrong');
    expect(bad.map(({ seed, found, reason }) => `${seed}: ${[...found, reason].join(', ')}`)).toEqual([]);
    expect(attackKinds.length).toBeGreaterThan(9);
  });
});
