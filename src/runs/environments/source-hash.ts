import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { readText } from '../../modules/read-file.ts';
import { readModuleName } from '../../modules/load-module.ts';
import { hashModule } from '../../modules/module-hash.ts';
import { releaseFile } from '../../envs/releases/release-file.ts';
import { taskFile } from '../../forge/forge-name.ts';

/** Hashes of the files that environments are made from, by the names of the environments. */
export type SourceHashes = Readonly<Record<string, string>>;

/** Hashes what the user wrote: modules, specs of made-up apps, folders of tasks. Built-in environments have none. */
export function hashSources(names: readonly string[]): SourceHashes {
  return Object.fromEntries(
    names.flatMap(name => {
      const found = hashesOf(name);
      return found.length === 0
        ? []
        : [[name, found.length === 1 ? String(found[0]) : hash('sha256', found.join(' '))]];
    }),
  );
}

/** The names whose files differ from what was written down. */
export function changedSources(before: SourceHashes, now: SourceHashes): string[] {
  return Object.keys(now).filter(name => before[name] !== undefined && before[name] !== now[name]);
}

export function sourceChanged(name: string, since: string): EspalierError {
  return invalidOption(
    `The source ${name} has changed since ${since}: its files are different now.`,
    'Put the files back, or give another folder as --out: episodes of two versions do not belong together.',
  );
}

/** A name may have several parts: `page:<url>,<module>`, `forge:<app>,kinds=commands`. */
function hashesOf(name: string): string[] {
  const prefix = /^(\w+):/.exec(name)?.[1] ?? '';
  const rest = prefix === '' ? name : name.slice(prefix.length + 1);
  const parts = prefix === 'synth' ? [rest] : rest.split(',');
  return parts.flatMap(part => {
    if (prefix === 'forge' && /^\w+:/.test(part)) return hashesOf(part);
    if (prefix === 'forge' && existsSync(join(part, taskFile))) return folderHashes(join(part, taskFile));
    if (prefix === 'release' && existsSync(join(part, releaseFile)))
      return [hash('sha256', readText(join(part, releaseFile)))];
    const module = readModuleName(part);
    if (module !== null) return existsSync(module.path) ? [hashModule(module.path)] : [];
    return prefix === 'synth' && existsSync(part) ? [hash('sha256', readText(part))] : [];
  });
}

/** The tasks, and the app that opens them. */
function folderHashes(path: string): string[] {
  const text = readText(path);
  const { environment } = firstLine(text);
  return [hash('sha256', text), ...(typeof environment === 'string' ? hashesOf(environment) : [])];
}

function firstLine(text: string): { readonly environment?: unknown } {
  try {
    return (JSON.parse(text.split('\n', 1)[0] ?? '') ?? {}) as object;
  } catch {
    // Whoever opens the folder says what is wrong with it.
    return {};
  }
}
