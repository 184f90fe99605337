import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { Verdict } from '../../core/records.ts';
import type { TreeNode } from '../../core/tree.ts';
import { columns } from './columns.ts';

/** Where a row comes from: enough to find the step again, and to judge it. */
export const provenanceColumns = columns({
  run: 'string',
  episode: 'string',
  node: 'int',
  digest: 'string',
  pass: 'boolean?',
  progress: 'float?',
  actor_role: 'string',
  actor_name: 'string',
  environment: 'string',
  template: 'string',
  task: 'string',
  seed: 'int',
  split: 'string',
  round: 'int',
  student: 'string',
  teacher: 'string?',
  strategy: 'string',
  /** How the path to this step is certified. */
  certified: 'string',
});

/** Of a step, with the verdict on the leaf that it is taken from. */
export function provenanceOf({ head, end }: EpisodeRecord, node: TreeNode, verdict: Verdict | null) {
  const { task } = head;
  return {
    run: head.run,
    episode: head.key,
    node: node.id,
    digest: node.before,
    pass: verdict?.pass ?? null,
    progress: verdict?.progress ?? null,
    actor_role: node.actor.role,
    actor_name: node.actor.name,
    environment: task.environment,
    template: task.template,
    task: task.id,
    seed: task.seed,
    split: task.split,
    round: head.round,
    student: head.student,
    teacher: head.teacher,
    strategy: head.strategy,
    certified: end.certification,
  };
}
