import { describe, expect, it } from 'vitest';
import { app as library } from '../../../examples/library/library.ts';
import { mail } from '../../envs/apps/mail/mail.ts';
import type { Action } from '../../core/action.ts';
import type { StateEnvironment } from '../../core/contracts.ts';
import { scalars, type JsonObject } from '../../core/json.ts';
import type { Task } from '../../core/records.ts';
import { createWorld } from '../../worlds/world.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { planInOrder } from '../pool/plan-chain.ts';
import { forgeApp } from '../forge-app.ts';

const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: 500 });
const desk = createWorld(forgeApp(library));
const post = createWorld(forgeApp(mail));
const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

function calls(task: Task): Action[] {
  const made = task.parameters['calls'] as unknown as { command: string; input: JsonObject }[];
  return made.map(({ command, input }) => ({ kind: 'call', tool: command, input }));
}

function passes(world: StateEnvironment, task: Task, actions: readonly Action[]): boolean {
  const session = world.open(task);
  for (const action of actions) session.step(action);
  return session.verify().pass;
}

const finish: Action = { kind: 'finish' };

describe('chains', () => {
  it('[FORGE-9] pass when everything was done, and not when a part of it was', () => {
    for (const world of [desk, post]) {
      for (const seed of seeds) {
        const task = world.task('two-commands.forged', seed);
        const both = calls(task);
        expect([task.instruction, passes(world, task, [...both, finish])]).toEqual([task.instruction, true]);
        for (const one of both) expect(passes(world, task, [one, finish])).toBe(false);
      }
    }
  });

  it('[FORGE-9] are planned call by call, in the order of the instruction', () => {
    for (const seed of [1, 2]) {
      const task = desk.task('three-commands.forged', seed);
      const plan = planInOrder(desk, planner, task);
      expect(plan.outcome).toBe('solved');
      expect(passes(desk, task, plan.outcome === 'solved' ? plan.actions : [])).toBe(true);
    }
  });

  it('[FORGE-9] fail when a part that was done before is done again', () => {
    const task = desk.task('partly-done.forged', 4);
    const left = calls(task);
    expect(left).toHaveLength(1);
    expect(passes(desk, task, [...left, finish])).toBe(true);
    expect(passes(desk, task, [...left, ...left, finish])).toBe(false);
    const session = desk.open(task);
    const before = desk.verifier(task).initial as ReturnType<typeof library.init>;
    const lent = before.books.find(({ loan }) => loan !== null);
    session.step({ kind: 'call', tool: 'return_book', input: { id: lent?.id ?? '' } });
    for (const action of [...left, finish]) session.step(action);
    expect(session.verify().pass).toBe(false);
  });
});

describe('conflicts', () => {
  it.each(['already-done.forged', 'missing-record.forged'])(
    '[FORGE-10] %s: half of the tasks are ordinary',
    template => {
      const kinds = Array.from({ length: 30 }, (_, seed) => post.task(template, seed).kind);
      const ordinary = kinds.filter(kind => kind === 'feasible').length;
      expect(ordinary).toBeGreaterThan(7);
      expect(ordinary).toBeLessThan(23);
    },
  );

  it('[FORGE-10] end rightly only after a look, and fail when the calls are made blindly', () => {
    for (const template of ['already-done.forged', 'missing-record.forged']) {
      const tasks = seeds.map(seed => desk.task(template, seed)).filter(({ kind }) => kind !== 'feasible');
      const solved = tasks.flatMap(task => {
        const plan = planner.plan(desk.open(task));
        return plan.outcome === 'solved' ? [{ task, actions: plan.actions }] : [];
      });
      expect(solved.length).toBeGreaterThan(0);
      for (const { task, actions } of solved) {
        const ending = actions.at(-1) as Action;
        expect(actions.length).toBeGreaterThan(1);
        expect([task.instruction, passes(desk, task, actions)]).toEqual([task.instruction, true]);
        expect([task.instruction, passes(desk, task, [ending])]).toEqual([task.instruction, false]);
        expect(
          passes(desk, task, [
            ...actions.slice(0, -1),
            ending.kind === 'finish' && ending.infeasible === true ? finish : { kind: 'finish', infeasible: true },
          ]),
        ).toBe(false);
      }
    }
  });
});

describe('questions', () => {
  it.each(['look-up.forged', 'compare.forged', 'count.forged'])(
    '[FORGE-11] %s: the answer has to be seen',
    template => {
      const solved = seeds.slice(0, 2).flatMap(seed => {
        const task = post.task(template, seed);
        const plan = planner.plan(post.open(task));
        return plan.outcome === 'solved' ? [{ task, actions: plan.actions }] : [];
      });
      expect(solved.length).toBeGreaterThan(0);
      for (const { task, actions } of solved) {
        const last = actions.at(-1) as Extract<Action, { kind: 'finish' }>;
        const { names, ...others } = task.parameters;
        expect(scalars(others).map(String)).not.toContain(last.answer);
        // Comparisons name both candidates; everything else keeps its answer to itself.
        const candidates = template === 'compare.forged' ? (names as string[]) : [];
        const isSaid = task.instruction.toLowerCase().includes(last.answer?.toLowerCase() ?? '');
        expect([isSaid, candidates.includes(last.answer ?? '')]).toEqual([
          candidates.length > 1,
          candidates.length > 1,
        ]);
        for (const wrong of candidates.filter(name => name !== last.answer))
          expect(passes(post, task, [...actions.slice(0, -1), { kind: 'finish', answer: wrong }])).toBe(false);
        // The right answer passes after a look alone.
        expect([task.instruction, passes(post, task, [last])]).toEqual([task.instruction, false]);
        expect([task.instruction, passes(post, task, actions)]).toEqual([task.instruction, true]);
        expect(passes(post, task, [...actions.slice(0, -1), { kind: 'finish', answer: 'something else' }])).toBe(false);
      }
    },
  );
});

describe('phrases of an author', () => {
  it('[FORGE-12] take the place of sentences that are made', () => {
    const phrases = { lend_book: ['{reader} wants to read {id}.'] };
    const world = createWorld(forgeApp({ ...library, phrases }, { kinds: ['commands'] }));
    expect(world.task('lend-book.forged', 3).instruction).toMatch(/"[^"]+" wants to read (?:the book )?"[^"]+"\.$/);
  });
});
