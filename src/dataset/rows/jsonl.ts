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

/**
 * The same as `JSON.stringify`, but what rows repeat is made a text once: a value that a column has again, such as its
 * tools, and a message that is part of many requests.
 */
function createEncoder(columns: readonly Column[]): (row: Row) => string {
  const names = columns.map(({ name }, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  const last: (Json | undefined)[] = columns.map(() => undefined);
  const lastText: string[] = columns.map(() => '');
  const messages = createMessagesEncoder();
  return row => {
    let line = '';
    for (let index = 0; index < columns.length; index++) {
      const value = row[columns[index]?.name as string];
      if (value !== last[index]) {
        last[index] = value;
        lastText[index] = columns[index]?.type === 'messages' ? messages(value as Json) : JSON.stringify(value);
      }
      line += names[index] as string;
      line += lastText[index] as string;
    }
    return `${line}}\n`;
  };
}

function createMessagesEncoder(): (messages: Json) => string {
  const texts = new WeakMap<object, string>();
  const textOf = (message: Json): string => {
    if (typeof message !== 'object' || message === null) return JSON.stringify(message);
    let text = texts.get(message);
    if (text === undefined) texts.set(message, (text = JSON.stringify(message)));
    return text;
  };
  return messages => (Array.isArray(messages) ? `[${messages.map(textOf).join(',')}]` : JSON.stringify(messages));
}
