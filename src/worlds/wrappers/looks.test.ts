import { describe, expect, it } from 'vitest';
import { mail as app } from '../../envs/apps/mail/mail.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { createManualClock } from '../../core/clock.ts';
import { checkLaws } from '../laws.ts';
import { createWorld } from '../world.ts';
import { readLook, withLooks } from './looks.ts';

const world = createWorld(withLooks(app));
const looks = ['own', 'words', 'order', 'both'];

describe('looks of an app', () => {
  it('[WRAP-10] give a template in each look: the same task, another screen, and plans that verify', async () => {
    expect(world.templates.map(({ id }) => id)).toEqual(
      app.templates.flatMap(({ id }) => looks.map(look => `${id}@${look}`)),
    );
    const planner = createPlanner({ clock: createManualClock() });
    const [first] = app.templates;
    const tasks = looks.map(look => world.task(`${first?.id}@${look}`, 5));
    expect(new Set(tasks.map(({ instruction }) => instruction)).size).toBe(1);
    expect(new Set(tasks.map(({ parameters }) => JSON.stringify(parameters))).size).toBe(1);
    expect(new Set(tasks.map(task => world.open(task).observe().text)).size).toBe(looks.length);
    for (const task of tasks) {
      const plan = planner.plan(world.open(task));
      const session = world.open(task);
      for (const action of plan.outcome === 'solved' ? plan.actions : []) session.step(action);
      expect(session.verify().pass).toBe(true);
    }
    for (const result of await checkLaws(world, { tasks })) expect(result).toMatchObject({ pass: true });
  });

  it('[WRAP-10] leave out what would change nothing', () => {
    const ids = withLooks({ ...app, synonyms: {} }).templates.map(({ id }) => readLook(id)?.look);
    expect([...new Set(ids)]).toEqual(['own', 'order']);
    expect(readLook('star-message')).toBeNull();
    expect(readLook('ada@example')).toBeNull();
  });
});
