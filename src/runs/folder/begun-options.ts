import { existsSync } from 'node:fs';
import { invalidOption } from '../../core/errors.ts';
import { readJson } from '../../modules/read-file.ts';
import { runPaths, writeWhole } from './folder.ts';

export interface Begun {
  readonly folder: string;
  /** Where the options are written down. */
  readonly path: string;
  /** What the folder holds: `loop`. */
  readonly what: string;
}

/** Writes down the options that a study of several rounds begins with. One with other options, or another run, is refused. */
export function keepOptions(own: object, { folder, path, what }: Begun): void {
  if (existsSync(path)) {
    const found = differences(readJson(path), own);
    if (found.length === 0) return;
    throw invalidOption(
      `${folder} holds a ${what} that was begun with other options: ${found.join('; ')}.`,
      'Give the same options to go on with it, or another folder as --out.',
    );
  }
  if (existsSync(runPaths(folder).store))
    throw invalidOption(`${folder} holds a run that is no ${what}.`, 'Give another folder as --out.');
  writeWhole(path, `${JSON.stringify(own, null, 2)}\n`);
}

/** `rounds was 2, is 3`. */
function differences(before: unknown, after: object): string[] {
  const known = new Map(Object.entries(before as object).map(([key, value]) => [key, sortedText(value)]));
  const now = new Map(Object.entries(after).map(([key, value]) => [key, sortedText(value)]));
  return [...new Set([...known.keys(), ...now.keys()])].flatMap(key => {
    const [was, is] = [known.get(key), now.get(key)];
    return was === is ? [] : [`${key} was ${was ?? 'not given'}, is ${is ?? 'not given'}`];
  });
}

/** JSON whose text does not depend on the order that options were given in. */
function sortedText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
