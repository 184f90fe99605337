import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it. Node's own `recursive` never ends where a folder cannot be made although the one
 * above it is there, such as in /proc.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  let at = path;
  while (statSync(at, { throwIfNoEntry: false }) === undefined) {
    missing.push(at);
    if (dirname(at) === at) break;
    at = dirname(at);
  }
  for (const folder of missing.toReversed()) make(folder);
  // A file in its place.
  if (missing.length === 0 && !statSync(path).isDirectory()) mkdirSync(path);
}

function make(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (cause) {
    // Somebody else made it in the meantime.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw cause;
  }
}
