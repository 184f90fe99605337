/** Where graphile-worker keeps its jobs. */
export const queueSchema = 'espalier_queue';

/** A lock of Postgres for whoever makes these tables. "EspF". */
const makingLock = 0x45737046;

/** What the workers of a run may spend on models, and have spent. What they hold is not spent yet, and nobody else can have it. */
const spendingTables = `
    CREATE TABLE IF NOT EXISTS espalier.fleet_spending (
      run int PRIMARY KEY, most_dollars float8, most_tokens float8, dollars float8 NOT NULL DEFAULT 0, tokens float8 NOT NULL DEFAULT 0,
      calls bigint NOT NULL DEFAULT 0, held_dollars float8 NOT NULL DEFAULT 0, held_tokens float8 NOT NULL DEFAULT 0,
      large_dollars float8 NOT NULL DEFAULT 0, large_tokens float8 NOT NULL DEFAULT 0, exhausted text
    );
    CREATE TABLE IF NOT EXISTS espalier.fleet_parts (
      id uuid PRIMARY KEY, run int NOT NULL, worker text NOT NULL, dollars float8 NOT NULL, tokens float8 NOT NULL,
      taken timestamptz NOT NULL DEFAULT now(), lost boolean NOT NULL DEFAULT false
    );
    CREATE INDEX IF NOT EXISTS fleet_parts_run ON espalier.fleet_parts (run, worker);`;

/**
 * A run is made once and found again by its identity. Workers say every few seconds that they live; that is not worth the log of
 * the database, and after its crash they say it again.
 */
export const prepareTables = `
  DO $$ BEGIN
    PERFORM pg_advisory_xact_lock(${makingLock});
    CREATE TABLE IF NOT EXISTS espalier.fleet_runs (
      id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, identity text NOT NULL UNIQUE, name text NOT NULL, store int NOT NULL,
      store_name text NOT NULL, version text NOT NULL, job text NOT NULL, certifies boolean NOT NULL, needs text NOT NULL,
      state text NOT NULL DEFAULT 'running', priority int NOT NULL DEFAULT 0, base timestamptz NOT NULL,
      walked bigint NOT NULL DEFAULT 0, planned bigint, made timestamptz NOT NULL DEFAULT now()
    );
    ALTER TABLE espalier.fleet_runs ADD COLUMN IF NOT EXISTS files text NOT NULL DEFAULT '{}';
    ALTER TABLE espalier.fleet_runs ADD COLUMN IF NOT EXISTS duplicated int NOT NULL DEFAULT 0;
    CREATE UNLOGGED TABLE IF NOT EXISTS espalier.fleet_workers (
      id text PRIMARY KEY, host text NOT NULL, pid int NOT NULL, version text NOT NULL, offers text NOT NULL, slots int NOT NULL,
      busy int NOT NULL, episodes bigint NOT NULL, started timestamptz NOT NULL DEFAULT now(),
      beat timestamptz NOT NULL, lives_until timestamptz NOT NULL
    );
    CREATE UNLOGGED TABLE IF NOT EXISTS espalier.fleet_refusals (
      run int NOT NULL, worker text NOT NULL, reason text NOT NULL, PRIMARY KEY (run, worker)
    );
    ${spendingTables}
  END $$`;
