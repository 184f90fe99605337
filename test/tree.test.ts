import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const root = dirname(import.meta.dirname);
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** Paths that AGENTS.md lists: a name at the start of a line, below the line that is indented less. */
function listedPaths(): Set<string> {
  const tree = /```\n([\s\S]*?)```/.exec(read('AGENTS.md'))?.[1] ?? '';
  const parents: { readonly indent: number; readonly path: string }[] = [];
  const found = new Set<string>();
  for (const line of tree.split('\n')) {
    const match = /^( *)((?:[a-z0-9.-]+\/? )*[a-z0-9.-]+\/?)(?: {2,}|$)/.exec(line);
    if (match === null) continue;
    const [, space = '', names = ''] = match;
    while ((parents.at(-1)?.indent ?? -1) >= space.length) parents.pop();
    const above = parents.map(({ path }) => path).join('/');
    const all = names.split(' ').map(name => name.replace(/\/$/, ''));
    for (const name of all) found.add(above === '' ? name : `${above}/${name}`);
    parents.push({ indent: space.length, path: all[0] as string });
  }
  return found;
}

function foldersOf(path: string): string[] {
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => `${path}/${name}`);
}

it('AGENTS.md lists the tree as it is, two levels deep', () => {
  const listed = listedPaths();
  const rooms = foldersOf('src');
  expect([...listed].filter(path => !existsSync(join(root, path)))).toEqual([]);
  expect([...rooms, ...rooms.flatMap(foldersOf)].filter(path => !listed.has(path))).toEqual([]);
});

it('the architecture and its decisions name files that exist', () => {
  const records = readdirSync(join(root, 'docs/decisions')).map(name => `docs/decisions/${name}`);
  const missing = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...records].flatMap(page =>
    [...read(page).matchAll(/`((?:src|test|bench|studies|scripts|examples|docs)\/[\w./-]+|[\w/-]+\/[\w/.-]+\.ts)`/g)]
      .map(match => match[1] as string)
      .filter(path => !existsSync(join(root, path)) && !existsSync(join(root, 'src', path)))
      .map(path => `${page}: ${path}`),
  );
  expect(missing).toEqual([]);
});

it('the architecture can be read in one sitting', () => {
  expect(read('ARCHITECTURE.md').split('\n').length).toBeLessThanOrEqual(250);
});
