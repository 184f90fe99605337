import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** The id of the process follows. */
const prefix = 'espalier-tests-';
/** Runs, exports and profiles of browsers of one test run take less than a tenth of it. */
const neededBytes = 4 * 2 ** 30;

/**
 * The folder for temporary files of tests: in memory where there is space for it, as a store waits for the disk after every
 * episode. It is removed when this process ends.
 */
export function createTestFolder(): string {
  const folder = createInMemory();
  if (folder === null) return tmpdir();
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function createInMemory(): string | null {
  try {
    const { bavail, bsize } = statfsSync(memory);
    removeAbandoned();
    if (bavail * bsize < neededBytes) return null;
    const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`));
    // Browsers run as another user.
    chmodSync(folder, 0o1777);
    return canRunPrograms(folder) ? folder : null;
  } catch {
    return null;
  }
}

/** A test run that was killed leaves its folder behind. */
function removeAbandoned(): void {
  for (const name of readdirSync(memory)) {
    const owner = name.startsWith(prefix) ? /^(\d+)-/.exec(name.slice(prefix.length)) : null;
    if (owner === null || existsSync(`/proc/${owner[1]}`)) continue;
    rmSync(join(memory, name), { recursive: true, force: true });
  }
}

/** Some systems run no programs from there; tests write some. */
function canRunPrograms(folder: string): boolean {
  const program = join(folder, 'try.sh');
  try {
    writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    execFileSync(program);
    rmSync(program);
    return true;
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return false;
  }
}
