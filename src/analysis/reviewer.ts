import { lacksCertificate } from '../core/episode/certificate.ts';
import type { EpisodeRecord } from '../core/episode/record.ts';
import { type Interval, wilson } from './stats.ts';

/** A teacher as a classifier, measured against the verifier. */
export interface ReviewerQuality {
  readonly reviews: number;
  readonly rejected: number;
  /** Rejected branches that were verified at their end: they lived on, or the verifier had passed them already. */
  readonly lived: number;
  /** Of these, the ones that passed: wrong rejections. */
  readonly passed: number;
  /** Share of wrong rejections among those that lived on; null when none did. */
  readonly wrong: number | null;
  readonly interval: Interval;
  /** Rejected branches that lived on and could not be verified, or passed without a certificate: in no rate. */
  readonly unverified: number;
  /** Accepted branches by how their episode ended: the only thing known of an acceptance by itself. */
  readonly accepted: { readonly passed: number; readonly notPassed: number; readonly errored: number };
  /** Times the reviewer had to be asked again because it broke or answered out of range. */
  readonly retries: number;
}

export function judgeReviewer(records: Iterable<EpisodeRecord>): ReviewerQuality {
  const accepted = { passed: 0, notPassed: 0, errored: 0 };
  let rejected = 0;
  let retries = 0;
  let passed = 0;
  let failed = 0;
  let unverified = 0;
  const verdictOf = (pass: boolean | null): void => {
    if (pass === null) unverified++;
    else if (pass) passed++;
    else failed++;
  };
  for (const record of records) {
    const { reviews, leaves, end } = record;
    const ending = end.outcome === 'passed' || end.outcome === 'errored' ? end.outcome : 'notPassed';
    for (const review of reviews) {
      retries += review.retries;
      if (review.accept) accepted[ending]++;
      else {
        rejected++;
        if (review.overruled === true) verdictOf(lacksCertificate(record, end.leaf) ? null : true);
      }
    }
    for (const { node, role, verdict } of leaves) {
      if (role !== 'rejected') continue;
      verdictOf(verdict?.pass === true && lacksCertificate(record, node) ? null : (verdict?.pass ?? null));
    }
  }
  const lived = passed + failed;
  return {
    reviews: rejected + accepted.passed + accepted.notPassed + accepted.errored,
    rejected,
    lived,
    passed,
    wrong: lived === 0 ? null : passed / lived,
    interval: wilson(passed, lived),
    unverified,
    accepted,
    retries,
  };
}
