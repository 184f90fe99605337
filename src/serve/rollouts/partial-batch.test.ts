import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../core/random.ts';
import { planBatch, toPause } from './partial-batch.ts';

describe('batches of partial rollouts', () => {
  it('[RAS-3] go on with paused rollouts first, and pause what still runs when enough have finished', () => {
    expect(planBatch(['a', 'b'], 5)).toEqual({ resumed: ['a', 'b'], started: 3 });
    expect(planBatch(['a', 'b', 'c'], 2)).toEqual({ resumed: ['a', 'b'], started: 0 });
    expect(toPause({ running: ['a', 'b'], finished: 3, needed: 4 })).toEqual([]);
    expect(toPause({ running: ['a', 'b'], finished: 4, needed: 4 })).toEqual(['a', 'b']);
  });

  it('[RAS-3] lose no rollout: those that were started have finished or are paused', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: 8 }),
        (seed, needed, extra) => {
          const { started, finished, paused } = simulate({ seed, needed, at: needed + extra, batches: 5 });
          expect(started).toBe(finished + paused);
          expect(finished).toBeGreaterThanOrEqual(5 * needed);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('[RAS-3] take no longer than batches that wait for all, when lengths have a heavy tail', () => {
    for (let seed = 0; seed < 20; seed++) {
      const partial = simulate({ seed, needed: 16, at: 32, batches: 8 });
      const whole = simulate({ seed, needed: 16, at: 16, batches: 8 });
      expect(partial.time / partial.finished).toBeLessThanOrEqual(whole.time / whole.finished);
    }
  });
});

interface Simulation {
  readonly seed: number;
  readonly needed: number;
  /** Rollouts at once. */
  readonly at: number;
  readonly batches: number;
}

/** Runs batches in which a rollout takes as long as a draw from a Pareto distribution says. */
function simulate({ seed, needed, at, batches }: Simulation) {
  const random = createRandom(`lengths ${seed}`);
  const left = new Map<string, number>();
  let paused: readonly string[] = [];
  let [started, finished, time] = [0, 0, 0];
  for (let batch = 0; batch < batches; batch++) {
    const plan = planBatch(paused, at);
    const fresh = Array.from({ length: plan.started }, () => `r${started++}`);
    for (const id of fresh) left.set(id, (1 - random.next()) ** (-1 / 1.2));
    let running = [...plan.resumed, ...fresh];
    const waiting = paused.slice(plan.resumed.length);
    let done = 0;
    while (toPause({ running, finished: done, needed }).length === 0 && running.length > 0) {
      const first = running.reduce((best, id) => ((left.get(id) as number) < (left.get(best) as number) ? id : best));
      const passed = left.get(first) as number;
      for (const id of running) left.set(id, (left.get(id) as number) - passed);
      time += passed;
      running = running.filter(id => id !== first);
      done++;
    }
    finished += done;
    paused = [...running, ...waiting];
  }
  return { started, finished, paused: paused.length, time };
}
