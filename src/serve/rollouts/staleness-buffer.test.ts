import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../core/random.ts';
import { highEntropySteps, mixBatch, rolloutCount, withPoolSuccess } from './group-mixing.ts';
import { takeGroups, type BufferedGroup, type TakeOptions } from './staleness-buffer.ts';

const group = (id: string, ...[minVersion, arrival, rewards = [0, 1]]: [number, number, number[]?]): BufferedGroup => ({
  id,
  minVersion,
  arrival,
  rewards,
});
const options: TakeOptions = {
  groups: 2,
  currentVersion: 10,
  maxStaleness: 2,
  order: 'deadline',
  dropEqualRewards: true,
};
const ids = (groups: readonly BufferedGroup[]): string[] => groups.map(({ id }) => id);

describe('the buffer', () => {
  const buffer = [
    group('new', 10, 0),
    group('old', 8, 3),
    group('late', 7, 1),
    group('same', 9, 2, [1, 1]),
    group('mid', 9, 4),
  ];

  it('[RAS-4] hands out what expires first, drops what is too stale or has no advantage, and keeps the rest', () => {
    const { taken, kept, expired, equal } = takeGroups(buffer, options);
    expect([ids(taken), ids(kept), ids(expired), ids(equal)]).toEqual([['old', 'mid'], ['new'], ['late'], ['same']]);
    expect(ids(takeGroups(buffer, { ...options, order: 'arrival' }).taken)).toEqual(['new', 'old']);
    expect(ids(takeGroups(buffer, { ...options, dropEqualRewards: false }).taken)).toEqual(['old', 'same']);
  });

  it('[RAS-4] never hands out a group that is too stale, and loses none', () => {
    const arbitrary = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 12 }), fc.array(fc.constantFrom(0, 1), { minLength: 1 })),
    );
    fc.assert(
      fc.property(
        arbitrary,
        fc.integer({ min: 0, max: 12 }),
        fc.constantFrom('deadline', 'arrival'),
        (drawn, version, order) => {
          const all = drawn.map(([minVersion, rewards], index) => group(`g${index}`, minVersion, index, rewards));
          const parts = takeGroups(all, { ...options, currentVersion: version, order });
          expect(parts.taken.every(({ minVersion }) => version - minVersion <= 2)).toBe(true);
          expect(ids(Object.values(parts).flat()).toSorted()).toEqual(ids(all).toSorted());
        },
      ),
    );
  });

  it('[RAS-4] drops no more by deadline than by arrival, when long rollouts come late', () => {
    let [byDeadline, byArrival] = [0, 0];
    for (let seed = 0; seed < 30; seed++) {
      byDeadline += dropped(seed, 'deadline');
      byArrival += dropped(seed, 'arrival');
    }
    expect(byDeadline).toBeLessThan(byArrival);
  });
});

/** Groups that arrive up to three versions after they began; two come in and two are taken with each version. */
function dropped(seed: number, order: TakeOptions['order']): number {
  const random = createRandom(`arrivals ${seed}`);
  let buffer: readonly BufferedGroup[] = [];
  let [lost, arrival] = [0, 0];
  for (let version = 3; version < 40; version++) {
    const arrived = Array.from({ length: random.between(1, 3) }, () =>
      group(`g${arrival}`, version - random.between(0, 3), arrival++),
    );
    const { kept, expired } = takeGroups([...buffer, ...arrived], {
      ...options,
      currentVersion: version,
      maxStaleness: 4,
      order,
    });
    buffer = kept;
    lost += expired.length;
  }
  return lost;
}

describe('what batches are made of', () => {
  it('[RAS-6] gives fewer rollouts to tasks that pass, and most to those without a past', () => {
    const bounds = { least: 2, most: 8 };
    expect([null, 0, 0.5, 0.9, 1].map(rate => rolloutCount(rate, bounds))).toEqual([8, 8, 4, 2, 2]);
  });

  it('[RAS-6] takes a success from the pool only for a group in which all failed', () => {
    const [failed, passed, pooled] = [{ reward: 0 }, { reward: 1 }, { reward: 1 }];
    expect(withPoolSuccess([failed, passed], [pooled])).toEqual([failed, passed]);
    expect(withPoolSuccess([failed, failed], [failed, pooled])).toEqual([failed, failed, pooled]);
    expect(withPoolSuccess([failed], [failed])).toEqual([failed]);
  });

  it('[RAS-6] trains on the steps with the highest entropy, in their order', () => {
    expect(highEntropySteps([0.1, 0.9, 0.5, 0.7, 0.3], 0.8)).toEqual([1, 2, 3, 4]);
    expect(highEntropySteps([0.1, 0.9, 0.5], 0.5)).toEqual([1, 2]);
    expect(highEntropySteps([], 0.8)).toEqual([]);
  });

  it('[RAS-6] mixes own rollouts with those of peers', () => {
    const mixed = mixBatch([1, 2, 3, 4], [10, 20, 30], { local: 2, shared: 2, random: createRandom('mix') });
    expect(mixed.slice(0, 2)).toEqual([3, 4]);
    expect(mixed.slice(2).every(value => [10, 20, 30].includes(value))).toBe(true);
    expect(new Set(mixed).size).toBe(4);
    expect(mixBatch([1, 2], [10], { local: 0, shared: 1, random: createRandom('mix') })).toEqual([10]);
  });
});
