import type { OutlineStep } from '../api/api.ts';

/** The ids of the steps to a node, the first one first. */
export function pathTo(steps: readonly OutlineStep[], node: number): number[] {
  const parents = new Map(steps.map(({ id, parent }) => [id, parent]));
  const path: number[] = [];
  for (let at = node; at !== 0 && parents.has(at); at = parents.get(at) ?? 0) path.push(at);
  return path.toReversed();
}
