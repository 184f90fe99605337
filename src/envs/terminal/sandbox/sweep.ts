import { readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../code/sandbox/memory-group.ts';

export const folderPrefix = 'espalier-terminal-';

/**
 * Removes the folders of processes that were killed. They are empty: what lay in them was mounted in a namespace that ended with the
 * helper, and so did every process in it.
 */
export function sweepFolders(place: string = tmpdir()): void {
  for (const name of readdirSync(place)) {
    const [, owner] = /^espalier-terminal-(\d+)-/.exec(name) ?? [];
    if (owner === undefined || isAlive(Number(owner))) continue;
    try {
      rmdirSync(join(place, name));
    } catch {
      // Somebody else's, or just swept by another process.
    }
  }
}
