import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Minor versions of Python 3 that are looked for, newest first. */
const minors = [14, 13, 12] as const;

/** The newest Python on this machine, of those that a library runs on; Debian's own where any will do. */
export function findPython(least: number | undefined): string {
  if (least === undefined) return existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
  const wanted = minors.filter(minor => minor >= least);
  const pyenv = process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv');
  for (const minor of wanted) {
    const inPyenv = globSync(join(pyenv, 'versions', `3.${minor}.*`, 'bin', 'python3'));
    // A command of pyenv may be on the path without a Python behind it.
    const found = [`python3.${minor}`, ...inPyenv].find(python => spawnSync(python, ['-c', '']).status === 0);
    if (found !== undefined) return found;
  }
  const names = wanted.map(minor => `python3.${minor}`).join(', ');
  throw new Error(
    `It needs Python 3.${least} or newer, and Debian 12 has 3.11. None of ${names} is on the path or in pyenv.`,
  );
}
