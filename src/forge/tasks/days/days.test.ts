import { describe, expect, it } from 'vitest';
import { app as library } from '../../../../examples/library/library.ts';
import { createPlanner } from '../../../agents/planner/planner.ts';
import type { Action } from '../../../core/action.ts';
import type { JsonObject } from '../../../core/json.ts';
import { sealTask, type Task } from '../../../core/records.ts';
import { mail } from '../../../envs/apps/mail/mail.ts';
import { checkLaws } from '../../../worlds/laws.ts';
import { createWorld } from '../../../worlds/world.ts';
import { daysIn, daysPath, endDay, type PlannedDays } from '../../../worlds/wrappers/days.ts';
import { createTaskPool } from '../../pool/admit-task.ts';
import { forgeApp } from '../../forge-app.ts';

const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: 3000 });
const world = createWorld(forgeApp(mail, { kinds: ['days'] }));
const template = 'two-days.forged';
const seeds = [1, 2, 3, 4];
const finish: Action = { kind: 'finish' };
const end: Action = { kind: 'call', tool: endDay, input: {} };

function callsOf({ parameters }: Task): readonly Action[] {
  const calls = parameters['calls'] as unknown as readonly { command: string; input: JsonObject }[];
  return calls.map(({ command, input }) => ({ kind: 'call', tool: command, input }));
}

function verdictOf(task: Task, actions: readonly Action[]) {
  const session = world.open(task);
  for (const action of actions) session.step(action);
  const verdict = session.verify();
  const failed = verdict.checks.filter(({ pass }) => !pass).map(({ id }) => id);
  return { ...verdict, failed, plan: daysIn(session.state() as JsonObject) };
}

describe('days', () => {
  it('[FORGE-36] another user changes what was asked for, and who puts it right passes', () => {
    for (const seed of seeds) {
      const task = world.task(template, seed);
      const calls = callsOf(task);
      expect(calls[1]).toEqual(end);
      expect([task.instruction, verdictOf(task, [...calls, finish]).pass]).toEqual([task.instruction, true]);
    }
  });

  it('[FORGE-36] who does not look again loses exactly the checks of what was changed, by their weights', () => {
    for (const seed of seeds) {
      const task = world.task(template, seed);
      const [first] = callsOf(task) as [Action];
      const blind = verdictOf(task, [first, end, finish]);
      expect(blind.pass).toBe(false);
      expect(blind.failed.length).toBeGreaterThan(0);
      expect(blind.failed).not.toContain('held-on-day-1');
      expect(blind.failed).not.toContain('days-worked');
      const lost = 2 * blind.failed.length;
      const all = 2 * (blind.checks.length - 2) + 2;
      expect(blind.progress).toBeCloseTo(1 - lost / all, 9);
      // Who works on the last day alone did not keep the first; who ends with the first did not work the second.
      expect(verdictOf(task, [end, first, finish]).failed).toEqual(['held-on-day-1']);
      expect(verdictOf(task, [first, finish]).failed).toEqual(['held-on-day-1', 'days-worked']);
    }
  });

  it('[FORGE-36] are admitted by the ladder, and keep the laws', async () => {
    const pool = createTaskPool({ environment: world, planner });
    for (const seed of [2, 4, 6]) expect(await pool.admit(template, seed)).toMatchObject({ admitted: true });
    const checked = createWorld(forgeApp(mail, { kinds: ['days'] }), { checked: true });
    const tasks = [checked.task(template, 1)];
    expect((await checkLaws(checked, { tasks })).filter(({ pass }) => !pass)).toEqual([]);
  });

  it('[FORGE-36] an event that makes the task impossible is refused by the ladder', async () => {
    // Somebody deletes for good what the task is about.
    const impossible = (task: Task): Task => {
      const [patch] = task.patch;
      const plan = (patch as unknown as { value: PlannedDays }).value;
      const [asked] = plan.events;
      const id = Object.values(asked?.input ?? {})
        .flat()
        .find(value => /^m\d+$/.test(String(value)));
      const event = { command: 'delete_forever_for_test', input: { id: String(id) } };
      const value = { ...plan, events: [event] };
      return sealTask({
        ...task,
        parameters: { ...task.parameters, event },
        patch: [{ op: 'replace', path: daysPath, before: null, value: value as never }],
      });
    };
    const deleting = {
      ...mail,
      commands: [
        ...mail.commands,
        {
          ...(mail.commands[0] as (typeof mail.commands)[number]),
          name: 'delete_forever_for_test',
          parse: (input: JsonObject) => ({ input }),
          run(draft: { messages: { id: string }[] }, { id }: JsonObject) {
            draft.messages = draft.messages.filter(message => message.id !== id);
          },
        },
      ],
    } as unknown as typeof mail;
    const harsh = createWorld(forgeApp(deleting, { kinds: ['days'] }));
    const pool = createTaskPool({
      environment: { ...harsh, task: (id, seed) => impossible(world.task(id, seed)) },
      planner,
    });
    const admission = await pool.admit(template, 1);
    expect(admission).toMatchObject({ admitted: false });
    expect('rung' in admission && ['second verifier agrees', 'solvable'].includes(admission.rung)).toBe(true);
  });

  it('[FORGE-36] what one command did, another one of the app may undo overnight', async () => {
    const desk = createWorld(forgeApp(library, { kinds: ['days'] }));
    const pool = createTaskPool({ environment: desk, planner });
    const tasks = seeds.map(seed => desk.task(template, seed));
    const asked = (task: Task): unknown => (task.parameters['calls'] as unknown as { command: string }[])[0]?.command;
    const overnight = (task: Task): unknown => (task.parameters['event'] as unknown as { command: string }).command;
    expect(tasks.some(task => asked(task) !== overnight(task))).toBe(true);
    expect(await pool.admit(template, 1)).toMatchObject({ admitted: true });
  });

  it('[FORGE-36] an app whose commands leave no room for it is refused, and told what is needed', () => {
    const commands = library.commands.filter(({ name }) => name !== 'return_book');
    expect(() => forgeApp({ ...library, commands }, { kinds: ['days'] })).toThrow(
      /offers no tasks of the kinds days[^]*another call of the app can undo/,
    );
  });
});
