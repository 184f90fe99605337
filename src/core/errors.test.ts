import { expect, it } from 'vitest';
import { refuse, Refusal } from './errors.ts';

it('a refusal records no stack, and other errors still do', () => {
  const refusal = new Refusal('The book is lent.');
  expect(refusal.stack).not.toMatch(/\n +at /);
  expect(new Error('a defect').stack).toMatch(/\n +at /);
  expect(() => refuse('No.')).toThrow(Refusal);
});
