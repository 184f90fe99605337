import type { Comparison } from '../../src/analysis/compare.ts';
import type { ReportData, ReportRecorded } from '../../src/analysis/report/data.ts';

export type Claim = ReportData['claims'][number];

/** Whether the first is ahead of the second by more than chance explains. */
export function aheadClaim(claim: string, comparison: Comparison | null): Claim {
  if (comparison === null) return { claim, holds: null, evidence: 'Not measured.' };
  const { difference, pairs, wins, losses } = comparison;
  const evidence = `${differenceText(difference)} in ${pairs} pairs of runs: better on ${wins} tasks, worse on ${losses}.`;
  return { claim, holds: difference.low > 0, evidence };
}

/** What recorded figures show. A difference that chance explains is shown beside them, and nothing is claimed of it. */
export function recordedClaims({ title, differences }: ReportRecorded): Claim[] {
  return differences
    .filter(({ low }) => low > 0)
    .map(({ claim, ...difference }) => ({
      claim: `Recorded: ${claim}`,
      holds: true,
      evidence: `${differenceText(difference)} (${title}).`,
    }));
}

function differenceText({ mean, low, high }: { readonly mean: number; readonly low: number; readonly high: number }) {
  const points = (value: number): string => (value * 100).toFixed(1);
  return `${mean < 0 ? 'Behind' : 'Ahead'} by ${points(Math.abs(mean))} points (${points(low)} to ${points(high)})`;
}
