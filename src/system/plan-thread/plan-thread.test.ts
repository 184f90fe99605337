import { afterAll, describe, expect, it } from 'vitest';
import { mail } from '../../envs/apps/mail/mail.ts';
import { createWorld } from '../../worlds/world.ts';
import { planServed } from '../../serve/assembly/served-planner.ts';
import { createSystemClock } from '../clock.ts';
import { createPlanThread } from './plan-thread.ts';

const thread = createPlanThread(['mail', 'shop']);
afterAll(() => thread.close());

const world = createWorld(mail);
const task = world.task('sort-three', 3);

describe('a thread that plans', () => {
  it('[SRV-58] gives the plan that this thread would make, from any state, and leaves this thread free', async () => {
    const session = world.open(task);
    const actions = [{ kind: 'click', ref: 'e3' } as const];
    for (const action of actions) session.step(action);
    let turns = 0;
    const turning = setInterval(() => turns++, 1);
    const planned = await thread.plan({ task, actions, digest: session.digest() });
    clearInterval(turning);
    expect(turns).toBeGreaterThan(5);
    expect(planned).toEqual(planServed(createSystemClock())(session));
    expect(planned.outcome).toBe('solved');
  });

  it('[SRV-58] refuses a state that it does not reach, and an environment that it does not have', async () => {
    await expect(thread.plan({ task, actions: [], digest: 'another' })).rejects.toThrow('another');
    const foreign = { ...task, environment: 'tracker' };
    await expect(thread.plan({ task: foreign, actions: [], digest: '' })).rejects.toThrow('no environment "tracker"');
  });

  it('[SRV-58] is started again after it was ended', async () => {
    const digest = world.open(task).digest();
    const told = thread.plan({ task, actions: [], digest }).catch((cause: unknown) => String(cause));
    await thread.close();
    expect(await told).toContain('was ended');
    expect(await thread.plan({ task, actions: [], digest })).toMatchObject({ outcome: 'solved' });
  });
});
