import { hash, randomBytes } from 'node:crypto';
import { openPsql, runOnce, withValues, type Psql } from './psql.ts';
import type { Store, StoreState } from './store.ts';

/** Databases of sessions: each is made from a template, and dropped at its end. */
export interface PostgresDatabases {
  /** The address of the template: what is in it, sessions start with. */
  template(): Promise<string>;
  open(): Promise<Store>;
  close(): Promise<void>;
}

/** @param url a database that nobody is connected to: it is copied once */
export function createPostgresDatabases(url: string): PostgresDatabases {
  const named = (name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  // Names only, so that runs beside each other never meet.
  const draw = (): string => `espalier_${randomBytes(6).toString('hex')}`;
  const copy = async (from: string): Promise<string> => {
    const name = draw();
    await runOnce(named('postgres'), `CREATE DATABASE ${name} TEMPLATE "${from}";`);
    return name;
  };
  const drop = async (name: string): Promise<void> => {
    await runOnce(named('postgres'), `DROP DATABASE IF EXISTS ${name} WITH (FORCE);`);
  };
  let made: Promise<string> | null = null;
  const template = (): Promise<string> => (made ??= copy(decodeURIComponent(new URL(url).pathname.slice(1))));
  return {
    template: async () => named(await template()),
    async open() {
      const name = await copy(await template());
      return createStore(named(name), () => drop(name));
    },
    async close() {
      const name = await made?.catch(() => null);
      if (typeof name === 'string') await drop(name);
    },
  };
}

interface Table {
  readonly name: string;
  /** Tells the versions of its rows: each that is written has a place and a transaction of its own. */
  readonly versions: string;
  /** Its rows as COPY has them. */
  readonly rows: string;
}

interface PostgresState extends StoreState {
  readonly schema: string;
  readonly tables: readonly Table[];
  readonly sequences: string;
}

/** The rows of a database, read and written in place: the connections of the server stay. */
function createStore(url: string, drop: () => Promise<void>): Store {
  let psql: Promise<Psql> | null = null;
  let last: PostgresState | null = null;
  const opened = (): Promise<Psql> => (psql ??= openPsql(url));
  const capture = async (): Promise<PostgresState> => {
    const state = await read(await opened(), last);
    last = state;
    return state;
  };
  return {
    values: { postgres: url },
    capture,
    async restore(given, current) {
      const [wanted, now] = [given as PostgresState, current as PostgresState];
      if (wanted.schema !== now.schema) throw new Error('the tables of the database were altered since');
      await write(await opened(), wanted, now);
    },
    async sql(query, ...values) {
      const text = withValues(query.replace(/;\s*$/, ''), values);
      const rows = await (await opened()).run(`SELECT coalesce(json_agg(row), '[]') FROM (${text}) AS row;`);
      return JSON.parse(rows) as Record<string, unknown>[];
    },
    async close() {
      await (await psql?.catch(() => null))?.close();
      await drop();
    },
  };
}

const ours = `NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`;

const schemaQuery = `SELECT md5(coalesce(string_agg(line, E'\\n' ORDER BY line), '')) FROM (
  SELECT concat_ws(' ', table_schema, table_name, column_name, data_type, column_default, is_nullable) AS line
  FROM information_schema.columns WHERE table_schema ${ours}
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname ${ours}
  UNION ALL SELECT concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
) AS lines;`;

const tablesQuery = `SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname ${ours} ORDER BY 1;`;

const sequencesQuery = `SELECT format('SELECT setval(%L, %s, %L);', format('%I.%I', schemaname, sequencename),
  coalesce(last_value, start_value), last_value IS NOT NULL) FROM pg_sequences ORDER BY 1;`;

async function read(psql: Psql, last: PostgresState | null): Promise<PostgresState> {
  // The first line that comes back is the schema.
  const schema = (await psql.run(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;\n${schemaQuery}`)).trim();
  try {
    const names = lines(await psql.run(tablesQuery));
    const sequences = await psql.run(sequencesQuery);
    const versions = lines(await psql.run(names.map(versionsQuery).join('\n')));
    const known = new Map((last?.tables ?? []).map(table => [`${table.name} ${table.versions}`, table.rows]));
    const tables: Table[] = [];
    for (const [index, name] of names.entries()) {
      const version = versions[index] ?? '';
      const rows = known.get(`${name} ${version}`) ?? (await psql.run(`COPY ${name} TO STDOUT;`));
      tables.push({ name, versions: version, rows });
    }
    const content = [schema, sequences, ...tables.map(({ name, rows }) => [name, rows])];
    return { text: hash('sha256', JSON.stringify(content)), schema, tables, sequences };
  } finally {
    await psql.run('COMMIT;');
  }
}

function versionsQuery(table: string): string {
  return `SELECT count(*) || ' ' || coalesce(sum(hashtextextended(ctid::text || ' ' || xmin::text, 0)), 0) FROM ${table};`;
}

/** Who refers to whom. */
const referencesQuery = `SELECT format('%I.%I', n.nspname, c.relname) || E'\\t' || format('%I.%I', m.nspname, d.relname)
  FROM pg_constraint JOIN pg_class c ON c.oid = conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_class d ON d.oid = confrelid JOIN pg_namespace m ON m.oid = d.relnamespace WHERE contype = 'f';`;

/** Writes the rows of the tables that differ, in one transaction; triggers and references rest meanwhile. */
async function write(psql: Psql, wanted: PostgresState, now: PostgresState): Promise<void> {
  const current = new Map(now.tables.map(({ name, rows }) => [name, rows]));
  const differing = wanted.tables.filter(({ name, rows }) => current.get(name) !== rows).map(({ name }) => name);
  const references = lines(await psql.run(referencesQuery)).map(line => line.split('\t') as [string, string]);
  const emptied = withReferring(differing, references);
  const filling = wanted.tables
    .filter(({ name, rows }) => emptied.has(name) && rows !== '')
    .map(({ name, rows }) => `COPY ${name} FROM STDIN;\n${rows}\\.`);
  try {
    await psql.run('BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL lock_timeout = 2000;');
    if (emptied.size > 0) await psql.run(`TRUNCATE ${[...emptied].join(', ')};`);
    for (const copy of filling) await psql.run(copy);
    await psql.run(`SELECT NULL WHERE false;\n${wanted.sequences}`);
  } catch (cause) {
    await psql.run('ROLLBACK;');
    throw cause;
  }
  await psql.run('COMMIT;');
}

/** Tables, and all that refer to them: none of these can be emptied alone. */
function withReferring(tables: readonly string[], references: readonly (readonly [string, string])[]): Set<string> {
  const found = new Set(tables);
  // A set that grows while it is walked is walked to its end.
  for (const table of found) for (const [from, to] of references) if (to === table) found.add(from);
  return found;
}

function lines(text: string): string[] {
  return text.split('\n').filter(line => line !== '');
}
