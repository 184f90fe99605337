import { closeSync, fstatSync, ftruncateSync, openSync, writeFileSync } from 'node:fs';

/** Writes a text to an open file. */
export type WriteText = (file: number, text: string) => void;

/**
 * Appends whole lines, or nothing. A full disk may take half a line: it is cut off again, as the next line must not be glued to it.
 */
export function appendLines(path: string, text: string, write: WriteText = writeFileSync): void {
  const file = openSync(path, 'a', 0o600);
  try {
    const { size } = fstatSync(file);
    try {
      write(file, text);
    } catch (cause) {
      ftruncateSync(file, size);
      throw cause;
    }
  } finally {
    closeSync(file);
  }
}
