import { actionKey } from '../../core/action.ts';
import { leavesOf, type EpisodeRecord } from '../../core/episode/record.ts';
import { EspalierError } from '../../core/errors.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { CreditGroup, CreditStep, CreditTrajectory, TrajectoryCredit } from '../../dataset/credit/contract.ts';
import type { Experience } from '../../policies/learned/reinforce.ts';

/** The attempts at one task, and where each of their steps is recorded. */
export interface RecordedGroup {
  readonly group: CreditGroup;
  readonly records: ReadonlyMap<string, EpisodeRecord>;
}

/**
 * Groups the attempts at each task: every leaf of every episode is one. Episodes of one task follow each other. `version`
 * names the policy that sampled them.
 */
export function* readGroups(records: Iterable<EpisodeRecord>, version: string): Generator<RecordedGroup> {
  let open: EpisodeRecord[] = [];
  for (const record of records) {
    if (open.length > 0 && open[0]?.head.task.id !== record.head.task.id) {
      yield groupOf(open, version);
      open = [];
    }
    open.push(record);
  }
  if (open.length > 0) yield groupOf(open, version);
}

function groupOf(records: readonly EpisodeRecord[], version: string): RecordedGroup {
  const trajectories = records.flatMap(record => trajectoriesOf(record, version));
  return {
    group: { id: records[0]?.head.task.id ?? '', trajectories, version },
    records: new Map(records.map(record => [record.head.key, record])),
  };
}

/** An attempt without any step has nothing to learn from. */
function trajectoriesOf(record: EpisodeRecord, version: string): CreditTrajectory[] {
  const { head, tree } = record;
  return leavesOf(record).flatMap(({ node, verdict }): CreditTrajectory[] => {
    const path = tree.path(node);
    if (path.length === 0) return [];
    return [
      {
        id: nameOf(head.key, node),
        reward: verdict === null ? null : Number(verdict.pass),
        steps: path.map(step => stepOf(step, head.key, version)),
      },
    ];
  });
}

function stepOf(node: TreeNode, key: string, version: string): CreditStep {
  const { id, before, after, action, actor, outcome, logprob = null, entropy = null } = node;
  const name = nameOf(key, id);
  const sampled = { logprob, entropy, version };
  return {
    state: before,
    after,
    action: actionKey(action),
    node: name,
    actor: actor.role,
    applied: outcome.applied,
    ...sampled,
  };
}

function nameOf(key: string, node: number): string {
  return `${key} ${node}`;
}

/**
 * The steps of the student that count, with their advantages. A step that several attempts share was sampled once: it
 * counts once, with the mean of its advantages.
 */
export function experiencesOf(
  { group, records }: RecordedGroup,
  credits: readonly TrajectoryCredit[],
): readonly Experience[] {
  const byId = new Map(credits.map(credit => [credit.id, credit]));
  const advantages = new Map<string, number[]>();
  for (const { id, steps } of group.trajectories) {
    const credit = byId.get(id);
    for (const [place, { node, actor }] of steps.entries()) {
      if (credit === undefined || credit.mask[place] !== true || actor !== 'student') continue;
      const known = advantages.get(node) ?? [];
      known.push(credit.advantages[place] as number);
      advantages.set(node, known);
    }
  }
  return [...advantages].map(([name, values]) => {
    const at = name.lastIndexOf(' ');
    const record = records.get(name.slice(0, at)) as EpisodeRecord;
    return experienceOf(
      record,
      Number(name.slice(at + 1)),
      values.reduce((sum, value) => sum + value, 0) / values.length,
    );
  });
}

function experienceOf(record: EpisodeRecord, node: number, advantage: number): Experience {
  const { action, logprob } = record.tree.node(node);
  if (logprob === undefined) throw noLogprob(record, node);
  return { situation: record.situation(node), action, logprob, advantage };
}

function noLogprob({ head }: EpisodeRecord, node: number): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'no-credit',
    message: `Step ${node} of ${head.key} has no log probability.`,
    expected: 'Expected steps that the student of this run sampled: collect the round again in another folder.',
  });
}
