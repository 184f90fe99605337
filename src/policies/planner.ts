import type { Action } from '../core/action.ts';
import type { Clock } from '../core/clock.ts';
import type { Plan, Planner, StateSession } from '../core/contracts.ts';
import { search, type SearchNode } from './planner-search.ts';
import { shorten, type PlannedStep } from './planner-shorten.ts';

export interface PlannerOptions {
  readonly clock: Clock;
  /** States whose actions are tried before giving up. */
  readonly maxNodes?: number;
  readonly maxMilliseconds?: number;
}

const mostCosts = 100_000;

/** A planner that knows nothing of any app: it only sees states, goals and candidates. */
export function createPlanner({ clock, maxNodes = 5000, maxMilliseconds = 20_000 }: PlannerOptions): Planner {
  const costs = new Map<string, number | null>();
  const key = (session: StateSession): string => `${session.task.seal} ${session.digest()}`;

  function plan(session: StateSession): Plan {
    if (hasEnded(session)) return planForEnded(session);
    const deadline = clock.now() + maxMilliseconds;
    const found = search(session, { expired: () => clock.now() > deadline, maxNodes });
    if (found.goal === null) {
      // What a budget cut short may succeed with more: only what is certain is remembered.
      if (found.exhausted) remember(key(session), null);
      const { expanded, exhausted, trespasses } = found;
      const outcome = exhausted ? 'goal-unreachable' : 'infeasible-within-budget';
      return { outcome, expanded, ...(trespasses.length === 0 ? {} : { trespasses }) };
    }
    const actions = shorten(session, stepsTo(found.goal));
    if (!rememberCosts(session, actions)) return { outcome: 'infeasible-within-budget', expanded: found.expanded };
    return { outcome: 'solved', actions, cost: actions.length, expanded: found.expanded };
  }

  function remember(state: string, cost: number | null): void {
    costs.set(state, cost);
    const oldest = costs.size > mostCosts ? costs.keys().next().value : undefined;
    if (oldest !== undefined) costs.delete(oldest);
  }

  /** False when the plan does not verify after all. */
  function rememberCosts(session: StateSession, actions: readonly Action[]): boolean {
    const walker = session.fork();
    const states = actions.map(action => {
      const state = key(walker);
      walker.step(action);
      return state;
    });
    if (!walker.verify().pass) return false;
    states.forEach((state, index) => remember(state, actions.length - index));
    return true;
  }

  return {
    privileged: true,
    plan,
    costToGo(session) {
      const known = costs.get(key(session));
      if (known !== undefined) return known;
      const made = plan(session);
      return made.outcome === 'solved' ? made.cost : null;
    },
  };
}

function hasEnded(session: StateSession): boolean {
  return !session.fork().step({ kind: 'finish' }).applied;
}

function planForEnded(session: StateSession): Plan {
  if (session.verify().pass) return { outcome: 'solved', actions: [], cost: 0, expanded: 0 };
  return { outcome: 'goal-unreachable', expanded: 0 };
}

function stepsTo(goal: SearchNode): PlannedStep[] {
  const steps: PlannedStep[] = [{ action: goal.session.guide().finish }];
  for (let node: SearchNode = goal; node.step !== null && node.parent !== null; node = node.parent)
    steps.push(node.step);
  return steps.toReversed();
}
