import { describe, expect, it } from 'vitest';
import { finish, storedEpisode, type MadeEpisode } from '../../../test/fixtures/signals/made-episode.ts';
import { harnessComponents, locateFault, type HarnessComponent } from './locate-fault.ts';
import { randomScores, scoreRankings } from './ranking.ts';

const click = { kind: 'click', ref: 'e1' } as const;
const fill = { kind: 'fill', ref: 'e2', text: 'Ada' } as const;
const no = { applied: false, problem: { code: 'invalid-action', message: 'no' } };

/** A failed episode that speaks for each component. */
const traces: Readonly<Record<HarnessComponent, MadeEpisode>> = {
  prompt: { steps: [{ to: 'A' }, { ...finish, to: 'end' }] },
  tool: { steps: [{ to: 'A' }, { action: fill, outcome: no }, { ...finish, to: 'end' }] },
  memory: { steps: [{ action: click }, { action: click }, { action: click }], reason: 'out of steps' },
  parser: {
    steps: [
      { action: fill, outcome: no },
      { action: click, outcome: no },
    ],
  },
  budget: { steps: [{ to: 'A' }, { to: 'B' }], reason: 'out of steps' },
};

describe('faults of a harness', () => {
  it('[HARN-1] rankings are scored by accuracy, reciprocal rank and nDCG', () => {
    const ranked = harnessComponents.map(component => [component]);
    // Places 1, 2 and 4.
    const faults = ['prompt', 'tool', 'parser'] as const;
    const scores = scoreRankings(faults.map(fault => ({ ranked, fault })));
    expect(scores?.accuracy).toBeCloseTo(1 / 3, 12);
    expect(scores?.reciprocalRank).toBeCloseTo((1 + 1 / 2 + 1 / 4) / 3, 12);
    expect(scores?.ndcg).toBeCloseTo((1 + 1 / Math.log2(3) + 1 / Math.log2(5)) / 3, 12);
    // The second and third place are shared: each with a chance of a half.
    const tied = scoreRankings([{ ranked: [['a'], ['b', 'c'], ['d']], fault: 'c' }]);
    expect([tied?.accuracy, tied?.reciprocalRank]).toEqual([0, (1 / 2 + 1 / 3) / 2]);
    expect(tied?.ndcg).toBeCloseTo((1 / Math.log2(3) + 1 / 2) / 2, 12);
    const chance = randomScores(5);
    expect(chance.accuracy).toBeCloseTo(0.2, 12);
    expect(chance.reciprocalRank).toBeCloseTo(137 / 300, 12);
    expect(scoreRankings([])).toBeNull();
    expect(() => scoreRankings([{ ranked: [['a'], ['a']], fault: 'a' }])).toThrow('is no ranking');
  });

  it('[HARN-2] failed episodes vote by their traces, and what a healthy harness fails at is taken off', () => {
    const passed = storedEpisode({ steps: [{ to: 'A' }], passed: true });
    for (const fault of harnessComponents) {
      const suspect = [storedEpisode(traces[fault]), passed];
      expect([fault, locateFault({ suspect, healthy: [passed] })[0]]).toEqual([fault, [fault]]);
    }
    const suspect = [traces.budget, traces.budget, traces.tool].map(storedEpisode);
    const healthy = [traces.budget, traces.budget].map(storedEpisode);
    expect(locateFault({ suspect, healthy })[0]).toEqual(['tool']);
    // Without any vote nothing is known: every component is as likely, and the score is that of chance.
    const silent = locateFault({ suspect: [passed], healthy: [passed] });
    expect(silent).toEqual([harnessComponents]);
    for (const fault of harnessComponents)
      expect(scoreRankings([{ ranked: silent, fault }])).toEqual(randomScores(harnessComponents.length));
  });
});
