import { describe, expect, it } from 'vitest';
import { app as library } from '../../../../examples/library/library.ts';
import { shop } from '../../../envs/apps/shop/shop.ts';
import { tracker } from '../../../envs/apps/tracker/tracker.ts';
import type { Action } from '../../../core/action.ts';
import type { StateEnvironment } from '../../../core/contracts.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import type { Task } from '../../../core/records.ts';
import { createWorld } from '../../../worlds/world.ts';
import { createPlanner } from '../../../agents/planner/planner.ts';
import { forgeApp } from '../../forge-app.ts';

const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: 800 });
const desk = createWorld(forgeApp(library, { kinds: ['conflicts'] }));
const board = createWorld(forgeApp(tracker, { kinds: ['conflicts'] }));
const store = createWorld(forgeApp(shop, { kinds: ['conflicts'] }));
const seeds = Array.from({ length: 12 }, (_, index) => index + 1);
const finish: Action = { kind: 'finish' };
const giveUp: Action = { kind: 'finish', infeasible: true };

function tasksOf(world: StateEnvironment, template: string): { conflicts: Task[]; twins: Task[] } {
  const tasks = seeds.map(seed => world.task(template, seed));
  return {
    conflicts: tasks.filter(({ parameters }) => parameters['conflict'] !== undefined),
    twins: tasks.filter(({ parameters }) => parameters['conflict'] === undefined),
  };
}

function callsOf({ parameters }: Task): Action[] {
  const calls = parameters['calls'] as unknown as { command: string; input: JsonObject }[];
  return calls.map(({ command, input }) => ({ kind: 'call', tool: command, input }));
}

function passes(world: StateEnvironment, task: Task, actions: readonly Action[]): boolean {
  const session = world.open(task);
  for (const action of actions) session.step(action);
  return session.verify().pass;
}

function planned(world: StateEnvironment, task: Task): readonly Action[] {
  const plan = planner.plan(world.open(task));
  expect([task.instruction, plan.outcome]).toEqual([task.instruction, 'solved']);
  return plan.outcome === 'solved' ? plan.actions : [];
}

describe('stale values', () => {
  it('[FORGE-18] nothing is to be done after a look; doing it blindly, or ending blindly, fails', () => {
    const { conflicts, twins } = tasksOf(desk, 'stale-value.forged');
    expect(Math.min(conflicts.length, twins.length)).toBeGreaterThan(2);
    for (const task of conflicts) {
      expect([task.instruction, passes(desk, task, [...callsOf(task), finish])]).toEqual([task.instruction, false]);
      expect(passes(desk, task, [finish])).toBe(false);
      const plan = planned(desk, task);
      expect(plan.length).toBeGreaterThan(1);
      expect(plan.at(-1)).toEqual(finish);
      expect(passes(desk, task, [...plan.slice(0, -1), giveUp])).toBe(false);
    }
    for (const task of twins) {
      expect(passes(desk, task, [...callsOf(task), finish])).toBe(true);
      expect(passes(desk, task, [finish])).toBe(false);
    }
  });

  it('[FORGE-18] the instruction says what was, not what is', () => {
    for (const task of tasksOf(desk, 'stale-value.forged').conflicts) {
      const { value } = task.parameters['conflict'] as { value: Json };
      expect(task.instruction).not.toContain(String(value));
      expect(task.instruction).toContain(String((task.parameters['names'] as JsonObject)['expected']));
    }
  });
});

describe('duplicate names', () => {
  it('[FORGE-19] what is meant passes, the other one of that name does not', () => {
    const { conflicts, twins } = tasksOf(desk, 'duplicate-name.forged');
    expect(Math.min(conflicts.length, twins.length)).toBeGreaterThan(2);
    for (const task of conflicts) {
      const { duplicate } = task.parameters['conflict'] as { duplicate: string };
      const [call] = callsOf(task) as Extract<Action, { kind: 'call' }>[];
      const { books } = desk.verifier(task).initial as unknown as { books: { id: string; title: string }[] };
      const titles = books.filter(({ id }) => id === duplicate || id === call?.input['id']).map(({ title }) => title);
      expect([titles.length, new Set(titles).size]).toEqual([2, 1]);
      expect(passes(desk, task, [...callsOf(task), finish])).toBe(true);
      const wrong = { ...call, input: { ...call?.input, id: duplicate } } as Action;
      expect([task.instruction, passes(desk, task, [wrong, finish])]).toEqual([task.instruction, false]);
    }
  });
});

