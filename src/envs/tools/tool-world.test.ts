import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../core/clock.ts';
import type { StateSession } from '../../core/contracts.ts';
import type { JsonObject } from '../../core/json.ts';
import { sealTask } from '../../core/records.ts';
import { admitWorld } from '../../forge/admission/world-ladder.ts';
import { checkLaws } from '../../worlds/laws.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { createToolGraph } from './graph.ts';
import { createToolEnvironment, readToolTask, toolBaselines, toolFault, toolTemplates } from './tool-environment.ts';
import { isLong } from '../../../test/long-form.ts';
import { costOfWay, planFor, programFor, ways } from '../../../test/fixtures/tool-ways.ts';

const graph = createToolGraph(7);
const environment = createToolEnvironment(7, graph);
const planner = createPlanner({ clock: createManualClock() });

function call(session: StateSession, tool: string, input: JsonObject) {
  return session.step({ kind: 'call', tool, input });
}

describe('a tool graph', () => {
  it('[TOOLS-1] gives every parameter: by the user, or by an earlier call', () => {
    for (const {
      id,
      calls: [fewest, most],
      changes,
    } of toolTemplates)
      for (let seed = 1; seed <= 20; seed++) {
        const task = environment.task(id, seed);
        const { goal } = readToolTask(graph, task);
        expect(goal.length).toBeGreaterThanOrEqual(fewest);
        expect(goal.length).toBeLessThanOrEqual(most);
        expect(goal.filter(({ tool }) => graph.tools.get(tool)?.output === null)).toHaveLength(changes);
        for (const [at, { tool, inputs }] of goal.entries())
          for (const kind of graph.tools.get(tool)?.inputs ?? []) {
            const from = inputs[kind] as string | number;
            const isThere =
              typeof from === 'string'
                ? task.instruction.includes(from)
                : from < at && graph.tools.get(goal[from]?.tool ?? '')?.output === kind;
            expect(isThere).toBe(true);
          }
        expect(toolFault(graph, task)).toBeNull();
      }
  });

  it('[WORLD-1] climbs the ladder (long form: three graphs)', () => {
    for (const seed of isLong ? [1, 2, 7] : [2]) {
      const own = createToolGraph(seed);
      const templates = toolTemplates.map(({ id }) => id);
      const options = { planner, templates, seeds: 12, baselines: toolBaselines };
      const admissions = admitWorld(createToolEnvironment(seed, own), {
        ...options,
        fault: task => toolFault(own, task),
      });
      for (const admission of admissions) expect(admission).toMatchObject({ admitted: true });
    }
  });

  it('obeys the laws of environments', async () => {
    const tasks = toolTemplates.map(({ id }) => environment.task(id, 3));
    for (const result of await checkLaws(environment, { tasks })) expect(result).toMatchObject({ pass: true });
  });

  it('[TOOLS-1] refuses a goal that does not fit it', () => {
    const task = environment.task('short', 1);
    const open = (goal: { tool: string; inputs: Record<string, string | number> }[]) =>
      environment.open(sealTask({ ...task, parameters: { goal, values: [] } }));
    expect(() => open([{ tool: 'constructor', inputs: {} }])).toThrow('there is no tool');
    const [first] = graph.tools.values();
    const [kind = ''] = first?.inputs ?? [];
    expect(() => open([{ tool: first?.name ?? '', inputs: { [kind]: 5 } }])).toThrow(`no ${kind} comes from 5`);
  });
});

describe('a task of a tool graph', () => {
  it('[TOOLS-4] is done by each way, and ends in the same changes', () => {
    for (const { id } of toolTemplates) {
      const task = environment.task(id, 2);
      const costs = ways.map(way => costOfWay(environment, graph, { task, way }));
      for (const cost of costs) expect(cost).toMatchObject({ pass: true });
      const steps = Object.fromEntries(costs.map(cost => [cost.way, cost.steps]));
      expect(steps).toMatchObject({ code: 2, plan: 2, tools: readToolTask(graph, task).goal.length + 1 });
      expect(steps['screen']).toBeGreaterThan(2 * (steps['tools'] as number));
      expect(steps['screen']).toBeLessThanOrEqual(task.budget.steps);
    }
  });

  it('[TOOLS-2] fails with a change too many, and passes when it is taken back', () => {
    const task = environment.task('short', 1);
    const session = environment.open(task);
    const wrong = [...graph.tools.values()].find(
      ({ name, output }) => output === null && !readToolTask(graph, task).goal.some(({ tool }) => tool === name),
    );
    const input = Object.fromEntries((wrong?.inputs ?? []).map(kind => [kind, graph.values.get(kind)?.[0] ?? '']));
    expect(call(session, wrong?.name ?? '', input)).toMatchObject({ applied: true, result: true });
    expect(call(session, wrong?.name ?? '', input).problem?.message).toContain('done already');
    expect(session.guide()).toMatchObject({ clean: false, next: { tool: 'cancel' } });
    const unclean = session.fork();
    for (const { tool, input: needed } of readToolTask(graph, task).needed) call(unclean, tool.name, needed);
    unclean.step({ kind: 'finish' });
    expect(unclean.verify()).toMatchObject({ pass: false, clean: false, progress: 1 });
    const plan = planner.plan(session);
    for (const action of plan.outcome === 'solved' ? plan.actions : []) session.step(action);
    expect(session.verify()).toMatchObject({ pass: true, clean: true });
  });

  it('[TOOLS-2] fails where the values were guessed and not looked up', () => {
    const task = environment.task('short', 1);
    const session = environment.open(task);
    const last = readToolTask(graph, task).needed.at(-1);
    expect(call(session, last?.tool.name ?? '', last?.input ?? {}).applied).toBe(true);
    session.step({ kind: 'finish' });
    const { checks, pass } = session.verify();
    expect(pass).toBe(false);
    expect(checks.find(({ id }) => id === 'looked-up')?.pass).toBe(false);
  });

  it('[TOOLS-3] changes nothing when a plan, a program or an input is wrong', () => {
    const task = environment.task('medium', 1);
    const { goal } = readToolTask(graph, task);
    const session = environment.open(task);
    const before = session.digest();
    const calls = planFor(goal);
    const [first] = graph.tools.values();
    for (const [tool, input] of [
      ['plan', { calls: [...calls, { tool: 'nothing', input: {} }] }],
      ['plan', { calls: calls.toReversed() }],
      ['plan', { calls: [] }],
      ['run', { program: `${programFor(goal).replace(/return.*/, '')} boom();` }],
      ['run', { program: 5 }],
      ['run', { program: 'plan({ calls: [] });' }],
      ['run', { program: 'run({ program: "" });' }],
      [first?.name ?? '', {}],
      [first?.name ?? '', Object.fromEntries((first?.inputs ?? []).map(kind => [kind, `${kind}-none`]))],
      ['__proto__', {}],
      ['cancel', { change: 'constructor' }],
    ] as const) {
      expect(call(session, tool, input).applied).toBe(false);
      expect(session.digest()).toBe(before);
    }
    expect(session.step({ kind: 'click', ref: 'e99' })).toMatchObject({ problem: { code: 'unknown-element' } });
    session.step({ kind: 'click', ref: 'e1' });
    const field = session.candidates().find(({ action }) => action.kind === 'fill');
    const ref = field?.action.kind === 'fill' ? field.action.ref : 'e0';
    expect(session.step({ kind: 'fill', ref, text: 'x'.repeat(61) }).applied).toBe(false);
  });
});
