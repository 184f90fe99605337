import { actionKey } from '../../core/action.ts';
import { lacksCertificate } from '../../core/episode/certificate.ts';
import { leavesOf, type EpisodeRecord } from '../../core/episode/record.ts';
import { standingCorrections } from './corrections.ts';

/** Actions that some episode shows to be right: on the way to an end that passed, or a correction that stands. */
export interface RightActions {
  add(record: EpisodeRecord): void;
  /** Whether the action of this node is right in its state, in this episode or in another one of the same task. */
  has(record: EpisodeRecord, node: number): boolean;
}

/** No preference may reject a right action: it passed, or it is a training target in the same state. */
export function createRightActions(): RightActions {
  const right = new Set<string>();
  return {
    add(record) {
      if (record.end.outcome === 'errored') return;
      for (const { node, verdict } of leavesOf(record)) {
        if (verdict?.pass !== true || lacksCertificate(record, node)) continue;
        for (const { id } of record.tree.path(node)) right.add(keyOf(record, id));
      }
      for (const { node } of standingCorrections(record)) right.add(keyOf(record, node));
    },
    has: (record, node) => right.has(keyOf(record, node)),
  };
}

/** The task, the state and the action: whatever led there. */
function keyOf({ head, tree }: EpisodeRecord, node: number): string {
  const { before, action } = tree.node(node);
  return `${head.task.seal} ${before} ${actionKey(action)}`;
}
