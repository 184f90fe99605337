import type { EpisodeFilter, EpisodeSource, ResumableJournal } from '../core/episode/journal.ts';
import { createBlobReader } from './blobs.ts';
import { createCallRecordReader } from './calls.ts';
import type { Database } from './database.ts';
import { damaged } from './faults.ts';
import { addressPattern, createPictureReader } from './pictures.ts';
import { createRecordReader } from './records.ts';
import { episodeColumns, type EpisodeRow } from './rows.ts';

type JournalReader = EpisodeSource & Pick<ResumableJournal, 'done' | 'unfinished'>;

export function createJournalReader(database: Database): JournalReader {
  const pictures = createPictureReader(database);
  const readBlob = createBlobReader(database);
  const readCall = createCallRecordReader(database, readBlob);
  const records = createRecordReader(database, pictures, readBlob);

  const find = function* (filter: EpisodeFilter): Generator<EpisodeRow> {
    let seen = 0;
    let total = 0;
    let before: EpisodeRow | null = null;
    const { sql, values } = selection(filter);
    for (const row of database.prepare<EpisodeRow & { total: number }>(sql).iterate(...values, ...values)) {
      records.check(row);
      if (before !== null && !isAfter(row, before)) throw damaged(database.path, 'its episodes are out of order');
      before = row;
      total = row.total;
      seen++;
      yield row;
    }
    if (seen < total) throw damaged(database.path, `${total - seen} of its ${total} episodes cannot be found`);
  };
  return {
    attachment: address => (addressPattern.test(address) ? (pictures.read(address) ?? readCall(address)) : null),
    done(run) {
      const keys = new Set<string>();
      // Every row is read, of other runs too: a name that was damaged must not make an episode run twice.
      for (const row of database.prepare<EpisodeRow>(`SELECT ${episodeColumns}, seal FROM episodes`).iterate()) {
        records.check(row);
        if (row.run === run) keys.add(row.key);
      }
      return keys;
    },
    unfinished: records.unfinished,
    *summaries(filter = {}) {
      for (const row of find(filter)) {
        const summary = records.summary(row);
        if (filter.wants?.(summary) ?? true) yield summary;
      }
    },
    *episodes(filter = {}) {
      for (const row of find(filter)) {
        const summary = records.summary(row);
        if (filter.wants?.(summary) ?? true) yield { ...summary, events: records.events(row) };
      }
    },
  };
}

/** In order by the index; `total` counts the rows of the table itself, to notice when the index has lost some. */
function selection(filter: EpisodeFilter): { sql: string; values: (string | number)[] } {
  const { run, phase, round, outcome } = filter;
  const wanted = Object.entries({ run, phase, round, outcome }).filter(pair => pair[1] !== undefined);
  const where = wanted.length === 0 ? '' : `WHERE ${wanted.map(([column]) => `${column} = ?`).join(' AND ')}`;
  const sql = `SELECT ${episodeColumns}, seal, (SELECT count(*) FROM episodes NOT INDEXED ${where}) AS total
    FROM episodes INDEXED BY episodes_in_order ${where} ORDER BY run, phase, round, place, attempt`;
  return { sql, values: wanted.map(([, value]) => value as string | number) };
}

function isAfter(row: EpisodeRow, before: EpisodeRow): boolean {
  // SQLite and JavaScript do not order all names alike; whole numbers and phases they do.
  if (row.run !== before.run) return true;
  for (const column of ['phase', 'round', 'place', 'attempt'] as const) {
    if (row[column] !== before[column]) return row[column] > before[column];
  }
  return false;
}
