import { resolve } from 'node:path';
import { familyOf } from './families.ts';

/** The same environment, whatever folder its name is read in. */
export function absoluteName(name: string): string {
  const family = familyOf(name);
  if (family !== undefined) return family.absolute(name);
  return /[/\\]|\.[cm]?[jt]s$/.test(name) ? resolve(name) : name;
}
