import type { EpisodeRecord } from '../../core/episode/record.ts';
import { EspalierError } from '../../core/errors.ts';
import type { CreditGroup, CreditTrajectory, TrajectoryCredit } from '../../dataset/credit/contract.ts';
import { trajectoriesOf } from '../../dataset/credit/episode-groups.ts';
import type { Experience } from '../../agents/learned/reinforce.ts';

/** The attempts at one task, and where each of their steps is recorded. */
export interface RecordedGroup {
  readonly group: CreditGroup;
  /** The episode of each trajectory. */
  readonly records: ReadonlyMap<string, EpisodeRecord>;
  /** Episodes that broke: they have no trajectory. */
  readonly broken: number;
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
  const recorded = records.flatMap(record => sampledBy(record, version).map(trajectory => ({ record, trajectory })));
  const told = new Set(recorded.map(({ record }) => record));
  const trajectories = recorded.map(({ trajectory }) => trajectory);
  return {
    group: { id: records[0]?.head.task.id ?? '', trajectories, version },
    records: new Map(recorded.map(({ record, trajectory }) => [trajectory.id, record])),
    broken: records.length - told.size,
  };
}

/** Every leaf of an episode, with how likely each step was when this version of the student sampled it. */
function sampledBy(record: EpisodeRecord, version: string): CreditTrajectory[] {
  return trajectoriesOf(record, null).map(trajectory => ({
    ...trajectory,
    steps: trajectory.steps.map(step => {
      const { logprob = null, entropy = null } = record.tree.node(nodeOf(step.node));
      return { ...step, logprob, entropy, version };
    }),
  }));
}

/** The node that the name of a step ends with. */
function nodeOf(step: string): number {
  return Number(step.slice(step.lastIndexOf(':') + 1));
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
  const byStep = new Map(group.trajectories.flatMap(({ id, steps }) => steps.map(({ node }) => [node, id])));
  return [...advantages].map(([step, values]) => {
    const record = records.get(byStep.get(step) as string) as EpisodeRecord;
    return experienceOf(record, nodeOf(step), values.reduce((sum, value) => sum + value, 0) / values.length);
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
