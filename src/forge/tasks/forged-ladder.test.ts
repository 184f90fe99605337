import { describe, expect, it } from 'vitest';
import { app as library } from '../../../examples/library/library.ts';
import { createWorld } from '../../kernel/world.ts';
import { createPlanner } from '../../policies/planner.ts';
import { admitTemplates } from '../admission.ts';
import { forgeApp } from './forge-app.ts';

const desk = forgeApp(library);
const world = createWorld(desk);
const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: 5000 });

describe('forged templates', () => {
  it('[FORGE-13] climb the admission ladder', () => {
    const admissions = [...admitTemplates(desk, { planner, seeds: 4, tries: 20 })];
    expect(admissions.filter(({ admitted }) => !admitted)).toEqual([]);
    expect(admissions.map(({ template }) => template)).toEqual(desk.templates.map(({ id }) => id));
    expect(admissions.length).toBe(12);
  });

  it('[FORGE-10] take only commands whose changes some screen shows for what is already done', () => {
    // No screen of the library shows its waiting list.
    for (let seed = 1; seed <= 12; seed++) {
      const [call] = world.task('already-done.forged', seed).parameters['calls'] as unknown as { command: string }[];
      expect(call?.command).not.toBe('reserve_book');
    }
  });

  it('[FORGE-11] ask for nothing that the first screen shows', () => {
    for (const template of ['look-up.forged', 'compare.forged', 'count.forged']) {
      for (let seed = 1; seed <= 12; seed++) {
        const session = world.open(world.task(template, seed));
        session.step(session.guide().finish);
        expect([session.task.instruction, session.verify().pass]).toEqual([session.task.instruction, false]);
      }
    }
  });

  it('[FORGE-14] are left out where the app offers none of them', () => {
    const bare = { ...library, view: () => ({ role: 'page', name: 'Nothing to see' }) as const };
    const ids = forgeApp(bare).templates.map(({ id }) => id);
    expect(ids).toContain('lend-book.forged');
    expect(ids).not.toContain('look-up.forged');
    expect(ids).not.toContain('already-done.forged');
  });
});
