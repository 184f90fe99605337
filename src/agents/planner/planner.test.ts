import { describe, expect, it } from 'vitest';
import { appKit, find } from 'espalier';
import { app } from '../../../examples/library/library.ts';
import { bad, withTemplates } from '../../../test/fixtures/bad-templates.ts';
import { createManualClock } from '../../core/clock.ts';
import { createWorld } from '../../worlds/world.ts';
import { createPlanner } from './planner.ts';

const world = createWorld(app);
const clock = createManualClock();

/** A question whose evidence lies on the pages of two books. */
const olderOfTwo = appKit(app.state).template('older-of-two', {
  about: 'Tell which of two books is older.',
  split: 'train',
  sample(library, random) {
    const [left, right] = random.sample(library.books, 2);
    if (left === undefined || right === undefined || left.year === right.year) return null;
    return { ids: [left.id, right.id], titles: [left.title, right.title] };
  },
  instruction: ({ titles }) => `Which is older, "${titles.join('" or "')}"? Answer with its title.`,
  checks: () => [],
  allow: () => [],
  answer({ ids }, initial) {
    const [left, right] = ids.map(id => find(initial.books, id));
    return ((left?.year ?? 0) < (right?.year ?? 0) ? left?.title : right?.title) ?? '';
  },
  shown: (library, { ids }) => ids.map(id => library.ui.open === id),
});

function solved(template: string, seed: number) {
  const session = world.open(world.task(template, seed));
  const plan = createPlanner({ clock }).plan(session);
  if (plan.outcome !== 'solved') throw new Error(`${template} ${seed}: ${plan.outcome}`);
  return { session, plan };
}

describe('planner', () => {
  it('[PLAN-1] makes plans that replay and verify, and leaves the session alone', () => {
    for (const { id } of world.templates) {
      for (let seed = 0; seed < 10; seed++) {
        const { session, plan } = solved(id, seed);
        expect(session.digest()).toBe(world.open(session.task).digest());
        for (const action of plan.actions) expect(session.step(action).applied).toBe(true);
        expect(session.verify().pass).toBe(true);
        expect(plan.cost).toBe(plan.actions.length);
      }
    }
  });

  it('[PLAN-1] takes the direct way where there is one', () => {
    // The book is on the first page: opening it is shorter than searching for it.
    const { plan } = solved('lend-to-reader', 3);
    expect(plan.actions.map(action => action.kind)).toEqual(['click', 'fill', 'click', 'finish']);
  });

  it('[PLAN-2] tells the unreachable from what the budget did not reach', () => {
    const impossible = createWorld(withTemplates([bad['LAD-4']]));
    const session = impossible.open(impossible.task('impossible', 1));
    expect(createPlanner({ clock, maxNodes: 10 }).plan(session)).toEqual({
      outcome: 'infeasible-within-budget',
      expanded: 10,
    });
    const late = { now: () => clock.now() };
    const expired = createPlanner({ clock: late, maxMilliseconds: -1 }).plan(session);
    expect(expired).toEqual({ outcome: 'infeasible-within-budget', expanded: 0 });
    const closed = createWorld({
      ...withTemplates([bad['LAD-4']]),
      view: () => ({ role: 'page', name: 'Nothing to do' }),
    });
    const stuck = closed.open(closed.task('impossible', 1));
    // The likely actions of the one state, then the unlikely ones: none of either.
    expect(createPlanner({ clock }).plan(stuck)).toEqual({ outcome: 'goal-unreachable', expanded: 2 });
  });

  it('[ENV-9] asks an ended session how it ended, and forks none to find out', () => {
    const { session } = solved('reserve-for-reader', 2);
    session.step({ kind: 'finish' });
    const spied = { ...session, fork: () => expect.fail('forked') };
    expect(createPlanner({ clock }).plan(spied)).toEqual({ outcome: 'goal-unreachable', expanded: 0 });
  });

  it('[PLAN-3] remembers the cost to go along its plan', () => {
    const { session } = solved('reserve-for-reader', 2);
    const planner = createPlanner({ clock });
    const plan = planner.plan(session);
    if (plan.outcome !== 'solved') throw new Error(plan.outcome);
    const spied = { ...session, fork: () => expect.fail('planned again') };
    expect(planner.costToGo(spied)).toBe(plan.cost);
    for (const [index, action] of plan.actions.entries()) {
      expect(planner.costToGo(session)).toBe(plan.cost - index);
      session.step(action);
    }
    expect(planner.costToGo(session)).toBe(0);
    const fresh = world.open(session.task);
    expect(createPlanner({ clock }).costToGo(fresh)).toBe(plan.cost);
    expect(createPlanner({ clock, maxNodes: 0 }).costToGo(fresh)).toBeNull();
    const hurried = createManualClock();
    let late = true;
    const patient = createPlanner({
      clock: { now: () => hurried.now() + (late ? (hurried.advance(1) ?? 0) : 0) },
      maxMilliseconds: 0,
    });
    expect(patient.costToGo(fresh)).toBeNull();
    late = false;
    expect(patient.costToGo(fresh)).toBe(plan.cost);
  });

  it('[PLAN-3] knows that a wrong turn costs steps', () => {
    const { session, plan } = solved('lend-to-reader', 3);
    const planner = createPlanner({ clock });
    session.step({ kind: 'click', ref: 'e3' });
    expect(planner.costToGo(session)).toBe(plan.cost + 1);
  });

  it('[PLAN-5] looks before it answers', () => {
    const { session, plan } = solved('who-has-book', 1);
    const last = plan.actions.at(-1);
    for (const action of plan.actions.slice(0, -1)) session.step(action);
    expect(session.observe().text).toContain(`Lent to ${last?.kind === 'finish' ? last.answer : ''}`);
  });

  it('[PLAN-6] gathers evidence that lies on several screens', () => {
    const asking = createWorld(withTemplates([olderOfTwo]));
    for (let seed = 1; seed <= 4; seed++) {
      const session = asking.open(asking.task('older-of-two', seed));
      const plan = createPlanner({ clock, maxNodes: 300 }).plan(session);
      expect([session.task.instruction, plan.outcome]).toEqual([session.task.instruction, 'solved']);
    }
  });
});
