import type { JsonObject } from '../../core/json.ts';

/** How a column is stored: `messages` is a list of JSON objects, one for each message of a chat; `object` is one. */
export type ColumnType =
  | 'string'
  | 'int'
  | 'float'
  | 'boolean'
  | 'object'
  | 'messages'
  | 'strings'
  | 'ints'
  | 'floats'
  | 'booleans';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
}

/** A row as it is written: its members are the columns of its table, in their order. */
export type Row = JsonObject;

export const tableNames = [
  'next-actions',
  'corrections',
  'preferences',
  'episodes',
  'tokens-trl',
  'tokens-verl',
  'tokens-skyrl',
  'tokens-prime-rl',
] as const;
type TableName = (typeof tableNames)[number];

/** One kind of rows, and the columns that every row of it has. */
export interface Table {
  readonly name: TableName;
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
