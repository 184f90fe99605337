import { callIndex } from './calls.ts';
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
