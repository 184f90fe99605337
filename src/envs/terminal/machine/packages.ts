import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const left = ['/usr/share/doc/', '/usr/share/man/', '/usr/share/locale/', '/usr/share/info/'];

/** Files below `/usr` of packages of Debian and of all that they depend on, as far as they are installed. */
export function filesOfPackages(names: readonly string[]): string[] {
  const installed = installedPackages();
  const found = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const own = installed.get(name);
    if (own === undefined || found.has(own.name)) continue;
    found.add(own.name);
    for (const alternatives of own.needs) open.push(...alternatives.filter(each => installed.has(each)).slice(0, 1));
  }
  const files = [...found].flatMap(listed);
  return [...new Set(files.map(atItsPlace))].filter(isWanted).toSorted();
}

interface Installed {
  readonly name: string;
  readonly needs: readonly (readonly string[])[];
}

/** By name, and by what they provide. */
function installedPackages(): ReadonlyMap<string, Installed> {
  const fields = ['Package', 'db:Status-Status', 'Pre-Depends', 'Depends', 'Provides'].map(field => `\${${field}}`);
  const text = execFileSync('dpkg-query', ['-W', '-f', `${fields.join('\\t')}\\n`], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const known = new Map<string, Installed>();
  for (const line of text.split('\n')) {
    const [name = '', status, before = '', needs = '', provides = ''] = line.split('\t');
    if (status !== 'installed') continue;
    const own = { name, needs: [...namesIn(before), ...namesIn(needs)] };
    known.set(name, own);
    for (const other of namesIn(provides).flat()) if (!known.has(other)) known.set(other, own);
  }
  return known;
}

/** Names of a relation, alternatives together: `a (>= 1), b:any | c`. */
function namesIn(relation: string): string[][] {
  return relation
    .split(',')
    .map(group => group.split('|').map(each => each.trim().replace(/[ (:].*$/, '')))
    .filter(([first]) => first !== '');
}

function listed(name: string): string[] {
  const info = '/var/lib/dpkg/info';
  const list = [`${name}.list`, `${name}:amd64.list`].map(each => join(info, each)).find(path => existsSync(path));
  return list === undefined ? [] : readFileSync(list, 'utf8').split('\n').filter(Boolean);
}

/** Lists name `/bin/ls`, which lies in `/usr/bin`. */
function atItsPlace(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}

function isWanted(path: string): boolean {
  if (!path.startsWith('/usr/') || left.some(folder => path.startsWith(folder))) return false;
  const entry = lstatSync(path, { throwIfNoEntry: false });
  return entry !== undefined && (entry.isFile() || entry.isSymbolicLink());
}
