import { actionKey } from '../../core/action.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { EspalierError } from '../../core/errors.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { Requests } from '../requests/requests.ts';
import { columns, type Row, type Table } from '../rows/columns.ts';
import { isProven, provenVerdict, standingCorrections } from '../rows/proven.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';

export const preferences: Table = {
  name: 'preferences',
  columns: [
    ...columns({
      prompt: 'messages',
      chosen: 'messages',
      rejected: 'messages',
      tools: 'string',
      request: 'string',
      rejected_node: 'int',
      rejected_actor_role: 'string',
      rejected_actor_name: 'string',
      reason: 'string',
    }),
    ...provenanceColumns,
  ],
};

/**
 * The correction against the step it replaces, whoever took that: two answers to the same prompt, in the same state.
 * Nothing is preferred to a step that is right.
 */
export function* preferenceRows(
  record: EpisodeRecord,
  requests: Requests,
  isRight: (node: number) => boolean,
): Iterable<Row> {
  for (const correction of standingCorrections(record)) {
    const { node, replaces, reason } = correction;
    if (replaces === null || !isPreference(record, correction) || !isProven(record, node)) continue;
    if (isRight(replaces)) continue;
    const chosen = record.tree.node(node);
    const rejected = record.tree.node(replaces);
    const request = requests.of(record, chosen.id);
    if (request === null) continue;
    yield {
      prompt: request.messages,
      chosen: [request.answer(chosen.id)],
      rejected: [request.answer(rejected.id)],
      tools: request.tools,
      request: request.source,
      rejected_node: rejected.id,
      rejected_actor_role: rejected.actor.role,
      rejected_actor_name: rejected.actor.name,
      reason,
      ...provenanceOf(record, chosen, provenVerdict(record)),
    };
  }
}

/** Whether a correction is another answer than the step it replaces. */
export function isPreference(record: EpisodeRecord, { node, replaces }: EpisodeRecord['corrections'][number]): boolean {
  if (replaces === null) return false;
  const [chosen, rejected] = [record.tree.node(node), record.tree.node(replaces)];
  requireFork(record, chosen, rejected);
  // A teacher that repeats what it rejected prefers nothing.
  return actionKey(chosen.action) !== actionKey(rejected.action);
}

function requireFork({ head }: EpisodeRecord, chosen: TreeNode, rejected: TreeNode): void {
  if (chosen.parent === rejected.parent && chosen.before === rejected.before) return;
  throw new EspalierError({
    boundary: 'store',
    code: 'corrupt-record',
    message: `In episode ${head.key}, the correction ${chosen.id} was made after node ${chosen.parent}, and the step ${rejected.id} that it replaces after node ${rejected.parent}.`,
    expected: 'Expected both in the same state, after the same node.',
  });
}
