import { actionKey } from '../../core/action.ts';
import { lacksCertificate } from '../../core/episode/certificate.ts';
import { leavesOf, type EpisodeRecord } from '../../core/episode/record.ts';
import type { TreeNode } from '../../core/tree.ts';
import { standingCorrections } from './proven.ts';

/** Actions that some episode shows to be right: on the way to an end that passed, or a correction that stands. */
export interface RightActions {
  add(record: EpisodeRecord): void;
  /** Whether the action of this node is right in its state, in this episode or in another one of the same task. */
  has(record: EpisodeRecord, node: number): boolean;
  /** Whether some trajectory of the same task passed from the state after this node. */
  passesFrom(record: EpisodeRecord, node: number): boolean;
  /** The shortest trajectory of the same task that passed; the first of those that are equally short. */
  passing(record: EpisodeRecord): PassingTrajectory | null;
}

/** A trajectory that passed, in few words. */
export interface PassingTrajectory {
  readonly run: string;
  readonly episode: string;
  readonly leaf: number;
  readonly actions: readonly string[];
  /** The steps as lines of history. */
  readonly texts: readonly string[];
}

/** No preference may reject a right action: it passed, or it is a training target in the same state. */
export function createRightActions(): RightActions {
  const right = new Set<string>();
  const onTheWay = new Set<string>();
  const shortest = new Map<string, PassingTrajectory>();
  return {
    add(record) {
      if (record.end.outcome === 'errored') return;
      for (const { node, verdict } of leavesOf(record)) {
        if (verdict?.pass !== true || lacksCertificate(record, node)) continue;
        const path = record.tree.path(node);
        for (const { id, before } of path) {
          right.add(keyOf(record, id));
          onTheWay.add(stateKey(record, before));
        }
        const { seal } = record.head.task;
        if (path.length < (shortest.get(seal)?.actions.length ?? Infinity)) shortest.set(seal, passingOf(record, path));
      }
      for (const { node } of standingCorrections(record)) right.add(keyOf(record, node));
    },
    has: (record, node) => right.has(keyOf(record, node)),
    passesFrom: (record, node) => onTheWay.has(stateKey(record, record.tree.node(node).after)),
    passing: record => shortest.get(record.head.task.seal) ?? null,
  };
}

function passingOf(record: EpisodeRecord, path: readonly TreeNode[]): PassingTrajectory {
  return {
    run: record.head.run,
    episode: record.head.key,
    leaf: path.at(-1)?.id ?? 0,
    actions: path.map(({ action }) => JSON.stringify(action)),
    texts: path.map(({ id }) => record.text(id)),
  };
}

function stateKey({ head }: EpisodeRecord, state: string): string {
  return `${head.task.seal} ${state}`;
}

/** The task, the state and the action: whatever led there. */
function keyOf({ head, tree }: EpisodeRecord, node: number): string {
  const { before, action } = tree.node(node);
  return `${head.task.seal} ${before} ${actionKey(action)}`;
}
