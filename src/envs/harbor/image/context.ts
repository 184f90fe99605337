import { hash } from 'node:crypto';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, matchesGlob, relative } from 'node:path';
import { replaceVariables, type HereDocument } from './dockerfile.ts';

/** Where the files of the context are while an image is built. */
export const contextPlace = '/opt/espalier-build';

/** The files that a Dockerfile may copy, laid out where a sandbox can read them. */
export interface Context {
  /** The folder within the store. */
  readonly place: string;
  readonly folder: string;
  /** The text of a file, found by its name. */
  readNamed(name: string): string | null;
  close(): void;
}

/** Copies the context to where sandboxes can read it, besides what `.dockerignore` leaves out. */
export function openContext(source: string, store: string): Context {
  const place = join('contexts', randomUUID());
  const folder = join(store, place);
  mkdirSync(folder, { recursive: true });
  const ignored = ignoredBy(source);
  cpSync(source, folder, { recursive: true, verbatimSymlinks: true, filter: path => !ignored(relative(source, path)) });
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  // Inside, root has no rights to files of this machine: they must be readable for all.
  for (const path of ['', ...all]) {
    const full = join(folder, path);
    const found = lstatSync(full);
    if (found.isSymbolicLink()) continue;
    chmodSync(full, (found.mode & 0o777) | (found.isDirectory() ? 0o755 : 0o644));
  }
  return {
    place,
    folder,
    readNamed(name) {
      const found = all.find(path => basename(path) === basename(name) && lstatSync(join(folder, path)).isFile());
      return found === undefined ? null : readFileSync(join(folder, found), 'utf8');
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function ignoredBy(source: string): (path: string) => boolean {
  const file = join(source, '.dockerignore');
  if (!existsSync(file)) return () => false;
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map(line => line.trim().replace(/^\//, '').replace(/\/$/, ''));
  const rules = lines.filter(line => line !== '' && !line.startsWith('#'));
  return path => {
    let isIgnored = false;
    for (const rule of rules) {
      const pattern = rule.replace(/^!/, '');
      if (path !== '' && (matchesGlob(path, pattern) || path.startsWith(`${pattern}/`)))
        isIgnored = !rule.startsWith('!');
    }
    return isIgnored;
  };
}

export interface Copy {
  readonly sources: readonly string[];
  readonly documents: readonly HereDocument[];
  readonly to: string;
  readonly owner: string | null;
  readonly mode: string | null;
  /** Whether archives are unpacked, as ADD does. */
  readonly unpack: boolean;
}

/** Commands that copy files of the context, and a hash of what they copy; or what is wrong. */
export function copyScript(
  context: Context,
  copy: Copy,
): { readonly script: string; readonly content: string } | string {
  const { sources, documents, to, owner, mode, unpack } = copy;
  const found: string[] = [];
  for (const source of sources) {
    const path = source.replace(/^\/+/, '').replace(/^\.\/+/, '');
    const matches = /[*?[]/.test(path)
      ? globSync(path, { cwd: context.folder }).toSorted()
      : [path === '' ? '.' : path];
    const there = matches.filter(match => !match.startsWith('..') && existsSync(join(context.folder, match)));
    if (there.length === 0) return `${source} is not in the context`;
    found.push(...there);
  }
  for (const [at, { name, content }] of documents.entries()) {
    const path = `.document-${at}-${name}`;
    writeFileSync(join(context.folder, path), content, { mode: 0o644 });
    found.push(path);
  }
  const into = found.length > 1 || to.endsWith('/') || to.endsWith('/.');
  const lines = found.map(path => copyLine(context, path, { to, into, unpack }));
  if (owner !== null) lines.push(`chown -R ${quote(owner)} ${quote(to)}`);
  if (mode !== null) lines.push(`chmod -R ${quote(mode)} ${quote(to)}`);
  return { script: lines.join(' && '), content: hashOf(context.folder, found) };
}

interface Target {
  readonly to: string;
  readonly into: boolean;
  readonly unpack: boolean;
}

function copyLine({ folder }: Context, path: string, { to, into, unpack }: Target): string {
  const from = quote(join(contextPlace, path));
  const target = quote(to);
  const copy = 'cp -rP --preserve=mode,timestamps';
  if (lstatSync(join(folder, path)).isDirectory()) return `mkdir -p ${target} && ${copy} ${from}/. ${target}`;
  if (unpack && /\.(?:tar|tar\.gz|tgz|tar\.xz|tar\.bz2)$/.test(path))
    return `mkdir -p ${target} && tar -x --no-same-owner -C ${target} -f ${from}`;
  if (!into)
    return `if [ -d ${target} ]; then ${copy} ${from} ${target}/; else mkdir -p "$(dirname ${target})" && ${copy} ${from} ${target}; fi`;
  return `mkdir -p ${target} && ${copy} ${from} ${target}`;
}

/** A hash over names, modes and contents. */
function hashOf(folder: string, paths: readonly string[]): string {
  const seen: string[] = [];
  const visit = (path: string): void => {
    const full = join(folder, path);
    const found = lstatSync(full);
    if (found.isDirectory()) for (const name of readdirSync(full).toSorted()) visit(join(path, name));
    else if (found.isSymbolicLink()) seen.push(`${path} -> ${readlinkSync(full)}`);
    else seen.push(`${path} ${found.mode & 0o111} ${hash('sha256', readFileSync(full), 'hex')}`);
  };
  for (const path of paths) visit(path);
  return hash('sha256', seen.join('\n'), 'hex');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The text of a document of a COPY, with variables where it is not quoted. */
export function documentText({ content, isQuoted }: HereDocument, variables: Readonly<Record<string, string>>): string {
  return isQuoted ? content : replaceVariables(content, variables);
}
