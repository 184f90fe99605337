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
  // By id in arrays: ids count from 1, and maps of 100,000 of them take several times as long.
  const rowOf: number[] = [];
  const eldest: number[] = [];
  for (const [row, { id, parent, status }] of nodes.entries()) {
    rowOf[id] = row;
    if (status === 'rolled-back') eldest[parent] ??= id;
  }
  const lastRow = lastRows(nodes, eldest);
  const lanes: number[] = [];
  /** The last row that each lane is taken up to. */
  const taken: number[] = [];
  for (const node of nodes) {
    const above = lanes[node.parent] ?? 0;
    if (node.status !== 'rolled-back') lanes[node.id] = 0;
    else if (above > 0 && eldest[node.parent] === node.id) lanes[node.id] = above;
    else {
      const start = node.parent === 0 ? -1 : (rowOf[node.parent] as number);
      const free = taken.findIndex(until => until <= start);
      const slot = free < 0 ? taken.length : free;
      lanes[node.id] = slot + 1;
      taken[slot] = lastRow[node.id] as number;
    }
  }
  return nodes.map(node => ({ node, lane: lanes[node.id] as number }));
}

/** The row that ends the line of eldest children below each step: they share its lane. Children come after their parent. */
function lastRows(nodes: readonly LaidStep[], eldest: readonly number[]): readonly number[] {
  const last: number[] = [];
  for (let row = nodes.length - 1; row >= 0; row--) {
    const { id } = nodes[row] as LaidStep;
    last[id] = last[eldest[id] ?? 0] ?? row;
  }
  return last;
}
