import type { Action } from '../../core/action.ts';
import type { Clock } from '../../core/clock.ts';
import type { Plan, Planner, StateSession } from '../../core/contracts.ts';
import { search, timesToTake, type SearchNode } from './planner-search.ts';
import { createPlanCache, type KnownPlan } from './planner-cache.ts';
import { shorten, type PlannedStep } from './planner-shorten.ts';

export interface PlannerOptions {
  readonly clock: Clock;
  /** States whose actions are tried before giving up. */
  readonly maxNodes?: number;
  readonly maxMilliseconds?: number;
  /** How many times the states of the first plan of a task a later search in it may take; no limit when left out. */
  readonly patience?: number;
}

/** A search from a state next to one that was solved with hardly any may still take this many. */
const fewestNodes = 40;

/** A planner that knows nothing of any app: it only sees states, goals and candidates. */
export function createPlanner(options: PlannerOptions): Planner {
  const { clock, maxNodes = 5000, maxMilliseconds = 20_000, patience = Infinity } = options;
  const ways = createPlanCache();
  /** States that the first plan of each task took. */
  const efforts = new Map<string, number>();
  const key = (session: StateSession): string => `${session.task.seal} ${session.digest()}`;

  function plan(session: StateSession): Plan {
    if (session.ended() !== null) return planForEnded(session);
    if (session.guide().next !== undefined) return verified(session, guidedWay(session, maxNodes));
    const deadline = clock.now() + maxMilliseconds;
    let late = false;
    const found = search(session, { expired: () => (late = clock.now() > deadline), maxNodes: nodesFor(session) });
    if (found.goal === null) {
      // What time cut short may succeed with more of it.
      if (!late) ways.set(key(session), null);
      const { expanded, exhausted, sideEffects } = found;
      const outcome = exhausted ? 'goal-unreachable' : 'infeasible-within-budget';
      return { outcome, expanded, ...(sideEffects.length === 0 ? {} : { sideEffects }) };
    }
    const actions = shorten(session, stepsTo(found.goal));
    if (!efforts.has(session.task.seal)) efforts.set(session.task.seal, found.expanded);
    return verified(session, { actions, expanded: found.expanded });
  }

  function nodesFor({ task }: StateSession): number {
    const effort = efforts.get(task.seal);
    return effort === undefined ? maxNodes : Math.min(maxNodes, Math.max(fewestNodes, Math.ceil(patience * effort)));
  }

  /** Remembers a way that passes; one that does not is no plan after all. */
  function verified(session: StateSession, { actions, expanded }: Way): Plan {
    const walker = session.fork();
    const states = actions.map(action => {
      const state = key(walker);
      walker.step(action);
      return state;
    });
    if (!walker.verify().pass) return { outcome: 'infeasible-within-budget', expanded };
    for (const [index, action] of actions.entries())
      ways.set(states[index] as string, { cost: actions.length - index, action });
    return { outcome: 'solved', actions, cost: actions.length, expanded };
  }

  function wayFrom(session: StateSession): KnownPlan | null {
    const known = ways.get(key(session));
    if (known !== undefined) return known;
    const made = plan(session);
    return made.outcome === 'solved' ? { cost: made.cost, action: made.actions[0] ?? null } : null;
  }

  return {
    privileged: true,
    plan,
    costToGo: session => wayFrom(session)?.cost ?? null,
    nextAction: session => wayFrom(session)?.action ?? null,
  };
}

interface Way {
  readonly actions: readonly Action[];
  readonly expanded: number;
}

/** The steps that the environment works out, as far as they can be taken. */
function guidedWay(session: StateSession, most: number): Way {
  const walker = session.fork();
  const actions: Action[] = [];
  for (let { unmet, next } = walker.guide(); unmet > 0 && next !== undefined; { unmet, next } = walker.guide()) {
    if (actions.length >= most || !walker.step(next).applied) return { actions, expanded: actions.length };
    actions.push(next);
  }
  return { actions: [...actions, walker.guide().finish], expanded: actions.length };
}

function planForEnded(session: StateSession): Plan {
  if (session.verify().pass) return { outcome: 'solved', actions: [], cost: 0, expanded: 0 };
  return { outcome: 'goal-unreachable', expanded: 0 };
}

function stepsTo(goal: SearchNode): PlannedStep[] {
  const { finish: action } = goal.session.guide();
  const steps: PlannedStep[] = timesToTake(goal.session.fork(), action) === 2 ? [{ action }, { action }] : [{ action }];
  for (let node: SearchNode = goal; node.step !== null && node.parent !== null; node = node.parent)
    steps.push(node.step);
  return steps.toReversed();
}
