import type { EpisodeEvent } from '../../core/episode/events.ts';
import type { TreeNode } from '../../core/tree.ts';
import { failureReason, verifiedResult } from '../cursor/result.ts';
import type { BranchEnd } from './branches.ts';

/** How the branches ended that the journal has a verdict of. `steps` is the step budget of the task. */
export function verifiedBranches(events: readonly EpisodeEvent[], steps: number): ReadonlyMap<number, BranchEnd> {
  const nodes = new Map<number, TreeNode>();
  const ends = new Map<number, BranchEnd>();
  for (const event of events) {
    if (event.kind === 'step') nodes.set(event.node.id, event.node);
    if (event.kind !== 'leaf' || event.verdict === null) continue;
    // The first branch ends as the main one. Every other branch says which it is.
    const branch = event.cursor ?? (event.role === 'main' ? 0 : null);
    if (branch === null) continue;
    const stopped = stopReason(nodes, event.node, steps);
    ends.set(branch, { ...verifiedResult(event.verdict, failureReason(event.verdict, stopped)), leaf: event.node });
  }
  return ends;
}

/** Why a branch ended at a node; null when its agent finished there. */
function stopReason(nodes: ReadonlyMap<number, TreeNode>, leaf: number, steps: number): string | null {
  if (nodes.get(leaf)?.outcome.end === 'terminated') return null;
  let depth = 0;
  for (let at = nodes.get(leaf); at !== undefined; at = nodes.get(at.parent)) depth++;
  return depth >= steps ? 'out of steps' : 'not finished';
}
