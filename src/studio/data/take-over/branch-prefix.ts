import type { EpisodeEvent } from '../../../core/episode/events.ts';
import type { EpisodeRecord } from '../../../core/episode/record.ts';

type StepEvent = Extract<EpisodeEvent, { kind: 'step' }>;

export interface BranchPrefix {
  /** The path to a node as the events of an episode of its own. */
  readonly events: readonly EpisodeEvent[];
  /** The node that a correction stands in the place of, as the new episode numbers it; null for none. */
  readonly replaces: number | null;
  /** The node that the branch goes on from, as the new episode numbers it. */
  readonly start: number;
}

export interface PrefixOptions {
  readonly record: EpisodeRecord;
  /** The node to go on from. */
  readonly node: number;
  /** A step after that node, kept as a branch that was rolled back; null for none. */
  readonly replaces: number | null;
  screenOf(node: number): string;
}

/** What led to a node, written as an episode that goes on from there. Steps are numbered anew and keep their actors. */
export function branchPrefix({ record, node, replaces, screenOf }: PrefixOptions): BranchPrefix {
  const { tree } = record;
  const path = tree.path(node);
  const stepEvent = (id: number, number: number): StepEvent => ({
    kind: 'step',
    node: { ...tree.node(id), id: number, parent: Math.min(number - 1, path.length) },
    screen: screenOf(id),
    text: record.text(id),
  });
  const events: EpisodeEvent[] = [
    { kind: 'open', root: tree.root },
    ...path.map(({ id }, index) => stepEvent(id, index + 1)),
  ];
  if (replaces === null) return { events, replaces: null, start: path.length };
  const rejected = path.length + 1;
  events.push(stepEvent(replaces, rejected), {
    kind: 'rollback',
    from: rejected,
    to: path.length,
    method: 'restore',
    digest: tree.digest(node),
  });
  return { events, replaces: rejected, start: path.length };
}
