import { invalidOption } from '../../core/errors.ts';

/** Two with one name could not be told apart in what is written. */
export function requireOnce(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw invalidOption(`"${twice}" is given twice.`, 'Expected each name once: two would be written to the same file.');
}
