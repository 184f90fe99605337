import type { Certification } from '../core/episode/certificate.ts';
import type { Task } from '../core/records.ts';
import { createBlobReader, type BlobRow } from './blobs.ts';
import { callIndex } from './calls.ts';
import { certificateTable } from './certificates.ts';
import type { Database } from './database.ts';
import { corrupt } from './faults.ts';
import { pictureTables } from './pictures.ts';
import { episodeColumns, sealOf } from './rows.ts';

/** Actions by a pointer or keys, as format 4 had them. */
const byHandKinds = ['click-at', 'hover-at', 'drag', 'scroll', 'type', 'press', 'wait', 'back'];

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
  askForReplayOfSteps(database);
  database.execute(`
    UPDATE events SET seal = seal(attempt, kind, body, blob) WHERE kind = 'end';
    UPDATE episodes SET seal = seal(${episodeColumns});
  `);
}

/** The apps that came with Espalier before format 5: their states are immutable values. */
const builtInApps: ReadonlySet<string> = new Set(['mail', 'shop', 'tracker']);

/**
 * By the task alone, as the environment is not at hand: what is not surely a built-in app needs a replay (`espalier certify`).
 * Tasks on pages and tool servers of others have no parameters and no patch, whatever they are called.
 */
function certificationOf({ environment, parameters, patch }: Task): Certification {
  if (environment === 'proxy') return 'none';
  const isMade = Object.keys(parameters).length > 0 || patch.length > 0;
  return builtInApps.has(environment) && isMade ? 'by-construction' : 'by-replay';
}

/** What a pointer or a key does depends on the page that is drawn, also where the state behind it is ours. */
function askForReplayOfSteps(database: Database): void {
  const byHand = `attempt IN (SELECT attempt FROM events
    WHERE kind = 'step' AND json_extract(body, '$.node.action.kind') IN (${byHandKinds.map(kind => `'${kind}'`).join()}))`;
  const replayed = (column: string): string =>
    `${column} = json_set(${column}, '$.certification', 'by-replay')
     WHERE json_extract(${column}, '$.certification') = 'by-construction' AND ${byHand}`;
  database.execute(`
    UPDATE events SET ${replayed('body')} AND kind = 'end';
    UPDATE episodes SET ${replayed('ending')};
  `);
}
