import { describe, expect, it } from 'vitest';
import { createRandom } from './random.ts';

describe('random', () => {
  it('[RND-1] gives the same numbers for the same seed, whatever is forked from it', () => {
    const [left, right] = [createRandom('seed'), createRandom('seed')];
    left.fork('aside').next();
    const numbers = Array.from({ length: 5 }, () => left.next());
    expect(Array.from({ length: 5 }, () => right.next())).toEqual(numbers);
    expect(createRandom('seed').fork('a').next()).not.toBe(createRandom('seed').fork('b').next());
    expect(createRandom(1).next()).not.toBe(createRandom(2).next());
  });

  it('[RND-1] can be made again elsewhere from its name', () => {
    const random = createRandom(7).fork('a').fork('b');
    random.fork('aside');
    expect(createRandom(random.name).next()).toBe(random.next());
  });

  it('[RND-2] draws uniformly', () => {
    const random = createRandom(7);
    const counts = Array.from({ length: 10 }, () => 0);
    for (let draw = 0; draw < 100_000; draw++) counts[random.between(0, 9)]! += 1;
    // Chi-squared with 9 degrees of freedom: 27.9 is exceeded once in a thousand.
    const chi = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
    expect(chi).toBeLessThan(27.9);
    const firsts = new Set(Array.from({ length: 200 }, () => random.shuffle([1, 2, 3]).join()));
    expect(firsts.size).toBe(6);
    expect(random.sample([1, 2, 3], 2)).toHaveLength(2);
    expect(() => random.pick([])).toThrow(RangeError);
  });
});
