import { failedChecks } from '../../core/check-ids.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { columns, type Row, type Table } from '../rows/columns.ts';
import { certifiedBy } from '../rows/proven.ts';

/** The time an episode took is left out: two runs that did the same give the same rows. */
export const episodes: Table = {
  name: 'episodes',
  columns: columns({
    run: 'string',
    episode: 'string',
    index: 'int',
    phase: 'string',
    round: 'int',
    trial: 'int',
    environment: 'string',
    template: 'string',
    task: 'string',
    kind: 'string',
    seed: 'int',
    split: 'string',
    student: 'string',
    teacher: 'string?',
    strategy: 'string',
    outcome: 'string',
    reason: 'string?',
    boundary: 'string?',
    message: 'string?',
    pass: 'boolean?',
    progress: 'float?',
    clean: 'boolean?',
    /** Ids of the checks that do not hold; `clean` when something else was changed. Null without a verdict. */
    failed_checks: 'strings?',
    /** `by-construction`, `by-replay` or `none`; null when it needs a certificate and has none that agrees. */
    certified: 'string?',
    leaves: 'int',
    /** Leaves whose verdict passed: a group of forks is one episode with a leaf for each. */
    leaves_passed: 'int',
    steps: 'int',
    taken: 'int',
    reviews: 'int',
    /** Steps that the teacher was shown, once for each review. */
    shown: 'int',
    /** Reviews that were left out, as the student was sure. */
    skipped: 'int',
    corrections: 'int',
    interventions: 'int',
    rollbacks: 'int',
    /** Rollbacks that put a snapshot back; the others replayed the path. */
    restored: 'int',
    forks: 'int',
    cost: 'float',
    tokens: 'int',
    first_digest: 'string?',
    last_digest: 'string?',
  }),
};

/** One line about an episode. What was not verified has no verdict: null, never a failure. */
export function episodeRow(record: EpisodeRecord): Row {
  const { head, end, tree, leaves } = record;
  const { task } = head;
  return {
    run: head.run,
    episode: head.key,
    index: head.index,
    phase: head.phase,
    round: head.round,
    trial: head.trial,
    environment: task.environment,
    template: task.template,
    task: task.id,
    kind: task.kind,
    seed: task.seed,
    split: task.split,
    student: head.student,
    teacher: head.teacher,
    strategy: head.strategy,
    outcome: end.outcome,
    reason: end.reason,
    boundary: end.boundary,
    message: end.message,
    pass: end.verdict?.pass ?? null,
    progress: end.verdict?.progress ?? null,
    clean: end.verdict?.evidence.sideEffectsKnown === false ? null : (end.verdict?.clean ?? null),
    failed_checks: end.verdict === null ? null : failedChecks(end.verdict, task.parameters),
    certified: certifiedBy(record),
    leaves: leaves.length,
    leaves_passed: leaves.filter(({ verdict }) => verdict?.pass === true).length,
    steps: end.counts.steps,
    taken: end.counts.taken,
    reviews: end.counts.reviews,
    shown: record.reviews.reduce((sum, { nodes }) => sum + nodes.length, 0),
    skipped: end.counts.skipped ?? 0,
    corrections: end.counts.corrections,
    interventions: end.counts.interventions,
    rollbacks: end.counts.rollbacks,
    restored: record.rollbacks.filter(({ method }) => method === 'restore').length,
    forks: end.counts.forks,
    cost: end.counts.cost,
    tokens: end.counts.tokens,
    // An episode that broke before its task was open has seen no state.
    first_digest: tree.root === '' ? null : tree.root,
    last_digest: tree.digest(end.leaf) === '' ? null : tree.digest(end.leaf),
  };
}
