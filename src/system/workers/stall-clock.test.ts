import { describe, expect, it } from 'vitest';
import { createStallClock } from './stall-clock.ts';

/** A worker whose machine gives it this share of the time. */
function stalledAfter(share: number, milliseconds: number, beats: (at: number) => number = () => 1) {
  let at = 0;
  const cpuUsage = async () => ({ user: at * share * 1000, system: 0 });
  const stall = createStallClock({ cpuUsage }, () => at);
  return (async () => {
    for (; at <= milliseconds; at += 200) {
      stall.look(beats(at));
      await Promise.resolve();
      await Promise.resolve();
    }
    return stall.stalled();
  })();
}

describe('the time that a worker computes without a turn', () => {
  it('[WORK-2] is that of the processor: a loaded machine makes nobody stuck', async () => {
    expect(await stalledAfter(0.25, 60_000)).toBeLessThan(16_000);
    expect(await stalledAfter(1, 60_000)).toBeGreaterThan(59_000);
    expect(await stalledAfter(1, 60_000, at => Math.floor(at / 1000))).toBeLessThan(2000);
  });

  it('[WORK-2] counts for code that waits and computes nothing, more slowly', async () => {
    expect(await stalledAfter(0, 300_000)).toBeGreaterThan(59_000);
  });

  it('[WORK-2] is that of the wall where Node does not tell', () => {
    let at = 0;
    const stall = createStallClock({}, () => at);
    stall.look(1);
    at = 5000;
    stall.look(1);
    expect(stall.stalled()).toBe(5000);
  });

  it('[WORK-2] leaves out the time in which the whole program slept', () => {
    let at = 0;
    for (const meter of [{}, { cpuUsage: async () => ({ user: 0, system: 0 }) }]) {
      const stall = createStallClock(meter, () => at);
      stall.look(1);
      at += 3_600_000;
      stall.look(1);
      expect(stall.stalled()).toBeLessThanOrEqual(5000);
    }
  });
});
