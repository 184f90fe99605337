import type { Comparison, ComparisonByLevel } from '../../src/analysis/compare.ts';
import { estimateText, percentText, type Estimate } from '../../src/analysis/estimate.ts';
import type { ReportArm, ReportData, ReportRound, ReportWorlds } from '../../src/analysis/report/data.ts';

export type Claim = ReportData['claims'][number];

const notMeasured = { holds: null, evidence: 'Not measured.' } as const;

/** What the last point of the curve says of the targets, and whether more worlds helped: the last point against the first. */
export function worldsClaims({ points }: ReportWorlds, rise: ComparisonByLevel): Claim[] {
  const last = points.at(-1);
  const taught = `${(last?.tasks ?? 0).toLocaleString('en')} forged tasks`;
  return [
    atLeast('90 % of new instances of taught templates pass', last?.newInstances, 0.9),
    aheadClaim(`${taught} raise success on new templates`, rise.heldOut),
    atLeast('50 % of new templates pass', last?.heldOut, 0.5),
    aheadClaim(`${taught} raise success in apps that were never seen`, rise.unseenApps),
    atLeast('40 % of the tasks in apps that were never seen pass', last?.unseenApps, 0.4),
  ];
}

/** The whole interval has to reach the target. Errored episodes count against the student: losing the hard ones does not help. */
function atLeast(claim: string, estimate: Estimate | null | undefined, target: number): Claim {
  if (estimate === undefined || estimate === null || estimate.rate === null || estimate.raw === null)
    return { claim, ...notMeasured };
  const errored = estimate.errored === 0 ? '' : `, ${estimate.errored} more errored`;
  return {
    claim,
    holds: estimate.raw >= target && (estimate.low ?? 0) >= target,
    evidence: `${estimateText(estimate)} of ${estimate.n} tasks${errored}.`,
  };
}

/** An arm that is to reach the success of K = 1 with fewer queries. */
export interface QueryTarget {
  readonly arm: string;
  readonly claim: string;
  /** Most queries, as a share of those of K = 1. */
  readonly share: number;
  /** A success at most this far below that of K = 1 counts as reaching it: by the whole interval. */
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

/** Whether longer branches come as far as step by step review on as many episodes, and for how much less. */
export function queryClaim(
  arms: readonly ReportArm[],
  comparison: Comparison | null,
  { arm: id, claim, share: most, reach }: QueryTarget,
): Claim {
  const [branches, steps] = [id, 'k-1'].map(own => arms.find(arm => arm.id === own)?.rounds ?? []);
  const [last, other] = [branches?.at(-1), steps?.at(-1)];
  if (last === undefined || other === undefined || comparison === null) return { claim, ...notMeasured };
  const share = last.queries / other.queries;
  const late = inLastRound(branches ?? []) / inLastRound(steps ?? []);
  return {
    claim,
    holds: comparison.difference.low >= -reach && share <= most,
    evidence: `After as many episodes, ${figure(last.queries)} queries against ${figure(other.queries)}: ${percentText(share)} of them; in the last round ${percentText(late)}. ${differenceText(comparison)}`,
  };
}

function inLastRound(rounds: readonly ReportRound[]): number {
  return (rounds.at(-1)?.queries ?? 0) - (rounds.at(-2)?.queries ?? 0);
}

/** Whether an arm shows the teacher no more steps than another; corrections are the teacher's own and not shown to it. */
export function stepsClaim(arms: readonly ReportArm[], claim: string, [id, other]: readonly [string, string]): Claim {
  const [own, more] = [id, other].map(wanted => arms.find(arm => arm.id === wanted)?.rounds.at(-1));
  if (own === undefined || more === undefined) return { claim, ...notMeasured };
  const evidence = `${figure(own.shown)} steps shown against ${figure(more.shown)}.`;
  return { claim, holds: own.shown <= more.shown, evidence };
}

/** Whether the first is ahead of the second by more than chance explains. */
export function aheadClaim(claim: string, comparison: Comparison | null): Claim {
  if (comparison === null) return { claim, ...notMeasured };
  return { claim, holds: comparison.difference.low > 0, evidence: differenceText(comparison) };
}

/** Whether the first is at most so far behind the second, by the whole interval. */
export function behindClaim(claim: string, comparison: Comparison | null, most: number): Claim {
  if (comparison === null) return { claim, ...notMeasured };
  return { claim, holds: comparison.difference.low >= -most, evidence: differenceText(comparison) };
}

function differenceText({ difference: { mean, low, high }, pairs, wins, losses }: Comparison): string {
  const points = (value: number): string => (value * 100).toFixed(1);
  return `${mean < 0 ? 'Behind' : 'Ahead'} by ${points(Math.abs(mean))} points (${points(low)} to ${points(high)}) in ${pairs} pairs of runs: better on ${wins} tasks, worse on ${losses}.`;
}

function figure(number: number): string {
  return number.toLocaleString('en');
}
