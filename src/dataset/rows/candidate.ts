import { leavesOf, type EpisodeRecord } from '../../core/episode/record.ts';
import type { Verdict } from '../../core/records.ts';
import type { TreeNode } from '../../core/tree.ts';

/** An end of an episode, with the way to it: what may enter the archive. */
export interface Candidate {
  readonly record: EpisodeRecord;
  readonly leaf: number;
  /** `main` is where the episode ended; the others are branches that were verified by themselves. */
  readonly role: string;
  readonly verdict: Verdict | null;
  readonly path: readonly TreeNode[];
  /** Corrections on the path. */
  readonly interventions: number;
}

/** Every leaf of an episode by itself, each node once. An episode that broke has none: nobody vouches for it. */
export function candidatesOf(record: EpisodeRecord): readonly Candidate[] {
  if (record.end.outcome === 'errored') return [];
  const corrected = new Set(record.corrections.map(({ node }) => node));
  return leavesOf(record).map(({ node, role, verdict }) => {
    const path = record.tree.path(node);
    const interventions = path.filter(({ id }) => corrected.has(id)).length;
    return { record, leaf: node, role, verdict, path, interventions };
  });
}
