import type { CallEvent } from '../chat/model.ts';
import type { Box } from '../records.ts';
import { createTree, type Tree } from '../tree.ts';
import type { EpisodeEvent } from './events.ts';
import type { EpisodeSummary, StoredEpisode } from './journal.ts';
import type { Situation } from './view.ts';

type EventOf<K extends EpisodeEvent['kind']> = Extract<EpisodeEvent, { kind: K }>;

/** The picture that a step was taken on, by its address, and where on it. */
export type Shot = NonNullable<EventOf<'step'>['image']> & { readonly target: Box | null };

/** An episode folded from its events: the tree, and what was said and done about it. */
export interface EpisodeRecord extends EpisodeSummary {
  readonly tree: Tree;
  readonly reviews: readonly EventOf<'review'>[];
  readonly rollbacks: readonly EventOf<'rollback'>[];
  readonly corrections: readonly EventOf<'correction'>[];
  readonly leaves: readonly EventOf<'leaf'>[];
  /** Screens that were kept where no step was taken. */
  readonly looks: readonly EventOf<'look'>[];
  /** Every question that was put to a model, in their order. */
  readonly calls: readonly CallEvent[];
  /** The step as a line of history. */
  text(node: number): string;
  /** The text of the screen that the step was taken on. */
  screen(node: number): string;
  /** What the actor of this node saw. */
  situation(node: number): Situation;
  /** The picture that this step was taken on; null when there is none. */
  shot(node: number): Shot | null;
  /** The questions to models that led to this step; answers that were no use come first. */
  callsFor(node: number): readonly CallEvent[];
}

export function foldEpisode({ head, events, end, certificates }: StoredEpisode): EpisodeRecord {
  const opened = events.find(event => event.kind === 'open');
  const tree = createTree(opened?.root ?? '');
  const steps: EventOf<'step'>[] = [];
  const reviews: EventOf<'review'>[] = [];
  const rollbacks: EventOf<'rollback'>[] = [];
  const corrections: EventOf<'correction'>[] = [];
  const leaves: EventOf<'leaf'>[] = [];
  const looks: EventOf<'look'>[] = [];
  const calls: CallEvent[] = [];
  const callsByStep: (readonly CallEvent[])[] = [];
  const takeCalls = callMatcher(events, calls);
  for (const event of events) {
    if (event.kind === 'step') {
      const { id: _id, ...node } = event.node;
      tree.append(node);
      steps.push(event);
      callsByStep.push(takeCalls(event));
    } else if (event.kind === 'call') calls.push(event);
    else if (event.kind === 'review') reviews.push(event);
    else if (event.kind === 'rollback') rollbacks.push(event);
    else if (event.kind === 'correction') corrections.push(event);
    else if (event.kind === 'leaf') leaves.push(event);
    else if (event.kind === 'look') looks.push(event);
  }
  const step = (node: number): EventOf<'step'> => {
    tree.node(node);
    return steps[node - 1] as EventOf<'step'>;
  };
  return {
    head,
    end,
    certificates,
    tree,
    reviews,
    rollbacks,
    corrections,
    leaves,
    looks,
    calls,
    text: node => step(node).text,
    screen: node => step(node).screen,
    situation: node => ({
      instruction: head.task.instruction,
      history: tree.path(tree.node(node).parent).map(({ id }) => step(id).text),
      screen: step(node).screen,
    }),
    shot(node) {
      const { image, target } = step(node);
      return image === undefined ? null : { ...image, target: target ?? null };
    },
    callsFor(node) {
      tree.node(node);
      return callsByStep[node - 1] as readonly CallEvent[];
    },
  };
}

/** Finds the calls that led to a step; asked for each step in turn, when the calls before it are known. */
type CallMatcher = (step: EventOf<'step'>) => readonly CallEvent[];

function callMatcher(events: readonly EpisodeEvent[], calls: readonly CallEvent[]): CallMatcher {
  if (!events.some(({ kind }) => kind === 'fork')) return callsSinceStep(calls);
  const isNumbered = events.some(event => 'cursor' in event && event.kind !== 'fork');
  return isNumbered ? callsOfCursor(calls) : callsAtNode(calls);
}

/** With one cursor, what was asked since the last step led to this one. */
function callsSinceStep(calls: readonly CallEvent[]): CallMatcher {
  let told = 0;
  return ({ node: { parent } }) => {
    const own = calls.slice(told).filter(call => call.question !== 'review' && call.at === parent);
    told = calls.length;
    return own;
  };
}

/**
 * With several cursors, what this cursor asked here since its last step. A strategy may also step a fork with the
 * answer that another cursor got at the same node: then it is the calls there that led to no step yet.
 */
function callsOfCursor(calls: readonly CallEvent[]): CallMatcher {
  const taken = new Set<CallEvent>();
  return ({ node: { parent }, cursor = 0 }) => {
    const open = calls.filter(call => call.question !== 'review' && call.at === parent && !taken.has(call));
    const own = open.filter(call => (call.cursor ?? 0) === cursor);
    const led = own.length > 0 ? own : open;
    for (const call of led) taken.add(call);
    return led;
  };
}

/** Older records do not say which cursor asked: what was asked at this node and led to no step yet. */
function callsAtNode(calls: readonly CallEvent[]): CallMatcher {
  const taken = new Set<CallEvent>();
  return ({ node: { parent } }) => {
    const own = calls.filter(call => call.question !== 'review' && call.at === parent && !taken.has(call));
    for (const call of own) taken.add(call);
    return own;
  };
}

type Leaf = Pick<EventOf<'leaf'>, 'node' | 'role' | 'verdict'>;

/** The ends of an episode, each node once: where it ended, then the branches that were verified by themselves. */
export function leavesOf({ end, leaves }: Pick<EpisodeRecord, 'end' | 'leaves'>): readonly Leaf[] {
  const main = { node: end.leaf, role: 'main', verdict: end.verdict } as const;
  const branches = leaves.filter(({ role }) => role !== 'main');
  const others = branches.filter(({ node }) => node !== main.node);
  // A branch may end where the episode was given up: giving up does not undo what was verified there.
  if (end.outcome === 'discarded' && others.length < branches.length) return branches;
  return [main, ...others];
}
