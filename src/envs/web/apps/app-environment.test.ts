import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contents, run, tasksOf, type Ran } from '../../../../test/fixtures/episode-setup.ts';
import { environments, openBuiltIn } from '../../../catalog.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createManualClock } from '../../../core/clock.ts';
import type { Environment, StateEnvironment } from '../../../core/contracts.ts';
import { checkLaws } from '../../../worlds/laws.ts';
import { createPlanner } from '../../../agents/planner/planner.ts';
import { createPlannerTeacher } from '../../../agents/planner/planner-teacher.ts';
import { createRandomPolicy } from '../../../agents/random.ts';
import { createSpeculativeRollback } from '../../../episode/strategies/speculative-rollback.ts';
import { createAppEnvironment } from './app-environment.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';
import { isLong } from '../../../../test/long-form.ts';

let pool: BrowserPool;
beforeAll(() => {
  // A busy machine may take long: what is compared here does not depend on time.
  pool = createBrowserPool({ timers: createSystemTimers(), patience: 60_000 });
});
afterAll(() => pool.close());

function inBrowser(world: StateEnvironment): Environment {
  const look = { theme: 'light', density: 'comfortable' } as const;
  return createAppEnvironment(world, { pool, viewport: { width: 1024, height: 700 }, look, pictures: null });
}

describe.each(environments.map(({ id }) => id))('%s in a browser', id => {
  it('[WEB-23] obeys the laws of environments', async () => {
    const world = await openBuiltIn(id);
    const tasks = [world.task(world.templates[1]!.id, 3)];
    const results = await checkLaws(inBrowser(world), { tasks, steps: isLong ? 16 : 5 });
    expect(results.filter(({ pass }) => !pass)).toEqual([]);
    expect(results).toHaveLength(5);
    expect(pool.figures().openPages).toBe(0);
  });
});

describe('episodes in a browser', () => {
  const strategy = createSpeculativeRollback({ branching: true });
  const collect = async (world: StateEnvironment, environment: Environment): Promise<Ran> => {
    const tasks = tasksOf(world, 'star-message', [1, 2]).concat(isLong ? tasksOf(world, 'two-settings', [1]) : []);
    const teacher = createPlannerTeacher({
      planner: createPlanner({ clock: createManualClock(), maxNodes: isLong ? 2000 : 300 }),
    });
    const parts = { environment, student: createRandomPolicy(), teacher, strategy, limits: { steps: 8 } };
    return run({ tasks, parts, concurrency: 3 });
  };

  it('[WEB-24] have the trees, digests, reviews and verdicts that they have headless', async () => {
    const world = await openBuiltIn('mail');
    const [headless, drawn] = [await collect(world, world), await collect(world, inBrowser(world))];
    expect(contents(drawn.stored)).toEqual(contents(headless.stored));
    expect(headless.records.map(({ rollbacks }) => rollbacks.length > 0)).toContain(true);
    expect(drawn.records.flatMap(({ rollbacks }) => rollbacks.map(({ method }) => method))).not.toContain('replay');
    expect(pool.figures().openPages).toBe(0);
  });

  it('[WEB-24] also when the browser is killed on the way', async () => {
    const world = await openBuiltIn('mail');
    const { launches } = pool.figures();
    const environment = inBrowser(world);
    let looks = 0;
    const endangered: Environment = {
      ...environment,
      async open(task) {
        const session = await environment.open(task);
        const observe: typeof session.observe = () => {
          if (++looks === 9) process.kill(pool.figures().processes.at(-1)!, 'SIGKILL');
          return session.observe();
        };
        return { ...session, observe };
      },
    };
    const [headless, drawn] = [await collect(world, world), await collect(world, endangered)];
    expect(contents(drawn.stored)).toEqual(contents(headless.stored));
    expect([looks > 9, pool.figures()]).toMatchObject([true, { launches: launches + 1, openPages: 0 }]);
  });
});
