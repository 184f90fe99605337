import { describe, expect, it } from 'vitest';
import { app as library } from '../../../examples/library/library.ts';
import { shop } from '../../envs/apps/shop/shop.ts';
import { createWorld } from '../../worlds/world.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import type { Planner } from '../../core/contracts.ts';
import { admitTemplates } from '../admission/admission.ts';
import { planInOrder } from '../pool/plan-chain.ts';
import { forgeApp } from '../forge-app.ts';

const desk = forgeApp(library);
const world = createWorld(desk);
const plain = createPlanner({ clock: { now: () => 0 }, maxNodes: 700 });
/** Plans chains call by call, as the forge does: that takes a fraction of the states. */
const planner: Planner = {
  ...plain,
  plan: session => (session.task.kind === 'feasible' ? planInOrder(world, plain, session.task) : plain.plan(session)),
};

describe('forged templates', () => {
  it('[FORGE-13] climb the admission ladder', () => {
    const admissions = [...admitTemplates(desk, { planner, seeds: 4, tries: 20 })];
    expect(admissions.filter(({ admitted }) => !admitted)).toEqual([]);
    expect(admissions.map(({ template }) => template)).toEqual(desk.templates.map(({ id }) => id));
    expect(admissions.length).toBe(14);
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

  it('[FORGE-11] ask for members that screens show of this record: of a coupon its percent or its amount', () => {
    const store = createWorld(forgeApp(shop, { kinds: ['questions'] }));
    const asked = ['look-up.forged', 'compare.forged', 'extreme.forged'].flatMap(template =>
      Array.from({ length: 40 }, (_, seed) => store.task(template, seed)),
    );
    const values = asked.flatMap(task => {
      const { table, field, ids } = task.parameters as unknown as { table: string; field: string; ids: string[] };
      const rows = (store.verifier(task).initial as unknown as Record<string, Record<string, number>[]>)[table] ?? [];
      const own = rows.filter(({ id }) => ids.includes(String(id)));
      if (table === 'products' && field === 'stock') return own.map(row => (row['stock'] ?? 0) < 5);
      return table === 'coupons' ? own.map(row => row[field] !== 0) : [];
    });
    expect(values.length).toBeGreaterThan(3);
    expect(values).not.toContain(false);
  });

  it('[FORGE-14] are left out where the app offers none of them', () => {
    const bare = { ...library, view: () => ({ role: 'page', name: 'Nothing to see' }) as const };
    const ids = forgeApp(bare).templates.map(({ id }) => id);
    expect(ids).toContain('lend-book.forged');
    expect(ids).not.toContain('look-up.forged');
    expect(ids).not.toContain('already-done.forged');
  });
});
