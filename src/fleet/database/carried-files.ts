import { hash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { PoolRequest } from '../../runs/host/pool.ts';

/** Files of data that a job names, in base64, by the path that it names them by: students and memories. */
export type CarriedFiles = Readonly<Record<string, string>>;

/** Larger ones must lie on every worker. */
const mostBytes = 64 * 2 ** 20;

/** Reads the files of data that a job names. Modules are no data: they import others. */
export function filesOf({ data, modules }: PoolRequest): CarriedFiles {
  const found: Record<string, string> = {};
  eachText(data, text => {
    for (const path of pathsIn(text)) {
      if (path in found || modules.includes(path) || !path.endsWith('.json') || !existsSync(path)) continue;
      const { size } = statSync(path);
      if (size <= mostBytes) found[path] = readFileSync(path, 'base64');
    }
    return text;
  });
  return found;
}

/** Hashes of all files that a job names, modules included. */
export function hashesOf({ modules }: PoolRequest, files: CarriedFiles): Readonly<Record<string, string>> {
  const own = modules.filter(path => existsSync(path)).map(path => [path, hash('sha256', readFileSync(path))]);
  const carried = Object.entries(files).map(([path, body]) => [path, hash('sha256', body)]);
  return Object.fromEntries([...own, ...carried]) as Record<string, string>;
}

/** A student alone, one behind its kind (`small:<path>`), or several (`team:a=<path>,b=<path>`). */
function pathsIn(text: string): string[] {
  const parts = text.split(/[,=]/);
  return [text, ...parts, ...parts.map(part => part.replace(/^[a-z-]+:/, ''))];
}

export interface UnpackedJob {
  readonly job: PoolRequest;
  remove(): void;
}

/** Writes the files of a job to this machine, and names them in the job. */
export function unpackFiles(job: PoolRequest, files: CarriedFiles): UnpackedJob {
  if (Object.keys(files).length === 0) return { job, remove: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'espalier-worker-'));
  const places = Object.entries(files).map(([path, body], at) => {
    const own = join(folder, String(at));
    mkdirSync(own);
    const place = join(own, basename(path));
    writeFileSync(place, Buffer.from(body, 'base64'));
    return [path, place] as const;
  });
  // The longest first: one path may begin with another.
  const ordered = places.toSorted(([left], [right]) => right.length - left.length);
  const data = eachText(job.data, text =>
    ordered.reduce((moved, [path, place]) => (moved.includes(folder) ? moved : moved.replaceAll(path, place)), text),
  );
  return { job: { ...job, data }, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The same value with each text in it replaced. */
function eachText(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map(one => eachText(one, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, eachText(member, replace)]));
}
