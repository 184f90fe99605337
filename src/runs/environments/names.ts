import { resolve } from 'node:path';
import { appFamilyOf, familyOf } from './families.ts';

/** The same environment, whatever folder its name is read in. */
export function absoluteName(name: string): string {
  const family = familyOf(name) ?? appFamilyOf(name);
  if (family !== undefined) return family.absolute(name);
  return /[/\\]|\.[cm]?[jt]s$/.test(name) ? resolve(name) : name;
}
