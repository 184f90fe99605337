import { beforeAll, describe, expect, it } from 'vitest';
import { app as library } from '../../examples/library/library.ts';
import { environments } from '../catalog.ts';
import type { StateEnvironment } from '../core/contracts.ts';
import { isJsonObject, scalars, type Json, type JsonObject } from '../core/json.ts';
import { stateMutants } from '../core/mutate.ts';
import { createRandom } from '../core/random.ts';
import type { Task } from '../core/records.ts';
import { standsIn } from '../core/text.ts';
import { createWorld } from '../worlds/world.ts';
import { createPlanner } from '../agents/planner/planner.ts';
import { readTables } from './data/tables.ts';
import { forgeApp } from './forge-app.ts';
import { isLong } from '../../test/long-form.ts';

const worlds: StateEnvironment[] = [];
const nothingAsked = { answer: null, infeasible: false };

beforeAll(async () => {
  worlds.push(createWorld(forgeApp(library, { kinds: ['commands'] })));
  for (const entry of environments) worlds.push(createWorld(forgeApp(await entry.app(), { kinds: ['commands'] })));
});

function tasksOf(world: StateEnvironment, seeds: readonly number[]): Task[] {
  return world.templates.flatMap(({ id }) => seeds.map(seed => world.task(id, seed)));
}

/** The state after the call of a task. */
function goldOf(world: StateEnvironment, task: Task): JsonObject {
  const session = world.open(task);
  const tool = task.template.replace('.forged', '').replaceAll('-', '_');
  const { applied } = session.step({ kind: 'call', tool, input: task.parameters['input'] as JsonObject });
  expect([task.id, applied]).toEqual([task.id, true]);
  return session.state() as JsonObject;
}

describe('tasks that are forged from commands', () => {
  it('[FORGE-1] are made of every command', () => {
    const commands = worlds.map(({ id, templates }) => [id, templates.length]);
    expect(commands).toEqual([
      ['library', 3],
      ['mail', 24],
      ['shop', 20],
      ['tracker', 28],
    ]);
    for (const world of worlds) expect(tasksOf(world, [1]).map(({ kind }) => kind)).not.toContain('infeasible');
  });

  it('[FORGE-1] do not depend on what was forged before', () => {
    const again = createWorld(forgeApp(library, { kinds: ['commands'] }));
    const ids = again.templates.map(({ id }) => id).toReversed();
    for (const id of ids) expect(again.task(id, 2)).toEqual((worlds[0] as StateEnvironment).task(id, 2));
  });

  it('[FORGE-2] pass after the call, and not before, nor with anything missing or added (long form: every command)', () => {
    for (const world of worlds) {
      // In the short form a fifth of the commands, and of the small app all.
      const due = world.templates.filter((_, at) => isLong || world === worlds[0] || at % 5 === 0);
      for (const task of due.map(({ id }) => world.task(id, 3))) {
        const { verify, initial, allow, incidental } = world.verifier(task);
        const final = goldOf(world, task);
        expect([task.id, verify(initial, nothingAsked).pass]).toEqual([task.id, false]);
        expect([task.id, verify(final, nothingAsked).pass]).toEqual([task.id, true]);
        const random = createRandom(task.id);
        const mutants = [...stateMutants({ initial, final, allow, incidental, parameters: {}, random })];
        const passed = mutants.filter(({ state }) => verify(state, nothingAsked).pass).map(({ what }) => what);
        expect([task.id, mutants.length > 0, passed]).toEqual([task.id, true, []]);
      }
    }
  });

  it('[FORGE-3] say what is needed, and name records that can be told apart', () => {
    for (const world of worlds) {
      for (const task of tasksOf(world, [4, 5])) {
        const state = world.verifier(task).initial as JsonObject;
        const ids = hiddenIds(state);
        const words = task.instruction.split(/[\s"':,()]+/);
        expect([task.id, words.filter(word => ids.has(word))]).toEqual([task.id, []]);
        for (const name of scalars(task.parameters['names'] as Json).map(String))
          expect([task.instruction, standsIn(task.instruction, name)]).toEqual([task.instruction, true]);
      }
    }
  });

  it('[FORGE-1] [FORGE-3] can be solved through the screen', () => {
    const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: 400 });
    const world = worlds[0] as StateEnvironment;
    for (const task of tasksOf(world, [1, 2, 3])) {
      const plan = planner.plan(world.open(task));
      expect([task.instruction, plan.outcome]).toEqual([task.instruction, 'solved']);
    }
  });
});

/** Ids such as m17, which no screen shows. */
function hiddenIds(state: JsonObject): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { places } of readTables(state).values()) {
    for (const { row } of places) if (isJsonObject(row) && /^[a-z]+\d+$/.test(row.id)) ids.add(row.id);
  }
  return ids;
}
