import { hash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readText } from './read-file.ts';

/**
 * The hash of a module and of everything that it reaches. Files that it imports count by their content, also through other
 * files; packages count by name and version. A module that imports nothing has the hash of its own text.
 *
 * The imports are read from the text, so a path that is put together while the module runs is not found.
 */
export function hashModule(path: string): string {
  const entry = realpathSync(path);
  const own = hash('sha256', readText(entry));
  const reached = reachedFrom(entry);
  if (reached.size === 0) return own;
  const parts = [...reached].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return hash('sha256', JSON.stringify([own, parts]));
}

/** A module and every file that it reaches by imports, the module first. Packages are left out. */
export function filesOf(path: string): readonly string[] {
  const entry = realpathSync(path);
  const reached = [...reachedFrom(entry).keys()].map(name => join(dirname(entry), name)).filter(isFile);
  return [entry, ...reached.toSorted()];
}

/** What a module reaches, by its path from the module or by the name of its package, with a hash or a version. */
function reachedFrom(entry: string): Map<string, string> {
  const found = new Map<string, string>();
  const seen = new Set([entry]);
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const specifier of specifiersIn(readFileSync(file, 'utf8'))) {
      const target = targetOf(specifier, file);
      if (target === null) continue;
      if ('name' in target) {
        found.set(target.name, target.version);
        continue;
      }
      if (seen.has(target.file)) continue;
      seen.add(target.file);
      const name = relative(dirname(entry), target.file).split(sep).join('/');
      found.set(name, isFile(target.file) ? hash('sha256', readFileSync(target.file)) : 'missing');
      if (isFile(target.file) && isCode.test(target.file)) open.push(target.file);
    }
  }
  return found;
}

const isCode = /\.[cm]?[jt]s$/;
const quoted = String.raw`(?:\s|\/\*[\s\S]*?\*\/)*(['"${'`'}])([^'"${'`'}\n]+)`;
/** `import … from 'x'`, `export … from 'x'`, `import 'x'`, `import('x')`, `import.meta.resolve('x')`, `require('x')`. */
const importPattern = new RegExp(
  String.raw`\b(?:from|import|import\.meta\.resolve|require|require\.resolve)\s*\(?${quoted}\1`,
  'g',
);
/** `new URL('./weights.json', import.meta.url)`: data beside the module. */
const dataPattern = new RegExp(String.raw`\bnew\s+URL\s*\(${quoted}\1\s*,\s*import\.meta\.url`, 'g');

/** A specifier in a comment is found as well. It does no harm: the hash then depends on one file more. */
function specifiersIn(text: string): Set<string> {
  const imports = [...text.matchAll(importPattern)].map(match => match[2] as string);
  const data = [...text.matchAll(dataPattern)].map(match => beside(match[2] as string));
  return new Set([...imports, ...data]);
}

/** `new URL` takes `weights.json` for a file beside the module; an import would take it for a package. */
function beside(path: string): string {
  return isPath.test(path) || /^\w+:/.test(path) ? path : `./${path}`;
}

type Target = { readonly file: string } | { readonly name: string; readonly version: string };

const isPath = /^(?:\.{0,2}\/|file:)/;

/** What a specifier means in a file; null for what comes with Node or with Espalier, and for other addresses. */
function targetOf(specifier: string, from: string): Target | null {
  if (isPath.test(specifier)) return { file: fileAt(specifier, from) };
  if (isBuiltin(specifier) || /^espalier(?:\/|$)|^\w+:/.test(specifier)) return null;
  const file = resolved(specifier, from);
  // A linked package, or a name that the user's own package.json gives to a file.
  if (file !== null && !file.split(sep).includes('node_modules')) return { file };
  return packageOf(specifier, from);
}

const endings = ['', '.js', '.cjs', '.json', '.node', `${sep}index.js`];

/** The file that a relative import means. CommonJS may leave out the ending. */
function fileAt(specifier: string, from: string): string {
  const path = fileURLToPath(new URL(specifier, pathToFileURL(from)));
  const found = endings.map(ending => `${path}${ending}`).find(isFile);
  return found === undefined ? path : realpathSync(found);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function resolved(specifier: string, from: string): string | null {
  try {
    return createRequire(from).resolve(specifier);
  } catch {
    // A package for ESM alone.
    return null;
  }
}

/** The installed package that a specifier names, looked up as Node does it. */
function packageOf(specifier: string, from: string): Target {
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  for (let folder = dirname(from); ; folder = dirname(folder)) {
    const manifest = join(folder, 'node_modules', name, 'package.json');
    if (existsSync(manifest)) return { name, version: versionIn(manifest) };
    if (dirname(folder) === folder) return { name, version: 'missing' };
  }
}

function versionIn(manifest: string): string {
  const text = readText(manifest);
  try {
    return String((JSON.parse(text) as { version?: unknown }).version);
  } catch {
    return hash('sha256', text);
  }
}
