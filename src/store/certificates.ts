import { certificateSchema, type Certificate } from '../core/episode/certificate.ts';
import type { EpisodeHead } from '../core/episode/events.ts';
import { parseRecord } from '../core/records.ts';
import type { Database } from './database.ts';
import { alreadyCertified, closed, damaged, notEnded } from './faults.ts';
import { sealOf } from './rows.ts';

/** What replays of leaves showed, after their episodes had ended. A leaf is proven or disproven once. */
export const certificateTable = `
  CREATE TABLE certificates (
    id INTEGER PRIMARY KEY, attempt INTEGER NOT NULL, leaf INTEGER NOT NULL, result TEXT NOT NULL, body TEXT NOT NULL,
    seal INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX certificates_of_attempt ON certificates (attempt);
  CREATE UNIQUE INDEX certificates_of_leaf ON certificates (attempt, leaf) WHERE result <> 'broken';
`;

interface CertificateRow {
  readonly attempt: number;
  readonly leaf: number;
  readonly result: string;
  readonly body: string;
  readonly seal: number;
}

type Certify = (episode: Pick<EpisodeHead, 'run' | 'key'>, certificate: Certificate) => void;

export function createCertificateWriter(database: Database): Certify {
  const find = database.prepare<{ attempt: number }>('SELECT attempt FROM episodes WHERE run = ? AND key = ?');
  const known = database.prepare(
    "SELECT 1 FROM certificates WHERE attempt = ? AND leaf = ? AND result <> 'broken' LIMIT 1",
  );
  const insert = database.prepare(
    'INSERT INTO certificates (attempt, leaf, result, body, seal) VALUES (?, ?, ?, ?, ?)',
  );
  return ({ run, key }, given) => {
    if (!database.isOpen()) throw closed(database.path);
    const certificate = parseRecord(certificateSchema, given, { what: 'certificate', code: 'corrupt-record' });
    const attempt = find.get(run, key)?.attempt;
    if (attempt === undefined) throw notEnded(run, key);
    const { leaf, result } = certificate;
    if (known.get(attempt, leaf) !== undefined) throw alreadyCertified(key, leaf);
    const values = [attempt, leaf, result, JSON.stringify(certificate)];
    insert.run(...values, sealOf(values));
  };
}

/** The certificates of an attempt, in the order they were written. */
export function createCertificateReader(database: Database): (attempt: number) => Certificate[] {
  const find = database.prepare<CertificateRow>(
    'SELECT attempt, leaf, result, body, seal FROM certificates WHERE attempt = ? ORDER BY id',
  );
  return wanted =>
    find.all(wanted).map(({ attempt, leaf, result, body, seal }) => {
      if (sealOf([attempt, leaf, result, body]) !== seal)
        throw damaged(database.path, `a certificate of attempt ${attempt} was altered`);
      return JSON.parse(body) as Certificate;
    });
}
