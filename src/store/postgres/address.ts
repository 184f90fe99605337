import { invalidOption } from '../../core/errors.ts';

/** A store in Postgres: the database, and the name of the store in it. */
export interface PostgresAddress {
  readonly database: string;
  readonly store: string;
}

export function isPostgres(address: string): boolean {
  return /^postgres(ql)?:\/\//.test(address);
}

/** `postgres://user:password@host:5432/database?store=name`. */
export function readAddress(address: string): PostgresAddress {
  const url = URL.canParse(address) ? new URL(address) : null;
  const store = url?.searchParams.get('store') ?? '';
  if (url === null || store === '')
    throw invalidOption(
      'The address of a store in Postgres names no store.',
      'Expected an address such as postgres://user@host:5432/database?store=name.',
    );
  url.searchParams.delete('store');
  return { database: url.href, store };
}
