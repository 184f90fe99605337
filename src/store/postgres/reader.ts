import type { Certificate } from '../../core/episode/certificate.ts';
import type { EpisodeFilter, EpisodeSource, ResumableJournal } from '../../core/episode/journal.ts';
import { addressOf } from '../blobs.ts';
import { damaged } from '../faults.ts';
import { addressPattern } from '../pictures.ts';
import { isOutside } from './blobs.ts';
import type { BlockingConnection } from './blocking.ts';
import { readCertificate, readEpisode, readSummary, type CertificateRow, type EpisodeRow } from './episode-row.ts';
import { episodeColumns } from './statements.ts';

type PostgresReader = EpisodeSource & Pick<ResumableJournal, 'done'>;

/** Episodes whose rows are read at once. */
const batch = 64;

export function createPostgresReader(connection: BlockingConnection, store: number): PostgresReader {
  const { address } = connection;
  /** What there is at the first look, in its order: later writes are not seen. Rows never change. */
  const find = function* <T extends { readonly head: { readonly run: string; readonly key: string } }>(
    filter: EpisodeFilter,
    read: (row: EpisodeRow) => T,
  ): Generator<T & { readonly certificates: readonly Certificate[] }> {
    const attempts = findAttempts(connection, store, filter);
    for (let at = 0; at < attempts.length; at += batch) {
      const wanted = attempts.slice(at, at + batch);
      const rows = connection.query<EpisodeRow & { attempt: number }>(
        `SELECT attempt, ${episodeColumns} FROM espalier.episodes WHERE store = $1 AND attempt = ANY($2::bigint[])`,
        [store, wanted],
      );
      const certificates = certificatesOf(connection, store, wanted);
      const byAttempt = new Map(rows.map(row => [row.attempt, row]));
      for (const attempt of wanted) {
        const row = byAttempt.get(attempt);
        if (row === undefined) throw damaged(address, `episode ${attempt} of ${attempts.length} cannot be found`);
        yield { ...read(row), certificates: certificates.get(`${row.run}\n${row.key}`) ?? [] };
      }
    }
  };
  return {
    done(run) {
      const rows = connection.query<{ key: string }>(
        'SELECT key FROM espalier.episodes WHERE store = $1 AND run = $2',
        [store, run],
      );
      return new Set(rows.map(({ key }) => key));
    },
    *summaries(filter = {}) {
      for (const summary of find(filter, row => readSummary(row, address)))
        if (filter.wants?.(summary) ?? true) yield summary;
    },
    *episodes(filter = {}) {
      for (const episode of find(filter, row => readEpisode(row, address)))
        if (filter.wants?.(episode) ?? true) yield episode;
    },
    attachment(hash) {
      if (!addressPattern.test(hash)) return null;
      const wanted = Buffer.from(hash, 'hex');
      const [row] = connection.query<{ body: Uint8Array }>(
        'SELECT body FROM espalier.attachments WHERE store = $1 AND hash = $2',
        [store, wanted],
      );
      if (row === undefined) return null;
      if (isOutside(wanted, row.body)) return Uint8Array.from(connection.blob(hash));
      if (!addressOf(row.body).equals(wanted)) throw damaged(address, 'a picture or a call does not fit its hash');
      return Uint8Array.from(row.body);
    },
  };
}

function findAttempts(connection: BlockingConnection, store: number, filter: EpisodeFilter): number[] {
  const { run, phase, round, outcome } = filter;
  const wanted = Object.entries({ store, run, phase, round, outcome }).filter(pair => pair[1] !== undefined);
  const where = wanted.map(([column], at) => `${column} = $${at + 1}`).join(' AND ');
  const rows = connection.query<{ attempt: number }>(
    `SELECT attempt FROM espalier.episodes WHERE ${where} ORDER BY run, phase, round, place, attempt`,
    wanted.map(([, value]) => value as string | number),
  );
  return rows.map(({ attempt }) => attempt);
}

/** The certificates of these attempts, by run and key. */
function certificatesOf(
  connection: BlockingConnection,
  store: number,
  attempts: readonly number[],
): Map<string, Certificate[]> {
  const found = new Map<string, Certificate[]>();
  const rows = connection.query<CertificateRow & Pick<EpisodeRow, 'run' | 'key'>>(
    `SELECT run, key, leaf, result, certificates.body, certificates.seal FROM espalier.certificates
     JOIN espalier.episodes USING (store, run, key) WHERE store = $1 AND attempt = ANY($2::bigint[]) ORDER BY id`,
    [store, attempts],
  );
  for (const row of rows) {
    const name = `${row.run}\n${row.key}`;
    found.set(name, [...(found.get(name) ?? []), readCertificate(row, connection.address)]);
  }
  return found;
}
