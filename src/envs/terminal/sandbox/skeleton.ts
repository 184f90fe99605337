import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { InitialFile } from './sandbox.ts';

/** Folders of this machine that programs need; some are links into `usr`. */
export const systemFolders = ['usr', 'bin', 'sbin', 'lib', 'lib32', 'lib64'] as const;

const userName = 'user';
export const userHome = `/home/${userName}`;

/** Where commands run as the owner of everything, this is all that keeps them from writing there. */
const lockedMode = 0o555;
const folderMode = 0o755;
const sharedMode = 0o1777;
/** What programs look up; nothing of this machine's users, hosts or keys. */
const copied = ['ld.so.cache', 'localtime', 'mime.types', 'magic', 'debian_version', 'os-release'];
const copiedFolders = ['alternatives'];

/** The root below all layers, besides the folders of the system. */
export function skeletonFiles(): InitialFile[] {
  const folders = ['dev', 'proc', 'etc', 'home', 'root', 'opt', 'srv', 'mnt', 'run', 'var', 'var/lib', 'var/log'];
  const users = `root:x:0:0:root:/root:/bin/sh\n${userName}:x:1000:1000:${userName}:${userHome}:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n`;
  const groups = `root:x:0:\n${userName}:x:1000:\nnogroup:x:65534:\n`;
  const texts: readonly (readonly [string, string])[] = [
    ['etc/passwd', users],
    ['etc/group', groups],
    ['etc/hosts', '127.0.0.1 localhost box\n::1 localhost\n'],
    ['etc/hostname', 'box\n'],
    ['etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files\n'],
    ['etc/gitconfig', '[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n[core]\n\tpager = cat\n'],
  ];
  return [
    ...folders.map(path => ({ path, mode: lockedMode })),
    ...['tmp', 'var/tmp'].map(path => ({ path, mode: sharedMode })),
    { path: userHome.slice(1), mode: folderMode },
    ...texts.map(([path, content]) => ({ path, content, mode: 0o444 })),
    ...copied.flatMap(name => copyOf(join('etc', name))),
    ...copiedFolders.flatMap(name => [
      { path: join('etc', name), mode: folderMode },
      ...entriesOf(join('/etc', name)).flatMap(inner => copyOf(join('etc', name, inner))),
    ]),
  ];
}

function entriesOf(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

function copyOf(path: string): InitialFile[] {
  const place = `/${path}`;
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() === true) return [{ path, link: readlinkSync(place) }];
  return found?.isFile() === true ? [{ path, content: readFileSync(place), mode: 0o444 }] : [];
}
