import type { DrawnNode, DrawnTree } from '../../gallery.ts';

/** A step in its row and lane. Lane 0 is the path that was kept. */
export interface Spot {
  readonly node: DrawnNode;
  readonly lane: number;
}

/** One row for each step, in the order they were taken; what was left behind stands in lanes beside the kept path. */
export function layLanes({ nodes }: DrawnTree): readonly Spot[] {
  const rowOf = new Map(nodes.map((node, row) => [node.id, row]));
  const eldest = new Map<number, number>();
  for (const node of nodes) {
    if (node.status === 'rolled-back' && !eldest.has(node.parent)) eldest.set(node.parent, node.id);
  }
  const lanes = new Map<number, number>();
  /** The last row that each lane is taken up to. */
  const taken: number[] = [];
  for (const node of nodes) {
    const above = lanes.get(node.parent) ?? 0;
    if (node.status !== 'rolled-back') lanes.set(node.id, 0);
    else if (above > 0 && eldest.get(node.parent) === node.id) lanes.set(node.id, above);
    else {
      const start = node.parent === 0 ? -1 : (rowOf.get(node.parent) as number);
      const free = taken.findIndex(until => until <= start);
      const slot = free < 0 ? taken.length : free;
      lanes.set(node.id, slot + 1);
      taken[slot] = lastRow(node.id);
    }
  }
  return nodes.map(node => ({ node, lane: lanes.get(node.id) as number }));

  /** Down the line of eldest children, which share its lane. */
  function lastRow(id: number): number {
    const next = eldest.get(id);
    return next === undefined ? (rowOf.get(id) as number) : lastRow(next);
  }
}
