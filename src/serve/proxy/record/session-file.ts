import { closeSync, fstatSync, openSync, readSync, truncateSync } from 'node:fs';
import { parseRecord } from '../../../core/records.ts';
import { causeText } from '../../../core/errors.ts';
import { storedLineSchema, type StoredLine } from './call-record.ts';

/** A line of a file: what it says, or what is wrong with it. */
export type FoundLine = { readonly line: StoredLine } | { readonly problem: string };

/** A longer line is none that we wrote: a body and an answer are both bounded. */
const longestLine = 400 * 2 ** 20;
const chunkBytes = 2 ** 20;
const openBrace = 0x7b;

/**
 * The lines of a session. One that cannot be read is told, and the others are read all the same. One that was being
 * written when the proxy was killed says nothing, and is cut off: it must not become part of the next.
 */
export function* readSessionFile(path: string): Generator<FoundLine> {
  let number = 0;
  for (const bytes of splitLines(path)) {
    number++;
    if (bytes === null) yield { problem: `line ${number} is longer than ${longestLine} bytes` };
    else if (bytes.length > 0) yield readLine(bytes, number);
  }
}

function readLine(bytes: Buffer, number: number): FoundLine {
  // The cheapest look first: a damaged line may be very long.
  if (bytes[0] !== openBrace) return { problem: `line ${number} is damaged: it is no JSON object` };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { line: parseRecord(storedLineSchema, JSON.parse(text), { what: 'line', code: 'corrupt-record' }) };
  } catch (cause) {
    return { problem: `line ${number} is damaged: ${causeText(cause).slice(0, 200)}` };
  }
}

/** Whole lines without their ends; null for one that is too long. */
function* splitLines(path: string): Generator<Buffer | null> {
  const file = openSync(path, 'r');
  let whole = 0;
  let size = 0;
  try {
    size = fstatSync(file).size;
    let [parts, length]: [Buffer[], number] = [[], 0];
    for (let position = 0; position < size; ) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const read = readSync(file, chunk, 0, chunkBytes, position);
      if (read === 0) break;
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0 && end < read; end = chunk.indexOf(10, start)) {
        parts.push(chunk.subarray(start, end));
        length += end - start;
        yield length > longestLine ? null : Buffer.concat(parts);
        [parts, length, start] = [[], 0, end + 1];
        whole = position + start;
      }
      length += read - start;
      if (length <= longestLine) parts.push(chunk.subarray(start, read));
      else parts = [];
      position += read;
    }
  } finally {
    closeSync(file);
  }
  if (whole < size) truncateSync(path, whole);
}
