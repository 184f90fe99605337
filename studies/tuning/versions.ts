import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { invalidOption } from '../../src/core/errors.ts';

/** A Postgres of this machine. */
export interface PostgresVersion {
  /** `15`. */
  readonly version: string;
  /** The folder of its programs. */
  readonly programs: string;
}

const ofDebian = '/usr/lib/postgresql/*/bin';

/** The versions in these folders of programs, and those that Debian's packages put here; one of each. */
export function findVersions(folders: readonly string[]): PostgresVersion[] {
  for (const folder of folders)
    if (!isServer(folder))
      throw invalidOption(
        `There is no Postgres in ${folder}.`,
        'Expected folders with the programs initdb and postgres.',
      );
  const found = new Map<string, PostgresVersion>();
  for (const programs of [...globSync(ofDebian).filter(isServer), ...folders]) {
    const version = versionOf(programs);
    found.set(version, { version, programs });
  }
  return [...found.values()].toSorted((one, other) => Number(one.version) - Number(other.version));
}

/** The program that puts a load on any version. */
export function findPgbench(): string {
  const found = globSync(`${ofDebian}/pgbench`).at(-1);
  if (found !== undefined) return found;
  throw invalidOption('There is no pgbench on this machine.', 'Install it first: apt-get install postgresql.');
}

function isServer(folder: string): boolean {
  return ['initdb', 'postgres'].every(name => existsSync(join(folder, name)));
}

function versionOf(programs: string): string {
  const text = execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' });
  return /\) (\d+)/.exec(text)?.[1] ?? text.trim();
}
