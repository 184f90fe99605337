import { expect, it } from 'vitest';
import { count, pluralOf, singularOf } from './text.ts';

it.each([
  ['book', 'books'],
  ['address', 'addresses'],
  ['box', 'boxes'],
  ['branch', 'branches'],
  ['wish', 'wishes'],
  ['reply', 'replies'],
  ['day', 'days'],
  ['bus', 'buses'],
  ['house', 'houses'],
  ['class', 'classes'],
  ['course', 'courses'],
  ['status', 'statuses'],
  ['quiz', 'quizzes'],
  ['movie', 'movies'],
  ['shelf', 'shelves'],
  ['valve', 'valves'],
  ['field mouse', 'field mice'],
  ['series', 'series'],
])('[FORGE-3] more than one %s are %s', (noun, plural) => {
  expect(pluralOf(noun)).toBe(plural);
  expect(singularOf(plural)).toBe(noun);
  expect(count(2, noun)).toBe(`2 ${plural}`);
  expect(count(1, noun)).toBe(`1 ${noun}`);
});
