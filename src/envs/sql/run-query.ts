import { z } from 'zod';
import { after, type Awaitable } from '../../core/contracts.ts';
import { languageSchema } from '../code/sandbox/languages.ts';
import type { AnyRunner, ProgramRunner, RunOutcome } from '../code/sandbox/run-program.ts';

/**
 * Runs in the sandbox: for each data set of the input it fills a new database, runs the query in a transaction, rolls back, and
 * prints the rows with digests of the database before the query, after it, and after the rollback.
 */
const script = `
const system = require('node:process');
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { DatabaseSync } = require('node:sqlite');
const source = readFileSync(system.argv[1], 'utf8').trim();
const mostRows = 1000;
// JSON writes an infinite number as null: it would pass for a value that is not known.
const plain = value =>
  value instanceof Uint8Array ? 'x' + Buffer.from(value).toString('hex') : value === Infinity || value === -Infinity ? String(value) : value;
const digestOf = database => {
  const hash = createHash('sha256');
  for (const { name, sql } of database.prepare('SELECT name, sql FROM main.sqlite_master ORDER BY name').all()) {
    hash.update(JSON.stringify([name, sql]));
    if (!/^\\s*CREATE\\s+TABLE/i.test(sql ?? '')) continue;
    const rows = database.prepare('SELECT * FROM main."' + name.replaceAll('"', '""') + '"').all();
    hash.update(JSON.stringify(rows.map(row => Object.values(row).map(plain))));
  }
  return hash.digest('hex');
};
for (const fill of JSON.parse(readFileSync(0, 'utf8'))) {
  const database = new DatabaseSync(':memory:');
  database.exec(fill);
  const before = digestOf(database);
  const outcome = { rows: [], before };
  database.exec('BEGIN');
  try {
    const statement = database.prepare(source);
    // Only the first statement is compiled: this is what comes after it.
    const rest = source.slice(statement.sourceSQL.length).replace(/--[^\\n]*|\\/\\*[^]*?(?:\\*\\/|$)|[\\s;]/g, '');
    if (rest !== '') throw new Error('Expected one statement, but there is more after it. Leave the rest out.');
    statement.setReturnArrays(true);
    for (const row of statement.iterate()) {
      if (outcome.rows.push(row.map(plain)) > mostRows) throw new Error('The query gives more than ' + mostRows + ' rows.');
    }
  } catch (cause) {
    outcome.error = String(cause.message).slice(0, 500);
  }
  outcome.after = digestOf(database);
  try {
    database.exec('ROLLBACK');
  } catch {}
  outcome.rewound = digestOf(database);
  system.stdout.write(JSON.stringify(outcome) + '\\n');
  database.close();
}
`;

const language = languageSchema.parse({
  name: 'sql-query',
  file: 'query.sql',
  run: ['{node}', '--no-warnings', '--max-old-space-size=256', '-e', script, '{file}'],
  memory: 3072,
  processes: 32,
});

const cell = z.union([z.string(), z.number(), z.null()]);
const runSchema = z.object({
  rows: z.array(z.array(cell)),
  error: z.string().optional(),
  before: z.string(),
  after: z.string(),
  rewound: z.string(),
});

/** What a query gave on one data set. */
export interface QueryRun {
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** What the database said, where the query failed. */
  readonly error: string | null;
  /** Whether the query changed the database. */
  readonly changed: boolean;
  /** Whether the database is as before once the query is rolled back. */
  readonly restored: boolean;
}

/** What a query gave on each data set. A text says why there are no results. */
export type QueryRuns = readonly QueryRun[] | string;

/** Runs an agent's query on data sets, each in a database of its own. A promise where the runner works in the background. */
export function runQuery(runner: ProgramRunner, source: string, fills: readonly string[]): QueryRuns;
export function runQuery(runner: AnyRunner, source: string, fills: readonly string[]): Awaitable<QueryRuns>;
export function runQuery(runner: AnyRunner, source: string, fills: readonly string[]): Awaitable<QueryRuns> {
  const running = after(runner.prepare(language, source), prepared =>
    'run' in prepared ? prepared.run(JSON.stringify(fills)) : prepared,
  );
  return after(running, runsIn);
}

function runsIn(outcome: RunOutcome): QueryRuns {
  if (outcome.kind === 'time-limit') return 'The query takes too long.';
  if (outcome.kind === 'output-limit') return 'The query gives too much.';
  if (outcome.kind === 'disk-limit') return 'The query takes too much disk.';
  if (outcome.kind !== 'done') return 'errors' in outcome ? `The query failed: ${outcome.errors}` : 'The query failed.';
  const runs = outcome.output
    .trim()
    .split('\n')
    .map(line => runSchema.parse(JSON.parse(line)));
  return runs.map(run => ({
    rows: run.rows,
    error: run.error ?? null,
    changed: run.after !== run.before,
    restored: run.rewound === run.before,
  }));
}
