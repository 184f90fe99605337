import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diff, invert, isCovered, patch } from './diff.ts';
import { EspalierError } from './errors.ts';
import type { Json } from './json.ts';
import { parsePath } from './path.ts';

const record = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd/e', 'f~g'),
  value: fc.integer({ max: 3 }),
  tags: fc.array(fc.string()),
});
const world = fc.record({
  table: fc.uniqueArray(record, { selector: item => item.id }),
  doubled: fc.array(record),
  mixed: fc.array(fc.oneof(record, fc.integer())),
  free: fc.jsonValue({ maxDepth: 3 }),
}) as fc.Arbitrary<Json>;

describe('diff', () => {
  it('[DIF-1] makes patches that lead there and back', () => {
    fc.assert(
      fc.property(world, world, (before, after) => {
        const changes = diff(before, after);
        expect(patch(before, changes)).toEqual(after);
        expect(patch(after, invert(changes))).toEqual(before);
      }),
      { numRuns: 1000 },
    );
  });

  it('[DIF-2] is empty for the same value and does not walk what is shared', () => {
    const trap = new Proxy({}, { ownKeys: () => expect.fail('walked into a shared part') });
    expect(diff({ trap, a: 1 } as Json, { trap, a: 2 } as Json)).toEqual([
      { op: 'replace', path: '/a', before: 1, value: 2 },
    ]);
    fc.assert(
      fc.property(world, value => {
        expect(diff(value, structuredClone(value))).toEqual([]);
      }),
    );
  });

  it('[DIF-3] names records by their ids', () => {
    const [x, y, z] = [
      { id: 'x', n: 1 },
      { id: 'y', n: 1 },
      { id: 'z', n: 1 },
    ];
    expect(diff({ t: [x, y, z] }, { t: [y, { ...z, n: 2 }] })).toEqual([
      { op: 'replace', path: '/t/z/n', before: 1, value: 2 },
      { op: 'remove', path: '/t/x', before: x, index: 0 },
    ]);
    expect(diff({ t: [x, y] }, { t: [x, z, y] })).toEqual([{ op: 'add', path: '/t/z', value: z, index: 1 }]);
    expect(diff({ t: [x, y] }, { t: [y, x] })).toEqual([
      { op: 'order', path: '/t', before: ['x', 'y'], value: ['y', 'x'] },
    ]);
    expect(diff({ labels: ['a'] }, { labels: ['a', 'b'] })).toEqual([
      { op: 'replace', path: '/labels', before: ['a'], value: ['a', 'b'] },
    ]);
  });

  it('[DIF-4] refuses a patch that does not fit', () => {
    const value = { t: [{ id: 'x', n: 1 }], n: 1, l: [1, 2] };
    const misfits = [
      { op: 'replace', path: '/t/y/n', before: 1, value: 2 },
      { op: 'replace', path: '/n/deeper', before: 1, value: 2 },
      { op: 'remove', path: '/gone', before: 1 },
      { op: 'remove', path: '', before: 1 },
      { op: 'replace', path: '/n', before: 2, value: 3 },
      { op: 'remove', path: '/t/x', before: { id: 'x', n: 2 } },
      { op: 'add', path: '/n', value: 3 },
      { op: 'add', path: '/t/x', value: { id: 'x', n: 3 } },
      { op: 'replace', path: '/l/1.5', before: 2, value: 3 },
      { op: 'replace', path: '/l/', before: 1, value: 3 },
      { op: 'replace', path: 'n', before: 1, value: 3 },
      { op: 'order', path: '/t', before: ['x'], value: ['x', 'y'] },
      { op: 'order', path: '/n', before: [], value: [] },
    ] as const;
    for (const change of misfits) expect(() => patch(value, [change]), change.path).toThrow(EspalierError);
    expect(() => patch(value, [misfits[0]])).toThrow('/t/y/n');
    expect(value).toEqual({ t: [{ id: 'x', n: 1 }], n: 1, l: [1, 2] });
  });
});

describe('patterns', () => {
  it('[VER-4] cover a path, what lies below it, and new records where + says so', () => {
    const covered = (pattern: string, change: Parameters<typeof isCovered>[1]): boolean =>
      isCovered([parsePath(pattern)], change);
    const replace = (path: string) => ({ op: 'replace', path, before: 1, value: 2 }) as const;
    expect(covered('/t/x', replace('/t/x/n'))).toBe(true);
    expect(covered('/t/*/n', replace('/t/x/n'))).toBe(true);
    expect(covered('/t/x/n', replace('/t/x'))).toBe(false);
    expect(covered('/t/x', replace('/t/xy'))).toBe(false);
    expect(covered('/t/+', { op: 'add', path: '/t/new', value: 1 })).toBe(true);
    expect(covered('/t/+', replace('/t/x'))).toBe(false);
    expect(covered('/t/+', replace('/t/+'))).toBe(false);
    expect(covered('/t/+', { op: 'remove', path: '/t/x', before: 1 })).toBe(false);
  });
});
