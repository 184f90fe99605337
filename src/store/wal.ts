import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { EspalierError } from '../core/errors.ts';
import { isOpenHere } from './file.ts';

// The format of the log: https://sqlite.org/fileformat2.html#the_write_ahead_log
const headerBytes = 32;
const frameHeaderBytes = 24;
const magics = { little: 0x377f0682, big: 0x377f0683 };

/** What is wrong with the log of a store that was not closed. */
interface WalDamage {
  readonly what: string;
  /** Where, to see whether it stays there. */
  readonly at: number;
}

/**
 * Refuses a store whose log was damaged or cut off. SQLite reads such a log up to the first frame that does not fit and
 * says nothing of the rest: episodes would be missing without a word.
 */
export function checkWal(path: string): void {
  const first = findDamage(path);
  if (first === null) return;
  // A writer beside may have been in the middle of a frame: then the second look differs.
  const second = findDamage(path);
  if (second === null || second.at !== first.at) return;
  throw new EspalierError({
    boundary: 'store',
    code: 'corrupt-record',
    message: `${path}-wal, the log of the last writes, is damaged: ${second.what}.`,
    expected:
      `Put back a copy of it. To go on without what was lost, keep what can be read: ` +
      `sqlite3 ${path} "PRAGMA wal_checkpoint(TRUNCATE)"; a resumed run does the missing episodes again.`,
  });
}

/** Bytes of writes that are in the log only. */
export function walBytes(path: string): number {
  return withFile(`${path}-wal`, file => fstatSync(file).size) ?? 0;
}

function findDamage(path: string): WalDamage | null {
  // Before the log: what it counts is in the log already.
  const index = readIndex(path);
  return withFile(`${path}-wal`, file => {
    const { size } = fstatSync(file);
    if (size === 0) return index === null ? null : { what: 'it is empty', at: 0 };
    const log = openLog(file, size);
    return log === null
      ? { what: 'its beginning cannot be read, and nothing after it', at: 0 }
      : findBadFrame(log, index);
  });
}

interface Frame {
  /** Of this round of the log: frames of an earlier one have other salts. */
  readonly isOurs: boolean;
  readonly isCommit: boolean;
  /** The checksum that it says, and the one that it should say after such a frame. */
  readonly sums: Sums;
  sumsAfter(before: Sums): Sums;
}

interface Log {
  readonly frames: number;
  readonly salts: Buffer;
  readonly sums: Sums;
  read(index: number): Frame;
}

function findBadFrame({ frames, salts, sums: first, read }: Log, index: Index | null): WalDamage | null {
  let good = 0;
  let sums = first;
  for (; good < frames; good++) {
    const frame = read(good);
    if (!frame.isOurs || !isSame(frame.sums, frame.sumsAfter(sums))) break;
    sums = frame.sums;
  }
  let all = index !== null && index.salts.equals(salts) ? Math.max(index.frames, good) : good;
  // A writer that was killed leaves frames behind that were never committed. One that ends a transaction, and fits the
  // frame before it, was committed.
  let before = good < frames ? read(good) : null;
  for (let at = good + 1; at < frames; at++) {
    const frame = read(at);
    if (frame.isOurs && frame.isCommit && before?.isOurs === true && isSame(frame.sums, frame.sumsAfter(before.sums)))
      all = Math.max(all, at + 1);
    before = frame;
  }
  return all === good ? null : { what: `${all - good} of its ${all} frames cannot be read`, at: good };
}

/** Null when the header of the log is none. */
function openLog(file: number, size: number): Log | null {
  const header = readAt(file, 0, headerBytes);
  if (header.length < headerBytes) return null;
  const magic = header.readUInt32BE(0);
  const pageBytes = header.readUInt32BE(8);
  const isSize = pageBytes >= 512 && pageBytes <= 65_536 && (pageBytes & (pageBytes - 1)) === 0;
  if ((magic !== magics.little && magic !== magics.big) || !isSize) return null;
  const isLittle = magic === magics.little;
  const sums = sumsAt(header, 24);
  if (!isSame(sums, addTo([0, 0], header.subarray(0, 24), isLittle))) return null;
  const salts = header.subarray(16, 24);
  const frameBytes = frameHeaderBytes + pageBytes;
  return {
    frames: Math.floor((size - headerBytes) / frameBytes),
    salts,
    sums,
    read(index) {
      const frame = readAt(file, headerBytes + index * frameBytes, frameBytes);
      if (frame.length < frameBytes) return { isOurs: false, isCommit: false, sums: [0, 0], sumsAfter: sum => sum };
      return {
        isOurs: frame.subarray(8, 16).equals(salts),
        isCommit: frame.readUInt32BE(4) !== 0,
        sums: sumsAt(frame, 16),
        sumsAfter: start =>
          addTo(addTo(start, frame.subarray(0, 8), isLittle), frame.subarray(frameHeaderBytes), isLittle),
      };
    },
  };
}

type Sums = readonly [number, number];

function isSame(left: Sums, right: Sums): boolean {
  return left[0] === right[0] && left[1] === right[1];
}

function sumsAt(bytes: Buffer, at: number): Sums {
  return [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
}

function addTo([first, second]: Sums, bytes: Buffer, isLittle: boolean): Sums {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [low, high] = [first, second];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    low = (low + words.getUint32(at, isLittle) + high) >>> 0;
    high = (high + words.getUint32(at + 4, isLittle) + low) >>> 0;
  }
  return [low, high];
}

interface Index {
  readonly frames: number;
  readonly salts: Buffer;
}

/** The index of the log, which a killed writer leaves behind: how many frames there were; null when it says nothing. */
function readIndex(path: string): Index | null {
  // Its locks belong to a connection of this process, which has looked at the log before.
  if (isOpenHere(`${path}-shm`)) return null;
  const header = withFile(`${path}-shm`, file => readAt(file, 0, 96));
  // The header stands there twice, in the byte order of the machine that wrote it.
  if (header === null || header.length < 96 || !header.subarray(0, 48).equals(header.subarray(48))) return null;
  const isLittle = header.readUInt32LE(0) === 3_007_000;
  if (!isLittle && header.readUInt32BE(0) !== 3_007_000) return null;
  const frames = isLittle ? header.readUInt32LE(16) : header.readUInt32BE(16);
  return frames === 0 ? null : { frames, salts: header.subarray(32, 40) };
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

/** Null when there is no such file, or none that may be read. */
function withFile<T>(path: string, work: (file: number) => T): T | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}
