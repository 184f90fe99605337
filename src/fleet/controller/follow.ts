import type { Certificate } from '../../core/episode/certificate.ts';
import { picturesIn } from '../../core/episode/call-log.ts';
import type { Journal, StoredEpisode } from '../../core/episode/journal.ts';
import { addressIn, copyEpisode } from '../../store/copy.ts';
import { isOutside, noBlobs, type BlobStore } from '../../store/postgres/blobs.ts';
import {
  readCertificate,
  readEpisode,
  type CertificateRow,
  type EpisodeRow,
} from '../../store/postgres/episode-row.ts';
import { episodeColumns } from '../../store/postgres/statements.ts';
import type { FleetDatabase } from '../database/connect.ts';

/** How far a store was read: rows come in the order of the transactions that wrote them. */
interface Mark {
  readonly written: string;
  readonly attempt: number;
}

const start: Mark = { written: '0', attempt: 0 };
const batch = 256;

type FoundRow = EpisodeRow & { readonly attempt: number; readonly written: string };

/** What was committed since the mark, and by no transaction that an open one may still come before. */
const findNext = `
  SELECT attempt, written::text, ${episodeColumns} FROM espalier.episodes
  WHERE store = $1 AND (written, attempt) > ($2::xid8, $3::bigint) AND written < pg_snapshot_xmin(pg_current_snapshot())
  ORDER BY episodes.written, attempt LIMIT ${batch}`;

/**
 * What is committed beyond that. A transaction of anybody on the server, of another database as well, may stay open for hours;
 * these rows are read meanwhile, and again when it has ended.
 */
const findAhead = `
  SELECT attempt, written::text, ${episodeColumns} FROM espalier.episodes
  WHERE store = $1 AND (written, attempt) > ($2::xid8, $3::bigint) AND attempt <> ALL($4::bigint[])
  ORDER BY episodes.written, attempt LIMIT ${batch}`;

/** Times without news after which that is done: a second, about. */
const patience = 6;

export interface Follower {
  /** Copies what was committed since the last call: false when there was nothing. */
  next(): Promise<boolean>;
}

export interface FollowOptions {
  readonly database: FleetDatabase;
  readonly store: number;
  readonly storeName: string;
  readonly journal: Journal;
  /** Whether it is there already. */
  isKnown(episode: Pick<StoredEpisode, 'head'>): boolean;
  onEpisode(episode: StoredEpisode): void;
}

/** Copies the episodes of a run into a journal as they are committed. */
export function createFollower(options: FollowOptions): Follower {
  const { database, store, storeName, journal, isKnown, onEpisode } = options;
  let mark = start;
  let idle = 0;
  /** Copied beyond the mark. */
  const ahead = new Set<number>();
  return {
    async next() {
      const due = await database.query<FoundRow>(findNext, [store, mark.written, mark.attempt]);
      idle = due.length === 0 ? idle + 1 : 0;
      const isAhead = idle >= patience;
      const rows = isAhead
        ? await database.query<FoundRow>(findAhead, [store, mark.written, mark.attempt, [...ahead]])
        : due;
      if (rows.length === 0) return false;
      const read = rows.map(row => readEpisode(row, storeName));
      const fresh = read.filter((episode, at) => {
        return !ahead.has(rows[at]?.attempt as number) && !isKnown({ head: episode.head });
      });
      const certificates = await certificatesOf(options, fresh);
      const attachments = await attachmentsOf(options, fresh);
      const attachment = (address: string): Uint8Array | null => attachments.get(address) ?? null;
      const whole = fresh.map(one => ({ ...one, certificates: certificates.get(one.head.key) ?? [] }));
      const copy = (): void => whole.forEach(one => copyEpisode(one, { attachment }, journal));
      if (journal.together === undefined) copy();
      else journal.together(copy);
      // What was copied is not copied again, whatever comes after it.
      for (const { written, attempt } of rows) {
        if (isAhead) ahead.add(attempt);
        else {
          mark = { written, attempt };
          ahead.delete(attempt);
        }
      }
      for (const one of whole) onEpisode(one);
      return true;
    },
  };
}

type Fresh = Pick<StoredEpisode, 'head' | 'end' | 'events'>;

async function certificatesOf(
  { database, store, storeName }: FollowOptions,
  episodes: readonly Fresh[],
): Promise<Map<string, Certificate[]>> {
  const found = new Map<string, Certificate[]>();
  const keys = episodes.filter(({ end }) => end.certification === 'by-replay').map(({ head }) => head.key);
  if (keys.length === 0) return found;
  const rows = await database.query<CertificateRow & Pick<EpisodeRow, 'run' | 'key'>>(
    `SELECT run, key, leaf, result, body, seal FROM espalier.certificates WHERE store = $1 AND key = ANY($2::text[])
     ORDER BY id`,
    [store, keys],
  );
  for (const row of rows) found.set(row.key, [...(found.get(row.key) ?? []), readCertificate(row, storeName)]);
  return found;
}

/** Pictures and records of calls that these episodes name, and the pictures inside those records. */
async function attachmentsOf(
  { database, store }: FollowOptions,
  episodes: readonly Fresh[],
): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  const fetch = async (wanted: ReadonlySet<string>): Promise<void> => {
    const hashes = [...wanted].filter(hash => !found.has(hash)).map(hash => Buffer.from(hash, 'hex'));
    if (hashes.length === 0) return;
    const rows = await database.query<{ hash: Buffer; body: Buffer }>(
      'SELECT hash, body FROM espalier.attachments WHERE store = $1 AND hash = ANY($2::bytea[])',
      [store, hashes],
    );
    for (const { hash, body } of rows) {
      const address = hash.toString('hex');
      const blobs = isOutside(hash, body) ? blobsOf(database, address) : null;
      found.set(address, blobs === null ? Uint8Array.from(body) : await blobs.get(address));
    }
  };
  const events = episodes.flatMap(episode => episode.events);
  await fetch(new Set(events.flatMap(event => addressIn(event) ?? [])));
  const records = events.flatMap(event => (event.kind === 'call' ? [event.record] : []));
  await fetch(new Set(records.flatMap(record => picturesIn(found.get(record) ?? new Uint8Array()))));
  return found;
}

function blobsOf({ blobs }: FleetDatabase, hash: string): BlobStore {
  if (blobs === null) throw noBlobs('The fleet', hash);
  return blobs;
}
