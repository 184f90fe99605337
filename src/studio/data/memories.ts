import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join, relative } from 'node:path';
import { EspalierError, causeText } from '../../core/errors.ts';
import type { MemoryItem } from '../../memory/item.ts';
import { readMemory, type Memory } from '../../memory/memory.ts';
import type { MemoryFile, MemoryFilter, MemoryItemRow, MemoryView, StudioMemories } from '../api/api-memory.ts';

/** How far below the folder memories are looked for, and items of a page. */
const deepest = 3;
const pageSize = 100;
const mostRefused = 50;

/** The memories that lie in a folder and the folders of its runs. They are read when somebody looks. */
export function createMemories(folder: string): StudioMemories {
  const named = (file: string): string => {
    const path = below(folder, deepest).find(one => relative(folder, one) === file);
    if (path === undefined) throw noMemory(file);
    return path;
  };
  return {
    list: () => below(folder, deepest).map(path => listed(relative(folder, path), path)),
    view(file, filter) {
      const path = named(file);
      return viewOf(listed(file, path), readMemory(readFileSync(path, 'utf8')), filter);
    },
  };
}

function listed(file: string, path: string): MemoryFile {
  try {
    const { version, items, refused } = readMemory(readFileSync(path, 'utf8'));
    const retired = items.filter(item => item.retired !== null).length;
    return { file, problem: null, version, items: items.length, retired, refused: refused.length };
  } catch (cause) {
    return { file, problem: causeText(cause), version: 0, items: 0, retired: 0, refused: 0 };
  }
}

function viewOf(file: MemoryFile, { items, refused }: Memory, { kind, text = '', from }: MemoryFilter): MemoryView {
  const kinds = Map.groupBy(items, ({ content }) => content.kind as string);
  const rows = items.filter(({ content }) => kind === undefined || content.kind === kind).map(rowOf);
  const wanted = text.toLowerCase();
  const found = rows.filter(({ title, text: told, writer, tasks }) =>
    [title, told, writer, ...tasks].some(one => one.toLowerCase().includes(wanted)),
  );
  return {
    file,
    kinds: [...kinds].map(([name, own]) => [name, own.length] as const),
    found: found.length,
    rows: found.slice(from, from + pageSize),
    refused: refused.slice(-mostRefused).toReversed(),
  };
}

function rowOf({ content, use, retired, since }: MemoryItem): MemoryItemRow {
  const { kind, title, text, provenance } = content;
  return { kind, title, text, ...provenance, since: since ?? null, ...use, retired };
}

function below(folder: string, depth: number): string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth > 1 ? below(path, depth - 1) : [];
    return entry.isFile() && entry.name.endsWith('.json') && beginsAsMemory(path) ? [path] : [];
  });
}

/** The first bytes say what a file is: large ones are not read for it. */
function beginsAsMemory(path: string): boolean {
  const bytes = Buffer.alloc(40);
  const file = openSync(path, 'r');
  try {
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0)).startsWith('{"kind":"espalier-memory"');
  } finally {
    closeSync(file);
  }
}

function noMemory(file: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'not-found',
    message: `There is no memory "${file.slice(0, 80)}" here.`,
    expected: 'Expected a file of espalier remember in the folder of the studio.',
  });
}