describe('wrong values', () => {
  it('[FORGE-20] cannot be set by any call, and pass as infeasible only after a look', () => {
    const { conflicts, twins } = tasksOf(board, 'wrong-value.forged');
    expect(Math.min(conflicts.length, twins.length)).toBeGreaterThan(2);
    for (const task of conflicts) {
      const session = board.open(task);
      expect(callsOf(task).map(call => session.step(call).applied)).toEqual([false]);
      expect(passes(board, task, [giveUp])).toBe(false);
      const plan = planned(board, task);
      expect(plan.length).toBeGreaterThan(1);
      expect(passes(board, task, [...plan.slice(0, -1), finish])).toBe(false);
    }
    for (const task of twins) expect(passes(board, task, [...callsOf(task), finish])).toBe(true);
  });

  it('[FORGE-20] are not forged where the state allows any text, though some of it is refused', () => {
    // The library refuses readers without a name, but its state would take them: that is no proof.
    expect(desk.templates.map(({ id }) => id)).not.toContain('wrong-value.forged');
  });
});

describe('what no screen shows', () => {
  it.each(['stale-value.forged', 'duplicate-name.forged'])(
    '[FORGE-10] no task of %s rests on it: a stock of five or more',
    template => {
      for (let seed = 1; seed <= 40; seed++) {
        const { instruction } = store.task(template, seed);
        const stock = /\bstock\b.*? (?:still|was|is) (\d+)/.exec(instruction)?.[1];
        expect([instruction, Number(stock ?? 0) < 5]).toEqual([instruction, true]);
      }
    },
  );
});

describe('evidence of tools alone', () => {
  /** Calls that look for what the instruction names. */
  function looks({ parameters }: Task): Action[] {
    const names = Object.values(parameters['names'] as JsonObject).flat() as string[];
    const searches = names.flatMap(text =>
      ['search_products', 'list_orders'].map((tool): Action => ({ kind: 'call', tool, input: { text } })),
    );
    const lists = ['view_cart', 'list_coupons', 'list_wishes', 'list_addresses'].map(
      (tool): Action => ({ kind: 'call', tool, input: {} }),
    );
    return [...searches, ...lists];
  }

  it.each([
    ['missing-record.forged', giveUp],
    ['already-done.forged', finish],
    ['stale-value.forged', finish],
  ] as const)('[FORGE-28] %s: an answer that is another one without the conflict', (template, ending) => {
    const { conflicts } = tasksOf(store, template);
    expect(conflicts.length).toBeGreaterThan(2);
    for (const task of conflicts) {
      const passing = looks(task).filter(look => passes(store, task, [look, ending]));
      expect([task.instruction, passing.length > 0]).toEqual([task.instruction, true]);
      // It is refused with the conflict and without.
      const guess: Action = { kind: 'call', tool: 'get_product', input: { id: 'p99999' } };
      expect(passes(store, task, [guess, ending])).toBe(false);
    }
  });

  it('[FORGE-20] a call that is refused because of the wrong value, and for no other reason', () => {
    for (const task of tasksOf(board, 'wrong-value.forged').conflicts) {
      const [call] = callsOf(task) as Extract<Action, { kind: 'call' }>[];
      expect([task.instruction, passes(board, task, [call as Action, giveUp])]).toEqual([task.instruction, true]);
      const elsewhere = Object.entries(call?.input ?? {}).map(([key, value]) =>
        /^ids?$|^issue$/.test(key) ? [key, Array.isArray(value) ? ['X-1'] : 'X-1'] : [key, value],
      );
      const input = Object.fromEntries(elsewhere) as JsonObject;
      if (JSON.stringify(input) === JSON.stringify(call?.input)) continue;
      expect(passes(board, task, [{ ...call, input } as Action, giveUp])).toBe(false);
    }
  });
});
