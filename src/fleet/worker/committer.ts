import type { Certificate } from '../../core/episode/certificate.ts';
import { certificateValues, commitValues, type EpisodeRow } from '../../store/postgres/episode-row.ts';
import { putOutside } from '../../store/postgres/blobs.ts';
import type { FinishedEpisodes } from '../../store/postgres/finished-episodes.ts';
import { addCertificate, commitEpisodes } from '../../store/postgres/statements.ts';
import type { FleetDatabase } from '../database/connect.ts';

/** Writes episodes that have ended. Those that end while others are written go together. */
export interface Committer {
  /** Resolves when they are in the database, or when others were first. Gives how many were new. */
  commit(store: number, episodes: FinishedEpisodes): Promise<number>;
}

interface Waiting {
  readonly store: number;
  readonly episodes: FinishedEpisodes;
  resolve(added: number): void;
  reject(cause: unknown): void;
}

/** Bytes that go in one statement, about: Postgres takes less than a gigabyte. */
const mostBytes = 32 * 2 ** 20;

export function createCommitter(database: FleetDatabase): Committer {
  let waiting: Waiting[] = [];
  let isBusy = false;
  const write = async (): Promise<void> => {
    isBusy = true;
    while (waiting.length > 0) {
      const together = takeSome(waiting);
      waiting = waiting.filter(one => !together.includes(one));
      try {
        const added = await writeAll(database, together);
        for (const one of together) one.resolve(one.episodes.rows.filter(({ key }) => added.has(key)).length);
      } catch (cause) {
        for (const one of together) one.reject(cause);
      }
    }
    isBusy = false;
  };
  return {
    commit: (store, episodes) =>
      new Promise((resolve, reject) => {
        waiting.push({ store, episodes, resolve, reject });
        if (!isBusy) void write();
      }),
  };
}

/** The first, and what fits beside it into one statement. */
function takeSome(waiting: readonly Waiting[]): Waiting[] {
  const store = waiting[0]?.store;
  let bytes = 0;
  return waiting.filter(({ store: of, episodes }, at) => {
    if (of !== store) return false;
    bytes += episodes.rows.reduce((sum, { body }) => sum + body.length, 0);
    bytes += [...episodes.attached.values()].reduce((sum, data) => sum + data.length, 0);
    return at === 0 || bytes < mostBytes;
  });
}

/** Keys of those that were new. */
async function writeAll(database: FleetDatabase, together: readonly Waiting[]): Promise<ReadonlySet<string>> {
  const store = together[0]?.store as number;
  // Two jobs of one worker may hold the same episode: one statement takes it once.
  const rows = new Map<string, EpisodeRow>();
  for (const { episodes } of together) for (const row of episodes.rows) rows.set(row.key, rows.get(row.key) ?? row);
  const attached = new Map(together.flatMap(({ episodes }) => [...episodes.attached]));
  const certificates = new Map(together.flatMap(({ episodes }) => [...episodes.certificates]));
  const values = commitValues(store, [...rows.values()], await putOutside(database.blobs, attached));
  if (certificates.size === 0) return keysIn(await database.query<{ key: string }>(commitEpisodes, values));
  return database.transaction(async client => {
    const added = keysIn((await client.query<{ key: string }>(commitEpisodes, values)).rows);
    for (const [key, found] of certificates) {
      const row = rows.get(key);
      if (row !== undefined && added.has(key))
        for (const certificate of found) await client.query(addCertificate, certificateOf(store, row, certificate));
    }
    return added;
  });
}

function certificateOf(store: number, row: EpisodeRow, certificate: Certificate): unknown[] {
  return certificateValues(store, row, certificate);
}

function keysIn(rows: readonly { readonly key: string }[]): ReadonlySet<string> {
  return new Set(rows.map(({ key }) => key));
}
