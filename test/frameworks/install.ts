import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What npm installed and what was built from it: beside the sources, not part of them. */
export const cache = join(import.meta.dirname, '../../.frameworks');

export function hashOf(...texts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex').slice(0, 12);
}

/** Makes a folder once. Two processes that make it at once do not see each other's half. */
export async function makeOnce(folder: string, fill: (partial: string) => void | Promise<void>): Promise<string> {
  if (existsSync(folder)) return folder;
  const partial = `${folder}.${process.pid}`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  await fill(partial);
  if (existsSync(folder)) rmSync(partial, { recursive: true });
  else renameSync(partial, folder);
  return folder;
}

/** The folder whose `node_modules` has what the lock of `project` names. Needs the registry once for each lock. */
export function installed(project: string): Promise<string> {
  const lock = readFileSync(join(project, 'package-lock.json'));
  return makeOnce(join(cache, `modules-${hashOf(lock)}`), partial => {
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(project, name), join(partial, name));
    const args = ['ci', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status, stderr } = spawnSync('npm', args, {
      cwd: partial,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error(`The frameworks of the tests could not be installed (npm ci): ${stderr}`);
  });
}
