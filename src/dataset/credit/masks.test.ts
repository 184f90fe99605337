import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { difference, intersection, mask, MaskError, masksOf, partition, union, type Mask } from './masks.ts';

const length = 20;
const span = fc
  .tuple(fc.nat(length), fc.nat(length))
  .map(([left, right]) => ({ start: Math.min(left, right), end: Math.max(left, right) }));
const anyMask = fc.array(span, { maxLength: 5 }).map(spans => mask('student', spans));

function tokens({ spans }: Mask<string>): number[] {
  return spans.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, place) => start + place));
}

describe('masks', () => {
  it('[CREDIT-19] unite, intersect and subtract as sets of tokens do', () => {
    fc.assert(
      fc.property(anyMask, anyMask, (left, right) => {
        const [a, b] = [new Set(tokens(left)), new Set(tokens(right))];
        const ordered = (set: ReadonlySet<number>): number[] => [...set].toSorted((one, other) => one - other);
        expect(tokens(union('student', left, right))).toEqual(ordered(a.union(b)));
        expect(tokens(intersection('student', left, right))).toEqual(ordered(a.intersection(b)));
        expect(tokens(difference(left, right))).toEqual(ordered(a.difference(b)));
      }),
    );
  });

  it('[CREDIT-19] partition the tokens, and read back from the partition', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('student', 'teacher', 'environment', null), { maxLength: length }),
        kinds => {
          const masks = masksOf(kinds);
          expect(partition(kinds.length, masks)).toEqual(kinds);
          expect(masks.flatMap(tokens).length).toBe(kinds.filter(kind => kind !== null).length);
        },
      ),
    );
  });

  it('[CREDIT-19] are refused when two have the same token', () => {
    const overlapping = [mask('student', [{ start: 0, end: 4 }]), mask('teacher', [{ start: 3, end: 6 }])];
    expect(() => partition<string>(6, overlapping)).toThrow(MaskError);
    expect(() => partition<string>(6, overlapping)).toThrow('Token 3 is student and teacher at once.');
    expect(() => partition(3, [mask('student', [{ start: 0, end: 4 }])])).toThrow('ends after the last of 3 tokens');
    expect(() => mask('student', [{ start: 2, end: 1 }])).toThrow('The span from 2 to 1 is none.');
  });
});
