import TinyQueue from 'tinyqueue';
import type { Action } from '../../core/action.ts';
import type { Candidate, Guide, StateSession } from '../../core/contracts.ts';
import type { Json } from '../../core/json.ts';
import { contractProblem } from '../../core/step-contracts/step-contract.ts';
import { createHints, type Hints } from './planner-hints.ts';
import { atomsSince, changedData, createNovelty, describeState } from './planner-novelty.ts';

export interface SearchNode {
  readonly session: StateSession;
  readonly parent: SearchNode | null;
  readonly step: Candidate | null;
  readonly unmet: number;
  /** Steps since a goal was last met, the state it was met in, and the task's values that are in the data by then. */
  readonly depth: number;
  readonly since: Json;
  readonly spent: ReadonlySet<string>;
  /** The data as it was by then: states are news among those with the same goals met alone. */
  readonly done: string;
  /** Steps before that which put no value of the task in place. */
  readonly overhead: number;
  /** What speaks for the steps since then, in quarters of a step. */
  readonly merit: number;
  /** Steps from the start. */
  readonly length: number;
}

export interface SearchBudget {
  readonly maxNodes: number;
  expired(): boolean;
  /** Goes on from states with side effects too, and takes one that meets every goal as found: to say what is in the way. */
  readonly followsSideEffects?: boolean;
}

export interface Found {
  readonly goal: SearchNode | null;
  readonly expanded: number;
  /** Everything that can be reached was tried. */
  readonly exhausted: boolean;
  /** Paths that were changed, though not allowed, where every goal was met. */
  readonly sideEffects: readonly string[];
}

/** A node to expand: first with its likely actions, later with the rest. */
interface Entry {
  readonly node: SearchNode;
  readonly detour: number;
  readonly rest: boolean;
  /** Its places in the two queues. */
  readonly greedy: number;
  readonly steady: number;
  expanded: boolean;
}

/**
 * Best-first width search with two queues that take turns. The greedy one prefers states that show something new among
 * those with as many goals unmet and as many of the task's values in place, then fewer unmet goals, then shorter ways.
 * The steady one weighs the same things against each other, so that a goal met on a dead end does not hold the search.
 */
export function search(session: StateSession, budget: SearchBudget): Found {
  const { unmet, unmetChecks, clean } = session.guide();
  const state = session.state();
  const nothing = { depth: 0, overhead: 0, merit: 0, length: 0 };
  const root: SearchNode = {
    session: session.fork(),
    parent: null,
    step: null,
    unmet,
    since: state,
    spent: new Set(),
    done: '',
    ...nothing,
  };
  if (unmet === 0 && clean) return { goal: root, expanded: 0, exhausted: false, sideEffects: [] };
  const hints = createHints(session.task);
  const { followsSideEffects = false } = budget;
  const frontier = createFrontier({ start: state, hints, hasEvidence: unmet !== unmetChecks, followsSideEffects });
  frontier.visit(root.session);
  frontier.add(root);
  let goal: SearchNode | null = null;
  let expanded = 0;
  let limit = budget.maxNodes;
  for (let entry = frontier.next(); entry !== null; entry = frontier.next()) {
    if (expanded >= limit || budget.expired()) {
      return { goal, expanded, exhausted: false, sideEffects: frontier.obstacle() };
    }
    if (goal !== null && entry.node.length + 1 >= goal.length) continue;
    expanded++;
    for (const child of childrenOf(entry, hints, frontier)) {
      if (child.unmet > 0) frontier.add(child);
      else if (goal === null || child.length < goal.length) {
        // Look on a little for a shorter way, in proportion to what it took to find one.
        if (goal === null) limit = Math.min(limit, Math.ceil(expanded * lookOn) + 4);
        goal = child;
      }
    }
  }
  return { goal, expanded, exhausted: frontier.isComplete(), sideEffects: frontier.obstacle() };
}

const lookOn = 1.5;

/** Takes a step: 1, or 2 when a contract asked whether it is meant; 0 when it is refused. */
export function timesToTake(session: StateSession, action: Action): 0 | 1 | 2 {
  const outcome = session.step(action);
  if (outcome.applied) return 1;
  return outcome.problem?.code === contractProblem && session.step(action).applied ? 2 : 0;
}

function* childrenOf(entry: Entry, hints: Hints, frontier: Frontier): Generator<SearchNode> {
  const { node, detour, rest } = entry;
  // A fork of its own: the screens of all nodes would take most of the memory.
  const here = node.session.fork();
  const { likely, unlikely } = hints.split(here.candidates());
  for (const step of rest ? unlikely : likely) {
    const session = here.fork();
    const times = timesToTake(session, step.action);
    const guide = times === 0 ? null : frontier.visit(session);
    if (guide === null) continue;
    const { unmet, clean } = guide;
    const length = node.length + times;
    if (!clean && !frontier.followsSideEffects) {
      frontier.prune(unmet === 0 ? session : null);
      continue;
    }
    const parent = times === 1 ? node : { ...node, parent: node, step, length: node.length + 1 };
    const child = { session, parent, step, unmet, length };
    // A goal met begins a new stretch: what it took to get here is overhead, what was typed is used up.
    if (unmet < node.unmet) yield { ...child, depth: 0, ...frontier.stretch(session), overhead: detour + 1, merit: 0 };
    else {
      const merit = node.merit + hints.merit(step) + (frontier.isNewFact() ? newFactMerit : 0);
      yield {
        ...child,
        depth: node.depth + 1,
        since: node.since,
        spent: node.spent,
        done: node.done,
        overhead: node.overhead,
        merit,
      };
    }
  }
}

