import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../../../../test/long-form.ts';
import { takeAgain } from '../../../../test/fixtures/pages/retrace.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { describeStep } from '../../../core/episode/view.ts';
import { createRandom } from '../../../core/random.ts';
import { createTrail } from '../../../worlds/trail.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';
import { createWaiEnvironment } from '../sites/wai/environment.ts';

const timers = createSystemTimers();
/** The long form goes back more often. */
const rollbacks = isLong ? 60 : 12;
const actor = { role: 'student', name: 'random' } as const;
let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers });
});
afterAll(() => pool.close());

interface Walk {
  /** Why rollbacks were by replay, and after which step. */
  readonly replays: readonly { readonly reason: string | null; readonly after: string }[];
  /** Different states that the walk went through, and what was taken in it. */
  readonly states: number;
  readonly taken: string;
}

/** Walks at random, then goes back at random, and takes the recorded next step each time. */
async function wander(app: string, seed: string): Promise<Walk> {
  const folder = join(import.meta.dirname, '../../../../test/fixtures/wai', app);
  const viewport = { width: 900, height: 600 };
  const environment = await createWaiEnvironment({ folder, timers, pool, viewport, pictures: null });
  const random = createRandom(seed);
  const trail = await createTrail(environment, await environment.task('real-task-e1', 1));
  try {
    const taken: string[] = [];
    for (let step = 0; step < 25; step++) {
      const session = trail.session();
      const { action } = random.pick((await session.candidates?.()) ?? []);
      taken.push(describeStep(action, (await session.observe()).text));
      await trail.step(action, actor);
    }
    const states = new Set(trail.tree.path(trail.at()).map(({ after }) => after)).size;
    const replays: Walk['replays'][number][] = [];
    for (let round = 0; round < rollbacks; round++) {
      const node = random.between(0, 24);
      const { method, divergence } = await trail.rollback(node);
      if (method === 'replay') replays.push({ reason: divergence, after: taken[node - 1] ?? '' });
      await takeAgain(trail, node + 1);
    }
    return { replays, states, taken: taken.join() };
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
    const { replays, states } = await wander(app, seed);
    expect(replays).toEqual([]);
    expect(states).toBeGreaterThan(5);
  });

  it('[SITE-10] [SITE-12] silent: rollbacks over a promise are by snapshot where the step waited for it', async () => {
    const { replays, states, taken } = await wander('silent', 'one');
    // Both of these wait for a promise: a walk without them would show nothing. The second takes longer than a step.
    expect(taken).toContain('button "Save"');
    expect(taken).toContain('button "Estimate the rest"');
    const open = 'an async function that waited for a promise has gone on since';
    for (const { reason } of replays) expect(reason).toContain(open);
    // The others went with a session that was left.
    const own = replays.filter(({ reason }) => reason?.startsWith('The snapshot of task'));
    expect(own.filter(({ after }) => !after.includes('Estimate the rest'))).toEqual([]);
    expect(replays.length).toBeLessThan(rollbacks / 3);
    expect(states).toBeGreaterThan(5);
  });
});
