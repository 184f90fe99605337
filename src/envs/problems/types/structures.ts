import type { Json } from '../../../core/json.ts';
import type { Random } from '../../../core/random.ts';
import { compareValues } from './collections.ts';
import { unreadable, type Type } from './type.ts';

/** Rows of characters, all of the same length. */
export type Grid = { readonly rows: readonly string[] };

export interface GridOptions {
  /** Characters of its cells, as the inside of a character class. */
  readonly cells: string;
  readonly largest?: number;
}

export function grid({ cells, largest = 30 }: GridOptions): Type<Grid> {
  const pattern = new RegExp(`^[${cells}]{1,${largest}}$`);
  const holds = (value: Json): boolean => {
    const rows = (value as Partial<Grid> | null)?.rows;
    if (!Array.isArray(rows) || rows.length === 0 || rows.length > largest) return false;
    return rows.every(row => typeof row === 'string' && pattern.test(row) && row.length === (rows[0] as string).length);
  };
  return {
    kind: 'grid',
    name: `grid of ${cells}`,
    form: 'rows of a grid, with / between them, such as ..#/.#.',
    elements: [],
    holds,
    write: value => `\n${(value as Grid).rows.join('\n')}\n`,
    read(given) {
      const value = { rows: given.split(/[/\n]/).map(row => row.trim()) };
      if (holds(value)) return { value };
      return unreadable('wrong-form', `expected rows of ${cells} that are equally long`);
    },
    near(value, random) {
      const { rows } = value as Grid;
      const at = random.between(0, rows.length - 1);
      const [row, other] = [rows[at] as string, rows.join('').split('')];
      const cell = random.between(0, row.length - 1);
      const changed = other.find(character => character !== row[cell]) ?? '#';
      return { rows: rows.with(at, row.slice(0, cell) + changed + row.slice(cell + 1)) };
    },
  };
}

/** Edges are (from, to, weight). Where the graph is not directed, each edge goes both ways. */
export type Graph = {
  readonly nodes: readonly string[];
  readonly edges: readonly (readonly [string, string, number])[];
  readonly isDirected: boolean;
};

const mostNodes = 26;

export function graph({ isDirected = false, isWeighted = false } = {}): Type<Graph> {
  const arrow = isDirected ? '->' : '-';
  return {
    kind: 'graph',
    name: `${isDirected ? 'directed ' : ''}graph${isWeighted ? ' with weights' : ''}`,
    form: `edges with commas between them, such as A${arrow}B`,
    elements: [],
    holds: value => isGraph(value, isDirected),
    write(value) {
      const { nodes, edges } = value as Graph;
      const written = edges.map(([from, to, weight]) => `${from}${arrow}${to}${isWeighted ? ` (${weight})` : ''}`);
      return `the ${isDirected ? 'directed ' : ''}graph with the nodes ${nodes.join(', ')} and the edges ${written.join(', ')}`;
    },
    read: () => unreadable('wrong-form', 'a graph cannot be an answer'),
    canonical: value => ({ ...(value as Graph), edges: (value as Graph).edges.toSorted(compareValues) }),
    near: (value, random) => withoutEdge(value as Graph, random),
  };
}

function isGraph(value: Json, isDirected: boolean): boolean {
  const { nodes, edges, isDirected: directed } = (value ?? {}) as Partial<Graph>;
  if (!Array.isArray(nodes) || !Array.isArray(edges) || directed !== isDirected) return false;
  if (nodes.length === 0 || nodes.length > mostNodes || new Set(nodes).size !== nodes.length) return false;
  return (edges as Graph['edges']).every(
    ([from, to, weight]) => nodes.includes(from) && nodes.includes(to) && Number.isSafeInteger(weight) && weight > 0,
  );
}

function withoutEdge(value: Graph, random: Random): Graph {
  return { ...value, edges: value.edges.toSpliced(random.between(0, Math.max(0, value.edges.length - 1)), 1) };
}

export interface GraphSample {
  readonly nodes: number;
  /** Share of the possible edges that are there, beside those that connect all nodes. */
  readonly density: number;
  readonly isDirected?: boolean;
  /** The greatest weight; 1 for none. */
  readonly weight?: number;
  /** Edges lead from earlier nodes to later ones only. */
  readonly isAcyclic?: boolean;
  /** No tree of edges connects the nodes: parts may be apart. */
  readonly isLoose?: boolean;
}

/** A graph with nodes A, B, C, …, connected unless told otherwise. */
export function sampleGraph(random: Random, options: GraphSample): Graph {
  const { nodes: count, density, isDirected = false, weight = 1, isAcyclic = false, isLoose = false } = options;
  const nodes = Array.from({ length: count }, (_, index) => String.fromCodePoint(65 + index));
  const order = isAcyclic ? nodes : random.shuffle(nodes);
  const edges = new Map<string, readonly [string, string, number]>();
  const add = (from: string, to: string): void => {
    const key = isDirected || from < to ? from + to : to + from;
    if (!edges.has(key)) edges.set(key, [key[0] as string, key[1] as string, random.between(1, weight)]);
  };
  for (let index = isLoose ? count : 1; index < count; index++)
    add(order[random.between(0, index - 1)] as string, order[index] as string);
  for (const [index, from] of order.entries()) {
    for (const [other, to] of order.entries()) {
      const isPossible = isDirected && !isAcyclic ? index !== other : index < other;
      if (isPossible && random.chance(density)) add(from, to);
    }
  }
  return { nodes, edges: random.shuffle([...edges.values()]), isDirected };
}

/** Neighbours of each node with the weight of the edge. */
export function neighboursOf({ nodes, edges, isDirected }: Graph): ReadonlyMap<string, readonly [string, number][]> {
  const found = new Map(nodes.map(node => [node, [] as [string, number][]]));
  for (const [from, to, weight] of edges) {
    found.get(from)?.push([to, weight]);
    if (!isDirected) found.get(to)?.push([from, weight]);
  }
  return found;
}
