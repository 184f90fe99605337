import { certificateOf } from '../core/episode/certificate.ts';
import { leavesOf, type EpisodeRecord } from '../core/episode/record.ts';
import { isProven, standingCorrections } from './rows/proven.ts';
import { isPreference } from './tables/preferences.ts';
import type { Manifest } from './rows/manifest.ts';

/** Counts what was left out because it is not certified. */
export interface CertificationTally {
  /** An episode that is trained on. */
  add(record: EpisodeRecord): void;
  /** Undefined when no episode needed a certificate. */
  figures(): Manifest['certification'];
}

export function createCertificationTally(): CertificationTally {
  const leaves = { missing: 0, broken: 0, diverged: 0 };
  let [isNeeded, certified, corrections, preferences] = [false, 0, 0, 0];
  return {
    add(record) {
      const { end } = record;
      if (end.certification !== 'by-replay' || end.outcome === 'errored') return;
      isNeeded = true;
      for (const { node, verdict } of leavesOf(record)) {
        if (verdict?.pass !== true) continue;
        const result = certificateOf(record, node)?.result ?? 'missing';
        if (result === 'agreed') certified++;
        else leaves[result]++;
      }
      const left = standingCorrections(record).filter(({ node }) => !isProven(record, node));
      corrections += left.length;
      preferences += left.filter(correction => isPreference(record, correction)).length;
    },
    figures: () => (isNeeded ? { certified, uncertified: { leaves, corrections, preferences } } : undefined),
  };
}
