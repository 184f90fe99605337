import type { Action } from '../../../../src/core/action.ts';
import type { Planner, StateEnvironment, StateSession } from '../../../../src/core/contracts.ts';
import type { Random } from '../../../../src/core/random.ts';
import type { Task } from '../../../../src/core/records.ts';
import { createScreen, elementAt } from '../../../../src/core/ui.ts';
import { anyCall } from '../../../../src/worlds/any-call.ts';

/** A run that is being made: a style decides what is done between the steps that are needed. */
export interface Walk {
  readonly session: StateSession;
  readonly random: Random;
  readonly taken: readonly Action[];
  take(action: Action): void;
  /** The next step of a way to the goal, from wherever the walk stands; null when there is none. */
  next(): Action | null;
  /** Calls a tool that only reads; nothing when none is found. */
  look(): void;
  /** Goes somewhere and comes back to the same state; nothing when there is no such way. */
  detour(): void;
  /** Goes somewhere and stays there; the way to the goal is planned anew. */
  wander(): void;
  /** The same step by a tool, where the element dispatches one; else the step itself. */
  byTool(action: Action): void;
}

export interface WalkOptions {
  readonly environment: StateEnvironment;
  readonly task: Task;
  readonly planner: Planner;
  readonly random: Random;
}

const tries = 12;

export function createWalk({ environment, task, planner, random }: WalkOptions): Walk {
  const session = environment.open(task);
  const taken: Action[] = [];
  let plan: readonly Action[] = [];
  let plannedAt = '';
  const next = (): Action | null => {
    if (session.ended() !== null) return null;
    if (plannedAt !== session.digest() || plan.length === 0) {
      const found = planner.plan(session);
      plan = found.outcome === 'solved' ? found.actions : [];
      plannedAt = session.digest();
    }
    return plan[0] ?? null;
  };
  const take = (action: Action): void => {
    const isPlanned = plan[0] === action && plannedAt === session.digest();
    session.step(action);
    taken.push(action);
    if (!isPlanned) return;
    plan = plan.slice(1);
    plannedAt = session.digest();
  };
  return { session, random, taken, take, next, ...excursions({ environment, session, random, take, next }) };
}

interface Parts extends Pick<Walk, 'session' | 'random' | 'take' | 'next'> {
  readonly environment: StateEnvironment;
}

function excursions({
  environment,
  session,
  random,
  take,
  next,
}: Parts): Pick<Walk, 'look' | 'detour' | 'wander' | 'byTool'> {
  const clicks = (from: StateSession): Action[] =>
    from.candidates().flatMap(({ action }) => (action.kind === 'click' ? [action] : []));
  return {
    look() {
      for (let attempt = 0; attempt < tries && environment.tools.length > 0; attempt++) {
        const call = anyCall(random.pick(environment.tools), session.state(), random);
        const fork = session.fork();
        const { applied, result } = fork.step(call);
        if (applied && result !== undefined && fork.digest() === session.digest()) return take(call);
      }
    },
    detour() {
      const home = session.digest();
      for (const there of random.shuffle(clicks(session)).slice(0, tries)) {
        const fork = session.fork();
        if (!fork.step(there).applied || fork.digest() === home || fork.ended() !== null) continue;
        const back = clicks(fork).find(action => {
          const again = fork.fork();
          return again.step(action).applied && again.digest() === home && again.guide().clean;
        });
        if (back === undefined) continue;
        take(there);
        return take(back);
      }
    },
    wander() {
      for (const there of random.shuffle(clicks(session)).slice(0, tries)) {
        const fork = session.fork();
        const unmet = fork.guide().unmet;
        if (!fork.step(there).applied || fork.digest() === session.digest() || fork.ended() !== null) continue;
        if (!fork.guide().clean || fork.guide().unmet !== unmet) continue;
        take(there);
        return;
      }
    },
    byTool(action) {
      const call = callFor(action, session);
      const fork = session.fork();
      const unmet = fork.guide().unmet;
      if (call === null || !fork.step(call).applied || !fork.guide().clean || fork.guide().unmet >= unmet)
        return take(action);
      take(call);
      next();
    },
  };
}

/** The call that does what the element dispatches; null where a tool cannot. */
function callFor(action: Action, session: StateSession): Action | null {
  if (action.kind !== 'click') return null;
  const press = elementAt(createScreen(session.screen()), action.ref)?.press;
  return press === undefined ? null : { kind: 'call', tool: press.command, input: press.input };
}
