import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packagesPlace, shims } from './shims.ts';
import type { WantedPackages } from './wanted-packages.ts';

/** What a task can install without a network. */
export interface Supplies {
  readonly debian: readonly string[];
  readonly python: readonly string[];
  /** What could not be had, with the reason. */
  readonly missing: readonly string[];
}

/** Packages of Debian and PyPI that were fetched, by what was asked for. Nothing of them runs when they are fetched. */
export interface PackageCache {
  /** Stands for the packages of this machine: another list is another machine. */
  readonly machine: string;
  fetch(wanted: WantedPackages): Promise<Supplies>;
}

const run = promisify(execFile);
const fetchTimeout = 300_000;
const mostSaid = 300;
/** Files of `/etc` that come with packages of this machine, and hold nothing of it. */
const settings =
  'ssl/openssl.cnf ca-certificates.conf fonts java-17-openjdk java-11-openjdk R perl python3 python3.11 ImageMagick-6 login.defs skel bash.bashrc profile ld.so.conf ld.so.conf.d services protocols shells default/useradd pam.conf pam.d security adduser.conf deluser.conf inputrc terminfo magic vim pip.conf.d init.d'.split(
    ' ',
  );

/** Opens the cache in a folder, and puts in it what stands for the network. */
export function openPackageCache(folder: string): PackageCache {
  for (const part of ['bin', 'debs', 'wheels', 'uv', 'etc/default', 'etc/ssl'])
    mkdirSync(join(folder, part), { recursive: true });
  for (const [name, content] of Object.entries(shims)) {
    writeFileSync(join(folder, name), content);
    chmodSync(join(folder, name), 0o755);
  }
  const packages = installedPackages();
  writeFileSync(join(folder, 'packages'), `${packages.join('\n')}\n`);
  for (const name of settings) {
    const from = join('/etc', name);
    const to = join(folder, 'etc', name);
    if (existsSync(from) && !existsSync(to)) cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
  const fetched = new Map<string, Promise<Fetched>>();
  const once = (kind: 'debs' | 'wheels', names: readonly string[]): Promise<Fetched> => {
    const key = shortHash(JSON.stringify([kind, machine, ...names.toSorted()]));
    const known = fetched.get(key) ?? fetchInto(join(folder, kind, key), kind, names);
    fetched.set(key, known);
    return known;
  };
  const machine = shortHash(packages.join('\n'));
  const isHere = new Set(packages);
  return {
    machine,
    async fetch({ debian, python, uv }) {
      const wheels = [...python, ...(uv ? [['uv'], ['colorama']] : [])];
      const debs = debian.map(names => names.filter(name => !isHere.has(name))).filter(names => names.length > 0);
      const found = { debian: [] as string[], python: [] as string[], missing: [] as string[] };
      for (const names of debs) add(found.debian, found.missing, await once('debs', names));
      for (const names of wheels) add(found.python, found.missing, await once('wheels', names));
      if (uv) await layOutUv(folder);
      return found;
    },
  };
}

/** Variables that make pip, uv and apt-get use the cache. */
export function supplyVariables({ debian, python }: Supplies): Record<string, string> {
  const links = python.map(key => `${packagesPlace}/wheels/${key}`);
  return {
    ESPALIER_DEBS: debian.join(' '),
    PIP_NO_INDEX: '1',
    PIP_FIND_LINKS: links.join(' '),
    PIP_BREAK_SYSTEM_PACKAGES: '1',
    PIP_ROOT_USER_ACTION: 'ignore',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    UV_NO_INDEX: '1',
    UV_OFFLINE: '1',
    UV_FIND_LINKS: links.join(','),
    UV_PYTHON: '/usr/bin/python3',
    UV_PYTHON_DOWNLOADS: 'never',
    UV_BREAK_SYSTEM_PACKAGES: '1',
    UV_LINK_MODE: 'copy',
    UV_CACHE_DIR: '/tmp/.uv-cache',
  };
}

export function shortHash(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16);
}

interface Fetched {
  readonly key: string | null;
  readonly missing: readonly string[];
}

function add(keys: string[], missing: string[], fetched: Fetched): void {
  if (fetched.key !== null && !keys.includes(fetched.key)) keys.push(fetched.key);
  missing.push(...fetched.missing);
}

