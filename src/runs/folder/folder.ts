import { newestEdition, type Edition } from '../../models/prompt/prompts.ts';
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { causeText, EspalierError, invalidOption } from '../../core/errors.ts';
import { openStore, type Store } from '../../store/store.ts';
import { makeFolder } from '../../modules/make-folder.ts';
import { readJson } from '../../modules/read-file.ts';
import { differences, readConfig, type RunConfig } from '../config/config.ts';

/** What lies where in the folder of a run. */
export function runPaths(folder: string) {
  return {
    config: join(folder, 'config.json'),
    store: join(folder, 'store.db'),
    export: join(folder, 'export'),
    student: join(folder, 'student.json'),
    report: join(folder, 'report.html'),
    reportData: join(folder, 'report.json'),
  };
}

/** Of a round that another one has followed. */
function earlierConfig(folder: string, round: number): string {
  return join(folder, `config.round-${round}.json`);
}

/** The config of the latest round, or of this one; null when there is none. */
export function findConfig(folder: string, round?: number): RunConfig | null {
  const latest = readConfigFile(runPaths(folder).config);
  if (latest === null || round === undefined || latest.round === round) return latest;
  return readConfigFile(earlierConfig(folder, round));
}

/** The configs of all rounds that were begun. */
export function allConfigs(folder: string): RunConfig[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const files = names.filter(name => /^config(\.round-\d+)?\.json$/.test(name));
  return files.map(name => readConfig(readJson(join(folder, name)), join(folder, name)));
}

function readConfigFile(path: string): RunConfig | null {
  return existsSync(path) ? readConfig(readJson(path), path) : null;
}

/** Writes the config before anything else is done. A round that began with another one is left as it is. */
export function beginRound(folder: string, config: RunConfig): void {
  const { config: path } = runPaths(folder);
  const latest = findConfig(folder);
  const same = findConfig(folder, config.round);
  if (same !== null) {
    const found = differences(same, config);
    if (found.length > 0) throw otherConfig(folder, found);
    return;
  }
  makeRunFolder(folder);
  // The later config stays the one that a resumed run takes.
  const isEarlier = latest !== null && latest.round > config.round;
  if (latest !== null && !isEarlier) writeWhole(earlierConfig(folder, latest.round), asText(latest));
  // A run that began with the first edition of the prompts goes on with it.
  const wording = latest === null ? newestEdition : latest.wording;
  const written = wording === undefined ? config : { ...config, wording };
  writeWhole(isEarlier ? earlierConfig(folder, config.round) : path, asText(written));
}

function asText(config: RunConfig): string {
  return `${JSON.stringify(config, null, 2)}\n`;
}

function otherConfig(folder: string, found: readonly string[]): EspalierError {
  return invalidOption(
    `${folder} holds a run with another config: ${found.join('; ')}.`,
    `Go on with it as it is: espalier collect --resume ${folder}. Or give another folder as --out, or another --round.`,
  );
}

/** The edition of the built-in prompts that the rows of a run are written with. */
export function editionOf(folder: string): Edition {
  return findConfig(folder)?.wording ?? 1;
}

/** What the store calls the run of a folder. */
export function runNameOf(folder: string): string {
  return findConfig(folder)?.run ?? basename(resolve(folder));
}

/** The last round that was collected in this folder; 0 before the first. */
export function latestRound(folder: string): number {
  return findConfig(folder)?.round ?? 0;
}

/** Opens the store of a run for reading, also while the run goes on. */
export function openRun(folder: string): Store {
  const { store } = runPaths(folder);
  if (!existsSync(store)) {
    throw new EspalierError({
      boundary: 'input',
      code: 'unavailable',
      message: `${folder} holds no run: there is no ${store}.`,
      expected: 'Expected the folder of a run, as espalier collect --out makes it.',
    });
  }
  try {
    return openStore({ path: store, readOnly: true });
  } catch (cause) {
    // One that an earlier version wrote is brought up to date by opening it once for writing.
    if (!(cause instanceof EspalierError) || cause.code !== 'unsupported') throw cause;
    bringUpToDate(store, cause);
    return openStore({ path: store, readOnly: true });
  }
}

/** Where nothing can be written, that it is of an earlier version is what there is to say. */
function bringUpToDate(store: string, why: EspalierError): void {
  try {
    openStore({ path: store }).close();
  } catch (cause) {
    throw cause instanceof EspalierError && cause.code === 'unavailable' ? why : cause;
  }
}

/** Makes the folder where needed, and opens its store for writing. */
export function openRunForWriting(folder: string): Store {
  makeRunFolder(folder);
  return openStore({ path: runPaths(folder).store });
}

/** What broke a run is told, not that its store could not be closed after it. */
export function closeAfter(store: Store): void {
  try {
    store.close();
  } catch {
    // What was not written is done again by the next start.
  }
}

function makeRunFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (cause) {
    throw unwritable(folder, cause);
  }
}

/** Puts a file in place in one go: readers and crashes find the old one or the new one. */
export function writeWhole(path: string, text: string | Uint8Array): void {
  const partial = `${path}.partial`;
  try {
    makeFolder(dirname(path));
    const file = openSync(partial, 'w');
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(partial, path);
  } catch (cause) {
    rmSync(partial, { force: true });
    throw unwritable(path, cause);
  }
}

function unwritable(path: string, cause: unknown): EspalierError {
  const isFull = cause instanceof Error && 'code' in cause && (cause.code === 'ENOSPC' || cause.code === 'EDQUOT');
  return new EspalierError({
    boundary: 'store',
    code: isFull ? 'disk-full' : 'unavailable',
    message: `${path} cannot be written: ${causeText(cause)}.`,
    expected: isFull ? 'Make space and try again.' : 'Expected a place that this user may write to.',
    cause,
  });
}
