import { describe, expect, it } from 'vitest';
import { chooseLeftOut } from '../scripts/short-form.ts';
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

describe('tests that are left out', () => {
  const test = (name: string, seconds: number, file = 'one.test.ts') => ({ file, name, seconds });
  const names = (found: readonly { name: string }[]): string[] => found.map(({ name }) => name);

  it('are the longest, as many as are needed', () => {
    const tests = [test('[RUN-1] a', 1), test('[RUN-1] b', 9), test('[RUN-1] c', 5), test('[RUN-1] d', 3)];
    expect(names(chooseLeftOut(tests, 18))).toEqual([]);
    expect(names(chooseLeftOut(tests, 10))).toEqual(['[RUN-1] b']);
    expect(names(chooseLeftOut(tests, 1))).toEqual(['[RUN-1] b', '[RUN-1] c', '[RUN-1] d']);
    expect(names(chooseLeftOut([test('[RUN-1] a', 1.4), test('[RUN-1] b', 1)], 0))).toEqual([]);
  });

  it('are never the last that try a rule, nor tests that cite none', () => {
    const tests = [
      test('[RUN-1] [RUN-2] a', 9),
      test('[RUN-1] b', 5),
      test('[RUN-1] c', 4, 'other.test.ts'),
      test('cites nothing', 8),
    ];
    expect(names(chooseLeftOut(tests, 0))).toEqual(['[RUN-1] b', '[RUN-1] c']);
  });
});
