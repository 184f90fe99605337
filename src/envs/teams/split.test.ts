import { describe, expect, it } from 'vitest';
import { perfectTeacher, planFor, run, runOne } from '../../../test/fixtures/episode-setup.ts';
import { createRandomPolicy } from '../../agents/random.ts';
import { createTeam } from '../../agents/team.ts';
import { annotate } from '../../analysis/signals/signal.ts';
import { agents } from '../../analysis/signals/agents.ts';
import { app } from '../../../examples/library/library.ts';
import type { OrdinaryPolicy, Policy, PrivilegedPolicy } from '../../core/episode/agents.ts';
import { createLinear } from '../../episode/strategies/linear.ts';
import { checkLaws } from '../../worlds/laws.ts';
import { createWorld } from '../../worlds/world.ts';
import { requireRoles } from '../../runs/jobs/agents.ts';
import { splitEnvironment } from './split-environment.ts';
import { createPuzzleEnvironment } from './puzzle-environment.ts';

const alone = createWorld(app);
const world = splitEnvironment(alone);
const task = world.task('lend-to-reader', 3);
const expert: PrivilegedPolicy = {
  name: 'expert',
  privileged: true,
  act: (_view, session) => ({ action: planFor(session)[0] ?? null }),
};
const parts = { environment: world, teacher: null, strategy: createLinear() };

describe('an app for a planner and an executor', () => {
  it('[TEAM-6] keeps the laws of sessions', async () => {
    for (const result of await checkLaws(world, { tasks: [task] })) expect(result).toMatchObject({ pass: true });
  });

  it('[TEAM-6] takes two steps for one, each by its role, and passes where one agent alone passes', () => {
    const steps = planFor(alone.open(alone.task('lend-to-reader', 3)));
    const plan = planFor(world.open(task));
    expect(plan).toHaveLength(2 * steps.length - 1);
    const session = world.open(task);
    const roles = plan.map(action => session.step(action).role);
    expect(roles.slice(0, 2)).toEqual(['planner', 'executor']);
    expect(roles.at(-1)).toBe('planner');
    expect(session.verify().pass).toBe(true);
  });

  it('[TEAM-6] lets the executor use nothing but what the planner pointed at, and only the planner finish', () => {
    const session = world.open(task);
    const [first, second] = session.candidates();
    const [one, other] = [first?.action, second?.action] as [
      { kind: 'click'; ref: string },
      { kind: 'click'; ref: string },
    ];
    expect(session.step({ kind: 'call', tool: 'lend', input: {} })).toMatchObject({ applied: false, role: 'planner' });
    expect(session.step(one)).toMatchObject({ applied: true, role: 'planner' });
    expect(session.observe().text.match(/\[e\d+\]/g)).toEqual([`[${one.ref}]`]);
    expect(session.step(other).problem?.message).toBe(`The executor uses ${one.ref}, which the planner pointed at.`);
    expect(session.step({ kind: 'finish' }).applied).toBe(false);
    expect(session.ended()).toBeNull();
  });
});

describe('teams', () => {
  const team = (members: Record<string, Policy>): Policy => createTeam(new Map(Object.entries(members)));

  it('[TEAM-7] ask the policy of the role whose turn it is, and sign each step with it', async () => {
    const { end, tree } = await runOne({
      task,
      parts: { ...parts, student: team({ planner: expert, executor: expert }) },
    });
    expect(end.outcome).toBe('passed');
    const random = team({ planner: expert, executor: createRandomPolicy() });
    const mixed = await runOne({ task, parts: { ...parts, student: random } });
    const signed = mixed.tree.record().nodes.map(({ actor, outcome }) => [outcome.role, actor.role, actor.name]);
    expect(signed[0]).toEqual(['planner', 'teacher', 'planner expert']);
    expect(signed[1]).toEqual(['executor', 'student', 'executor random']);
    expect(tree.path(end.leaf)).toHaveLength(planFor(world.open(task)).length);
  });

  it('[TEAM-7] play the puzzle, too', async () => {
    const puzzle = createPuzzleEnvironment();
    const own = puzzle.task('easy', 1);
    const student = team({ Ann: expert, Bob: expert });
    const { end } = await runOne({
      task: own,
      parts: { ...parts, environment: puzzle, student, limits: { steps: 200 } },
    });
    expect(end.outcome).toBe('passed');
  });

  it('[TEAM-7] without a policy for a role are refused by name, before the run and in it', async () => {
    const half = team({ planner: expert });
    expect(() => requireRoles(half, [world])).toThrow('has no policy for the role "executor" of team-library');
    expect(() => requireRoles(team({ planner: expert, executor: expert, judge: expert }), [world])).toThrow(
      'team-library has no role "judge"',
    );
    expect(() => requireRoles(half, [alone])).toThrow('library has no role "planner"');
    const { records } = await run({ tasks: [task], parts: { ...parts, student: half } });
    expect(records[0]?.end).toMatchObject({ outcome: 'errored', boundary: 'policy' });
    expect(records[0]?.end.message).toContain('no policy for the role "executor"');
  });

  it('[TEAM-8] have steps that can be masked by role', async () => {
    const silent: OrdinaryPolicy = { name: 'silent', act: () => ({ action: { kind: 'finish' } }) };
    const record = await runOne({
      task,
      parts: { ...parts, student: team({ planner: expert, executor: expert }), teacher: perfectTeacher },
    });
    const said = annotate(record, [agents]).map(({ label }) => label);
    expect(said.slice(0, 3)).toEqual(['planner', 'executor', 'planner']);
    const ended = await runOne({ task, parts: { ...parts, student: team({ planner: silent, executor: silent }) } });
    expect(annotate(ended, [agents])).toEqual([{ signal: 'agents', node: 1, label: 'planner' }]);
  });
});
