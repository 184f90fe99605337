import { queueSchema } from '../database/tables.ts';

/** What a key may do: look; also run and work; also manage keys and read the audit log. */
export const keyRoles = ['read', 'run', 'administer'] as const;
export type KeyRole = (typeof keyRoles)[number];

export const quotaKinds = ['episodes', 'tokens', 'dollars'] as const;

/** The group of the keys of a team that have a role. */
export function groupOf(team: string, role: KeyRole): string {
  return `espalier_${team}_${role}`;
}

export function databaseOf(team: string): string {
  return `espalier_${team}`;
}

/** Rows that commits are counted in: those that meet seldom wait for each other. */
const shards = 16;

/** A client that goes on when its quota is used up is refused at this many times of it. */
const lastStraw = 2;

/** Episodes that one statement may add: quotas are looked at before each. */
const mostAtOnce = 4096;

/**
 * What the service keeps about a team, in the database of the team, where its keys can change nothing of it but by these
 * functions. They run with the rights of the service: each fixes its search path, and tells the caller by `session_user`.
 */
export const teamTables = `
  CREATE SCHEMA IF NOT EXISTS espalier_team;
  CREATE TABLE IF NOT EXISTS espalier_team.keys (
    name text PRIMARY KEY, role text NOT NULL, made timestamptz NOT NULL DEFAULT now(), made_by text NOT NULL,
    revoked timestamptz
  );
  CREATE TABLE IF NOT EXISTS espalier_team.quotas (kind text PRIMARY KEY, most numeric NOT NULL);
  CREATE TABLE IF NOT EXISTS espalier_team.used (
    shard int PRIMARY KEY, episodes numeric NOT NULL DEFAULT 0, tokens numeric NOT NULL DEFAULT 0,
    dollars numeric NOT NULL DEFAULT 0
  );
  INSERT INTO espalier_team.used (shard) SELECT generate_series(0, ${shards - 1}) ON CONFLICT DO NOTHING;
  CREATE TABLE IF NOT EXISTS espalier_team.audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(), who text NOT NULL,
    what text NOT NULL, about text NOT NULL
  );

  CREATE OR REPLACE FUNCTION espalier_team.note(what text, about text) RETURNS void LANGUAGE sql
    SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO espalier_team.audit (who, what, about) VALUES (session_user, what, about) $$;

  CREATE OR REPLACE FUNCTION espalier_team.usage()
    RETURNS TABLE (kind text, used numeric, most numeric) LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT sums.kind, sums.used, quotas.most
    FROM (SELECT sum(episodes) AS episodes, sum(tokens) AS tokens, sum(dollars) AS dollars FROM espalier_team.used) AS whole,
      LATERAL (VALUES ('episodes', whole.episodes), ('tokens', whole.tokens), ('dollars', whole.dollars)) AS sums (kind, used)
      LEFT JOIN espalier_team.quotas ON quotas.kind = sums.kind $$;

  CREATE OR REPLACE FUNCTION espalier_team.refuse(times numeric) RETURNS void LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
    DECLARE spent record; BEGIN
      SELECT * INTO spent FROM espalier_team.usage() WHERE used >= most * times LIMIT 1;
      IF FOUND THEN
        RAISE EXCEPTION 'The team has used up its quota: % of % %.', spent.used, spent.most, spent.kind
          USING ERRCODE = 'EQ001', HINT = 'Ask whoever runs the fleet for a larger one.';
      END IF;
    END $$;

  CREATE OR REPLACE FUNCTION espalier_team.amount(ending text, of text) RETURNS numeric LANGUAGE sql IMMUTABLE
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT CASE WHEN json_typeof(ending::json -> 'counts' -> of) = 'number'
      THEN greatest(0, (ending::json -> 'counts' ->> of)::numeric) ELSE 0 END $$;

  CREATE OR REPLACE FUNCTION espalier_team.count_episodes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
    DECLARE stopped int; BEGIN
      IF NOT EXISTS (SELECT 1 FROM added) THEN RETURN NULL; END IF;
      PERFORM espalier_team.refuse(${lastStraw});
      IF (SELECT count(*) FROM added) > ${mostAtOnce} THEN
        RAISE EXCEPTION 'One statement adds at most ${mostAtOnce} episodes.' USING ERRCODE = 'EQ001';
      END IF;
      UPDATE espalier_team.used SET episodes = used.episodes + sums.episodes, tokens = used.tokens + sums.tokens,
        dollars = used.dollars + sums.dollars
      FROM (
        SELECT count(*) AS episodes, sum(espalier_team.amount(ending, 'tokens')) AS tokens,
          sum(espalier_team.amount(ending, 'cost')) AS dollars
        FROM added
      ) AS sums WHERE shard = pg_backend_pid() % ${shards};
      IF EXISTS (SELECT 1 FROM espalier_team.usage() WHERE used >= most) THEN
        UPDATE espalier.fleet_runs SET state = 'cancelled' WHERE state IN ('running', 'paused');
        GET DIAGNOSTICS stopped = ROW_COUNT;
        PERFORM ${queueSchema}.complete_jobs(ARRAY(SELECT id FROM ${queueSchema}.jobs WHERE locked_at IS NULL));
        IF stopped > 0 THEN PERFORM espalier_team.note('quota', stopped || ' runs were stopped: a quota is used up'); END IF;
      END IF;
      RETURN NULL;
    END $$;
  CREATE OR REPLACE TRIGGER count_episodes AFTER INSERT ON espalier.episodes REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION espalier_team.count_episodes();

  CREATE OR REPLACE FUNCTION espalier_team.check_jobs() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$ BEGIN
      IF EXISTS (SELECT 1 FROM added) THEN PERFORM espalier_team.refuse(1); END IF;
      RETURN NULL;
    END $$;
  CREATE OR REPLACE TRIGGER check_jobs AFTER INSERT ON ${queueSchema}._private_jobs REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION espalier_team.check_jobs();

  CREATE OR REPLACE FUNCTION espalier_team.note_run() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$ BEGIN
      IF TG_OP = 'INSERT' THEN PERFORM espalier_team.note('run', NEW.store_name);
      ELSIF TG_OP = 'DELETE' THEN PERFORM espalier_team.note('run', OLD.store_name || ' was deleted');
      ELSIF (NEW.name, NEW.identity, NEW.store, NEW.store_name, NEW.job, NEW.files) IS DISTINCT FROM
        (OLD.name, OLD.identity, OLD.store, OLD.store_name, OLD.job, OLD.files) THEN
        PERFORM espalier_team.note('run', OLD.store_name || ' was rewritten');
      ELSIF NEW.state <> OLD.state OR NEW.priority <> OLD.priority THEN
        PERFORM espalier_team.note('run', NEW.store_name || ': ' || NEW.state || ', priority ' || NEW.priority);
      END IF;
      RETURN NULL;
    END $$;
  CREATE OR REPLACE TRIGGER note_run AFTER INSERT OR UPDATE OR DELETE ON espalier.fleet_runs
    FOR EACH ROW EXECUTE FUNCTION espalier_team.note_run();
  CREATE OR REPLACE FUNCTION espalier_team.note_store() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$ BEGIN
      PERFORM espalier_team.note('store', NEW.name);
      RETURN NULL;
    END $$;
  CREATE OR REPLACE TRIGGER note_store AFTER INSERT ON espalier.stores
    FOR EACH ROW EXECUTE FUNCTION espalier_team.note_store();
`;

