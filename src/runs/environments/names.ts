import { resolve } from 'node:path';
import { readModuleName } from '../../modules/load-module.ts';
import { familyOf } from './families.ts';

/** The same environment, whatever folder its name is read in. */
export function absoluteName(name: string): string {
  const found = familyOf(name);
  // A name of before stays as it is written: runs of before are found by it.
  if (found !== null) {
    const absolute = found.family.absolute?.(found.name, absoluteName) ?? found.name;
    return absolute === found.name ? name : absolute;
  }
  const module = readModuleName(name);
  if (module === null) return /[/\\]/.test(name) ? resolve(name) : name;
  return module.rest === null ? resolve(module.path) : `${resolve(module.path)}:${module.rest}`;
}
