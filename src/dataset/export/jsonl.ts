import type { Json } from '../../core/json.ts';
import type { Column, Row } from './columns.ts';
import { createFileSink } from './file-sink.ts';
import type { RowWriter } from './writer.ts';

const chunkBytes = 2 ** 20;

/** One row a line. */
export function createJsonlWriter(path: string, columns: readonly Column[]): RowWriter {
  const sink = createFileSink(path);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  const encode = createEncoder(columns);
  let filled = 0;
  let rows = 0;

  const flush = (): void => {
    sink.write(buffer.subarray(0, filled));
    filled = 0;
  };
  return {
    write(row) {
      const line = encode(row);
      // No character takes more than three bytes for each of its code units.
      const most = line.length * 3;
      if (most > chunkBytes - filled) flush();
      if (most > chunkBytes) sink.write(Buffer.from(line));
      else filled += buffer.write(line, filled);
      rows++;
    },
    finish() {
      flush();
      return { rows, ...sink.close() };
    },
    abandon: sink.abandon,
  };
}

/** The same as `JSON.stringify`, but a text that a column repeats from row to row, such as its tools, is escaped once. */
function createEncoder(columns: readonly Column[]): (row: Row) => string {
  const names = columns.map(({ name }, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  const last: (Json | undefined)[] = columns.map(() => undefined);
  const lastText: string[] = columns.map(() => '');
  return row => {
    let line = '';
    for (let index = 0; index < columns.length; index++) {
      const value = row[columns[index]?.name as string];
      if (value !== last[index]) {
        last[index] = value;
        lastText[index] = JSON.stringify(value);
      }
      line += names[index] as string;
      line += lastText[index] as string;
    }
    return `${line}}\n`;
  };
}
