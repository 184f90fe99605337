import { causeText, EspalierError, invalidModule } from '../core/errors.ts';
import { columns, columnTypes, type Column, type ColumnType, type Row } from './rows/columns.ts';
import { exporters, type ExportedEpisode, type Exporter } from './tables/tables.ts';

/** A table as a user's module exports it. */
export interface TableModule {
  readonly name: string;
  readonly about?: string;
  /** `{ steps: 'int', reason: 'string?' }`: a question mark allows null. */
  readonly columns: Readonly<Record<string, ColumnType | `${ColumnType}?`>> | readonly Column[];
  /** `training` when left out. */
  readonly episodes?: 'training' | 'all';
  rows(episode: ExportedEpisode): Iterable<Row>;
}

/** The table of a user's: every row is held against its columns, and what it throws names the table and the episode. */
export function ownTable(given: TableModule): Exporter {
  const { name, about = '', episodes = 'training' } = given;
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    throw invalidModule(
      `The table "${name}" cannot be a file name.`,
      'Expected lower-case words joined by -, such as step-counts.',
    );
  if (exporters.names.includes(name) || ['advantages', 'weighed'].includes(name) || name.startsWith('tokens-'))
    throw invalidModule(`The table "${name}" has the name of a built-in one.`, 'Expected another name.');
  const own = readColumns(name, given.columns);
  return {
    name,
    about,
    episodes,
    pictured: false,
    columns: own,
    *rows(episode) {
      const at = `Table "${name}", episode ${episode.record.head.key}`;
      for (const row of walk(() => given.rows(episode), at)) {
        requireColumns(row, own, at);
        yield Object.fromEntries(own.map(column => [column.name, row[column.name] ?? null]));
      }
    },
  };
}

function readColumns(table: string, given: TableModule['columns']): readonly Column[] {
  const found = Array.isArray(given) ? (given as readonly Column[]) : columns(given as Parameters<typeof columns>[0]);
  if (found.length === 0) throw invalidModule(`The table "${table}" has no columns.`, 'Expected at least one.');
  const wrong = found.find(({ type }) => !columnTypes.includes(type));
  if (wrong === undefined) return found;
  throw invalidModule(
    `The column "${wrong.name}" of table "${table}" has the type "${wrong.type}".`,
    `Expected one of: ${columnTypes.join(', ')}; with a ? behind it, it may be null.`,
  );
}

/** The rows of a user's function; what it throws is told with the place. */
function* walk(make: () => Iterable<Row>, at: string): Iterable<Row> {
  try {
    yield* make();
  } catch (cause) {
    if (cause instanceof EspalierError) throw cause;
    throw invalidModule(
      `${at}: \`rows\` threw: ${causeText(cause)}.`,
      'Expected rows, or none, for every finished episode.',
    );
  }
}

const fits: Readonly<Record<ColumnType, (value: unknown) => boolean>> = {
  string: value => typeof value === 'string',
  int: value => Number.isSafeInteger(value),
  float: value => typeof value === 'number' && Number.isFinite(value),
  boolean: value => typeof value === 'boolean',
  object: isObject,
  messages: value => Array.isArray(value) && value.every(isObject),
  strings: value => Array.isArray(value) && value.every(fitsString),
  ints: value => Array.isArray(value) && value.every(Number.isSafeInteger),
  floats: value => Array.isArray(value) && value.every(Number.isFinite),
  booleans: value => Array.isArray(value) && value.every(item => typeof item === 'boolean'),
};

function fitsString(value: unknown): boolean {
  return typeof value === 'string';
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function requireColumns(row: Row, own: readonly Column[], at: string): void {
  for (const { name, type, nullable } of own) {
    const value = row[name] ?? null;
    if (value === null ? nullable : fits[type](value)) continue;
    const came = value === null ? 'nothing' : JSON.stringify(value).slice(0, 80);
    throw invalidModule(`${at}: the column "${name}" has ${came}.`, `Expected ${type}${nullable ? ' or null' : ''}.`);
  }
  const names = new Set(own.map(({ name }) => name));
  const extra = Object.keys(row).find(name => !names.has(name));
  if (extra !== undefined)
    throw invalidModule(
      `${at}: the row has "${extra}", which is no column.`,
      `Expected only: ${[...names].join(', ')}.`,
    );
}
