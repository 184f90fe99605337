import type { EpisodeEnd, EpisodeEvent, EpisodeHead } from '../core/episode/events.ts';
import type { EpisodeSummary, UnfinishedEpisode } from '../core/episode/journal.ts';
import { readEvidence, type Task, type Verdict } from '../core/records.ts';
import type { BlobReader, BlobRow } from './blobs.ts';
import { createCertificateReader } from './certificates.ts';
import type { Database } from './database.ts';
import { damaged } from './faults.ts';
import type { PictureReader } from './pictures.ts';
import { episodeValues, sealOf, sealOfEvent, type EpisodeRow, type EventRow } from './rows.ts';

interface RecordReader {
  /** Refuses a row that is not as it was written. */
  check(row: EpisodeRow): void;
  summary(row: EpisodeRow): EpisodeSummary;
  events(row: EpisodeRow): EpisodeEvent[];
  /** The last attempt at each episode of a run that did not end. */
  unfinished(run: string): UnfinishedEpisode[];
}

type FoundEvent = EventRow & (BlobRow | Record<keyof BlobRow, null>);

/**
 * Records are checked against the schemas when they are written. Reading trusts the seal of a row, which also finds
 * damage that the schemas would let pass, at a tenth of their cost.
 */
export function createRecordReader(database: Database, pictures: PictureReader, readBlob: BlobReader): RecordReader {
  const findBlob = database.prepare<BlobRow>('SELECT hash, pack, start, length FROM blobs WHERE id = ?');
  const findEvents = database.prepare<FoundEvent>(
    `SELECT attempt, kind, body, blob, seal, hash, pack, start, length FROM events LEFT JOIN blobs ON blobs.id = blob
     WHERE attempt = ? AND kind NOT IN ('begin', 'end') ORDER BY seq`,
  );
  const findBegun = database.prepare<FoundEvent>(
    `SELECT attempt, kind, body, blob, seal, hash, pack, start, length FROM events LEFT JOIN blobs ON blobs.id = blob
     WHERE kind = 'begin' AND json_extract(body, '$.run') = ? AND NOT EXISTS
       (SELECT 1 FROM episodes WHERE run = json_extract(body, '$.run') AND key = json_extract(body, '$.key'))
     ORDER BY attempt`,
  );
  const readCertificates = createCertificateReader(database);
  const readEvent = (row: FoundEvent): EpisodeEvent => {
    if (sealOfEvent(row) !== row.seal) throw damaged(database.path, `an event of attempt ${row.attempt} was altered`);
    const event = readVerdict(JSON.parse(row.body) as EpisodeEvent);
    if (event.kind === 'step' && event.image !== undefined && !pictures.has(event.image.hash, row.attempt))
      throw damaged(database.path, `a picture of attempt ${row.attempt} is missing`);
    if (event.kind === 'call') {
      if (row.hash === null || Buffer.from(row.hash).toString('hex') !== event.record)
        throw damaged(database.path, `the record of a call of attempt ${row.attempt} is missing`);
      return event;
    }
    if (row.blob === null) return event;
    if (row.hash === null) throw damaged(database.path, `a screen of attempt ${row.attempt} is missing`);
    return { ...event, screen: readBlob(row).toString() } as EpisodeEvent;
  };
  return {
    check(row) {
      if (sealOf(episodeValues(row)) !== row.seal)
        throw damaged(database.path, `the record of episode ${row.key} was altered`);
    },
    summary(row) {
      const task = findBlob.get(row.task);
      if (task === undefined) throw damaged(database.path, `the task of episode ${row.key} is missing`);
      const head = JSON.parse(row.head) as Omit<EpisodeHead, 'task'>;
      return {
        head: { ...head, task: JSON.parse(readBlob(task).toString()) as Task },
        end: readVerdict(JSON.parse(row.ending) as EpisodeEnd),
        certificates: readCertificates(row.attempt),
      };
    },
    unfinished(run) {
      const begun = findBegun.all(run).map(row => {
        if (sealOfEvent(row) !== row.seal) throw damaged(database.path, `attempt ${row.attempt} was altered`);
        if (row.hash === null) throw damaged(database.path, `the task of attempt ${row.attempt} is missing`);
        const task = JSON.parse(readBlob(row).toString()) as Task;
        return { attempt: row.attempt, head: { ...(JSON.parse(row.body) as Omit<EpisodeHead, 'task'>), task } };
      });
      const last = new Map(begun.map(found => [found.head.key, found]));
      return [...last.values()].map(found => ({ ...found, events: findEvents.all(found.attempt).map(readEvent) }));
    },
    events({ key, attempt, events }) {
      const found = findEvents.all(attempt);
      if (found.length !== events)
        throw damaged(database.path, `episode ${key} has ${found.length} of its ${events} events`);
      return found.map(readEvent);
    },
  };
}

/** What holds a verdict, with the words of today: version 0.1 wrote others. */
export function readVerdict<T extends object>(record: T): T {
  const { verdict } = record as { readonly verdict?: Verdict | null };
  if (verdict === undefined || verdict === null || !('trespasses' in verdict.evidence)) return record;
  return { ...record, verdict: { ...verdict, evidence: readEvidence(verdict.evidence) } };
}
