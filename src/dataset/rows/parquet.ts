import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Column, Row } from './columns.ts';
import { createFileSink } from './file-sink.ts';
import type { RowWriter } from './writer.ts';

/** Rows, members of their lists and characters that are held at a time: what a file takes of memory, however long. */
const rowsPerGroup = 2000;
const membersPerGroup = 2 ** 20;
const charactersPerGroup = 2 ** 25;

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
  let members = 0;
  let characters = 0;

  const writeGroup = (): void => {
    const columnData = columns.map(column => ({
      name: column.name,
      data: group.map(row => cellOf(column, row[column.name] as Json)),
    }));
    void parquet.write({ columnData, rowGroupSize: rowsPerGroup });
    group = [];
    members = 0;
    characters = 0;
  };
  return {
    write(row) {
      group.push(row);
      rows++;
      for (const value of Object.values(row)) if (Array.isArray(value)) members += value.length;
      for (const { name, type } of columns) if (type === 'messages') characters += charactersIn(row[name]);
      const isFull = members >= membersPerGroup || characters >= charactersPerGroup;
      if (group.length === rowsPerGroup || isFull) writeGroup();
    },
    finish() {
      if (group.length > 0) writeGroup();
      void parquet.finish();
      return { rows, ...sink.close() };
    },
    abandon: sink.abandon,
  };
}

/** Of messages, nearly: what their texts have. */
function charactersIn(messages: Json | undefined): number {
  let characters = 0;
  for (const message of (messages ?? []) as readonly JsonObject[]) {
    const { content } = message;
    if (typeof content === 'string') characters += content.length;
    else if (Array.isArray(content))
      for (const part of content as readonly JsonObject[]) characters += String(part['text'] ?? '').length;
  }
  return characters;
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
    case 'object':
      return [{ name, type: 'BYTE_ARRAY', converted_type: 'JSON', repetition_type }];
    case 'messages':
    case 'strings':
    case 'ints':
    case 'floats':
    case 'booleans':
      return [
        { name, repetition_type, converted_type: 'LIST', num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', ...memberOf[type], repetition_type: 'REQUIRED' },
      ];
  }
}

/** Token ids take no more than 32 bits. */
const memberOf: Readonly<Record<string, Pick<SchemaElement, 'type' | 'converted_type'>>> = {
  messages: { type: 'BYTE_ARRAY', converted_type: 'JSON' },
  strings: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  ints: { type: 'INT32' },
  floats: { type: 'DOUBLE' },
  booleans: { type: 'BOOLEAN' },
};
