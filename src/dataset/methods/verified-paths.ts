import { actionKey } from '../../core/action.ts';
import { lacksCertificate } from '../../core/episode/certificate.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { Verdict } from '../../core/records.ts';
import type { TreeNode } from '../../core/tree.ts';
import { candidatesOf, type Candidate } from '../rows/candidate.ts';

/** A way to a leaf whose verdict is known and certified. */
export interface VerifiedPath extends Candidate {
  readonly verdict: Verdict;
}

export function verifiedPaths(record: EpisodeRecord): readonly VerifiedPath[] {
  return candidatesOf(record).filter(
    (candidate): candidate is VerifiedPath =>
      candidate.verdict !== null && candidate.path.length > 0 && !lacksCertificate(record, candidate.leaf),
  );
}

/** Verdicts of the leaves below each node, itself included. */
export function verdictsBelow(paths: readonly VerifiedPath[]): ReadonlyMap<number, readonly boolean[]> {
  const below = new Map<number, boolean[]>();
  for (const { path, verdict } of paths)
    for (const { id } of path) below.set(id, [...(below.get(id) ?? []), verdict.pass]);
  return below;
}

/** A step that led to a pass, and the shortest way to it. */
export interface BestStep {
  readonly node: TreeNode;
  readonly shortest: VerifiedPath;
}

/** The shortest trajectory that passed through each step; the earlier leaf of those that are equally short. */
export function shortestPasses(paths: readonly VerifiedPath[]): ReadonlyMap<number, VerifiedPath> {
  const passed = paths.filter(({ verdict }) => verdict.pass);
  const sorted = passed.toSorted((left, right) => left.path.length - right.path.length || left.leaf - right.leaf);
  const shortest = new Map<number, VerifiedPath>();
  for (const found of sorted) for (const { id } of found.path) if (!shortest.has(id)) shortest.set(id, found);
  return shortest;
}

/**
 * One step for each place from which some trajectory passed: that with the fewest steps to its pass, and of those the
 * earliest. So no two rows say of the same place that different actions are the best.
 */
export function* bestSteps({ tree }: EpisodeRecord, paths: readonly VerifiedPath[]): Generator<BestStep> {
  const shortest = shortestPasses(paths);
  const places = new Set<number>();
  for (const { path } of paths.filter(({ verdict }) => verdict.pass))
    for (const { parent } of path) {
      if (places.has(parent)) continue;
      places.add(parent);
      const [best] = tree
        .children(parent)
        .flatMap(node => {
          const found = shortest.get(node.id);
          return found === undefined ? [] : [{ node, shortest: found }];
        })
        .toSorted((a, b) => a.shortest.path.length - b.shortest.path.length || a.node.id - b.node.id);
      if (best !== undefined) yield best;
    }
}

/** Other steps that were taken in the same place with another action, each action once. */
export function alternativesTo({ tree }: EpisodeRecord, node: TreeNode): readonly TreeNode[] {
  const seen = new Set([actionKey(node.action)]);
  return tree.children(node.parent).filter(({ action }) => {
    const key = actionKey(action);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The screen after a step, from any step that was taken in that state; null where none was. */
export function createScreenAfter(record: EpisodeRecord): (node: TreeNode) => string | null {
  const screens = new Map<string, string>();
  for (const node of stepsOf(record)) if (!screens.has(node.before)) screens.set(node.before, record.screen(node.id));
  for (const { node, screen } of record.looks) screens.set(record.tree.node(node).after, screen);
  return ({ after }) => screens.get(after) ?? null;
}

/** Every step of the tree in the order of their ids, those that were rolled back too. */
export function stepsOf({ tree }: EpisodeRecord): readonly TreeNode[] {
  const steps: TreeNode[] = [];
  for (const open = [...tree.children(0)]; open.length > 0; ) {
    const node = open.pop() as TreeNode;
    steps[node.id - 1] = node;
    open.push(...tree.children(node.id));
  }
  return steps;
}
