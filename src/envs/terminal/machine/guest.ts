import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { readlinkSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { supervisorSource } from '../sandbox/supervisor-source.ts';
import { packArchive, type ArchiveFile } from './cpio.ts';
import { guestModules, guestSource } from './guest-source.ts';
import { filesOfPackages } from './packages.ts';

/** What a guest boots: files that are made once and stay. */
export interface Guest {
  readonly kernel: string;
  readonly initial: string;
  /** The image of the root, read-only. */
  readonly root: string;
  /** Changes with anything above. */
  readonly key: string;
}

export interface GuestOptions {
  /** Where what is made stays. */
  readonly cache: string;
  /** Folders with `boot` and `lib/modules` of a kernel; the first that has one counts. */
  readonly kernels: readonly string[];
}

/** Programs that a guest has, with what they depend on, as far as this machine has them. */
const programs =
  'bash dash coreutils libc-bin ncurses-base perl-base findutils grep sed gawk mawk tar gzip bzip2 xz-utils util-linux procps git sqlite3 make python3 jq diffutils file less vim patch curl'.split(
    ' ',
  );
const keyLength = 16;
const spareMegabytes = 200;
const megabyte = 2 ** 20;
const executable = 0o755;

export function prepareGuest({ cache, kernels }: GuestOptions): Guest {
  const kernel = findKernel(kernels);
  if (kernel === null) throw new Error(missingKernel(kernels) ?? '');
  const initial = initialFiles(kernel.modules);
  const files = filesOfPackages(programs);
  const about = files.map(path => `${path} ${statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0}`).join('\n');
  const key = hash('sha256', Buffer.concat([Buffer.from(`${kernel.image}\n${about}`), initial])).slice(0, keyLength);
  const folder = join(cache, key);
  const made: Guest = { kernel: kernel.image, initial: join(folder, 'initial'), root: join(folder, 'root.img'), key };
  if (existsSync(made.root)) return made;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, 'new-'));
  try {
    writeFileSync(join(fresh, 'initial'), initial);
    makeImage(fresh, files);
    if (!existsSync(folder)) renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return made;
}

interface Kernel {
  readonly image: string;
  readonly modules: string;
}

/** Why there is no kernel to boot; null when there is one. */
export function missingKernel(folders: readonly string[]): string | null {
  return findKernel(folders) === null ? `there is no kernel in boot and lib/modules of ${folders.join(', ')}` : null;
}

function findKernel(folders: readonly string[]): Kernel | null {
  for (const folder of folders) {
    const boot = join(folder, 'boot');
    const names = existsSync(boot) ? readdirSync(boot).filter(name => name.startsWith('vmlinuz-')) : [];
    for (const name of names.toSorted().toReversed()) {
      const modules = join(folder, 'lib/modules', name.slice('vmlinuz-'.length));
      if (existsSync(modules)) return { image: join(boot, name), modules };
    }
  }
  return null;
}

/** Perl with its libraries, the modules and our two programs. */
function initialFiles(modules: string): Buffer {
  const perl = '/usr/bin/perl';
  const libraries = execFileSync('ldd', [perl], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  const found = readdirSync(modules, { recursive: true, encoding: 'utf8' });
  const files: ArchiveFile[] = [
    ...[perl, ...libraries].map(path => ({ path: path.slice(1), mode: executable, content: readFileSync(path) })),
    ...guestModules.flatMap(name => {
      const path = found.find(each => basename(each) === `${name}.ko`);
      return path === undefined
        ? []
        : [{ path: `modules/${name}.ko`, mode: 0o644, content: readFileSync(join(modules, path)) }];
    }),
    { path: 'init', mode: executable, content: Buffer.from(`#!${perl}\n${guestSource}`) },
    { path: 'helper.pl', mode: 0o644, content: Buffer.from(supervisorSource) },
  ];
  const folders = new Set(['dev', 'proc', 'root', ...files.flatMap(({ path }) => parentsOf(path))]);
  return packArchive([...[...folders].toSorted().map(path => ({ path, mode: executable })), ...files]);
}

function parentsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === '.' ? [] : [...parentsOf(parent), parent];
}

function makeImage(folder: string, files: readonly string[]): void {
  const stage = join(folder, 'stage');
  let bytes = 0;
  for (const path of files) {
    mkdirSync(join(stage, dirname(path)), { recursive: true });
    bytes += copied(path, join(stage, path));
  }
  for (const name of ['dev', 'proc', 'sys', 'tmp', 'run', 'root', 'home', 'etc'])
    mkdirSync(join(stage, name), { recursive: true });
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) copied(`/${name}`, join(stage, name));
  cpSync('/etc/alternatives', join(stage, 'etc/alternatives'), { recursive: true, verbatimSymlinks: true });
  copied('/etc/ld.so.cache', join(stage, 'etc/ld.so.cache'));
  const size = Math.ceil(bytes / megabyte) + spareMegabytes;
  const options = [
    '-q',
    '-t',
    'ext4',
    '-O',
    '^has_journal',
    '-m',
    '0',
    '-d',
    stage,
    join(folder, 'root.img'),
    `${size}M`,
  ];
  execFileSync('mke2fs', options, { env: { PATH: '/usr/sbin:/sbin:/usr/bin:/bin' }, stdio: 'pipe' });
  rmSync(stage, { recursive: true });
}

/** Copies a file, or a link as it is; gives its size. */
function copied(from: string, to: string): number {
  const { size } = lstatSync(from);
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else copyFileSync(from, to);
  return size;
}
