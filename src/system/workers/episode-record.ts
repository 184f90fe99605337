import type { Counts, EpisodeEnd, EpisodeEvent } from '../../core/episode/events.ts';
import type { Boundary } from '../../core/errors.ts';

/** What a worker told of an episode, in its order: what was attached, and what happened. */
export type Entry = { readonly data: Uint8Array } | { readonly event: EpisodeEvent };

/** Why a worker was lost. */
export interface Loss {
  readonly reason: string;
  readonly message: string;
}

/** The end of an episode whose worker was lost: what it told before stays. */
export function lostEnd(
  entries: readonly Entry[],
  { reason, message, boundary, milliseconds }: Loss & { boundary: Exclude<Boundary, 'input'>; milliseconds: number },
): EpisodeEnd {
  const events = eventsIn(entries);
  return {
    outcome: 'errored',
    reason,
    boundary,
    message,
    leaf: lastNode(events),
    verdict: null,
    certification: 'by-replay',
    counts: countsOf(events),
    milliseconds,
  };
}

export function eventsIn(entries: readonly Entry[]): readonly EpisodeEvent[] {
  return entries.flatMap(entry => ('event' in entry ? [entry.event] : []));
}

/** The node that the episode stood at. */
function lastNode(events: readonly EpisodeEvent[]): number {
  const last = events.findLast(({ kind }) => kind === 'step' || kind === 'rollback');
  return last?.kind === 'step' ? last.node.id : last?.kind === 'rollback' ? last.to : 0;
}

function countsOf(events: readonly EpisodeEvent[]): Counts {
  const count = (kind: EpisodeEvent['kind']): number => events.filter(event => event.kind === kind).length;
  const nodes = events.flatMap(event => (event.kind === 'step' ? [event.node] : []));
  const sum = (key: 'cost' | 'tokens'): number => nodes.reduce((total, node) => total + (node[key] ?? 0), 0);
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  let steps = 0;
  for (let node = parents.get(lastNode(events)); node !== undefined; node = parents.get(node)) steps++;
  return {
    steps,
    taken: count('step'),
    reviews: count('review'),
    corrections: count('correction'),
    interventions: count('correction'),
    rollbacks: count('rollback'),
    forks: count('fork'),
    // What the steps say of their price; what a lost answer cost is not known.
    cost: sum('cost'),
    tokens: sum('tokens'),
  };
}
