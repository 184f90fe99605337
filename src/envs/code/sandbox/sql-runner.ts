/** Runs in the sandbox: fills a database from standard input, runs the program, prints the rows of its last query. */
export const sqlRunner = `
const system = require('node:process');
const { readFileSync } = require('node:fs');
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(':memory:');
const text = value =>
  value === null ? 'NULL' : value instanceof Uint8Array ? 'x' + Buffer.from(value).toString('hex') : String(value);
try {
  database.exec(readFileSync(0, 'utf8'));
  const source = readFileSync(system.argv[1], 'utf8').trim();
  const statement = database.prepare(source);
  statement.setReadBigInts(true);
  const names = statement.columns().map(({ name }) => name);
  statement.setReturnArrays(true);
  for (const row of statement.iterate()) system.stdout.write(row.map(text).join('|') + '\\n');
  if (names.length === 0) system.stderr.write('The statement returns no rows: expected a query.\\n');
} catch (cause) {
  system.stderr.write(cause.message + '\\n');
  system.exitCode = 1;
}
`;
