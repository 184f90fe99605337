/** What a statement is given. */
export type SqlValue = string | number | null | Uint8Array | readonly (string | number | null | Uint8Array)[];

/** The version of the tables and of the records in them. */
export const currentFormat = 1;

/**
 * A store is a name in the database; its rows are partitions of their own, so that a store of any size is read, vacuumed and
 * dropped by itself. Texts are compared byte by byte, as SQLite does. Bodies are compressed already.
 */
export const tables = `
  CREATE SCHEMA IF NOT EXISTS espalier;
  CREATE TABLE espalier.format (format int NOT NULL);
  INSERT INTO espalier.format VALUES (${currentFormat});
  CREATE TABLE espalier.stores (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE,
    made timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE espalier.files (
    store int NOT NULL REFERENCES espalier.stores, name text NOT NULL, body text NOT NULL, PRIMARY KEY (store, name)
  );
  CREATE SEQUENCE espalier.attempts;
  CREATE TABLE espalier.episodes (
    store int NOT NULL, attempt bigint NOT NULL DEFAULT nextval('espalier.attempts'),
    run text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, phase text COLLATE "C" NOT NULL, round int NOT NULL,
    place bigint NOT NULL, outcome text NOT NULL, events int NOT NULL, head text NOT NULL, ending text NOT NULL,
    body bytea NOT NULL, seal bigint NOT NULL, written xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (store, run, key)
  ) PARTITION BY LIST (store);
  CREATE INDEX ON espalier.episodes (store, run, phase, round, place, attempt);
  CREATE INDEX ON espalier.episodes (store, attempt);
  CREATE INDEX ON espalier.episodes (store, written, attempt);
  CREATE TABLE espalier.attachments (
    store int NOT NULL, hash bytea NOT NULL, body bytea NOT NULL, PRIMARY KEY (store, hash)
  ) PARTITION BY LIST (store);
  CREATE TABLE espalier.certificates (
    id bigint GENERATED ALWAYS AS IDENTITY, store int NOT NULL, run text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL,
    leaf int NOT NULL, result text NOT NULL, body text NOT NULL, seal bigint NOT NULL,
    written xid8 NOT NULL DEFAULT pg_current_xact_id(), PRIMARY KEY (store, id)
  ) PARTITION BY LIST (store);
  CREATE INDEX ON espalier.certificates (store, run, key, id);
  CREATE INDEX ON espalier.certificates (store, written, id);
  CREATE UNIQUE INDEX ON espalier.certificates (store, run, key, leaf) WHERE result <> 'broken';
  CREATE TABLE espalier.unfinished (
    attempt bigint NOT NULL, part int NOT NULL, store int NOT NULL, run text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL, body bytea NOT NULL, hashes bytea[] NOT NULL,
    attachments bytea[] NOT NULL, PRIMARY KEY (store, attempt, part)
  ) PARTITION BY LIST (store);
  ALTER TABLE espalier.episodes ALTER COLUMN body SET STORAGE EXTERNAL;
  ALTER TABLE espalier.attachments ALTER COLUMN body SET STORAGE EXTERNAL;
  ALTER TABLE espalier.unfinished ALTER COLUMN body SET STORAGE EXTERNAL;
`;

export const partitionedTables = ['episodes', 'attachments', 'certificates', 'unfinished'] as const;

export const episodeColumns = 'run, key, phase, round, place, outcome, events, head, ending, body, seal';

/**
 * Writes episodes that have ended, with what they attached, all or nothing; an episode that is there already stays as it is.
 * Says which were new. Rows come in the order of their keys, so that two writers of the same episodes wait for each other in turn.
 */
export const commitEpisodes = `
  WITH attached AS (
    INSERT INTO espalier.attachments (store, hash, body)
    SELECT $1::int, hash, body FROM unnest($13::bytea[], $14::bytea[]) AS given(hash, body) ORDER BY hash
    ON CONFLICT DO NOTHING
  )
  INSERT INTO espalier.episodes (store, ${episodeColumns})
  SELECT $1::int, * FROM unnest(
    $2::text[], $3::text[], $4::text[], $5::int[], $6::bigint[], $7::text[], $8::int[], $9::text[], $10::text[],
    $11::bytea[], $12::bigint[]
  ) AS given(${episodeColumns}) ORDER BY given.run, given.key
  ON CONFLICT DO NOTHING RETURNING run, key`;

/** Adds a certificate to an episode that has ended, unless its leaf was concluded. */
export const addCertificate = `
  INSERT INTO espalier.certificates (store, run, key, leaf, result, body, seal)
  SELECT $1::int, $2::text, $3::text, $4::int, $5::text, $6::text, $7::bigint
  WHERE EXISTS (SELECT 1 FROM espalier.episodes WHERE store = $1 AND run = $2 AND key = $3)
    AND NOT EXISTS (
      SELECT 1 FROM espalier.certificates
      WHERE store = $1 AND run = $2 AND key = $3 AND leaf = $4 AND result <> 'broken')
  ON CONFLICT DO NOTHING RETURNING id`;
