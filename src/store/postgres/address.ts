import { invalidOption } from '../../core/errors.ts';

/** A store in Postgres: the database, and the name of the store in it. */
export interface PostgresAddress {
  readonly database: string;
  readonly store: string;
  /** Where large attachments lie; null for the database itself. */
  readonly blobs: string | null;
}

export function isPostgres(address: string): boolean {
  return /^postgres(ql)?:\/\//.test(address);
}

/** `postgres://user:password@host:5432/database?store=name`, and `&blobs=…` for large attachments on S3. */
export function readAddress(address: string): PostgresAddress {
  const url = URL.canParse(address) ? new URL(address) : null;
  const store = url?.searchParams.get('store') ?? '';
  if (url === null || store === '')
    throw invalidOption(
      'The address of a store in Postgres names no store.',
      'Expected an address such as postgres://user@host:5432/database?store=name.',
    );
  url.searchParams.delete('store');
  return { ...withoutBlobs(url.href), store };
}

/** The address of a database apart from that of the blobs beside it. */
export function withoutBlobs(address: string): Omit<PostgresAddress, 'store'> {
  const url = new URL(address);
  const blobs = url.searchParams.get('blobs');
  url.searchParams.delete('blobs');
  return { database: url.href, blobs };
}