function installedPackages(): string[] {
  const status = '/var/lib/dpkg/status';
  if (!existsSync(status)) return [];
  const entries = readFileSync(status, 'utf8').split('\n\n');
  const names = entries.flatMap(entry =>
    /^Status: .* installed$/m.test(entry) ? [...entry.matchAll(/^Package: (.+)$/gm)].map(([, name = '']) => name) : [],
  );
  return names.toSorted();
}

async function fetchInto(folder: string, kind: 'debs' | 'wheels', names: readonly string[]): Promise<Fetched> {
  const key = folder.slice(folder.lastIndexOf('/') + 1);
  const known = join(folder, 'missing.json');
  if (existsSync(known)) return { key, missing: JSON.parse(readFileSync(known, 'utf8')) as string[] };
  const making = `${folder}.new`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  const missing = await (kind === 'debs' ? fetchDebs(making, names) : fetchWheels(making, names));
  writeFileSync(join(making, 'missing.json'), JSON.stringify(missing));
  // What could not be had may be had the next time.
  if (missing.length > 0 && readdirSync(making).length === 1) {
    rmSync(making, { recursive: true });
    return { key: null, missing };
  }
  renameSync(making, folder);
  return { key, missing };
}

/** All at once, or those one by one that can be had. */
async function fetchEach(
  names: readonly string[],
  fetch: (names: readonly string[]) => Promise<void>,
): Promise<string[]> {
  try {
    await fetch(names);
    return [];
  } catch (cause) {
    if (names.length === 1) return [`${names[0] ?? ''}: ${reasonOf(cause)}`];
  }
  const missing: string[] = [];
  for (const name of names) {
    try {
      await fetch([name]);
    } catch (cause) {
      missing.push(`${name}: ${reasonOf(cause)}`);
    }
  }
  return missing;
}

function reasonOf(cause: unknown): string {
  const { stderr = '', message = '' } = cause as { stderr?: string; message?: string };
  const lines = stderr.split('\n').filter(line => /^(?:E:|ERROR)/.test(line));
  return (lines.at(-1) ?? stderr.trim().split('\n').at(-1) ?? message).slice(0, mostSaid);
}

async function fetchDebs(folder: string, names: readonly string[]): Promise<string[]> {
  const got: string[] = [];
  const missing = await fetchEach(names, async some => {
    const simulated = await run('apt-get', ['install', '-s', '--no-install-recommends', '--no-remove', ...some], {
      timeout: fetchTimeout,
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
      maxBuffer: 2 ** 26,
    });
    const wanted = [...simulated.stdout.matchAll(/^Inst (\S+) (?:\[\S+\] )?\((\S+)/gm)].map(
      ([, name = '', version = '']) => `${name}=${version}`,
    );
    if (wanted.length > 0)
      await run('apt-get', ['download', ...wanted], { cwd: folder, timeout: fetchTimeout, maxBuffer: 2 ** 26 });
    got.push(...some, ...wanted.map(each => each.split('=')[0] as string));
  });
  if (got.length > 0) writeFileSync(join(folder, 'names'), `${got.join('\n')}\n`);
  return missing;
}

const pip = '/usr/bin/python3';

async function fetchWheels(folder: string, names: readonly string[]): Promise<string[]> {
  return fetchEach(names, async some => {
    // Only what is built already: nothing of a package runs here.
    await run(pip, ['-m', 'pip', 'download', '--quiet', '--only-binary', ':all:', '--dest', folder, ...some], {
      timeout: fetchTimeout,
      maxBuffer: 2 ** 26,
    });
  });
}

/** Takes the program out of the package of uv. */
async function layOutUv(folder: string): Promise<void> {
  if (existsSync(join(folder, 'uv', 'uv'))) return;
  const wheels = readdirSync(join(folder, 'wheels'), { recursive: true, encoding: 'utf8' });
  const wheel = wheels.find(name => /(?:^|\/)uv-[^/]+\.whl$/.test(name));
  if (wheel === undefined) return;
  const script =
    'import sys, zipfile, os\nz = zipfile.ZipFile(sys.argv[1])\nfor n in z.namelist():\n  b = os.path.basename(n)\n  if b in ("uv", "uvx") and "/scripts/" in n:\n    p = os.path.join(sys.argv[2], b)\n    open(p, "wb").write(z.read(n)); os.chmod(p, 0o755)';
  await run(pip, ['-c', script, join(folder, 'wheels', wheel), join(folder, 'uv')]);
}
