import type { Awaitable } from '../../../core/contracts.ts';

/** What a store held at one moment. Immutable, and comparable by its text. */
export interface StoreState {
  readonly text: string;
}

/** A value in a row, or in the place of a parameter. */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array;

/** Rows of a query as objects. Values take the places `?` of SQLite, `$1` of Postgres. */
export type Sql = (query: string, ...values: readonly SqlValue[]) => Promise<readonly Record<string, unknown>[]>;

/** A place where the server of one session keeps state: a file, a folder, a database. */
export interface Store {
  /** What stands for it in the command and the variables of the server: `{postgres}`. */
  readonly values: Readonly<Record<string, string>>;
  capture(): Promise<StoreState>;
  /** Brings back what was captured in this session; throws when that cannot be. `now` was captured just before. */
  restore(state: StoreState, now: StoreState): Promise<void>;
  readonly sql?: Sql | undefined;
  close(): Awaitable<void>;
}
