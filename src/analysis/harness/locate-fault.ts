import { actionKey } from '../../core/action.ts';
import type { StoredEpisode } from '../../core/episode/journal.ts';

/** Parts of a harness: what the agent is told, what carries out its steps, what it remembers, what reads its answers, how long it may take. */
export const harnessComponents = ['prompt', 'tool', 'memory', 'parser', 'budget'] as const;
export type HarnessComponent = (typeof harnessComponents)[number];

/** Episodes of a harness that is suspected, and of one that is known to work, on the same tasks. */
export interface HarnessEvidence {
  readonly suspect: readonly StoredEpisode[];
  readonly healthy: readonly StoredEpisode[];
}

/** So many repeated steps in an episode speak for a memory that does not keep. */
const fewestRepeats = 2;

/**
 * Every failed episode votes for the component that its trace speaks for; what a healthy harness fails at is taken off. The likeliest
 * fault comes first, and components with as many votes stand together.
 */
export function locateFault({ suspect, healthy }: HarnessEvidence): readonly (readonly HarnessComponent[])[] {
  const [now, before] = [suspect, healthy].map(votesOf) as [Votes, Votes];
  // Shares are sums: equal ones may differ in their last digits.
  const excess = (component: HarnessComponent): number =>
    Math.round(((now.get(component) ?? 0) - (before.get(component) ?? 0)) * 1e9);
  return [...Map.groupBy(harnessComponents, excess)]
    .toSorted(([left], [right]) => right - left)
    .map(([, tied]) => tied);
}

type Votes = ReadonlyMap<HarnessComponent, number>;

/** The share of the episodes that speak for each component. */
function votesOf(episodes: readonly StoredEpisode[]): Votes {
  const votes = new Map<HarnessComponent, number>();
  for (const episode of episodes) {
    const component = episode.end.outcome === 'passed' ? null : suspectOf(episode);
    if (component !== null) votes.set(component, (votes.get(component) ?? 0) + 1 / episodes.length);
  }
  return votes;
}

/** What the trace of a failed episode speaks for. What is refused comes first: repeats and a spent budget follow from it. */
function suspectOf({ end, events }: StoredEpisode): HarnessComponent {
  const steps = events.flatMap(event => (event.kind === 'step' ? [event.node] : []));
  const refused = steps.filter(({ outcome }) => !outcome.applied || outcome.problem !== undefined);
  const kinds = new Set(refused.map(({ action }) => action.kind));
  // A tool fails at its own kind of step; a reader of answers at any.
  if (kinds.size > 1 || kinds.has('click')) return 'parser';
  if (kinds.size === 1) return 'tool';
  const seen = new Set<string>();
  let repeats = 0;
  for (const { before, action } of steps) {
    const key = `${before} ${actionKey(action)}`;
    if (seen.has(key)) repeats++;
    seen.add(key);
  }
  if (repeats >= fewestRepeats) return 'memory';
  return end.reason?.startsWith('out of steps') === true ? 'budget' : 'prompt';
}
