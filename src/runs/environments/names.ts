import { resolve } from 'node:path';
import { familyOf, madeFamilyOf } from './families.ts';

/** The same environment, whatever folder its name is read in. */
export function absoluteName(name: string): string {
  const family = familyOf(name);
  if (family !== undefined) return family.absolute(name);
  const made = madeFamilyOf(name);
  if (made !== undefined) return made.absolute(name, absoluteName);
  return /[/\\]|\.[cm]?[jt]s$/.test(name) ? resolve(name) : name;
}
