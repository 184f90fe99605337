import { describe, expect, it } from 'vitest';
import { longestFirst } from '../scripts/test-order.ts';

describe('the order of tests', () => {
  it('starts with what finds most mistakes, then the longest; a new file counts as an average one', () => {
    const table = { 'long.test.ts': 9, 'short.test.ts': 1, 'other.test.ts': 2 };
    const files = ['short.test.ts', 'new.test.ts', 'test/spec.test.ts', 'other.test.ts', 'long.test.ts'];
    expect(longestFirst(files, table)).toEqual([
      'test/spec.test.ts',
      'long.test.ts',
      'new.test.ts',
      'other.test.ts',
      'short.test.ts',
    ]);
  });
});
