import { describeAction } from '../../core/action.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { EspalierError } from '../../core/errors.ts';
import type { TreeNode } from '../../core/tree.ts';
import { answerOf, promptOf } from './chat.ts';
import { columns, type Row, type Table } from './columns.ts';
import { standingCorrections } from './corrections.ts';
import { provenanceColumns, provenanceOf } from './provenance.ts';

export const preferences: Table = {
  name: 'preferences',
  columns: [
    ...columns({
      prompt: 'messages',
      chosen: 'messages',
      rejected: 'messages',
      tools: 'string',
      rejected_node: 'int',
      rejected_actor_role: 'string',
      rejected_actor_name: 'string',
      reason: 'string',
    }),
    ...provenanceColumns,
  ],
};

/** The correction against the step it replaces, whoever took that: two answers to the same prompt, in the same state. */
export function* preferenceRows(record: EpisodeRecord, tools: string): Iterable<Row> {
  for (const { node, replaces, reason } of standingCorrections(record)) {
    if (replaces === null) continue;
    const chosen = record.tree.node(node);
    const rejected = record.tree.node(replaces);
    requireFork(record, chosen, rejected);
    // A teacher that repeats what it rejected prefers nothing.
    if (describeAction(chosen.action) === describeAction(rejected.action)) continue;
    yield {
      prompt: promptOf(record, chosen.id),
      chosen: [answerOf(chosen.action, chosen.thought)],
      rejected: [answerOf(rejected.action, rejected.thought)],
      tools,
      rejected_node: rejected.id,
      rejected_actor_role: rejected.actor.role,
      rejected_actor_name: rejected.actor.name,
      reason,
      ...provenanceOf(record, chosen, record.end.verdict),
    };
  }
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
