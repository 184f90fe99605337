import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectSeed, evaluationSeed, firstEvaluationSeed, mostInstances, mostRounds } from './seeds.ts';

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
        expect(collected).toBeLessThan(firstEvaluationSeed);
        expect(evaluated).toBeGreaterThanOrEqual(firstEvaluationSeed);
        // What a task is shown by on the command line has at most nine digits.
        expect(evaluated).toBeLessThan(1_000_000_000);
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
    // The corners, which chance may miss.
    expect(collectSeed(1, 0, 0)).not.toBe(collectSeed(1, mostRounds, mostInstances - 1));
  });
});
