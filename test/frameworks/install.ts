import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What npm installed and what was built from it: beside the sources, not part of them. */
const cache = join(import.meta.dirname, '../../.frameworks');

export function hashOf(...texts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex').slice(0, 12);
}

/**
 * Makes a folder of the cache once for each hash, in place of those for other hashes. Two processes that make it at once do
 * not see each other's half.
 */
export async function makeOnce(
  name: string,
  hash: string,
  fill: (partial: string) => void | Promise<void>,
): Promise<string> {
  const folder = join(cache, `${name}-${hash}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    await fill(partial);
    if (!existsSync(folder)) renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  for (const other of readdirSync(cache))
    if (other.replace(/-[0-9a-f]{12}$/, '') === name && other !== `${name}-${hash}`)
      rmSync(join(cache, other), { recursive: true, force: true });
  return folder;
}

/** The folder whose `node_modules` has what the lock of `project` names. Needs the registry once for each lock. */
export function installed(project: string): Promise<string> {
  const lock = readFileSync(join(project, 'package-lock.json'));
  return makeOnce(`modules-of-${basename(project)}`, hashOf(lock), partial => {
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
