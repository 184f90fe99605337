import type { Comparison } from '../../analysis/compare.ts';
import { estimateText, percentText } from '../../analysis/estimate.ts';
import type { ReportArm, ReportData, ReportRound } from '../../analysis/report/data.ts';

export type Claim = ReportData['claims'][number];

/** A rate at most this far below another one counts as reaching it. */
const reach = 0.02;

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

function atLeast(claim: string, estimate: ReportRound['newInstances'] | undefined, target: number): Claim {
  if (estimate?.rate === null || estimate === undefined || estimate === null)
    return { claim, holds: null, evidence: 'Not measured.' };
  return { claim, holds: estimate.rate >= target, evidence: `${estimateText(estimate)} of ${estimate.n} tasks.` };
}

/** Whether short branches reach what step by step review reached, and for how much less. */
export function queryClaim(arms: readonly ReportArm[]): Claim {
  const claim = 'K = 3 reaches the success of K = 1 (at most 2 points less) with half the queries or fewer';
  const goal = lastOf(arms, 'k-1');
  const rate = goal?.newInstances?.rate ?? null;
  const short = arms.find(({ id }) => id === 'src-3');
  if (goal === undefined || rate === null || short === undefined)
    return { claim, holds: null, evidence: 'Not measured.' };
  const reached = short.rounds.find(({ newInstances }) => (newInstances?.rate ?? 0) >= rate - reach);
  const asked = `K = 1 came to ${percentText(rate)} of new instances with ${goal.queries.toLocaleString('en')} queries`;
  if (reached === undefined) return { claim, holds: false, evidence: `${asked}; K = 3 did not come near it.` };
  const share = reached.queries / goal.queries;
  return {
    claim,
    holds: share <= 0.5,
    evidence: `${asked}; K = 3 came to ${percentText(reached.newInstances?.rate ?? 0)} with ${reached.queries.toLocaleString('en')} in round ${reached.round}: ${percentText(share)} of them.`,
  };
}

/** Whether the first is ahead of the second by more than chance explains. */
export function aheadClaim(claim: string, comparison: Comparison | null): Claim {
  if (comparison === null) return { claim, holds: null, evidence: 'Not measured.' };
  const { difference, wins, losses, pairs } = comparison;
  const points = (value: number): string => (value * 100).toFixed(1);
  return {
    claim,
    holds: difference.low > 0,
    evidence: `Ahead by ${points(difference.mean)} points (${points(difference.low)} to ${points(difference.high)}) on ${pairs} tasks: better on ${wins}, worse on ${losses}.`,
  };
}

export function rejectionClaim({ rejections, arms }: ReportData): Claim {
  const claim = 'Letting rejected branches live on finds wrong rejections';
  if (rejections.length === 0) return { claim, holds: null, evidence: 'No rejected branch lived on.' };
  const told = rejections.map(({ arm, lived, passed }) => {
    const label = arms.find(({ id }) => id === arm)?.label ?? arm;
    return `${label}: ${passed} of ${lived} passed`;
  });
  return { claim, holds: rejections.some(({ passed }) => passed > 0), evidence: `${told.join('; ')}.` };
}

export function lastOf(arms: readonly ReportArm[], id: string): ReportRound | undefined {
  return arms.find(arm => arm.id === id)?.rounds.at(-1);
}
