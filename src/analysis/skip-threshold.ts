import type { EpisodeRecord } from '../core/episode/record.ts';

export interface SkipThresholdOptions {
  /** The threshold that the reviews were made with. */
  readonly current: number;
  /** Share of the skipped reviews that were audited. */
  readonly audit: number;
  /** Share of skipped reviews that may miss a rejection. */
  readonly misses: number;
}

/** A review of a branch whose finish the verifier passed. */
interface PassedReview {
  /** The least probable step of the student in the branch. */
  readonly least: number;
  readonly rejected: boolean;
  /** Reviews that it stands for: an audit also stands for those that were skipped. */
  readonly weight: number;
}

/** A share of fewer reviews says nothing. */
const fewestReviews = 10;
const steps = 20;

/**
 * The least threshold above which at most the given share of reviews would miss a rejection, by the reviews of passed
 * finishes: audited ones, and those below the current threshold. The current one where these are too few; 1 where none will do.
 */
export function skipThreshold(records: Iterable<EpisodeRecord>, options: SkipThresholdOptions): number {
  const reviews = [...records].flatMap(record => passedReviews(record, options.audit));
  let isKnown = false;
  for (let step = 0; step < steps; step++) {
    const threshold = step / steps;
    const above = reviews.filter(({ least }) => least >= threshold);
    if (above.length < fewestReviews) break;
    isKnown = true;
    const missed = total(above.filter(({ rejected }) => rejected));
    if (missed <= options.misses * total(above)) return threshold;
  }
  return isKnown ? 1 : options.current;
}

function passedReviews({ reviews, tree, end }: EpisodeRecord, audit: number): PassedReview[] {
  if (end.verdict?.pass !== true) return [];
  return reviews
    .filter(({ nodes }) => nodes.at(-1) === end.leaf)
    .map(review => ({
      least: Math.min(...review.nodes.map(node => tree.node(node).confidence ?? 0)),
      rejected: !review.accept,
      weight: review.audit === true && audit > 0 ? 1 / audit : 1,
    }));
}

function total(reviews: readonly PassedReview[]): number {
  return reviews.reduce((sum, { weight }) => sum + weight, 0);
}
