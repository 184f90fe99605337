import type { DrawnNode } from '../../gallery.ts';

/** What the layout needs of a step. */
export type LaidStep = Pick<DrawnNode, 'id' | 'parent' | 'status'>;

/** A step in its row and lane. Lane 0 is the path that was kept. */
export interface Spot<N extends LaidStep = DrawnNode> {
  readonly node: N;
  readonly lane: number;
}

/** One row for each step, in the order they were taken; what was left behind stands in lanes beside the kept path. */
export function layLanes<N extends LaidStep>({ nodes }: { readonly nodes: readonly N[] }): readonly Spot<N>[] {
  const rowOf = new Map(nodes.map((node, row) => [node.id, row]));
  const eldest = new Map<number, number>();
  for (const node of nodes) {
    if (node.status === 'rolled-back' && !eldest.has(node.parent)) eldest.set(node.parent, node.id);
  }
  const lastRow = lastRows(nodes, eldest);
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
      taken[slot] = lastRow.get(node.id) as number;
    }
  }
  return nodes.map(node => ({ node, lane: lanes.get(node.id) as number }));
}

/** The row that ends the line of eldest children below each step: they share its lane. Children come after their parent. */
function lastRows(nodes: readonly LaidStep[], eldest: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const last = new Map<number, number>();
  for (let row = nodes.length - 1; row >= 0; row--) {
    const { id } = nodes[row] as LaidStep;
    last.set(id, last.get(eldest.get(id) ?? 0) ?? row);
  }
  return last;
}
