import { execFile } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

const pageBytes = 4096;
const entryBytes = 8;
/** Upper words of an entry of `/proc/<pid>/pagemap`: in memory or swapped out, and of a file. */
const isThere = 0xc0000000;
const isOfFile = 0x20000000;
const mostPages = 256;

/**
 * The memory of a stopped machine as a file: a copy of the file that it maps privately, with the pages that it wrote since. Holes stay
 * holes.
 */
export async function saveMemory(pid: number, base: string, into: string): Promise<void> {
  await promisify(execFile)('cp', ['--sparse=auto', base, into]);
  const { start, pages } = mappingOf(pid, base);
  const entries = Buffer.alloc(pages * entryBytes);
  const [map, memory, file] = [
    openSync(`/proc/${pid}/pagemap`, 'r'),
    openSync(`/proc/${pid}/mem`, 'r'),
    openSync(into, 'r+'),
  ];
  try {
    readSync(map, entries, 0, entries.length, (start / pageBytes) * entryBytes);
    const buffer = Buffer.alloc(mostPages * pageBytes);
    for (let page = 0; page < pages; ) {
      let count = 0;
      while (count < mostPages && page + count < pages && isPrivate(entries, page + count)) count++;
      if (count > 0) {
        readSync(memory, buffer, 0, count * pageBytes, start + page * pageBytes);
        writeSync(file, buffer, 0, count * pageBytes, page * pageBytes);
      }
      page += Math.max(1, count);
    }
  } finally {
    for (const open of [map, memory, file]) closeSync(open);
  }
}

function isPrivate(entries: Buffer, page: number): boolean {
  const word = entries.readUInt32LE(page * entryBytes + 4);
  return (word & isThere) !== 0 && (word & isOfFile) === 0;
}

function mappingOf(pid: number, path: string): { readonly start: number; readonly pages: number } {
  const line = readFileSync(`/proc/${pid}/maps`, 'utf8')
    .split('\n')
    .find(each => each.endsWith(path));
  const [, from = '0', to = '0'] = /^([\da-f]+)-([\da-f]+) /.exec(line ?? '') ?? [];
  const [start, end] = [Number.parseInt(from, 16), Number.parseInt(to, 16)];
  return { start, pages: (end - start) / pageBytes };
}
