import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { causeText, unknownEnvironment } from '../../core/errors.ts';
import type { InitialFile } from '../terminal/sandbox/sandbox.ts';

export interface Commit {
  readonly id: string;
  readonly parent: string;
  readonly subject: string;
  readonly body: string;
}

/** What a commit did to a file. */
interface Change {
  readonly kind: 'added' | 'changed' | 'removed';
  readonly path: string;
}

/** A local git repository, read as it lies there: nothing of it runs. */
export interface History {
  readonly folder: string;
  /** The newest first; merges and the first commit are left out. */
  commits(most: number): Commit[];
  changes(commit: Commit): Change[];
  /** The whole tree at a commit. */
  files(commit: string): InitialFile[];
  read(commit: string, path: string): string | null;
  /** The patch that a commit is, of these files alone. */
  patch(commit: Commit, paths: readonly string[]): string;
  /** The folder as it stands in the newest commit. */
  readonly head: string;
}

const mostBytes = 2 ** 28;
/** Settings of a repository can name programs: none of them may run. */
const harmless = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.quotePath=false',
  'log.showSignature=false',
];
const variables = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
};
const [separator, end] = ['\u001f', '\u001e'];
const changeKinds: Readonly<Record<string, Change['kind']>> = { A: 'added', M: 'changed', D: 'removed', T: 'changed' };

export function openHistory(given: string): History {
  const folder = resolve(given);
  const git = (args: readonly string[], input = ''): Buffer =>
    execFileSync('git', [...harmless.flatMap(setting => ['-c', setting]), '-c', `safe.directory=${folder}`, ...args], {
      cwd: folder,
      input,
      env: variables,
      maxBuffer: mostBytes,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  if (!existsSync(folder)) throw noRepository(given, 'there is no such folder');
  const head = headOf(given, git);
  const blobs = createBlobReader(git);
  const text = (args: readonly string[]): string => git(args).toString();
  return {
    folder,
    head,
    commits(most) {
      const format = ['%H', '%P', '%s', '%b'].join(separator) + end;
      const said = text(['log', '--first-parent', '--no-merges', `-n${most}`, `--format=${format}`, head]);
      return said.split(end).flatMap(readCommit);
    },
    changes({ id, parent }) {
      const fields = text(['diff-tree', '-r', '-z', '--no-renames', '--name-status', parent, id]).split('\0');
      const found: Change[] = [];
      for (let at = 0; at + 1 < fields.length; at += 2)
        found.push({ kind: changeKinds[fields[at] ?? ''] ?? 'changed', path: fields[at + 1] ?? '' });
      return found;
    },
    files(commit) {
      const entries = text(['ls-tree', '-r', '-z', commit]).split('\0').flatMap(readEntry);
      const contents = blobs(entries.map(({ blob }) => blob));
      return entries.map(({ mode, path }, at): InitialFile => {
        const content = contents[at] as Buffer;
        if (mode === linkMode) return { path, link: content.toString() };
        return { path, content, mode: mode === programMode ? 0o755 : 0o644 };
      });
    },
    read(commit, path) {
      const entry = text(['ls-tree', '-z', commit, '--', path]).split('\0').flatMap(readEntry)[0];
      return entry === undefined ? null : (blobs([entry.blob])[0] as Buffer).toString();
    },
    patch: ({ id, parent }, paths) =>
      text([
        'diff',
        '--no-ext-diff',
        '--no-textconv',
        '--no-color',
        '--no-renames',
        '--full-index',
        '--binary',
        parent,
        id,
        '--',
        ...paths,
      ]),
  };
}

const [linkMode, programMode] = ['120000', '100755'];

/** The first commit has no parent, and is left out. */
function readCommit(entry: string): Commit[] {
  const [id = '', parent = '', subject = '', body = ''] = entry.trim().split(separator);
  return parent === '' ? [] : [{ id, parent, subject, body: body.trim() }];
}

interface Entry {
  readonly mode: string;
  readonly blob: string;
  readonly path: string;
}

/** Submodules are left out: what they hold is not here. */
function readEntry(line: string): Entry[] {
  const [, mode = '', kind, blob = '', path = ''] = /^(\d+) (\w+) ([\da-f]+)\t([^]+)$/.exec(line) ?? [];
  return kind === 'blob' ? [{ mode, blob, path }] : [];
}

/** Reads the contents of blobs, all in one go; commits that follow each other share most of them. */
function createBlobReader(
  git: (args: readonly string[], input: string) => Buffer,
): (blobs: readonly string[]) => Buffer[] {
  const known = new Map<string, Buffer>();
  return blobs => {
    const wanted = [...new Set(blobs)].filter(blob => !known.has(blob));
    const said = wanted.length === 0 ? Buffer.alloc(0) : git(['cat-file', '--batch'], `${wanted.join('\n')}\n`);
    let at = 0;
    for (const blob of wanted) {
      const line = said.indexOf('\n', at);
      const size = Number(said.toString('latin1', at, line).split(' ')[2]);
      known.set(blob, Buffer.from(said.subarray(line + 1, line + 1 + size)));
      at = line + 1 + size + 1;
    }
    return blobs.map(blob => known.get(blob) as Buffer);
  };
}

function headOf(given: string, git: (args: readonly string[]) => Buffer): string {
  try {
    return git(['rev-parse', '--verify', 'HEAD^{commit}']).toString().trim();
  } catch (cause) {
    const { stderr } = cause as { stderr?: Buffer };
    throw noRepository(given, stderr?.toString().trim().split('\n').at(-1) ?? causeText(cause));
  }
}

function noRepository(folder: string, reason: string): Error {
  return unknownEnvironment(
    `${folder} is no git repository with commits: ${reason}.`,
    'Expected the folder of a local git repository. `espalier new repository shop` makes one.',
  );
}
