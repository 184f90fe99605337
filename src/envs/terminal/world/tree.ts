import { hash } from 'node:crypto';
import type { JsonObject } from '../../../core/json.ts';
import { stagedIn } from './git-index.ts';
import { textOf } from '../sandbox/frames.ts';
import type { LayerEntry } from '../sandbox/sandbox.ts';

/** The files of a world as an immutable value: folders that did not change are the same object, so that digests remember them. */
export type FileTree = Folder;

interface Folder extends JsonObject {
  readonly kind: 'folder';
  readonly mode: number;
  /** The hash of what else is known of it. */
  readonly about?: string;
  readonly names: { readonly [name: string]: FileNode };
}

export type FileNode =
  | Folder
  | {
      readonly kind: 'file';
      readonly mode: number;
      readonly size: number;
      readonly hash: string;
      readonly about?: string;
    }
  | { readonly kind: 'link'; readonly target: string }
  /** Something of the root that was removed. */
  | { readonly kind: 'gone' }
  /** A pipe or a socket. */
  | { readonly kind: 'special'; readonly mode: number; readonly what: string; readonly about?: string };

export const emptyTree: FileTree = { kind: 'folder', mode: 0o755, names: {} };

/** Which files differ from run to run though nothing is different, such as the index of git: only that they are there counts. */
export type IsIncidental = (path: string) => boolean;

/** The tree with a layer over it. */
export function withLayer(tree: FileTree, entries: readonly LayerEntry[], isIncidental: IsIncidental): FileTree {
  const top: Delta = { entry: null, names: new Map() };
  for (const entry of entries) deltaAt(top, entry.path).entry = entry;
  return merged(tree, top, isIncidental);
}

/** The tree of files that somebody has listed, folders before what lies in them. */
export function treeOf(nodes: readonly (readonly [path: string, node: FileNode])[]): FileTree {
  const top = folder(emptyTree.mode);
  for (const [path, node] of nodes) {
    const parts = path.split('/');
    const name = parts.pop() as string;
    let at = top;
    for (const part of parts) at = (at.names[part] ??= folder(emptyTree.mode)) as OpenFolder;
    at.names[name] = node.kind === 'folder' ? folder(node.mode) : node;
  }
  return top;
}

type OpenFolder = Folder & { readonly names: Record<string, FileNode> };

function folder(mode: number): OpenFolder {
  return { kind: 'folder', mode, names: Object.create(null) as Record<string, FileNode> };
}

interface Delta {
  entry: LayerEntry | null;
  readonly names: Map<string, Delta>;
}

function deltaAt(top: Delta, path: string): Delta {
  let at = top;
  for (const name of path.split('/')) {
    const next: Delta = at.names.get(name) ?? { entry: null, names: new Map() };
    at.names.set(name, next);
    at = next;
  }
  return at;
}

function merged(below: FileNode | undefined, { entry, names }: Delta, isIncidental: IsIncidental): Folder {
  const old = below?.kind === 'folder' && !isReplacing(entry) ? below : null;
  const mode = entry?.mode ?? old?.mode ?? emptyTree.mode;
  const told = entry === null ? (old?.about === undefined ? {} : { about: old.about }) : aboutOf(entry);
  // Without a prototype, so that `__proto__` is a name like any other.
  const next = Object.assign(Object.create(null), old?.names) as Record<string, FileNode>;
  let isChanged = old === null || old.mode !== mode || old.about !== told.about;
  for (const [name, delta] of names) {
    const before = own(next, name);
    const node = nodeOf(before, delta, isIncidental);
    if (node === before) continue;
    isChanged = true;
    if (node === undefined) delete next[name];
    else if (!isSame(before, node)) next[name] = node;
  }
  if (!isChanged && old !== null) return old;
  return { kind: 'folder', mode, names: next, ...told, ...(entry?.kind === 'hiding-folder' ? { hides: true } : {}) };
}

function isReplacing(entry: LayerEntry | null): boolean {
  return entry?.kind === 'new-folder' || entry?.kind === 'hiding-folder';
}

