import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync, Zip, ZipDeflate } from 'fflate';
import { createFileSink } from '../rows/file-sink.ts';

/** A ZIP archive that is written member by member. The same members give the same bytes. */
export interface ZipFile {
  add(name: string, text: string): void;
  /** Bytes so far. */
  size(): number;
  finish(): { readonly bytes: number; readonly sha256: string };
  /** Closes the file as it is, unless it is finished. */
  abandon(): void;
}

/** The first day that the format knows: the time of writing is no part of the content. It has no time zone either. */
const noTime = new Date(1980, 0, 1);

/** Without ZIP64: callers begin another file long before 4 GiB or 65,535 members. */
export function createZipFile(path: string): ZipFile {
  const sink = createFileSink(path);
  let size = 0;
  const zip = new Zip((failure, bytes) => {
    if (failure !== null) throw failure;
    sink.write(bytes);
    size += bytes.length;
  });
  return {
    size: () => size,
    abandon: sink.abandon,
    add(name, text) {
      const member = new ZipDeflate(name, { level: 6 });
      member.mtime = noTime;
      zip.add(member);
      member.push(Buffer.from(text), true);
    },
    finish() {
      zip.end();
      return sink.close();
    },
  };
}

/** The texts of an archive, member by member. */
export function readZipTexts(path: string): string[] {
  return Object.values(unzipSync(readFileSync(path))).map(bytes => strFromU8(bytes));
}
