import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mask, MaskError, partition, type Span } from './masks.ts';

const length = 20;
const span = fc
  .tuple(fc.nat(length), fc.nat(length))
  .map(([left, right]) => ({ start: Math.min(left, right), end: Math.max(left, right) }));

function tokensOf({ start, end }: Span): number[] {
  return Array.from({ length: end - start }, (_, place) => start + place);
}

describe('masks', () => {
  it('[CREDIT-19] hold the tokens of all their spans, and partition gives each its kind', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 5 }), spans => {
        const student = mask('student', spans);
        const claimed = new Set(spans.flatMap(tokensOf));
        expect(student.spans.flatMap(tokensOf)).toEqual([...claimed].toSorted((one, other) => one - other));
        const kinds = Array.from({ length }, (_, token) => (claimed.has(token) ? 'student' : null));
        expect(partition(length, [student])).toEqual(kinds);
      }),
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
