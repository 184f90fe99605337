import { crc32, deflateRawSync } from 'node:zlib';
import { createFileSink } from '../export/file-sink.ts';

/** A ZIP archive that is written member by member. The same members give the same bytes. */
export interface ZipFile {
  add(name: string, text: string): void;
  /** Bytes so far. */
  size(): number;
  finish(): { readonly bytes: number; readonly sha256: string };
  /** Closes the file as it is, unless it is finished. */
  abandon(): void;
}

const signatures = { member: 0x04034b50, entry: 0x02014b50, end: 0x06054b50 };
const version = 20;
/** Names are UTF-8. */
const flags = 0x0800;
const deflated = 8;
/** 1 January 1980, the first day that the format knows: the time of writing is no part of the content. */
const time = { clock: 0, day: 0x21 };

interface Member {
  readonly name: Buffer;
  readonly checksum: number;
  readonly packed: number;
  readonly length: number;
  readonly offset: number;
}

/** Without ZIP64: callers begin another file long before 4 GiB or 65,535 members. */
export function createZipFile(path: string): ZipFile {
  const sink = createFileSink(path);
  const members: Member[] = [];
  let offset = 0;
  const write = (bytes: Uint8Array): void => {
    sink.write(bytes);
    offset += bytes.length;
  };
  return {
    size: () => offset,
    abandon: sink.abandon,
    add(name, text) {
      const data = Buffer.from(text);
      const packed = deflateRawSync(data);
      const member = {
        name: Buffer.from(name),
        checksum: crc32(data),
        packed: packed.length,
        length: data.length,
        offset,
      };
      members.push(member);
      write(memberHeader(member));
      write(member.name);
      write(packed);
    },
    finish() {
      const start = offset;
      for (const member of members) {
        write(entryHeader(member));
        write(member.name);
      }
      write(endRecord(members.length, start, offset - start));
      return sink.close();
    },
  };
}

function memberHeader(member: Member): Buffer {
  return Buffer.concat([int32(signatures.member), shared(member)]);
}

function entryHeader(member: Member): Buffer {
  const noCommentDiskOrAttributes = Buffer.alloc(10);
  return Buffer.concat([
    int32(signatures.entry),
    int16(version),
    shared(member),
    noCommentDiskOrAttributes,
    int32(member.offset),
  ]);
}

/** The part that the header of a member and its entry in the directory have in common. */
function shared({ name, checksum, packed, length }: Member): Buffer {
  const noExtra = int16(0);
  return Buffer.concat([
    ...[version, flags, deflated, time.clock, time.day].map(int16),
    ...[checksum, packed, length].map(int32),
    int16(name.length),
    noExtra,
  ]);
}

function endRecord(count: number, start: number, length: number): Buffer {
  return Buffer.concat([
    int32(signatures.end),
    ...[0, 0, count, count].map(int16),
    int32(length),
    int32(start),
    int16(0),
  ]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
