/** Rollouts of one task, trained on together. */
export interface BufferedGroup {
  readonly id: string;
  /** The oldest version of the policy that sampled a token in it. */
  readonly minVersion: number;
  /** Counts up with every group that arrives. */
  readonly arrival: number;
  readonly rewards: readonly number[];
}

export interface TakeOptions {
  /** Groups to take at most. */
  readonly groups: number;
  readonly currentVersion: number;
  /** A group may be so many versions behind, and no more. */
  readonly maxStaleness: number;
  /** `deadline` takes those first that expire first, so that long rollouts are not lost; `arrival` takes the oldest first. */
  readonly order: 'deadline' | 'arrival';
  /** Drops groups in which all rewards are the same: their advantages are all 0. */
  readonly dropEqualRewards: boolean;
}

export interface Taken<G extends BufferedGroup> {
  readonly taken: readonly G[];
  readonly kept: readonly G[];
  /** Too old for any later batch. */
  readonly expired: readonly G[];
  /** Without any advantage. */
  readonly equal: readonly G[];
}

/** Takes whole groups out of a buffer: none that is too stale. */
export function takeGroups<G extends BufferedGroup>(buffer: readonly G[], options: TakeOptions): Taken<G> {
  const { groups, currentVersion, maxStaleness, order, dropEqualRewards } = options;
  const isExpired = ({ minVersion }: G): boolean => currentVersion - minVersion > maxStaleness;
  const expired = buffer.filter(isExpired);
  const fresh = buffer.filter(group => !isExpired(group));
  const equal = dropEqualRewards ? fresh.filter(hasEqualRewards) : [];
  const useful = fresh.filter(group => !equal.includes(group));
  const ordered = useful.toSorted(
    (left, right) => (order === 'deadline' ? left.minVersion - right.minVersion : 0) || left.arrival - right.arrival,
  );
  return { taken: ordered.slice(0, groups), kept: ordered.slice(groups), expired, equal };
}

function hasEqualRewards({ rewards }: BufferedGroup): boolean {
  return rewards.every(reward => reward === rewards[0]);
}
