import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { env } from 'node:process';
import { EspalierError } from '../../../core/errors.ts';
import type { SqlValue } from './store.ts';

/** A psql that stays connected to one database. */
export interface Psql {
  /** Runs statements and `COPY … TO STDOUT`; gives what they print. Throws with the first error. */
  run(script: string): Promise<string>;
  close(): Promise<void>;
}

const flags = ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--no-password'];

/** Postgres speaks through its own client: no package is needed for it. */
export async function openPsql(url: string): Promise<Psql> {
  const child = spawn('psql', [...flags, url], { env: { ...env, PGCONNECT_TIMEOUT: '5', PGCLIENTENCODING: 'UTF8' } });
  let [printed, said, turns] = ['', '', 0];
  let wake = (): void => undefined;
  const gone = once(child, 'close').then(() => wake());
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
    wake();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
    wake();
  });
  // A psql that is gone takes no more; its end says why.
  child.stdin.on('error', () => undefined);
  await once(child, 'spawn').catch((cause: unknown) => {
    throw unavailable('psql does not start', cause);
  });
  const answer = async (mark: string): Promise<string> => {
    for (;;) {
      const end = printed.indexOf(mark);
      if (end !== -1 && said.includes(mark)) {
        const text = printed.slice(0, end);
        printed = printed.slice(end + mark.length);
        return text;
      }
      if (child.exitCode !== null) throw unavailable(`psql ended (${said.trim()})`);
      await new Promise<void>(resolve => {
        wake = resolve;
      });
    }
  };
  const run = async (script: string): Promise<string> => {
    const mark = `-- end ${turns++} of espalier --\n`;
    said = '';
    // Errors go to the other stream: both are read up to the mark.
    child.stdin.write(`${script}\n\\echo '${mark.trim()}'\n\\warn '${mark.trim()}'\n`);
    const text = await answer(mark);
    const [error] = /ERROR: .*/.exec(said) ?? [];
    if (error !== undefined) throw new Error(error);
    return text;
  };
  await run('SELECT 1;');
  return {
    run,
    async close() {
      child.stdin.end('\\q\n');
      await gone;
    },
  };
}

/** Runs statements in a connection of their own. */
export async function runOnce(url: string, script: string): Promise<string> {
  const psql = await openPsql(url);
  try {
    return await psql.run(script);
  } finally {
    await psql.close();
  }
}

/** A query with its values in the places `$1`, `$2`. */
export function withValues(query: string, values: readonly SqlValue[]): string {
  return query.replaceAll(/\$(\d+)/g, (whole, index: string) => {
    const value = values[Number(index) - 1];
    return value === undefined ? whole : literal(value);
  });
}

function literal(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'::bytea`;
  if (typeof value !== 'string') return String(value);
  return `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

function unavailable(message: string, cause?: unknown): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `Postgres cannot be asked: ${message}.`,
    expected:
      'Expected psql (apt-get install postgresql-client), and the address of a database with a role that is superuser.',
    cause,
  });
}
