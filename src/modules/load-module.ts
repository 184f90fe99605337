import { existsSync } from 'node:fs';
import { lookAt } from './read-file.ts';
import { findPackageJSON, registerHooks } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { causeText, EspalierError, invalidModule } from '../core/errors.ts';

/** Whether a name is the path of a module of the user's. */
export function isModulePath(name: string): boolean {
  return /\.[cm]?[jt]s$/.test(name);
}

/** `./maze.ts`, or `./maze.ts:7`, which asks the family in the module for its environment `7`; null for any other name. */
export function readModuleName(name: string): { readonly path: string; readonly rest: string | null } | null {
  const [, path, rest = null] = /^(.+?\.[cm]?[jt]s)(?::(.*))?$/s.exec(name) ?? [];
  return path === undefined ? null : { path, rest };
}

/** What a module of the user's exports. */
export async function importModule(path: string): Promise<Record<string, unknown>> {
  if (!existsSync(path)) {
    throw invalidModule(
      `The module ${path} cannot be used: there is no such file.`,
      'Expected the path of a TypeScript or JavaScript module.',
    );
  }
  refuseSize(path);
  lendOwnPackage();
  try {
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  } catch (cause) {
    // What defineApp refuses says best what is wrong.
    if (cause instanceof EspalierError) throw cause;
    throw new EspalierError({
      boundary: 'input',
      code: 'invalid-module',
      message: `The module ${path} does not load: ${causeText(cause)}${placeOf(cause)}.`,
      expected: isTakenForCommonJs(cause)
        ? `Expected "type": "module" in ${findPackageJSON(pathToFileURL(path)) ?? 'package.json'}: there it is read as CommonJS.`
        : 'Correct it there; node runs TypeScript as it is, without enums, namespaces and parameter properties.',
      cause,
    });
  }
}

/** What `npm init` writes into package.json makes it so. */
function isTakenForCommonJs(cause: unknown): boolean {
  return cause instanceof SyntaxError && /^(Unexpected token 'export'|Cannot use import statement)/.test(cause.message);
}

/** No module that a person wrote is larger. */
const largestModule = 16 * 2 ** 20;

/** A device or a pipe may never end, and a file of data is no module. */
function refuseSize(path: string): void {
  const { size, isFile } = lookAt(path);
  if (isFile && size <= largestModule) return;
  throw invalidModule(
    `The module ${path} cannot be used: ${isFile ? `it has ${size} bytes` : 'it is no file'}.`,
    `Expected a TypeScript or JavaScript module of at most ${largestModule} bytes; read data from a file of its own.`,
  );
}

/** A module anywhere on the disk that imports espalier gets the copy that is running. */
function lendOwnPackage(): void {
  const extension = extname(import.meta.url);
  const own = new Map([
    ['espalier', new URL(`../index${extension}`, import.meta.url).href],
    ['espalier/testing', new URL(`../testing${extension}`, import.meta.url).href],
  ]);
  registerHooks({
    resolve(specifier, context, next) {
      const url = own.get(specifier);
      return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
    },
  });
}

/** A syntax error says where it is in the first line of its stack. */
function placeOf(cause: unknown): string {
  const first = cause instanceof Error ? (cause.stack ?? '').split('\n', 1)[0] : undefined;
  const line = first === undefined ? null : /^\S+:(\d+)$/.exec(first);
  return line === null ? '' : ` (line ${line[1]})`;
}
