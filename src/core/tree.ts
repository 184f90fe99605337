import { z } from 'zod';
import { actionSchema } from './action.ts';
import { createDigest } from './digest.ts';
import { EspalierError } from './errors.ts';
import type { Json } from './json.ts';
import { parseRecord, stepOutcomeSchema } from './records.ts';

export const actorSchema = z.strictObject({ role: z.enum(['student', 'teacher', 'human']), name: z.string() });
export type Actor = z.infer<typeof actorSchema>;

export const nodeSchema = z.strictObject({
  id: z.int().positive(),
  /** 0 is the root: the initial state. */
  parent: z.int().nonnegative(),
  actor: actorSchema,
  action: actionSchema,
  outcome: stepOutcomeSchema,
  before: z.string(),
  after: z.string(),
  thought: z.string().optional(),
  /** What the strategy told the student beside the task. Training rows leave it out. */
  hint: z.string().optional(),
  cost: z.number().nonnegative().optional(),
  tokens: z.int().nonnegative().optional(),
  /** What the actor said of its own choice: searches order branches by it. */
  prior: z.number().min(0).max(1).optional(),
  value: z.number().optional(),
  confidence: z.number().min(0).max(1).optional(),
  /** Log probability of the action when it was sampled, and entropy of the policy in that state, in nats. */
  logprob: z.number().max(0).optional(),
  entropy: z.number().nonnegative().optional(),
  /** Items of a memory that the step followed, and those whose step the screen did not offer. */
  memory: z.strictObject({ used: z.array(z.string()).readonly(), broken: z.array(z.string()).readonly() }).optional(),
});
/** One step, taken by one actor in one state. */
export type TreeNode = z.infer<typeof nodeSchema>;
export type NewNode = Omit<TreeNode, 'id'>;

/** What an actor says of its step, and what the step cost. */
export const remarksSchema = nodeSchema.pick({
  thought: true,
  cost: true,
  tokens: true,
  prior: true,
  value: true,
  confidence: true,
  logprob: true,
  entropy: true,
});

const treeSchema = z.strictObject({
  version: z.literal(1),
  root: z.string(),
  nodes: z.array(nodeSchema),
  /** Digest of the nodes: a record that was cut or altered is refused. */
  seal: z.string(),
});
type TreeRecord = z.infer<typeof treeSchema>;

/** The trajectories of one task, as an append-only tree: nothing that was tried is ever lost. */
export interface Tree {
  /** Digest of the initial state. */
  readonly root: string;
  append(node: NewNode): TreeNode;
  node(id: number): TreeNode;
  children(id: number): readonly TreeNode[];
  /** The steps from the root to this node. */
  path(id: number): readonly TreeNode[];
  leaves(): readonly TreeNode[];
  /** Digest of the state after this node; of the initial state for 0. */
  digest(id: number): string;
  record(): TreeRecord;
}

export function createTree(root: string): Tree {
  const nodes: TreeNode[] = [];
  const below = new Map<number, TreeNode[]>();

  const find = (id: number): TreeNode => {
    const found = nodes[id - 1];
    if (found === undefined)
      throw corrupt(`There is no node ${id}.`, `Expected a node from 0, the start, to ${nodes.length}.`);
    return found;
  };
  const digest = (id: number): string => (id === 0 ? root : find(id).after);
  return {
    root,
    digest,
    node: find,
    append(added) {
      if (digest(added.parent) !== added.before) {
        throw corrupt(
          `The step starts in state ${added.before}, but its parent ${added.parent} ends in ${digest(added.parent)}.`,
          'Expected a step that starts where its parent ends; roll the session back before stepping from there.',
        );
      }
      // A copy: what the caller does with its own is not history.
      const node: TreeNode = { id: nodes.length + 1, ...copied(added) };
      nodes.push(node);
      const siblings = below.get(node.parent);
      if (siblings === undefined) below.set(node.parent, [node]);
      else siblings.push(node);
      return node;
    },
    children: id => below.get(id) ?? [],
    path(id) {
      const steps: TreeNode[] = [];
      for (let at = id; at !== 0; at = find(at).parent) steps.push(find(at));
      return steps.toReversed();
    },
    leaves: () => nodes.filter(node => !below.has(node.id)),
    record: () => ({ version: 1, root, nodes: [...nodes], seal: sealOf(nodes) }),
  };
}

/** Rebuilds a tree from its record; a record that was tampered with or cut is refused. */
export function readTree(value: unknown): Tree {
  const record = parseRecord(treeSchema, value, { what: 'tree record', code: 'corrupt-record' });
  if (record.seal !== sealOf(record.nodes)) {
    throw corrupt('The tree record was cut or altered: its seal does not fit.', 'Expected a record as it was written.');
  }
  const tree = createTree(record.root);
  for (const { id, ...node } of record.nodes) {
    if (tree.append(node).id !== id) throw corrupt(`Node ${id} is out of place.`, 'Expected nodes numbered from 1.');
  }
  return tree;
}

/** Nodes are plain JSON: copying them so is many times faster than a structured clone. */
function copied<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copied) as T;
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) copy[key] = copied(member);
  return copy as T;
}

function sealOf(nodes: readonly TreeNode[]): string {
  // Through JSON, as a record is stored: members without a value are not there.
  return createDigest()(JSON.parse(JSON.stringify(nodes)) as Json);
}

function corrupt(message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'store', code: 'corrupt-record', message, expected });
}
