import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDigest, sha256InScript } from './digest.ts';
import type { Json } from './json.ts';

const digest = createDigest();
const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

describe('digest', () => {
  it('[DIG-1] does not depend on the order of keys or on the digester', () => {
    expect(digest({ a: 1, b: [2, { c: 3, d: 4 }] })).toBe(createDigest()({ b: [2, { d: 4, c: 3 }], a: 1 }));
    fc.assert(
      fc.property(json, value => {
        expect(createDigest()(reversed(value))).toBe(digest(value));
      }),
    );
  });

  it('[DIG-1] is the same in a browser, where the hash is computed by a script', () => {
    const slow = createDigest(sha256InScript);
    // Made by the first version: journals have digests.
    expect(slow({ a: [1, 'é', null] })).toBe('c212abed05af4589728b86fa5dc1c5d1');
    fc.assert(
      fc.property(json, value => {
        expect(slow(value)).toBe(digest(value));
      }),
    );
  });

  it('[DIG-2] tells apart what is nearly the same', () => {
    const near: Json[] = [
      null,
      0,
      1,
      '',
      '0',
      '1',
      'null',
      true,
      false,
      [],
      {},
      [[]],
      [{}],
      [null],
      ['', ''],
      ['ab'],
      ['a', 'b'],
    ];
    near.push(
      { a: null },
      { a: [] },
      { a: {} },
      { '': '' },
      { ab: 'c' },
      { a: 'bc' },
      [1, 2],
      [2, 1],
      ['1,2'],
      '\ud800',
      '\ufffd',
      '\udc00',
    );
    near.push([[1], 2], [1, [2]], [[1, 2]], { a: { b: 1 } }, { a: 1, b: 1 }, 1e21, 1.5, -1);
    expect(new Set(near.map(value => digest(value))).size).toBe(near.length);
    expect(digest([])).toMatch(/^[0-9a-f]{32}$/);
    fc.assert(
      fc.property(json, json, (left, right) => {
        expect(digest(left) === digest(right)).toBe(canonical(left) === canonical(right));
      }),
      { numRuns: 500 },
    );
  });

  it('[DIG-3] hashes only along the changed path', () => {
    let reads = 0;
    const counted = new Proxy([1, 2, 3], {
      get(target, key, receiver) {
        reads++;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    const fresh = createDigest();
    const before = fresh({ table: counted, ui: { page: 1 } });
    const once = reads;
    expect(once).toBeGreaterThan(0);
    const after = fresh({ table: counted, ui: { page: 2 } });
    expect(reads).toBe(once);
    expect(after).not.toBe(before);
    expect(after).toBe(createDigest()({ ui: { page: 2 }, table: [1, 2, 3] }));
  });
});

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(item => reversed(item as Json));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversed(item as Json)]),
  );
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(item => canonical(item as Json)).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${canonical(item as Json)}`);
  return `{${members.toSorted().join()}}`;
}
