import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { madeEpisode } from '../../test/fixtures/store-writer.ts';
import { openStore } from './store.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-wal-'));
  path = join(folder, 'episodes.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const made = Array.from({ length: 12 }, (_, index) => madeEpisode('run', index));

function write(): void {
  const store = openStore({ path });
  for (const { head, events, end } of made) {
    const log = store.begin(head);
    for (const event of events) log.append(event);
    log.end(end);
    store.flush();
  }
  // As if it were killed now: the log is copied before it is taken in.
  mkdirSync(join(folder, 'killed'));
  for (const ending of ['', '-wal', '-shm'])
    copyFileSync(path + ending, join(folder, 'killed', `episodes.db${ending}`));
  store.close();
  path = join(folder, 'killed', 'episodes.db');
}

function count(readOnly = true): number {
  const store = openStore({ path, readOnly });
  try {
    return [...store.summaries()].length;
  } finally {
    store.close();
  }
}

const wal = (): string => `${path}-wal`;
const told = (message: RegExp): unknown =>
  expect.objectContaining({ code: 'corrupt-record', message: expect.stringMatching(message) });

describe('the log of a store that was not closed', () => {
  it.each([true, false])('[STO-14] is read to its end (read-only: %s)', readOnly => {
    write();
    expect(count(readOnly)).toBe(made.length);
  });

  it.each([
    [
      'one byte in the middle',
      (bytes: Buffer) => void bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1),
    ],
    ['its first frame', (bytes: Buffer) => void bytes.fill(0, 32 + 24, 32 + 24 + 100)],
    ['its header', (bytes: Buffer) => void bytes.writeUInt8(7, 20)],
    ['its first bytes', (bytes: Buffer) => void bytes.fill(0, 0, 32)],
  ])('[STO-14] is told as damaged when %s is, with and without its index', (_name, damage) => {
    write();
    const bytes = readFileSync(wal());
    damage(bytes);
    for (const hasIndex of [true, false]) {
      writeFileSync(wal(), bytes);
      if (!hasIndex) rmSync(`${path}-shm`);
      for (const readOnly of [true, false]) {
        expect(() => count(readOnly)).toThrow(told(/-wal, the log of the last writes, is damaged: .*wal_checkpoint/));
      }
    }
    expect(readFileSync(wal())).toEqual(bytes);
  });

  it('[STO-14] is told as damaged when it was cut off, as long as its index is there', () => {
    write();
    const whole = readFileSync(wal());
    for (const share of [0.9, 0.5, 0.1, 0]) {
      writeFileSync(wal(), whole);
      truncateSync(wal(), Math.floor(whole.length * share));
      expect(() => count()).toThrow(told(/is damaged/));
    }
  });

  it('[STO-14] may end in what a killed writer had not committed', () => {
    write();
    const whole = readFileSync(wal());
    rmSync(`${path}-shm`);
    // Half a frame, and frames of an earlier round of the log.
    writeFileSync(wal(), Buffer.concat([whole, whole.subarray(32, 32 + 2000)]));
    expect(count()).toBe(made.length);
    const old = Buffer.from(whole.subarray(32));
    for (let at = 0; at + 24 <= old.length; at += 24 + 4096) old.writeUInt32BE(1, at + 8);
    writeFileSync(wal(), Buffer.concat([whole, old]));
    expect(count(false)).toBe(made.length);
  });
});

describe('a store on a read-only medium', () => {
  const isRoot = process.getuid?.() === 0;
  /** Mounts the folder of the store read-only where that is allowed; else takes the right to write away. */
  function onReadOnly(work: () => void): void {
    const inside = join(path, '..');
    const mount = (...args: string[]): boolean => isRoot && spawnSync('mount', args).status === 0;
    chmodSync(folder, 0o755);
    chmodSync(inside, 0o555);
    const isMounted = mount('--bind', inside, inside) && mount('-o', 'remount,bind,ro', inside);
    const isPowerful = isRoot && !isMounted;
    try {
      // Root may write anywhere but on a read-only mount.
      if (isPowerful) process.seteuid?.(65534);
      work();
    } finally {
      if (isPowerful) process.seteuid?.(0);
      if (isMounted) spawnSync('umount', [inside]);
      chmodSync(inside, 0o755);
    }
  }

  it('[STO-15] is read when it was closed, and nothing is written beside it', () => {
    write();
    path = join(folder, 'closed', 'episodes.db');
    mkdirSync(join(folder, 'closed'));
    copyFileSync(join(folder, 'episodes.db'), path);
    onReadOnly(() => {
      expect(count()).toBe(made.length);
      expect(() => openStore({ path })).toThrow(expect.objectContaining({ code: 'unavailable' }));
    });
    expect(existsSync(wal())).toBe(false);
  });

  it('[STO-15] is refused when writes are in its log only, and says what to do', () => {
    write();
    onReadOnly(() => {
      expect(() => count()).toThrow(
        /bytes of its last writes are in .*-wal, and its folder is read-only\. Copy the folder/,
      );
    });
    cpSync(join(path, '..'), join(folder, 'copy'), { recursive: true });
    path = join(folder, 'copy', 'episodes.db');
    expect(count()).toBe(made.length);
  });
});
