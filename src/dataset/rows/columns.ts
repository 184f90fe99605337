import type { JsonObject } from '../../core/json.ts';

/** How a column is stored: `messages` is a list of JSON objects, one for each message of a chat; `object` is one. */
export const columnTypes = [
  'string',
  'int',
  'float',
  'boolean',
  'object',
  'messages',
  'strings',
  'ints',
  'floats',
  'booleans',
] as const;
export type ColumnType = (typeof columnTypes)[number];

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
}

/** A row as it is written: its members are the columns of its table, in their order. */
export type Row = JsonObject;

/** One kind of rows, and the columns that every row of it has. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** `text?` may be null. */
export function columns(specification: Readonly<Record<string, ColumnType | `${ColumnType}?`>>): readonly Column[] {
  return Object.entries(specification).map(([name, type]) => ({
    name,
    type: type.replace('?', '') as ColumnType,
    nullable: type.endsWith('?'),
  }));
}
