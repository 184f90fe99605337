import { expect, it } from 'vitest';
import type { Figure } from '../bench/measure.ts';
import { measureWrong } from '../bench/wai/wai.ts';
import { createBrowserPool } from '../src/envs/web/browser/pool.ts';
import { createSystemTimers } from '../src/system/clock.ts';
import { createPages } from './fixtures/pages/site-pages.ts';

const body = '<button onclick="o.textContent++">More</button><p id="o" role="status">0</p>';

/** The share of rollbacks by snapshot, as the bench tells it. */
async function exactOn(more: { readonly keeps?: false }): Promise<Figure | undefined> {
  const pool = createBrowserPool({ timers: createSystemTimers() });
  try {
    const found: Figure[] = [];
    const environment = createPages({ pool, pages: { '/': body }, ...more });
    for await (const figure of measureWrong(environment, { rollbacks: 1, lanes: 1 })) found.push(figure);
    return found.find(({ name }) => name === 'wai.exact');
  } finally {
    await pool.close();
  }
}

it('[ROLL-9] the bench counts why steps were replayed and not restored', async () => {
  const reasons = [{ reason: 'its sessions keep no snapshots', count: 1 }];
  expect(await exactOn({ keeps: false })).toMatchObject({ value: 0, runs: 1, reasons });
  expect(await exactOn({})).toMatchObject({ value: 1, runs: 1, reasons: [] });
});
