import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { Manifest } from '../rows/manifest.ts';
import type {
  CreditGroup,
  CreditStep,
  CreditTrajectory,
  Estimator,
  EstimatorOptions,
  TrajectoryEnd,
} from './contract.ts';
import { createCredit } from './credit.ts';
import { creditGroupOf, stepId, trajectoriesOf, trajectoryId, type ReadCall } from './episode-groups.ts';

/** An estimator, and the options it is used with. */
export interface ChosenEstimator {
  readonly estimator: Estimator;
  readonly options?: EstimatorOptions | undefined;
}

/** What a step was worth. */
export interface StepCredit {
  readonly advantage: number;
  /** Whether it counts in the loss. */
  readonly isCounted: boolean;
  /** Of predicting the observation after it; null when the estimator weighs none. */
  readonly observationWeight: number | null;
}

/** What a trajectory was worth, step by step. */
interface LeafCredit {
  readonly reward: number;
  /** How it ended. */
  readonly end: TrajectoryEnd | null;
  /** What the estimator saw of each step. */
  readonly seen: readonly CreditStep[];
  readonly steps: readonly StepCredit[];
}

/** The credit of a whole export: filled with every episode first, then asked for each. */
export interface CreditLedger {
  readonly estimator: string;
  add(record: EpisodeRecord): void;
  /** The group that an episode belongs to. */
  group(record: EpisodeRecord): string;
  /** Null where the group of the leaf has no advantages, or the leaf no verdict. */
  leaf(record: EpisodeRecord, leaf: number): LeafCredit | null;
  /** A step that several trajectories share has the mean of what it was worth in those that count it. */
  step(record: EpisodeRecord, node: number): StepCredit | null;
  figures(): NonNullable<Manifest['credit']>;
}

export function createCreditLedger(
  { estimator, options }: ChosenEstimator,
  readCall: NonNullable<ReadCall>,
): CreditLedger {
  const groups = new Map<string, CreditTrajectory[]>();
  let broken = 0;
  let settled: Settled | null = null;
  const settle = (): Settled => {
    settled ??= settleGroups({ estimator, options }, groups, broken);
    return settled;
  };
  return {
    estimator: estimator.name,
    add(record) {
      const id = creditGroupOf(record, estimator);
      const group = groups.get(id) ?? [];
      const tries = trajectoriesOf(record, readCall);
      // An episode that broke has no end that anybody judged: its group is smaller by one.
      if (tries.length === 0) broken++;
      for (const trajectory of tries) group.push(trajectory);
      groups.set(id, group);
    },
    group: record => creditGroupOf(record, estimator),
    leaf: (record, leaf) => settle().leaves.get(trajectoryId(record, leaf)) ?? null,
    step: (record, node) => settle().steps.get(stepId(record, node)) ?? null,
    figures: () => settle().figures,
  };
}

interface Settled {
  readonly leaves: ReadonlyMap<string, LeafCredit>;
  readonly steps: ReadonlyMap<string, StepCredit>;
  readonly figures: NonNullable<Manifest['credit']>;
}

function settleGroups(
  { estimator, options }: ChosenEstimator,
  groups: ReadonlyMap<string, readonly CreditTrajectory[]>,
  broken: number,
): Settled {
  const credit = createCredit(estimator, options);
  const leaves = new Map<string, LeafCredit>();
  const byNode = new Map<string, StepCredit[]>();
  const left = new Map<string, number>();
  const counts = { credited: 0, trajectories: 0, unverified: broken };
  let alone = 0;
  for (const [id, trajectories] of groups) {
    const found = credit(withVersion({ id, trajectories }));
    counts.unverified += found.unverified.length;
    if (found.kind === 'left-out') {
      left.set(found.reason, (left.get(found.reason) ?? 0) + 1);
      continue;
    }
    counts.credited++;
    if (found.trajectories.length === 1) alone++;
    const known = new Map(trajectories.map(trajectory => [trajectory.id, trajectory]));
    for (const { id: name, advantages, mask, observationWeights } of found.trajectories) {
      const { steps, reward, end = null } = known.get(name) as CreditTrajectory;
      const own = steps.map(
        (_, place): StepCredit => ({
          advantage: advantages[place] as number,
          isCounted: mask[place] as boolean,
          observationWeight: observationWeights?.[place] ?? null,
        }),
      );
      leaves.set(name, { reward: reward as number, end, seen: steps, steps: own });
      counts.trajectories++;
      for (const [place, { node }] of steps.entries()) {
        const shared = byNode.get(node);
        if (shared === undefined) byNode.set(node, [own[place] as StepCredit]);
        else shared.push(own[place] as StepCredit);
      }
    }
  }
  return {
    leaves,
    steps: new Map([...byNode].map(([node, credits]) => [node, sharedCredit(credits)])),
    figures: {
      estimator: estimator.name,
      options: { ...options },
      groups: groups.size,
      ...counts,
      ...(alone === 0 ? {} : { alone }),
      left: Object.fromEntries([...left].toSorted()),
    },
  };
}

function sharedCredit(credits: readonly StepCredit[]): StepCredit {
  const counted = credits.filter(({ isCounted }) => isCounted);
  if (counted.length === 0 || credits.length === 1) return credits[0] as StepCredit;
  const advantage = counted.reduce((sum, own) => sum + own.advantage, 0) / counted.length;
  return { ...(counted[0] as StepCredit), advantage };
}

/** Log probabilities of one group must be of one policy: of that which took its last trajectory. */
function withVersion(group: CreditGroup): CreditGroup {
  const last = group.trajectories.at(-1)?.steps.find(({ actor }) => actor === 'student');
  const version = last?.version ?? null;
  return version === null ? group : { ...group, version };
}
