import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';

const root = dirname(import.meta.dirname);

/** Where rules stand: beside the code that keeps them. */
const folders = ['src', 'studies', 'bench', 'python', 'test'];

interface Rule {
  readonly id: string;
  readonly text: string;
  readonly file: string;
}

export function ruleFiles(): string[] {
  return folders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map(name => posix.join(folder, name.split(sep).join('/')))
      .filter(name => name.endsWith('/SPEC.md')),
  );
}

/** The rules of a file, in the order they stand there. A rule is one line. */
export function rulesOf(file: string): Rule[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^- \*\*([A-Z]+-\d+)\*\* (.+)$/gm)].map(([, id, words]) => ({
    id: id as string,
    text: words as string,
    file,
  }));
}

export function prefixOf(id: string): string {
  return id.slice(0, id.lastIndexOf('-'));
}
