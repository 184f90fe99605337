import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeAgain } from '../../../test/fixtures/pages/retrace.ts';
import { createSystemTimers } from '../../system/clock.ts';
import { createRandom } from '../../core/random.ts';
import { createTrail } from '../../kernel/trail.ts';
import { createBrowserPool, type BrowserPool } from './browser/pool.ts';
import { createWaiEnvironment } from './wai/environment.ts';

const timers = createSystemTimers();
const actor = { role: 'student', name: 'random' } as const;
let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers });
});
afterAll(() => pool.close());

/** Walks at random, then goes back at random, and takes the recorded next step each time. */
async function wander(app: string, seed: string): Promise<{ rollbacks: number; reasons: readonly (string | null)[] }> {
  const folder = join(import.meta.dirname, '../../../test/fixtures/wai', app);
  const viewport = { width: 900, height: 600 };
  const environment = await createWaiEnvironment({ folder, timers, pool, viewport, pictures: null });
  const random = createRandom(seed);
  const trail = await createTrail(environment, await environment.task('real-task-e1', 1));
  try {
    for (let step = 0; step < 25; step++)
      await trail.step(random.pick((await trail.session().candidates?.()) ?? []).action, actor);
    const reasons: (string | null)[] = [];
    const rollbacks = 30;
    for (let round = 0; round < rollbacks; round++) {
      const node = random.between(0, 24);
      const { method, divergence } = await trail.rollback(node);
      if (method === 'replay') reasons.push(divergence);
      await takeAgain(trail, node + 1);
    }
    return { rollbacks, reasons };
  } finally {
    await trail.session().close();
    await environment.close?.();
  }
}

describe('random walks in apps of others', () => {
  it.each([
    ['notes', 'one'],
    ['notes', 'two'],
    ['board', 'one'],
    ['board', 'two'],
  ])('[SITE-12] %s (%s): every rollback is by snapshot, and the next step is as it was recorded', async (app, seed) => {
    expect(await wander(app, seed)).toEqual({ rollbacks: 30, reasons: [] });
  });

  it('[SITE-12] silent: where a promise was open it is by replay, and the next step is as it was recorded', async () => {
    const { reasons } = await wander('silent', 'one');
    expect(reasons.length).toBeLessThan(20);
    for (const reason of reasons.filter(each => each !== null))
      expect(reason).toContain('a promise that was open has been settled since');
  });
});
