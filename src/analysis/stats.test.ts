import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passAtK, passHatK, wilson } from './stats.ts';

/** All ways to draw k of n trials, counted one by one. */
function drawn(n: number, passed: number, k: number): { some: number; all: number } {
  let draws = 0;
  let some = 0;
  let all = 0;
  for (let set = 0; set < 1 << n; set++) {
    const members = Array.from({ length: n }, (_, index) => index).filter(index => (set >> index) & 1);
    if (members.length !== k) continue;
    draws++;
    if (members.some(index => index < passed)) some++;
    if (members.every(index => index < passed)) all++;
  }
  return { some: some / draws, all: all / draws };
}

describe('estimators', () => {
  it.each([
    { passed: 0, n: 5, low: 0, high: 0.4345 },
    { passed: 3, n: 5, low: 0.2307, high: 0.8824 },
    { passed: 5, n: 5, low: 0.5655, high: 1 },
    { passed: 20, n: 100, low: 0.1334, high: 0.2888 },
  ])('[EST-1] gives the Wilson interval of $passed of $n', ({ passed, n, low, high }) => {
    const interval = wilson(passed, n);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('[EST-1] knows nothing from no trials, and widens with z', () => {
    expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
    expect(wilson(5, 10, 2.576).low).toBeLessThan(wilson(5, 10).low);
  });

  it('[EST-1] keeps the rate inside the interval and the interval inside 0 to 1', () => {
    const tallies = fc.nat(300).chain(n => fc.tuple(fc.nat(n), fc.constant(n)));
    fc.assert(
      fc.property(tallies, ([passed, n]) => {
        const { low, high } = wilson(passed, n);
        const rate = n === 0 ? 0 : passed / n;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(rate);
        expect(high).toBeGreaterThanOrEqual(rate);
      }),
    );
  });

  it('[EST-2] estimates pass@k and pass^k without bias', () => {
    expect(passAtK({ n: 5, passed: 3 }, 2)).toBeCloseTo(0.9, 12);
    expect(passHatK({ n: 5, passed: 3 }, 2)).toBeCloseTo(0.3, 12);
    expect(passHatK({ n: 3, passed: 2 }, 3)).toBe(0);
    for (let n = 1; n <= 7; n++) {
      for (let passed = 0; passed <= n; passed++) {
        for (let k = 1; k <= n; k++) {
          const counted = drawn(n, passed, k);
          expect(passAtK({ n, passed }, k)).toBeCloseTo(counted.some, 12);
          expect(passHatK({ n, passed }, k)).toBeCloseTo(counted.all, 12);
        }
      }
    }
  });

  it('[EST-3] refuses what cannot be estimated, saying why', () => {
    expect(() => passAtK({ n: 3, passed: 1 }, 4)).toThrow('k = 4 cannot be estimated from 3 trials');
    expect(() => passHatK({ n: 3, passed: 1 }, 0)).toThrow('whole number from 1 to 3');
    expect(() => wilson(6, 5)).toThrow('no 6 passes among 5 trials');
    expect(() => wilson(0.5, 5)).toThrow('whole numbers');
  });
});
