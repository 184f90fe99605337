import { describe, expect, it } from 'vitest';
import type { Action } from '../action.ts';
import { describeStep } from './view.ts';

const click: Action = { kind: 'click', ref: 'e2' };

describe('a step as a line of history', () => {
  it.each([
    ['[e2] button "Say "hello""', 'click button "Say "hello""'],
    ['[e2] Hello', 'click text "Hello"'],
    ['[e2] button "Save" (disabled)', 'click button "Save"'],
  ])('names the element of the last line %s, whether or not the line ends', (line, told) => {
    const screen = `page "Desk"\n  listitem "Lamp"\n    ${line}`;
    expect(describeStep(click, screen)).toBe(`${told} in "Lamp"`);
    expect(describeStep(click, `${screen}\n`)).toBe(`${told} in "Lamp"`);
  });

  it('[SITE-82] tells a row without a name by the first texts in it', () => {
    const screen =
      'page "Desk"\n  table\n    [e1] row\n      cell "Ann Lee"\n    [e2] row\n      cell "Bo Ray"\n      cell "42"\n      cell "Male"\n';
    expect(describeStep(click, screen)).toBe('click row "Bo Ray, 42"');
    expect(describeStep({ kind: 'click', ref: 'e1' }, screen)).toBe('click row "Ann Lee"');
  });
});