/** Keys are roles of Postgres, which keeps their hashes. Only these functions make or revoke them. */
export function keyFunctions(team: string): string {
  return `
  CREATE OR REPLACE FUNCTION espalier_team.add_key(name text, role text, verifier text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$ BEGIN
      IF name !~ '^${team}_[a-z0-9]{1,24}$' OR role NOT IN ('${keyRoles.join("', '")}')
        OR verifier !~ '^SCRAM-SHA-256\\$[0-9]+:[A-Za-z0-9+/=]+\\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$' THEN
        RAISE EXCEPTION 'A key needs a name of its team, a role and a SCRAM-SHA-256 verifier.' USING ERRCODE = '22023';
      END IF;
      EXECUTE format('CREATE ROLE %I LOGIN PASSWORD %L IN ROLE %I', name, verifier, 'espalier_${team}_' || role);
      INSERT INTO espalier_team.keys (name, role, made_by) VALUES (add_key.name, add_key.role, session_user);
      PERFORM espalier_team.note('key', name || ' may ' || role);
    END $$;
  CREATE OR REPLACE FUNCTION espalier_team.revoke_key(key text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$ DECLARE may text; BEGIN
      UPDATE espalier_team.keys SET revoked = now() WHERE name = key AND revoked IS NULL RETURNING role INTO may;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'The team has no key "%".', key USING ERRCODE = '22023';
      END IF;
      EXECUTE format('ALTER ROLE %I NOLOGIN PASSWORD NULL', key);
      -- In Postgres 14 a key may have made others its members.
      EXECUTE format('REVOKE %I FROM %I', 'espalier_${team}_' || may, key);
      PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = key AND pid <> pg_backend_pid();
      PERFORM espalier_team.note('key', key || ' was revoked');
    END $$;
  CREATE OR REPLACE FUNCTION espalier_team.set_quota(of text, amount numeric) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$ BEGIN
      INSERT INTO espalier_team.quotas (kind, most) VALUES (of, amount)
      ON CONFLICT (kind) DO UPDATE SET most = excluded.most;
      PERFORM espalier_team.note('quota', amount || ' ' || of);
    END $$;`;
}