/** A value that is in the data already is worth a little less than one that is not. */
const spentWeight = 1;

/** A fact in the data that was never seen makes up for the step that brought it about. */
const newFactMerit = 4;

interface Frontier {
  readonly followsSideEffects: boolean;
  /** What is still to be done in this state; null when it was seen before. */
  visit(session: StateSession): Guide | null;
  /** Whether the state visited last has a changed value in its data that no state before had. */
  isNewFact(): boolean;
  /** Notes that a state was left out, and which one met every goal: what lies behind it stays unknown. */
  prune(met: StateSession | null): void;
  isComplete(): boolean;
  /** What stood in the way of the first state that met every goal. */
  obstacle(): readonly string[];
  /** Where a new stretch begins. */
  stretch(session: StateSession): Pick<SearchNode, 'since' | 'spent' | 'done'>;
  add(node: SearchNode): void;
  next(): Entry | null;
}

interface FrontierOptions {
  readonly start: Json;
  readonly hints: Hints;
  /** With evidence to gather, the same state counts as another one when more of it was seen on the way. */
  readonly hasEvidence: boolean;
  readonly followsSideEffects: boolean;
}

function createFrontier({ start, hints, hasEvidence, followsSideEffects }: FrontierOptions): Frontier {
  const novelty = createNovelty();
  /** What was left to do in the states that were seen, by their key. */
  const seen = new Map<string, readonly number[]>();
  const facts = new Set<string>();
  const greedy = new TinyQueue<Entry>([], (a, b) => a.greedy - b.greedy);
  const steady = new TinyQueue<Entry>([], (a, b) => a.steady - b.steady);
  let latest = describeState(start, start);
  let order = 0;
  let turn = 0;
  let pruned = false;
  let obstacle: readonly string[] = [];
  return {
    followsSideEffects,
    prune(met) {
      pruned = true;
      if (met !== null && obstacle.length === 0) obstacle = met.verify().evidence.sideEffects;
    },
    isComplete: () => !pruned,
    obstacle: () => obstacle,
    visit(session) {
      latest = describeState(start, session.state());
      const known = seen.get(latest.key);
      if (known !== undefined && !hasEvidence) return null;
      const guide = session.guide();
      if (known?.includes(guide.unmet) === true) return null;
      seen.set(latest.key, [...(known ?? []), guide.unmet]);
      return guide;
    },
    isNewFact() {
      const before = facts.size;
      for (const fact of latest.facts) facts.add(fact);
      return facts.size > before;
    },
    stretch(session) {
      const since = session.state();
      return { since, spent: hints.within(changedData(start, since)), done: latest.data.toSorted().join('\n') };
    },
    add(node) {
      const later = node.since === start ? latest : describeState(node.since, node.session.state());
      const atoms = later === latest ? latest.atoms : atomsSince(later, hasEvidence ? null : latest);
      const placed = hints.among(later.shown);
      const inPlace = placed.size;
      const again = placed.intersection(node.spent).size;
      const stale = !novelty.isNew(`${node.unmet}/${inPlace}/${node.done}`, atoms);
      for (const rest of [false, true]) {
        const detour = node.overhead + node.depth - inPlace;
        const effort = detour * 4 - node.merit + again * spentWeight + (rest ? 8 : 0);
        const standing = { unmet: node.unmet, inPlace, effort, stale, order: order++ };
        const entry = { node, detour, rest, expanded: false, ...ranks(standing) };
        greedy.push(entry);
        steady.push(entry);
      }
    },
    next: () => firstOpen(turn++ % 2 === 0 ? [greedy, steady] : [steady, greedy]),
  };
}

/** The first entry of the queues that was not expanded by way of the other one. */
function firstOpen(queues: readonly TinyQueue<Entry>[]): Entry | null {
  for (const queue of queues) {
    for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
      if (entry.expanded) continue;
      entry.expanded = true;
      return entry;
    }
  }
  return null;
}

interface Standing {
  readonly unmet: number;
  readonly inPlace: number;
  /** The steps that put no value in place, less what speaks for them, in quarters of a step. */
  readonly effort: number;
  readonly stale: boolean;
  readonly order: number;
}

function ranks({ unmet, inPlace, effort, stale, order }: Standing): { greedy: number; steady: number } {
  return {
    greedy: weigh([stale ? 1 : 0, unmet, effort, -inPlace], order),
    steady: weigh([effort + unmet * 2 + (stale ? 10 : 0), -inPlace], order),
  };
}

/** One number that sorts like the list, then like the order of arrival. */
function weigh(parts: readonly number[], order: number): number {
  const packed = parts.reduce((sum, part) => sum * 256 + Math.max(0, Math.min(255, part + 64)), 0);
  return packed * 2 ** 20 + order;
}
