import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EspalierError } from '../../core/errors.ts';
import { runPaths } from '../../runs/folder/folder.ts';

/** How far below the folder runs are looked for. */
const deepest = 3;

/** The folders of runs in a folder, or the folder itself when it is a run. */
export function findRuns(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw noFolder(folder);
  return isRun(folder) ? [folder] : below(folder, deepest);
}

/** Nothing is written for a run that was deleted: it would be made anew. */
export function requireStore(folder: string): void {
  if (isRun(folder)) return;
  throw new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `The run in ${folder} was deleted.`,
    expected: 'Put its folder back, then try again.',
  });
}

function isRun(folder: string): boolean {
  return existsSync(runPaths(folder).store);
}

function below(folder: string, depth: number): string[] {
  const folders = readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({ name }) => join(folder, name))
    .toSorted();
  return folders.flatMap(path => [...(isRun(path) ? [path] : []), ...(depth > 1 ? below(path, depth - 1) : [])]);
}

function noFolder(folder: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `There is no folder ${folder}.`,
    expected: 'Expected the folder of a run, or a folder with runs in it, such as runs.',
  });
}
