import { describe, expect, it } from 'vitest';
import { app as library } from '../../../../examples/library/library.ts';
import type { Action } from '../../../core/action.ts';
import { mail } from '../../../envs/apps/mail/mail.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { Task } from '../../../core/records.ts';
import { checkLaws } from '../../../worlds/laws.ts';
import { createWorld } from '../../../worlds/world.ts';
import { eventIn, type PlannedEvent } from '../../../worlds/wrappers/events.ts';
import { nextNoiseLevel, withNoiseLevel } from '../../../worlds/wrappers/lost-steps.ts';
import { createPlanner } from '../../../agents/planner/planner.ts';
import { createTaskPool } from '../../pool/admit-task.ts';
import { forgeApp } from '../../forge-app.ts';
import { readForgeName } from '../../forge-name.ts';

const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: 600 });
const world = createWorld(forgeApp(library, { kinds: ['events'] }));
const template = 'while-others-work.forged';
const seeds = [1, 2, 3, 4, 5, 6];
const finish: Action = { kind: 'finish' };

function eventCall({ parameters }: Task): Action {
  const { command, input } = parameters['event'] as unknown as PlannedEvent;
  return { kind: 'call', tool: command, input };
}

function run(task: Task, actions: readonly Action[]) {
  const session = world.open(task);
  for (const action of actions) session.step(action);
  return { pass: session.verify().pass, happened: eventIn(session.state() as JsonObject)?.happened };
}

describe('events', () => {
  it('[FORGE-24] happen between two steps of the agent, and are not held against it', () => {
    for (const seed of seeds) {
      const task = world.task(template, seed);
      const plan = planner.plan(world.open(task));
      expect([task.instruction, plan.outcome]).toEqual([task.instruction, 'solved']);
      const actions = plan.outcome === 'solved' ? plan.actions : [];
      expect(run(task, actions)).toEqual({ pass: true, happened: true });
    }
  });

  it('[FORGE-24] an agent that does the work of others fails, whether it comes first or again', () => {
    for (const seed of seeds) {
      const task = world.task(template, seed);
      const plan = planner.plan(world.open(task));
      const actions = plan.outcome === 'solved' ? plan.actions.slice(0, -1) : [];
      expect(run(task, [eventCall(task), ...actions, finish]).pass).toBe(false);
    }
  });

  it('[FORGE-24] an agent that does it first fails, although doing it again changes nothing', () => {
    const mailbox = createWorld(forgeApp(mail, { kinds: ['events'] }));
    const passes = (task: Task, actions: readonly Action[]): boolean => {
      const session = mailbox.open(task);
      for (const action of actions) session.step(action);
      return session.verify().pass;
    };
    for (let seed = 1; seed <= 16; seed++) {
      const task = mailbox.task(template, seed);
      const [own] = task.parameters['calls'] as unknown as { command: string; input: JsonObject }[];
      const call: Action = { kind: 'call', tool: own?.command ?? '', input: own?.input ?? {} };
      expect([task.instruction, passes(task, [call, finish])]).toEqual([task.instruction, true]);
      expect([task.parameters['event'], passes(task, [eventCall(task), call, finish])]).toEqual([
        task.parameters['event'],
        false,
      ]);
    }
  });

  it('[FORGE-24] what happens is the same each time, and after a rollback', async () => {
    const tasks = seeds.slice(0, 3).map(seed => world.task(template, seed));
    const results = await checkLaws(createWorld(forgeApp(library, { kinds: ['events'] }), { checked: true }), {
      tasks,
    });
    expect(results.filter(({ pass }) => !pass)).toEqual([]);
  });

  it('[FORGE-24] tasks with events are admitted', async () => {
    const pool = createTaskPool({ environment: world, planner });
    for (const seed of seeds) expect(await pool.admit(template, seed)).toMatchObject({ admitted: true });
  });
});

