import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../src/analysis/compare.ts';
import type { ReportRecorded } from '../../src/analysis/report/data.ts';
import { aheadClaim, recordedClaims } from './claims.ts';

function ahead(mean: number, low: number, high: number): Comparison {
  return { difference: { mean, low, high }, pairs: 100, unpaired: 0, wins: 3, losses: 1, ties: 96, flips: [] };
}

describe('claims', () => {
  it('[DEMO-4] ahead means more than chance explains', () => {
    expect(aheadClaim('it', ahead(0.1, 0.01, 0.2))).toMatchObject({ holds: true });
    expect(aheadClaim('it', ahead(0.1, 0, 0.2))).toMatchObject({ holds: false });
    expect(aheadClaim('it', ahead(-0.11, -0.2, 0)).evidence).toContain('Behind by 11.0 points (-20.0 to 0.0)');
    expect(aheadClaim('it', null)).toMatchObject({ holds: null });
  });

  it('[DEMO-3] recorded figures claim what their intervals show, and nothing else', () => {
    const differences = [
      { claim: 'A is ahead of B', mean: 0.1, low: 0.02, high: 0.18 },
      { claim: 'A is ahead of C', mean: 0.1, low: -0.02, high: 0.22 },
    ];
    const recorded: ReportRecorded = {
      title: 'A study',
      about: '',
      command: 'python study.py',
      sha256: '',
      columns: ['x'],
      rows: [],
      differences,
    };
    expect(recordedClaims(recorded)).toEqual([
      {
        claim: 'Recorded: A is ahead of B',
        holds: true,
        evidence: 'Ahead by 10.0 points (2.0 to 18.0) (A study).',
      },
    ]);
  });
});
