import { join } from 'node:path';
import type { Column, Row, Table } from './rows/columns.ts';
import { createJsonlWriter } from './rows/jsonl.ts';
import { createParquetWriter } from './rows/parquet.ts';
import type { RowWriter } from './rows/writer.ts';
import type { DatasetFile, Manifest } from './rows/manifest.ts';

export type DatasetFormat = DatasetFile['format'];

/** A table while it is written: once in each format, and counted. */
export interface TableWriter {
  write(row: Row): void;
  finish(): DatasetFile[];
  /** Closes what is still open. */
  abandon(): void;
  counts(): Manifest['counts'][string];
}

export interface TableWriterOptions {
  readonly formats: readonly DatasetFormat[];
  readonly folder: string;
}

const createWriter: Readonly<Record<DatasetFormat, (path: string, columns: readonly Column[]) => RowWriter>> = {
  jsonl: createJsonlWriter,
  parquet: createParquetWriter,
};

export function createTableWriter(table: Table, { formats, folder }: TableWriterOptions): TableWriter {
  const files = formats.map(format => {
    const name = fileName(table, format);
    return { name, format, writer: createWriter[format](join(folder, name), table.columns) };
  });
  const template = createTally();
  const split = createTally();
  const actor = createTally();
  const request = createTally();
  const hasRequests = table.columns.some(({ name }) => name === 'request');
  return {
    write(row) {
      for (const { writer } of files) writer.write(row);
      if (typeof row['template'] === 'string') template.add(`${row['environment']}/${row['template']}`);
      split.add(row['split']);
      actor.add(row['actor_role']);
      request.add(row['request']);
    },
    finish: () =>
      files.map(({ name, format, writer }) => ({
        name,
        table: table.name,
        format,
        ...writer.finish(),
        columns: table.columns.map(column => column.name),
      })),
    abandon() {
      for (const { writer } of files) writer.abandon();
    },
    counts: () => ({
      template: template.counts(),
      split: split.counts(),
      actor: actor.counts(),
      ...(hasRequests ? { request: request.counts() } : {}),
    }),
  };
}

export function fileName({ name }: Pick<Table, 'name'>, format: DatasetFormat): string {
  return `${name}.${format}`;
}

/** Counts texts; a row without the column is not counted. */
function createTally(): { add(key: unknown): void; counts(): Record<string, number> } {
  const counts = new Map<string, number>();
  return {
    add(key) {
      if (typeof key === 'string') counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    counts: () => Object.fromEntries([...counts].toSorted(([left], [right]) => (left < right ? -1 : 1))),
  };
}
