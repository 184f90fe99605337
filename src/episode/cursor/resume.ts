import type { EpisodeEvent } from '../../core/episode/events.ts';
import type { Trail } from '../../core/episode/trail.ts';
import type { SeenStep } from '../../core/episode/view.ts';
import { DivergenceError, EspalierError } from '../../core/errors.ts';
import { createTree, type Tree, type TreeNode } from '../../core/tree.ts';

/** What the journal has of an episode that did not end. */
export interface RecordedEpisode {
  readonly root: string;
  readonly nodes: readonly TreeNode[];
  /** What was seen at each node. */
  readonly lines: Map<number, SeenStep>;
  /** The node that each cursor stands at. */
  readonly positions: ReadonlyMap<number, number>;
  readonly counts: Readonly<Record<'taken' | 'rollbacks' | 'forks' | 'leaves', number>>;
}

/** Reads events into the tree and the place of every cursor in it. */
export function readRecordedEpisode(task: string, events: readonly EpisodeEvent[]): RecordedEpisode {
  const [first] = events;
  if (first?.kind !== 'open') throw cannotResume(task, 'its world was not opened');
  const nodes: TreeNode[] = [];
  const lines = new Map<number, SeenStep>();
  const positions = new Map([[0, 0]]);
  const counts = { taken: 0, rollbacks: 0, forks: 0, leaves: 0 };
  for (const event of events.slice(1)) {
    switch (event.kind) {
      case 'step':
        if (event.image !== undefined) throw cannotResume(task, 'its steps were taken on pictures');
        counts.taken++;
        nodes.push(event.node);
        lines.set(event.node.id, { screen: event.screen, text: event.text, request: event.request });
        positions.set(event.cursor ?? 0, event.node.id);
        break;
      case 'rollback':
        counts.rollbacks++;
        positions.set(event.cursor ?? 0, event.to);
        break;
      case 'fork':
        counts.forks++;
        positions.set(event.cursor, event.at);
        break;
      case 'leaf':
        counts.leaves++;
        break;
      default:
        throw cannotResume(task, `it has an event "${event.kind}"`);
    }
  }
  return { root: first.root, nodes, lines, positions, counts };
}

/**
 * Takes every recorded step again on a fresh trail, and compares each state with the recorded one. A world with snapshots
 * is opened once for the whole tree. Steps after one that leads elsewhere are added without being taken: a rollback to them
 * throws the divergence.
 */
export async function replayTree(trail: Trail, { root, nodes }: RecordedEpisode): Promise<void> {
  const { tree } = trail;
  if (tree.root !== root) throw new DivergenceError(0, root, tree.root);
  const unreachable = new Set<number>();
  for (const node of nodes) {
    const isLost = unreachable.has(node.parent);
    if (isLost) appendTo(tree, node);
    if (isLost || (await diverges(trail, node))) unreachable.add(node.id);
  }
}

async function diverges(trail: Trail, node: TreeNode): Promise<boolean> {
  try {
    await trail.repeat(node);
    return false;
  } catch (cause) {
    if (cause instanceof DivergenceError) return true;
    throw cause;
  }
}

function appendTo(tree: Tree, { id: _id, ...node }: TreeNode): void {
  tree.append(node);
}

/** The recorded tree, without a world. */
export function treeOf({ root, nodes }: RecordedEpisode): Tree {
  const tree = createTree(root);
  for (const node of nodes) appendTo(tree, node);
  return tree;
}

function cannotResume(task: string, why: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unsupported',
    message: `The episode of task ${task} cannot be resumed: ${why}.`,
    expected: 'Expected an episode that a client drove in a world without pictures. Open another one.',
  });
}