describe('noise', () => {
  const forged = forgeApp(library, { kinds: ['commands', 'chains'] });
  const noisy = createWorld(withNoiseLevel(forged, 3));

  it('[FORGE-25] level 0 is the app itself, and higher levels obey the laws', async () => {
    expect(withNoiseLevel(forged, 0)).toBe(forged);
    const checked = createWorld(withNoiseLevel(forged, 3), { checked: true });
    const tasks = seeds.slice(0, 3).map(seed => checked.task('lend-book.forged', seed));
    expect((await checkLaws(checked, { tasks })).filter(({ pass }) => !pass)).toEqual([]);
    expect(() => withNoiseLevel(forged, 4)).toThrow(/There is no noise level 4/);
  });

  it('[FORGE-25] goes on where a command writes a new screen state', () => {
    const mailbox = createWorld(withNoiseLevel(mail as unknown as typeof library, 1), { checked: true });
    const session = mailbox.open(mailbox.task('star-message', 1));
    const folders = session.candidates().filter(({ action }) => action.kind === 'click');
    for (const { action } of folders.slice(0, 6)) session.step(action);
    expect(session.state()).toMatchObject({ ui: { noise: { seed: expect.anything() as unknown } } });
  });

  it('[FORGE-25] asks for the same as without, and loses more steps the higher the level', () => {
    const plain = createWorld(forged);
    const lost = [1, 2, 3].map(level => {
      const loud = createWorld(withNoiseLevel(forged, level));
      let count = 0;
      for (let seed = 1; seed <= 10; seed++) {
        const task = loud.task('lend-book.forged', seed);
        expect(task.instruction).toBe(plain.task('lend-book.forged', seed).instruction);
        const session = loud.open(task);
        for (let step = 0; step < 30; step++) {
          session.step({ kind: 'fill', ref: 'e1', text: `text ${step}.` });
          if (!session.observe().text.includes(`text ${step}.`)) count++;
        }
      }
      return count;
    });
    expect(lost[0]).toBeGreaterThan(0);
    expect(lost[1]).toBeGreaterThan(lost[0] ?? 0);
    expect(lost[2]).toBeGreaterThan(lost[1] ?? 0);
  });

  it('[FORGE-25] a share of the tasks has the noise, and the others are as without', () => {
    const [plain, half] = [createWorld(forged), createWorld(withNoiseLevel(forged, 3, 0.5))];
    const isNoisy = (seed: number): boolean => {
      const [quiet, loud] = [plain, half].map(one => one.open(one.task('lend-book.forged', seed)));
      const texts = Array.from(
        { length: 30 },
        (_, step) => ({ kind: 'fill', ref: 'e1', text: `text ${step}.` }) as const,
      );
      return texts.some(action => {
        for (const session of [quiet, loud]) session?.step(action);
        return quiet?.observe().text !== loud?.observe().text;
      });
    };
    const struck = Array.from({ length: 40 }, (_, seed) => isNoisy(seed + 1)).filter(Boolean).length;
    expect(struck).toBeGreaterThan(10);
    expect(struck).toBeLessThan(30);
    expect(readForgeName('forge:mail,noise=2,share=0.25')).toMatchObject({ noise: 2, share: 0.25 });
    expect(() => readForgeName('forge:mail,noise=2,share=2')).toThrow('is no option of forged tasks');
  });

  it('[FORGE-25] tasks with noise are admitted: what was lost is done again', async () => {
    const pool = createTaskPool({ environment: noisy, planner });
    const admissions = [];
    for (const { id } of noisy.templates) for (const seed of [1, 2]) admissions.push(await pool.admit(id, seed));
    expect(admissions.filter(({ admitted }) => !admitted)).toEqual([]);
  });

  it('[FORGE-25] a student goes on to the next level when it passes most of this one', () => {
    expect([nextNoiseLevel(1, 0.59), nextNoiseLevel(1, 0.6), nextNoiseLevel(3, 1)]).toEqual([1, 2, 3]);
  });
});
