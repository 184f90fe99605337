import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { Json } from '../../core/json.ts';
import type { Column, Row } from './columns.ts';
import { createFileSink } from './file-sink.ts';
import type { RowWriter } from './writer.ts';

/** Rows that are held at a time: what a file takes of memory, however long it gets. */
const rowsPerGroup = 2000;

/** A column for every member of a row. Messages are lists of JSON: as structs, each would get members it does not have. */
export function createParquetWriter(path: string, columns: readonly Column[]): RowWriter {
  const sink = createFileSink(path);
  const bytes = new ByteWriter();
  const flush = (): void => {
    sink.write(bytes.getBytes());
    bytes.index = 0;
  };
  const parquet = new ParquetWriter({
    writer: Object.assign(bytes, { flush, finish: flush }),
    schema: schemaOf(columns),
    codec: 'ZSTD',
    compressors: { ZSTD: zstdCompressSync },
  });
  let group: Row[] = [];
  let rows = 0;

  const writeGroup = (): void => {
    const columnData = columns.map(column => ({
      name: column.name,
      data: group.map(row => cellOf(column, row[column.name] as Json)),
    }));
    void parquet.write({ columnData, rowGroupSize: rowsPerGroup });
    group = [];
  };
  return {
    write(row) {
      group.push(row);
      rows++;
      if (group.length === rowsPerGroup) writeGroup();
    },
    finish() {
      if (group.length > 0) writeGroup();
      void parquet.finish();
      return { rows, ...sink.close() };
    },
    abandon: sink.abandon,
  };
}

function cellOf({ type }: Column, value: Json): unknown {
  return type === 'int' && value !== null ? BigInt(value as number) : value;
}

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)];
}

function elementsOf({ name, type, nullable }: Column): SchemaElement[] {
  const repetition_type = nullable ? 'OPTIONAL' : 'REQUIRED';
  switch (type) {
    case 'string':
      return [{ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type }];
    case 'int':
      return [{ name, type: 'INT64', repetition_type }];
    case 'float':
      return [{ name, type: 'DOUBLE', repetition_type }];
    case 'boolean':
      return [{ name, type: 'BOOLEAN', repetition_type }];
    case 'messages':
    case 'strings':
      return [
        { name, repetition_type, converted_type: 'LIST', num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        {
          name: 'element',
          type: 'BYTE_ARRAY',
          converted_type: type === 'messages' ? 'JSON' : 'UTF8',
          repetition_type: 'REQUIRED',
        },
      ];
  }
}
