import type { Comparison } from '../../analysis/compare.ts';
import { estimateText, percentText } from '../../analysis/estimate.ts';
import type { ReportArm, ReportData, ReportRound } from '../../analysis/report/data.ts';

export type Claim = ReportData['claims'][number];

/** An arm that is to reach the success of K = 1 with fewer queries. */
export interface QueryTarget {
  readonly arm: string;
  readonly claim: string;
  /** Most queries, as a share of those of K = 1. */
  readonly share: number;
  /** A success at most this far below that of K = 1 counts as reaching it. */
  readonly reach: number;
}

export const shortBranches: QueryTarget = {
  arm: 'src-3',
  claim: 'K = 3 reaches the success of K = 1 with half the queries or fewer',
  share: 0.5,
  reach: 0.02,
};

export const adaptiveBranches: QueryTarget = {
  arm: 'adaptive',
  claim: 'Adaptive speculation reaches the success of K = 1 with 45 % of the queries or fewer',
  share: 0.45,
  reach: 0.01,
};

/** What the last rounds of the arms say of the targets. */
export function targetClaims(arms: readonly ReportArm[]): Claim[] {
  const exact = lastOf(arms, 'src-3');
  const errors = lastOf(arms, 'errors');
  return [
    atLeast('With an exact teacher, 90 % of new instances pass', exact?.newInstances, 0.9),
    atLeast('With an exact teacher, 50 % of held-out templates pass', exact?.heldOut, 0.5),
    atLeast('With a teacher that errs in 10 %, 75 % of new instances pass', errors?.newInstances, 0.75),
    atLeast('With a teacher that errs in 10 %, 40 % of held-out templates pass', errors?.heldOut, 0.4),
  ];
}

/** Errored episodes are held against the student here: a target is not reached by losing the hard ones. */
function atLeast(claim: string, estimate: ReportRound['newInstances'] | undefined, target: number): Claim {
  if (estimate === undefined || estimate === null || estimate.rate === null || estimate.raw === null)
    return { claim, holds: null, evidence: 'Not measured.' };
  const errored = estimate.errored === 0 ? '' : `, ${estimate.errored} more errored`;
  return {
    claim,
    holds: estimate.raw >= target,
    evidence: `${estimateText(estimate)} of ${estimate.n} tasks${errored}.`,
  };
}

/** Whether short branches come as far as step by step review on as many episodes, and for how much less. */
export function queryClaim(
  arms: readonly ReportArm[],
  comparison: Comparison | null,
  { arm: id, claim, share: most, reach }: QueryTarget = shortBranches,
): Claim {
  const [branches, steps] = [id, 'k-1'].map(own => arms.find(arm => arm.id === own)?.rounds ?? []);
  const [last, other] = [branches?.at(-1), steps?.at(-1)];
  if (last === undefined || other === undefined || comparison === null)
    return { claim, holds: null, evidence: 'Not measured.' };
  const share = last.queries / other.queries;
  const late = inLastRound(branches ?? []) / inLastRound(steps ?? []);
  return {
    claim,
    holds: comparison.difference.mean >= -reach && share <= most,
    evidence: `After as many episodes, ${last.queries.toLocaleString('en')} queries against ${other.queries.toLocaleString('en')}: ${percentText(share)} of them; in the last round ${percentText(late)}. It showed ${last.shown.toLocaleString('en')} steps against ${other.shown.toLocaleString('en')}. ${differenceText(comparison)}`,
  };
}

function inLastRound(rounds: readonly ReportRound[]): number {
  return (rounds.at(-1)?.queries ?? 0) - (rounds.at(-2)?.queries ?? 0);
}

/** Whether the first is ahead of the second by more than chance explains. */
export function aheadClaim(claim: string, comparison: Comparison | null): Claim {
  if (comparison === null) return { claim, holds: null, evidence: 'Not measured.' };
  return { claim, holds: comparison.difference.low > 0, evidence: differenceText(comparison) };
}

function differenceText({ difference: { mean, low, high }, pairs, wins, losses }: Comparison): string {
  const points = (value: number): string => (value * 100).toFixed(1);
  return `Ahead by ${points(mean)} points (${points(low)} to ${points(high)}) on ${pairs} tasks: better on ${wins}, worse on ${losses}.`;
}

export function rejectionClaim({ rejections, arms }: ReportData): Claim {
  const claim = 'Letting rejected branches live on finds rejections that were not needed';
  if (rejections.length === 0) return { claim, holds: null, evidence: 'No rejected branch lived on.' };
  const told = rejections.map(({ arm, lived, passed }) => {
    const label = arms.find(({ id }) => id === arm)?.label ?? arm;
    return `${label}: ${passed} of ${lived} passed all the same`;
  });
  return { claim, holds: rejections.some(({ passed }) => passed > 0), evidence: `${told.join('; ')}.` };
}

function lastOf(arms: readonly ReportArm[], id: string): ReportRound | undefined {
  return arms.find(arm => arm.id === id)?.rounds.at(-1);
}
