import type { Random } from '../../core/random.ts';

export interface RolloutCountOptions {
  readonly least: number;
  readonly most: number;
}

/** Rollouts for a task whose past attempts passed at this rate: fewer, the surer it is. A task without a past gets most. */
export function rolloutCount(passRate: number | null, { least, most }: RolloutCountOptions): number {
  return Math.min(most, Math.max(least, Math.ceil(most * (1 - (passRate ?? 0)))));
}

/** The group, with a success from the pool when it has none of its own; as it is when the pool has none either. */
export function withPoolSuccess<R extends { readonly reward: number }>(
  group: readonly R[],
  pool: readonly R[],
): readonly R[] {
  if (group.some(({ reward }) => reward > 0)) return group;
  const success = pool.find(({ reward }) => reward > 0);
  return success === undefined ? group : [...group, success];
}

/** The share of steps with the highest entropy, as places in their order: only these are trained on. */
export function highEntropySteps(entropies: readonly number[], share: number): readonly number[] {
  const count = Math.ceil(entropies.length * share);
  const ranked = [...entropies.keys()].toSorted(
    (left, right) => (entropies[right] as number) - (entropies[left] as number),
  );
  return ranked.slice(0, count).toSorted((left, right) => left - right);
}

export interface MixOptions {
  /** Rollouts of this trainer, and of its peers. */
  readonly local: number;
  readonly shared: number;
  readonly random: Random;
}

/** A batch of the newest own rollouts, and of rollouts drawn from what peers share. */
export function mixBatch<R>(
  own: readonly R[],
  peers: readonly R[],
  { local, shared, random }: MixOptions,
): readonly R[] {
  return [...own.slice(Math.max(0, own.length - local)), ...random.shuffle([...peers]).slice(0, shared)];
}
