import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { causeText, fileTrouble, invalidOption, invalidTask, refuse, Refusal } from './errors.ts';

it('a refusal records no stack, and other errors still do', () => {
  const refusal = new Refusal('The book is lent.');
  expect(refusal.stack).not.toMatch(/\n +at /);
  expect(new Error('a defect').stack).toMatch(/\n +at /);
  expect(() => refuse('No.')).toThrow(Refusal);
});

it('an error about what was given says what came and what was expected', () => {
  const error = invalidOption('The width is -1.', 'Expected a positive number.');
  expect(error).toMatchObject({ boundary: 'input', code: 'invalid-option', expected: 'Expected a positive number.' });
  expect(error.message).toBe('The width is -1. Expected a positive number.');
  expect(invalidTask('No seal.', 'Expected one.').code).toBe('invalid-task');
});

it('[CLI-13] says in plain words what is wrong with a file', () => {
  const missing = thrownBy(() => readFileSync('/no/such/file.json'));
  expect(causeText(missing)).toBe('there is no such file or folder (/no/such/file.json)');
  expect(causeText(thrownBy(() => readFileSync(`${import.meta.filename}/below`)))).toMatch(/^a part of the path/);
  expect(fileTrouble(thrownBy(() => readFileSync(import.meta.dirname)))).toBe('it is a folder');
  expect(fileTrouble(new Error('ENOENT'))).toBeNull();
  expect(causeText(new Error('something else'))).toBe('something else');
  expect(causeText('text')).toBe('text');
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (cause) {
    return cause;
  }
  return null;
}