/** A name may be one that every object has. */
function own<T>(names: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined;
}

const hashLength = 32;
const incidental = 'incidental';

function nodeOf(below: FileNode | undefined, delta: Delta, isIncidental: IsIncidental): FileNode | undefined {
  const { entry } = delta;
  if (entry === null) return merged(below, delta, isIncidental);
  const { kind, path, mode, content } = entry;
  if (kind === 'removed') return undefined;
  if (kind === 'gone') return { kind };
  if (kind === 'link') return { kind, target: textOf(content) };
  if (kind === 'special') return { kind, mode, what: content.toString(), ...aboutOf(entry) };
  if (kind !== 'file') return merged(below, delta, isIncidental);
  if (isIncidental(path)) return { ...incidentalFile(mode), ...stagedAt(path, content) };
  const node = { ...fileNode(mode, content.length, contentHash(content)), ...aboutOf(entry) };
  return below !== undefined && isSame(below, node) ? below : node;
}

/** Of the index of git, what is staged counts. */
function stagedAt(path: string, content: Buffer): { readonly about?: string } {
  const staged = path.endsWith('.git/index') ? stagedIn(content) : null;
  return staged === null ? {} : { about: contentHash(staged) };
}

function aboutOf({ about }: LayerEntry): { readonly about?: string } {
  return about === undefined ? {} : { about: contentHash(about) };
}

function fileNode(mode: number, size: number, sha: string): FileNode {
  return { kind: 'file', mode, size, hash: sha };
}

/** Only that it is there counts. */
export function incidentalFile(mode: number): FileNode {
  return fileNode(mode, 0, incidental);
}

function isSame(left: FileNode | undefined, right: FileNode): boolean {
  return right.kind !== 'folder' && left !== undefined && JSON.stringify(left) === JSON.stringify(right);
}

export function contentHash(content: string | Uint8Array): string {
  return shortHash(hash('sha256', content));
}

/** The part of a SHA-256 in hex that counts. */
export function shortHash(whole: string): string {
  return whole.slice(0, hashLength);
}

/** What lies at an absolute path, links not followed. */
export function nodeAt(tree: FileTree, path: string): FileNode | undefined {
  let at: FileNode | undefined = tree;
  for (const name of partsOf(path)) at = at?.kind === 'folder' ? own(at.names, name) : undefined;
  return at;
}

function partsOf(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return parts;
}

/** Paths that two trees differ in, without a slash in front; of a folder that came or went, the folder alone. */
export function changedPaths(before: FileNode, after: FileNode, path = ''): string[] {
  if (before === after) return [];
  if (before.kind !== 'folder' || after.kind !== 'folder') return isSame(before, after) ? [] : [path];
  const isAlike = before.mode === after.mode && before['hides'] === after['hides'] && before.about === after.about;
  const itself = isAlike ? [] : [path === '' ? '.' : path];
  const names = new Set([...Object.keys(before.names), ...Object.keys(after.names)]);
  const inner = [...names].flatMap(name => {
    const at = path === '' ? name : `${path}/${name}`;
    const [left, right] = [own(before.names, name), own(after.names, name)];
    return left === undefined || right === undefined ? [at] : changedPaths(left, right, at);
  });
  return [...itself, ...inner];
}

/** Whether a path fits a pattern: `*` within a name, `**` over several. */
export function createMatcher(patterns: readonly string[]): IsIncidental {
  const expressions = patterns.map(pattern => new RegExp(patternSource(pattern)));
  return path => expressions.some(expression => expression.test(path));
}

/** The same as a regular expression. */
export function patternSource(pattern: string): string {
  const parts = pattern.split(/(\*\*\/|\*\*|\*)/).map(asExpression);
  return `^${parts.join('')}$`;
}

function asExpression(part: string): string {
  if (part === '**/') return '(?:.*/)?';
  if (part === '**') return '.*';
  return part === '*' ? '[^/]*' : part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
