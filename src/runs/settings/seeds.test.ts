import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  collectSeed,
  endOfEvaluationSeeds,
  evaluationSeed,
  firstEvaluationSeed,
  mostInstances,
  mostRounds,
} from './seeds.ts';

const seeds = fc.integer({ min: 0, max: 999_999_999 });
const rounds = fc.integer({ min: 0, max: mostRounds });
const instances = fc.integer({ min: 0, max: mostInstances - 1 });

describe('seeds of instances', () => {
  it('[RUN-6] are never the same for collecting and for evaluating', () => {
    fc.assert(
      fc.property(fc.tuple(seeds, rounds, instances), fc.tuple(seeds, instances), (here, there) => {
        const collected = collectSeed(...here);
        const evaluated = evaluationSeed(...there);
        expect(collected).toBeGreaterThan(0);
        expect(collected < firstEvaluationSeed || collected >= endOfEvaluationSeeds).toBe(true);
        expect(evaluated).toBeGreaterThanOrEqual(firstEvaluationSeed);
        expect(evaluated).toBeLessThan(endOfEvaluationSeeds);
        // What a task is shown by on the command line has at most nine digits.
        expect(collected).toBeLessThan(1_000_000_000);
      }),
    );
  });

  it('[RUN-6] differ between any two instances and any two rounds of a run', () => {
    fc.assert(
      fc.property(seeds, fc.tuple(rounds, instances), fc.tuple(rounds, instances), (seed, one, two) => {
        fc.pre(one[0] !== two[0] || one[1] !== two[1]);
        expect(collectSeed(seed, ...one)).not.toBe(collectSeed(seed, ...two));
      }),
    );
    expect(mostInstances).toBeGreaterThan(1000);
    expect(new Set([999, 1000, 1001, mostInstances - 1].map(instance => collectSeed(1, 1, instance))).size).toBe(4);
    // The corners, which chance may miss.
    expect(collectSeed(1, 0, 0)).not.toBe(collectSeed(1, mostRounds, mostInstances - 1));
  });

  it('[RUN-6] of the first thousand instances are those of earlier versions', () => {
    expect([collectSeed(1, 1, 0), collectSeed(1, 2, 999), evaluationSeed(1, 3)]).toEqual([162089, 164088, 672356003]);
  });
});
