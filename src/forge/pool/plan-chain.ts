import type { Action } from '../../core/action.ts';
import type { Plan, Planner, StateEnvironment, StateSession } from '../../core/contracts.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { textsTold, type Task } from '../../core/records.ts';
import { goalOfDifference, type CommandGoal } from '../tasks/command-goal.ts';
import { callsOf, callUntilDone } from './independent-check.ts';

/** Plans a task of several calls one call after the other, in the order of its instruction; other tasks as they are. */
export function planInOrder(environment: StateEnvironment, planner: Planner, task: Task): Plan {
  const session = environment.open(task);
  const calls = callsOf(task) ?? [];
  const isToRead = typeof task.parameters['told'] === 'string';
  if (task.kind !== 'feasible' || (calls.length < 2 && !isToRead)) return planner.plan(session);
  const caller = environment.open(task);
  const initial = session.state() as JsonObject;
  const actions: Action[] = [];
  let expanded = 0;
  if (isToRead) {
    const look = planner.plan(untilSeen(session));
    expanded += look.expanded;
    if (look.outcome !== 'solved') return look;
    const steps = look.actions.filter(({ kind }) => kind !== 'finish');
    for (const action of steps) session.step(action);
    actions.push(...steps);
  }
  for (const [stage, call] of calls.entries()) {
    callUntilDone(caller, call);
    const goal = goalOfDifference(initial, caller.state() as JsonObject);
    const plan = planner.plan(towards(session, goal, stage));
    expanded += plan.expanded;
    if (plan.outcome !== 'solved') return { ...plan, expanded };
    const steps = plan.actions.filter(({ kind }) => kind !== 'finish');
    for (const action of steps) session.step(action);
    actions.push(...steps);
  }
  const { finish } = session.guide();
  session.step(finish);
  if (!session.verify().pass) return planner.plan(environment.open(task));
  return { outcome: 'solved', actions: [...actions, finish], cost: actions.length + 1, expanded };
}

/** The same session with the goal of having seen what the task is about. */
function untilSeen(session: StateSession): StateSession {
  const unseen = (): number => {
    const { unmet, unmetChecks } = session.guide();
    return unmet - unmetChecks;
  };
  return {
    ...session,
    task: { ...session.task, seal: `${session.task.seal} look` },
    fork: () => untilSeen(session.fork()),
    guide: () => ({ ...session.guide(), unmet: unseen(), unmetChecks: 0, finish: { kind: 'finish' } }),
    verify: () => ({ ...session.verify(), pass: unseen() === 0 && session.guide().clean }),
  };
}

/** The same session with the goal of a stage. What a record told guides the search, as an instruction does. */
function towards(session: StateSession, goal: CommandGoal<JsonObject>, stage: number): StateSession {
  const unmet = (state: Json): number =>
    goal.checks.filter(({ test }) => !test(state as JsonObject, state as JsonObject)).length;
  return {
    ...session,
    // The planner remembers ways by the seal of the task: these lead elsewhere.
    task: {
      ...session.task,
      instruction: textsTold(session.task).at(-1) ?? '',
      seal: `${session.task.seal} stage ${stage}`,
    },
    fork: () => towards(session.fork(), goal, stage),
    guide() {
      const left = unmet(session.state());
      return { ...session.guide(), unmet: left, unmetChecks: left, finish: { kind: 'finish' } };
    },
    verify: () => ({ ...session.verify(), pass: unmet(session.state()) === 0 && session.guide().clean }),
  };
}
