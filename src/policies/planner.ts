import TinyQueue from 'tinyqueue';
import type { Action } from '../core/action.ts';
import type { Clock } from '../core/clock.ts';
import type { Plan, Planner, StateSession } from '../core/contracts.ts';
import { createHints, type Hints } from './planner-hints.ts';
import { shorten, type PlannedStep } from './planner-shorten.ts';
import { createNovelty, describeState } from './planner-novelty.ts';

export interface PlannerOptions {
  readonly clock: Clock;
  /** States whose actions are tried before giving up. */
  readonly maxNodes?: number;
  readonly maxMilliseconds?: number;
}

interface Node {
  readonly session: StateSession;
  readonly parent: Node | null;
  readonly step: PlannedStep | null;
  readonly depth: number;
  readonly unmet: number;
}

/** A node to expand; `rest` when its likely actions were tried before and the unlikely ones are left. */
interface Entry {
  readonly node: Node;
  readonly rest: boolean;
  readonly priority: number;
}

/** A planner that knows nothing of any app: it only sees states, goals and candidates. */
export function createPlanner({ clock, maxNodes = 5000, maxMilliseconds = 20_000 }: PlannerOptions): Planner {
  const costs = new Map<string, number | null>();
  const key = (session: StateSession): string => `${session.task.id} ${session.digest()}`;

  function plan(session: StateSession): Plan {
    const deadline = clock.now() + maxMilliseconds;
    const found = search(session, { expired: () => clock.now() > deadline, maxNodes });
    if (found.goal === null) {
      const outcome = found.exhausted ? 'goal-unreachable' : 'infeasible-within-budget';
      costs.set(key(session), null);
      return { outcome, expanded: found.expanded };
    }
    const actions = shorten(session, stepsTo(found.goal));
    rememberCosts(session, actions);
    return { outcome: 'solved', actions, cost: actions.length, expanded: found.expanded };
  }

  function rememberCosts(session: StateSession, actions: readonly Action[]): void {
    const walker = session.fork();
    actions.forEach((action, index) => {
      costs.set(key(walker), actions.length - index);
      walker.step(action);
    });
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

interface SearchBudget {
  readonly maxNodes: number;
  expired(): boolean;
}

interface Found {
  readonly goal: Node | null;
  readonly expanded: number;
  /** Nothing was left to try. */
  readonly exhausted: boolean;
}

/**
 * Best-first width search: states that show something new among those with as many goals unmet and as many of the
 * task's own values in place come first, then fewer unmet goals, then more values in place, then shorter paths.
 */
function search(session: StateSession, budget: SearchBudget): Found {
  const root: Node = { session: session.fork(), parent: null, step: null, depth: 0, unmet: session.guide().unmet };
  if (root.unmet === 0 && session.guide().clean) return { goal: root, expanded: 0, exhausted: false };
  const hints = createHints(session.task);
  const novelty = createNovelty();
  const seen = new Set<string>();
  const queue = new TinyQueue<Entry>([], (a, b) => a.priority - b.priority);
  const start = session.state();
  let order = 0;
  let expanded = 0;

  const add = (node: Node): void => {
    const { key, atoms, values } = describeState(start, node.session.state());
    if (seen.has(key)) return;
    seen.add(key);
    const inPlace = hints.inPlace(values);
    const stale = novelty.isNew(`${node.unmet}/${inPlace}`, atoms) ? 0 : 1;
    const priority = rank({ stale, unmet: node.unmet, inPlace, depth: node.depth, order: order++ });
    queue.push({ node, rest: false, priority });
    queue.push({ node, rest: true, priority: priority + 4 * staleWeight });
  };

  add(root);
  for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
    if (expanded >= budget.maxNodes || budget.expired()) return { goal: null, expanded, exhausted: false };
    expanded++;
    for (const child of childrenOf(entry, hints)) {
      if (child.unmet === 0) return { goal: child, expanded, exhausted: false };
      add(child);
    }
  }
  return { goal: null, expanded, exhausted: true };
}

function* childrenOf({ node, rest }: Entry, hints: Hints): Generator<Node> {
  const { likely, unlikely } = hints.sort(node.session.candidates());
  for (const candidate of rest ? unlikely : likely) {
    const session = node.session.fork();
    const before = session.state();
    if (!session.step(candidate.action).applied || session.state() === before) continue;
    const { unmet, clean } = session.guide();
    if (clean) yield { session, parent: node, step: candidate, depth: node.depth + 1, unmet };
  }
}

const staleWeight = 2 ** 50;

interface Rank {
  readonly stale: number;
  readonly unmet: number;
  readonly inPlace: number;
  readonly depth: number;
  readonly order: number;
}

function rank({ stale, unmet, inPlace, depth, order }: Rank): number {
  const cap = (value: number): number => Math.min(63, value);
  return stale * staleWeight + ((cap(unmet) * 64 + (63 - cap(inPlace))) * 64 + cap(depth)) * 2 ** 30 + order;
}

function stepsTo(goal: Node): PlannedStep[] {
  const steps: PlannedStep[] = [{ action: goal.session.guide().finish }];
  for (let node: Node = goal; node.step !== null && node.parent !== null; node = node.parent) steps.push(node.step);
  return steps.toReversed();
}
