import type { Certification } from '../core/episode/certificate.ts';
import type { Task } from '../core/records.ts';
import { createBlobReader, type BlobRow } from './blobs.ts';
import { callIndex } from './calls.ts';
import { certificateTable } from './certificates.ts';
import type { Database } from './database.ts';
import { corrupt } from './faults.ts';
import { pictureTables } from './pictures.ts';
import { episodeColumns, sealOf } from './rows.ts';

type Upgrader = (database: Database) => void;

/** From each format to the next. */
const upgraders: Readonly<Record<number, Upgrader>> = {
  1: sealRowsAndCountForks,
  2: addPictures,
  3: findCalls,
  4: sayCertification,
};

interface Formats {
  readonly from: number;
  readonly to: number;
}

/** One step after the other, all in one transaction: a store is never left between two formats. */
export function upgradeStore(database: Database, { from, to }: Formats): void {
  database.transaction(() => {
    for (let format = from; format < to; format++) {
      const upgrade = upgraders[format];
      if (upgrade === undefined) throw corrupt(database.path, `has the unknown format ${format}`);
      upgrade(database);
    }
    database.execute(`UPDATE meta SET format = ${to}`);
  });
}

/** Format 1 had no seals, and its counts left out the forks: one for each leaf beside the main one. */
function sealRowsAndCountForks(database: Database): void {
  database.define('seal', (...values) => sealOf(values));
  const withForks = (column: string, attempt: string): string => `json_set(${column}, '$.counts.forks', (
    SELECT count(*) FROM events AS leaf
    WHERE leaf.attempt = ${attempt} AND leaf.kind = 'leaf' AND json_extract(leaf.body, '$.role') <> 'main'
  ))`;
  database.execute(`
    UPDATE events SET body = ${withForks('body', 'events.attempt')} WHERE kind = 'end';
    UPDATE episodes SET ending = ${withForks('ending', 'episodes.attempt')};
    ALTER TABLE events ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE episodes ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
    UPDATE events SET seal = seal(attempt, kind, body, blob);
    UPDATE episodes SET seal = seal(${episodeColumns});
  `);
}

/** Format 2 had no pictures. */
function addPictures(database: Database): void {
  database.execute(pictureTables);
}

/** Format 3 had no calls of models. */
function findCalls(database: Database): void {
  database.execute(callIndex);
}

/** Format 4 did not say what the leaves of an episode need before they are trained on. */
function sayCertification(database: Database): void {
  database.execute(certificateTable);
  database.define('seal', (...values) => sealOf(values));
  const readBlob = createBlobReader(database);
  const tasks = database.prepare<BlobRow & { task: number }>(
    'SELECT DISTINCT task, hash, pack, start, length FROM episodes JOIN blobs ON blobs.id = task',
  );
  const said = (column: string): string => `json_set(${column}, '$.certification', ?)`;
  const ends = database.prepare(
    `UPDATE events SET body = ${said('body')}
     WHERE kind = 'end' AND attempt IN (SELECT attempt FROM episodes WHERE task = ?)`,
  );
  const endings = database.prepare(`UPDATE episodes SET ending = ${said('ending')} WHERE task = ?`);
  for (const { task, ...row } of tasks.all()) {
    const certification = certificationOf(JSON.parse(readBlob(row).toString()) as Task);
    for (const update of [ends, endings]) update.run(certification, task);
  }
  database.execute(`
    UPDATE events SET seal = seal(attempt, kind, body, blob) WHERE kind = 'end';
    UPDATE episodes SET seal = seal(${episodeColumns});
  `);
}

/**
 * By the task alone, as the environment is not at hand. Tasks on pages and tool servers of others have no parameters and no
 * patch. An app may make such a task, too: then its leaves need a replay, which is no harm.
 */
function certificationOf({ environment, parameters, patch }: Task): Certification {
  if (environment === 'proxy') return 'none';
  return Object.keys(parameters).length === 0 && patch.length === 0 ? 'by-replay' : 'by-construction';
}
