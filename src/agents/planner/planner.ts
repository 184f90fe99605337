import type { Action } from '../../core/action.ts';
import type { Clock } from '../../core/clock.ts';
import type { Plan, PlanObstacles, Planner, StateSession } from '../../core/contracts.ts';
import type { Task } from '../../core/records.ts';
import { search, timesToTake, type Found, type SearchNode } from './planner-search.ts';
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

/** States that a plan may take, wherever a task is admitted, collected or taught. */
export const mostStates = 5000;

/** Where the first search of a task found no way, later ones may take this many times their patience. */
const effortInVain = 300;

/** A search from a state next to one that was solved with hardly any may still take this many. */
const fewestNodes = 40;

/** A planner that knows nothing of any app: it only sees states, goals and candidates. */
export function createPlanner(options: PlannerOptions): Planner {
  const { clock, maxNodes = mostStates, maxMilliseconds = 20_000, patience = Infinity } = options;
  const ways = createPlanCache<KnownPlan>();
  const inVain = createPlanCache<Plan>();
  const efforts = createEfforts(maxNodes, patience);
  const key = (session: StateSession): string => `${session.task.seal} ${session.digest()}`;

  function plan(session: StateSession): Plan {
    if (session.ended() !== null) return planForEnded(session);
    if (session.guide().next !== undefined) return verified(session, guidedWay(session, maxNodes));
    const vain = inVain.get(key(session));
    if (vain !== undefined) return vain;
    const deadline = clock.now() + maxMilliseconds;
    let late = false;
    const found = search(session, {
      expired: () => (late = clock.now() > deadline),
      maxNodes: efforts.allowed(session.task),
    });
    if (found.goal === null) {
      const unsolved = unsolvedBy(found);
      // What time cut short may succeed with more of it.
      if (late) return unsolved;
      inVain.set(key(session), unsolved);
      efforts.note(session.task, effortInVain);
      return unsolved;
    }
    const actions = shorten(session, stepsTo(found.goal));
    efforts.note(session.task, found.expanded);
    return verified(session, { actions, expanded: found.expanded });
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
    obstacles: session => obstaclesOf(session, maxNodes),
  };
}

interface Efforts {
  note(task: Task, effort: number): void;
  /** States that a search in the task may take. */
  allowed(task: Task): number;
}

/** What the first search of each task took, and what later ones may take for it. */
function createEfforts(maxNodes: number, patience: number): Efforts {
  const first = new Map<string, number>();
  return {
    note({ seal }, effort) {
      if (!first.has(seal)) first.set(seal, effort);
    },
    allowed({ seal }) {
      const effort = first.get(seal);
      if (effort === undefined || patience === Infinity) return maxNodes;
      return Math.min(maxNodes, Math.max(fewestNodes, Math.ceil(patience * effort)));
    },
  };
}

function unsolvedBy({ expanded, exhausted, sideEffects }: Found): Plan {
  const outcome = exhausted ? 'goal-unreachable' : 'infeasible-within-budget';
  return { outcome, expanded, ...(sideEffects.length === 0 ? {} : { sideEffects }) };
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

/** What stands in the way of a plan: side effects of the first way to the goal, or changes on it that it puts back. */
function obstaclesOf(session: StateSession, maxNodes: number): PlanObstacles {
  const { goal } = search(session, { maxNodes, expired: () => false, followsSideEffects: true });
  if (goal === null) return {};
  const { sideEffects } = goal.session.verify().evidence;
  if (sideEffects.length > 0) return { sideEffects };
  const midway = new Set<string>();
  for (let node: SearchNode | null = goal; node !== null; node = node.parent)
    for (const path of node.session.verify().evidence.sideEffects) midway.add(path);
  return { midway: [...midway] };
}

function stepsTo(goal: SearchNode): PlannedStep[] {
  const { finish: action } = goal.session.guide();
  const steps: PlannedStep[] = timesToTake(goal.session.fork(), action) === 2 ? [{ action }, { action }] : [{ action }];
  for (let node: SearchNode = goal; node.step !== null && node.parent !== null; node = node.parent)
    steps.push(node.step);
  return steps.toReversed();
}
