import { corrupt, damaged, unavailable, wrongFormat } from '../faults.ts';
import type { BlockingConnection } from './blocking.ts';
import { currentFormat, partitionedTables, tables } from './statements.ts';

/** A lock of Postgres for whoever makes tables: two programs may start at once. "Espa". */
const makingLock = 0x45737061;

const partitions = partitionedTables.map(
  table => `EXECUTE format('CREATE TABLE espalier.%I PARTITION OF espalier.${table} FOR VALUES IN (%s)',
    '${table}_' || number, number);`,
);

/** Makes a store with a name where there is none: its row, and its partitions. A function, which others may be allowed to call. */
const makeStore = `
  CREATE FUNCTION espalier.make_store(wanted text) RETURNS void LANGUAGE plpgsql AS $make$
  DECLARE number int; BEGIN
    PERFORM pg_advisory_xact_lock(${makingLock});
    IF NOT EXISTS (SELECT 1 FROM espalier.stores WHERE name = wanted) THEN
      INSERT INTO espalier.stores (name) VALUES (wanted) RETURNING id INTO number;
      ${partitions.join('\n')}
    END IF;
  END $make$
`;

/** What makes the tables where there are none. One statement after the other, in one transaction. */
const prepareDatabase = `
  DO $$ BEGIN
    IF to_regprocedure('espalier.make_store(text)') IS NOT NULL THEN RETURN; END IF;
    PERFORM pg_advisory_xact_lock(${makingLock});
    IF to_regclass('espalier.format') IS NULL THEN
      EXECUTE $tables$${tables}$tables$;
    END IF;
    IF to_regprocedure('espalier.make_store(text)') IS NULL THEN
      EXECUTE $function$${makeStore}$function$;
    END IF;
  END $$`;

const findStore = 'SELECT id FROM espalier.stores WHERE name = $1';
const findFormat = 'SELECT to_regclass(\'espalier.format\') IS NOT NULL AS "isMade"';
const readFormat = 'SELECT format FROM espalier.format';

/** The number of a store that is there, in a database of this format; nothing where something has to be made or refused. */
export const findKnownStore = `SELECT id FROM espalier.stores, espalier.format WHERE name = $1 AND format = ${currentFormat}`;

/** The number of a store, made where needed or refused. */
export function openNumber(connection: BlockingConnection, name: string, mustExist: boolean): number {
  const { address } = connection;
  if (!mustExist) connection.query(prepareDatabase);
  const [made] = connection.query<{ isMade: boolean }>(findFormat);
  if (made?.isMade !== true) throw missing(address, name);
  checkFormat(address, connection.query<{ format: number }>(readFormat)[0]?.format);
  const known = connection.query<{ id: number }>(findStore, [name])[0]?.id;
  if (known !== undefined) return known;
  if (mustExist) throw missing(address, name);
  connection.query('SELECT espalier.make_store($1)', [name]);
  const id = connection.query<{ id: number }>(findStore, [name])[0]?.id;
  if (id === undefined) throw corrupt(address, `does not keep the store ${name}`);
  return id;
}

function checkFormat(address: string, format: number | undefined): void {
  if (format === undefined) throw damaged(address, 'it does not say its format');
  if (format !== currentFormat)
    throw wrongFormat(address, `format ${format}`, `Expected format ${currentFormat}: use the Espalier that wrote it.`);
}

function missing(address: string, name: string): ReturnType<typeof unavailable> {
  return unavailable(address, `holds no store "${name}"`, 'Expected a store that a run has written.');
}
