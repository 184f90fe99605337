import { describe, expect, it } from 'vitest';
import { app as library } from '../../../../examples/library/library.ts';
import { mail } from '../../../envs/apps/mail/mail.ts';
import { tracker } from '../../../envs/apps/tracker/tracker.ts';
import type { Action } from '../../../core/action.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { Task } from '../../../core/records.ts';
import { joinApps } from '../../../worlds/joined/join-apps.ts';
import type { App } from '../../../worlds/app/app.ts';
import { checkLaws } from '../../../worlds/laws.ts';
import { createWorld } from '../../../worlds/world.ts';
import { createPlanner } from '../../../agents/planner/planner.ts';
import { planInOrder } from '../../pool/plan-chain.ts';
import { forgeApp } from '../../forge-app.ts';

const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: 600 });
const [post, desk, board] = [mail, library, tracker] as unknown as App<JsonObject>[];
const joined = joinApps([post as App<JsonObject>, desk as App<JsonObject>]);
const world = createWorld(forgeApp(joined, { kinds: ['requests'] }));
const seeds = [1, 2, 3, 4];

function callOf({ parameters }: Task): Action {
  const [call] = parameters['calls'] as unknown as [{ command: string; input: JsonObject }];
  return { kind: 'call', tool: call.command, input: call.input };
}

function passes(task: Task, actions: readonly Action[]): boolean {
  const session = world.open(task);
  for (const action of actions) session.step(action);
  return session.verify().pass;
}

describe('apps in one world', () => {
  it('[FORGE-22] obey the laws, and keep the names of tables and commands apart', async () => {
    const both = joinApps([post as App<JsonObject>, board as App<JsonObject>]);
    const commands = both.commands.map(({ name }) => name);
    expect(new Set(commands).size).toBe(commands.length);
    expect(commands).toEqual(expect.arrayContaining(['mail_delete_label', 'tracker_delete_label', 'star_message']));
    const forged = createWorld(forgeApp(joined, { kinds: ['commands'] }), { checked: true });
    const tasks = ['lend-book.forged', 'star-message.forged'].map(id => forged.task(id, 1));
    expect((await checkLaws(forged, { tasks })).filter(({ pass }) => !pass)).toEqual([]);
  });

  it('[FORGE-22] are refused when they are one app twice', () => {
    expect(() => joinApps([post as App<JsonObject>, post as App<JsonObject>])).toThrow(/cannot be joined/);
  });

  it('[FORGE-22] name records of the app that a command belongs to, though both number theirs alike', () => {
    const both = joinApps([post as App<JsonObject>, board as App<JsonObject>]);
    const labels = createWorld(forgeApp(both, { kinds: ['commands'] }));
    for (const seed of seeds) {
      const task = labels.task('tracker-delete-label.forged', seed);
      const state = labels.verifier(task).initial as unknown as { tracker_labels: { id: string; name: string }[] };
      const { id } = task.parameters['input'] as { id: string };
      const name = state.tracker_labels.find(label => label.id === id)?.name ?? '';
      expect(task.instruction).toContain(`"${name}"`);
    }
  });
});

describe('requests', () => {
  it('[FORGE-23] say what to do in a record of the other app alone', () => {
    for (const seed of seeds) {
      const task = world.task('request.forged', seed);
      const [, deskPart] = joined.parts;
      const call = callOf(task) as Extract<Action, { kind: 'call' }>;
      const isDesk = deskPart?.commands.has(call.tool) === true;
      // Only mail has records with prose: what is asked for is done at the desk.
      expect([task.instruction, isDesk]).toEqual([task.instruction, true]);
      const told = String(task.parameters['told']);
      for (const [quoted] of told.matchAll(/"[^"]+"/g)) expect(task.instruction).not.toContain(quoted);
      expect(world.open(task).observe().text).not.toContain(told);
    }
  });

  it('[FORGE-23] fail when what they ask for is done unread', () => {
    for (const seed of seeds) {
      const task = world.task('request.forged', seed);
      const session = world.open(task);
      session.step(callOf(task));
      session.step({ kind: 'finish' });
      const { pass, checks } = session.verify();
      expect([pass, checks.filter(check => check.pass).length]).toEqual([false, checks.length - 1]);
    }
  });

  it('[FORGE-23] pass only when the request was read', () => {
    for (const seed of seeds) {
      const task = world.task('request.forged', seed);
      expect(passes(task, [callOf(task), { kind: 'finish' }])).toBe(false);
      const plan = planInOrder(world, planner, task);
      expect([task.instruction, plan.outcome]).toEqual([task.instruction, 'solved']);
      const actions = plan.outcome === 'solved' ? plan.actions : [];
      expect(passes(task, actions)).toBe(true);
      // The demonstration opens the record before it acts.
      const session = world.open(task);
      const told = String(task.parameters['told']);
      const read = actions.findIndex(action => {
        session.step(action);
        return session.observe().text.includes(told);
      });
      expect(read).toBeGreaterThanOrEqual(0);
      expect(read).toBeLessThan(actions.length - 2);
    }
  });
});
