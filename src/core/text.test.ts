import { expect, it } from 'vitest';
import { count, pluralOf } from './text.ts';

it.each([
  ['book', 'books'],
  ['address', 'addresses'],
  ['box', 'boxes'],
  ['branch', 'branches'],
  ['wish', 'wishes'],
  ['reply', 'replies'],
  ['day', 'days'],
])('[FORGE-3] more than one %s are %s', (noun, plural) => {
  expect(pluralOf(noun)).toBe(plural);
  expect(count(2, noun)).toBe(`2 ${plural}`);
  expect(count(1, noun)).toBe(`1 ${noun}`);
});
