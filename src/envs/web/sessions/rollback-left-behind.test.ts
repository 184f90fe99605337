import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { branch, write, type Page, type Walk } from '../../../../test/fixtures/pages/branches.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

type Case = readonly [what: string, page: Page, walk: Walk];

const registry =
  'const registry = new FinalizationRegistry(() => undefined), one = {}, other = {}; registry.register({}, 1, other)';

/** Restored, and right. */
const restored: readonly Case[] = [
  [
    '[SITE-171] what was registered with a token',
    {
      before: registry,
      does: { Register: 'registry.register({}, 1, one)', Show: 'say(registry.unregister(one))' },
    },
    { left: ['Register'], taken: ['Show'], ends: 'false' },
  ],
  [
    '[SITE-171] what was no longer registered',
    {
      before: registry,
      does: {
        Unregister: 'registry.unregister(other)',
        Show: 'say(registry.unregister(other), registry.unregister(other))',
      },
    },
    { left: ['Unregister'], taken: ['Show'], ends: 'true false' },
  ],
];

/** Refused with the reason, and right. */
const refused: readonly Case[] = [
  [
    '[SITE-171] a generator that inherits from something else',
    {
      before: `function* make() { yield 1; yield 2 }
        const { next } = Object.getPrototypeOf(make.prototype); make.prototype = Object.prototype; const one = make()`,
      does: { Go: 'next.call(one)', Show: 'say(next.call(one).value)' },
    },
    { left: ['Go'], taken: ['Show'], ends: 'a generator that inherits from something else' },
  ],
];

describe('what an abandoned branch left behind', () => {
  it.each(restored)('%s', async (_, page, { ends, ...walk }) => {
    expect(await branch(pool, write(page), walk)).toEqual({ method: 'restore', reason: null, shown: ends });
  });

  it.each(refused)('%s', async (_, page, { ends, ...walk }) => {
    const found = await branch(pool, write(page), walk);
    expect(found).toMatchObject({ method: 'replay', reason: expect.stringContaining(ends) as string });
  });
});
