import { EspalierError, invalidModule } from '../../core/errors.ts';
import type { CreditGroup, CreditTrajectory, Estimator, EstimatorOptions, TrajectoryCredit } from './contract.ts';
import { CreditError, type CreditReason } from './credit-error.ts';

/** Differences below this come from rounding. */
const negligible = 1e-9;

/** The advantages of a group, or why it has none: never zeros in their place. */
export type GroupCredit =
  | {
      readonly kind: 'credited';
      readonly group: string;
      readonly trajectories: readonly TrajectoryCredit[];
      /** Trajectories without a verdict: they are compared with nothing. */
      readonly unverified: readonly string[];
    }
  | {
      readonly kind: 'left-out';
      readonly group: string;
      readonly reason: CreditReason;
      readonly detail: string;
      readonly unverified: readonly string[];
    };

/** Credits groups with an estimator; its options are read once. */
export function createCredit(estimator: Estimator, options?: EstimatorOptions): (group: CreditGroup) => GroupCredit {
  const estimate = estimator.create(options);
  return group => {
    const verified = group.trajectories.filter(({ reward }) => reward !== null);
    const unverified = group.trajectories.filter(({ reward }) => reward === null).map(({ id }) => id);
    for (const trajectory of verified) requireNumbers(group, trajectory);
    const leftOut = (reason: CreditReason, detail: string): GroupCredit => {
      return { kind: 'left-out', group: group.id, reason, detail, unverified };
    };
    const lack = lackOf(estimator, { ...group, trajectories: verified });
    if (lack !== null) return leftOut(lack.reason, lack.detail);
    const estimated = attempt(() => estimate({ ...group, trajectories: verified }));
    if (estimated instanceof CreditError) return leftOut(estimated.reason, estimated.detail);
    requireOneEach(estimator, verified, estimated);
    const trajectories = studentOnly(verified, estimated);
    if (!trajectories.some(({ mask }) => mask.includes(true)))
      return leftOut('nothing-credited', `${estimator.name} masks every step of ${verified.length} trajectories`);
    if (trajectories.every(isWorthNothing))
      return leftOut('equal-rewards', `${verified.length} trajectories with the reward ${verified[0]?.reward}`);
    return { kind: 'credited', group: group.id, trajectories, unverified };
  };
}

/** No estimator credits the student with a step of anybody else. */
function studentOnly(
  trajectories: readonly CreditTrajectory[],
  credits: readonly TrajectoryCredit[],
): readonly TrajectoryCredit[] {
  const found = new Map(trajectories.map(trajectory => [trajectory.id, trajectory]));
  return credits.map(credit => {
    const steps = found.get(credit.id)?.steps ?? [];
    if (steps.every(({ actor }) => actor === 'student')) return credit;
    return { ...credit, mask: credit.mask.map((isCounted, place) => isCounted && steps[place]?.actor === 'student') };
  });
}

/** An estimator says with an error that it cannot credit a group: that is an answer, unless it is meant for other runs altogether. */
function attempt<T>(estimate: () => T): T | CreditError {
  try {
    return estimate();
  } catch (cause) {
    if (cause instanceof CreditError && cause.reason !== 'no-role') return cause;
    throw cause;
  }
}

interface Lack {
  readonly reason: CreditReason;
  readonly detail: string;
}

function lackOf(estimator: Estimator, { trajectories, version }: CreditGroup): Lack | null {
  const { fewest = 2, needsLogprobs = false, needsEntropies = false } = estimator;
  if (trajectories.length === 0) return { reason: 'no-verdict', detail: 'no trajectory has a verdict' };
  if (trajectories.length < fewest)
    return { reason: 'group-of-one', detail: `${trajectories.length} of at least ${fewest} trajectories` };
  for (const { id, steps } of trajectories)
    for (const [place, { actor, logprob = null, entropy = null, version: own = null }] of steps.entries()) {
      if (actor !== 'student') continue;
      const at = `step ${place} of ${id}`;
      if (needsLogprobs && logprob === null) return { reason: 'missing-logprobs', detail: `${at} has none` };
      if (needsEntropies && entropy === null) return { reason: 'missing-entropies', detail: `${at} has none` };
      if (needsLogprobs && version !== undefined && own !== version)
        return { reason: 'stale-logprobs', detail: `${at} was sampled by version ${own}, not ${version}` };
    }
  return null;
}

function requireNumbers(group: CreditGroup, { id, reward, steps }: CreditTrajectory): void {
  if (steps.length === 0) throw invalid(group, `Trajectory ${id} has no steps.`, 'Expected at least one.');
  const rewarded = steps.filter(step => step.reward !== undefined);
  if (rewarded.length > 0 && rewarded.length < steps.length)
    throw invalid(
      group,
      `Trajectory ${id} has rewards for ${rewarded.length} of ${steps.length} steps.`,
      'Expected a reward for every step, or for none.',
    );
  const wrong = [reward, ...rewarded.map(step => step.reward)].find(value => !Number.isFinite(value));
  if (wrong !== undefined)
    throw invalid(group, `Trajectory ${id} has the reward ${wrong}.`, 'Expected a finite number, or null.');
}

function requireOneEach(
  { name }: Estimator,
  trajectories: readonly CreditTrajectory[],
  credits: readonly TrajectoryCredit[],
): void {
  const found = new Map(credits.map(credit => [credit.id, credit]));
  for (const { id, steps } of trajectories) {
    const credit = found.get(id);
    const isWhole = credit?.advantages.length === steps.length && credit.mask.length === steps.length;
    if (isWhole && credit.advantages.every(Number.isFinite)) continue;
    throw invalidModule(
      `The estimator "${name}" gave no advantage for every step of trajectory ${id}.`,
      `Expected ${steps.length} finite numbers and a mask of the same length.`,
    );
  }
}

function isWorthNothing({ advantages, mask, observationWeights = [] }: TrajectoryCredit): boolean {
  return (
    observationWeights.every(weight => weight === 0) &&
    advantages.every((value, step) => !mask[step] || Math.abs(value) < negligible)
  );
}

function invalid({ id }: CreditGroup, message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'input', code: 'out-of-range', message: `Group ${id}: ${message}`, expected });
}