/** History is added to and never changed, not even by the team. */
const addedTo = ['episodes', 'attachments', 'certificates'];
const onlyRead = ['stores', 'format', 'migrations'];

/** Everybody may write large objects, where nothing counts them. Only a superuser can forbid that, for a database. */
const revokeLargeObjects = `DO $$ DECLARE found regprocedure; BEGIN
    FOR found IN SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
      AND proname IN ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_open', 'lo_put', 'lowrite')
    LOOP EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', found); END LOOP;
  EXCEPTION WHEN insufficient_privilege THEN NULL; END $$;`;

/** What the keys of a team may do in its database. Partitions are reached by their tables alone. */
export function teamGrants(team: string): string {
  const [read, run, administer] = keyRoles.map(role => groupOf(team, role)) as [string, string, string];
  return `
  DO $$ BEGIN
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO ${read}, ${run}, ${administer}', current_database());
  END $$;
  REVOKE ALL ON SCHEMA public FROM PUBLIC;
  ${revokeLargeObjects}
  REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA espalier, espalier_team FROM PUBLIC;
  GRANT ${read} TO ${run};
  GRANT ${run} TO ${administer};
  GRANT USAGE ON SCHEMA espalier, ${queueSchema}, espalier_team TO ${read};
  GRANT USAGE ON ALL SEQUENCES IN SCHEMA espalier, ${queueSchema} TO ${run};
  DO $$ DECLARE found record; BEGIN
    FOR found IN SELECT relname, nspname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname IN ('espalier', '${queueSchema}') AND relkind IN ('r', 'p', 'v') AND NOT relispartition
    LOOP
      EXECUTE format('GRANT SELECT ON %I.%I TO ${read}', found.nspname, found.relname);
      IF found.relname = ANY('{${addedTo.join(',')}}') THEN
        EXECUTE format('GRANT INSERT ON %I.%I TO ${run}', found.nspname, found.relname);
      ELSIF found.relname <> ALL('{${onlyRead.join(',')}}') THEN
        EXECUTE format('GRANT INSERT, UPDATE, DELETE ON %I.%I TO ${run}', found.nspname, found.relname);
      END IF;
      IF found.nspname = '${queueSchema}' AND found.relname LIKE '\\_private%' THEN
        EXECUTE format('DROP POLICY IF EXISTS looks ON %I.%I', found.nspname, found.relname);
        EXECUTE format('DROP POLICY IF EXISTS works ON %I.%I', found.nspname, found.relname);
        EXECUTE format('CREATE POLICY looks ON %I.%I FOR SELECT TO ${read} USING (true)', found.nspname, found.relname);
        EXECUTE format('CREATE POLICY works ON %I.%I TO ${run} USING (true) WITH CHECK (true)', found.nspname, found.relname);
      END IF;
    END LOOP;
  END $$;
  ALTER FUNCTION espalier.make_store(text) SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
  GRANT EXECUTE ON FUNCTION espalier.make_store(text) TO ${run};
  GRANT EXECUTE ON FUNCTION espalier_team.usage() TO ${read};
  GRANT SELECT ON espalier_team.audit, espalier_team.keys TO ${administer};
  GRANT EXECUTE ON FUNCTION espalier_team.add_key(text, text, text), espalier_team.revoke_key(text) TO ${administer};`;
}
