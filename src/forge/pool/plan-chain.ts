import type { Action } from '../../core/action.ts';
import { after, type Plan, type Planner, type StateEnvironment, type StateSession } from '../../core/contracts.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { textsTold, type Task } from '../../core/records.ts';
import { wrapStateSession } from '../../core/wrap-session.ts';
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
  return wrapStateSession(session, {
    task: task => ({ ...task, seal: `${task.seal} look` }),
    guide: ask => () => ({ ...ask(), unmet: unseen(), unmetChecks: 0, finish: { kind: 'finish' } }),
    verify: ask => () => after(ask(), verdict => ({ ...verdict, pass: unseen() === 0 && session.guide().clean })),
    forked: untilSeen,
  });
}

/** The same session with the goal of a stage. What a record told guides the search, as an instruction does. */
function towards(session: StateSession, goal: CommandGoal<JsonObject>, stage: number): StateSession {
  const unmet = (state: Json): number =>
    goal.checks.filter(({ test }) => !test(state as JsonObject, state as JsonObject)).length;
  return wrapStateSession(session, {
    // The planner remembers ways by the seal of the task: these lead elsewhere.
    task: task => ({ ...task, instruction: textsTold(task).at(-1) ?? '', seal: `${task.seal} stage ${stage}` }),
    guide: ask => () => {
      const left = unmet(session.state());
      return { ...ask(), unmet: left, unmetChecks: left, finish: { kind: 'finish' } };
    },
    verify: ask => () =>
      after(ask(), verdict => ({ ...verdict, pass: unmet(session.state()) === 0 && session.guide().clean })),
    forked: fork => towards(fork, goal, stage),
  });
}
