import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { invalidOption } from '../../core/errors.ts';
import { copyStore, type Copied } from '../../store/copy.ts';
import { isPostgres } from '../../store/postgres/address.ts';
import { readStoreFiles, writeStoreFiles, type StoreFiles } from '../../store/postgres/files.ts';
import { openStoreAt } from '../../store/postgres/open-store-at.ts';
import { runPaths, writeWhole } from './folder.ts';

/** What goes with the store of a run: without them nobody could go on with it. */
const besideStore = /^(config(\.round-\d+)?|spending)\.json$/;

/** A run at its folder, at the path of its store, or at the address of a store in Postgres. */
interface RunPlace {
  readonly store: string;
  files(): StoreFiles;
  write(files: StoreFiles): void;
}

/** Copies a run to another place: episodes that are not there yet, and the configs of its rounds. */
export function copyRun(from: string, to: string): Copied {
  const [source, target] = [placeOf(from), placeOf(to)];
  if (source.store === target.store)
    throw invalidOption(`${from} would be copied to itself.`, 'Expected two different places.');
  const reader = openStoreAt({ path: source.store, readOnly: true });
  try {
    const files = source.files();
    target.write(files);
    const writer = openStoreAt({ path: target.store });
    try {
      return copyStore(reader, writer, { runs: runsOf(files) });
    } finally {
      writer.close();
    }
  } finally {
    reader.close();
  }
}

function runsOf(files: StoreFiles): string[] {
  const configs = [...files].filter(([name]) => name.startsWith('config'));
  return configs.map(([, body]) => (JSON.parse(body) as { run: string }).run);
}

function placeOf(place: string): RunPlace {
  if (isPostgres(place))
    return { store: place, files: () => readStoreFiles(place), write: files => writeStoreFiles(place, files) };
  const isFile = basename(place).endsWith('.db') || statSync(place, { throwIfNoEntry: false })?.isFile() === true;
  if (isFile) return { store: place, files: () => new Map(), write: () => undefined };
  return {
    store: runPaths(place).store,
    files: () => new Map(namesIn(place).map(name => [name, readFileSync(join(place, name), 'utf8')])),
    write(files) {
      for (const [name, body] of files) if (besideStore.test(name)) writeWhole(join(place, name), body);
    },
  };
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter(name => besideStore.test(name)) : [];
}
