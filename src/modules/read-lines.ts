import { closeSync, openSync, readSync } from 'node:fs';

/** The lines of a file of any size, one after another. */
export function* readLines(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const buffer = new Uint8Array(1 << 20);
    const decoder = new TextDecoder();
    let rest = '';
    for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer)) {
      const lines = (rest + decoder.decode(buffer.subarray(0, size), { stream: true })).split('\n');
      rest = lines.pop() as string;
      yield* lines;
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(file);
  }
}
