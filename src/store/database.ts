import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { storeFault } from './faults.ts';

/** A statement whose rows are of type R: the tables are strict, so SQLite holds them to it. */
interface Statement<R = unknown> {
  run(...values: SQLInputValue[]): number;
  get(...values: SQLInputValue[]): R | undefined;
  all(...values: SQLInputValue[]): R[];
  iterate(...values: SQLInputValue[]): IterableIterator<R>;
}

/** An SQLite database whose faults are errors of ours. */
export interface Database {
  readonly path: string;
  execute(sql: string): void;
  prepare<R>(sql: string): Statement<R>;
  /** All of it or nothing. Inside another one it is a part of that. */
  transaction(work: () => void): void;
  /** Makes a function of ours known to SQL. */
  define(name: string, work: (...values: SQLInputValue[]) => SQLInputValue): void;
  isOpen(): boolean;
  close(): void;
}

interface DatabaseOptions {
  readonly path: string;
  readonly readOnly: boolean;
  /** Nobody writes it: it is read without locks and without files beside it. */
  readonly isImmutable?: boolean;
  /** How long to wait for a lock that another connection holds. */
  readonly patience: number;
}

/** Calls of models are nobody else's business. The files beside a database get its mode; one that is there keeps its own. */
function makePrivate(path: string): void {
  if (path === ':memory:' || existsSync(path)) return;
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch {
    // SQLite says what is wrong with the place.
  }
}

export function openDatabase({ path, readOnly, isImmutable = false, patience }: DatabaseOptions): Database {
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw storeFault(path, cause);
    }
  };
  const place = isImmutable ? new URL(`${pathToFileURL(path).href}?immutable=1`) : path;
  if (!readOnly) makePrivate(path);
  const connection = guard(() => new DatabaseSync(place, { readOnly, timeout: patience }));

  const prepare = <R>(sql: string): Statement<R> => {
    const statement = guard(() => connection.prepare(sql));
    return {
      run: (...values) => guard(() => Number(statement.run(...values).lastInsertRowid)),
      get: (...values) => guard(() => statement.get(...values) as R | undefined),
      all: (...values) => guard(() => statement.all(...values) as R[]),
      *iterate(...values) {
        const rows = guard(() => statement.iterate(...values));
        try {
          for (let row = guard(() => rows.next()); !row.done; row = guard(() => rows.next())) yield row.value as R;
        } finally {
          // A read that is left half-way would hold back the checkpoints of a writer.
          if (connection.isOpen) rows.return?.();
        }
      },
    };
  };

  return {
    path,
    prepare,
    execute: sql => guard(() => connection.exec(sql)),
    transaction: work =>
      guard(() => {
        if (connection.isTransaction) return work();
        connection.exec('BEGIN IMMEDIATE');
        try {
          work();
          connection.exec('COMMIT');
        } catch (cause) {
          // SQLite has rolled back by itself after some faults.
          if (connection.isTransaction) connection.exec('ROLLBACK');
          throw cause;
        }
      }),
    define: (name, work) => connection.function(name, { varargs: true, deterministic: true }, work),
    isOpen: () => connection.isOpen,
    close: () => guard(() => connection.close()),
  };
}
