import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { madeEpisode } from '../../test/fixtures/store-writer.ts';
import type { EpisodeLog, Journal, StoredEpisode } from '../core/episode/journal.ts';
import { EspalierError, type ErrorCode } from '../core/errors.ts';
import { createRandom } from '../core/random.ts';
import { openDatabase } from './database.ts';
import { prepareStore } from './format.ts';
import { createJournalWriter } from './journal.ts';
import { openStore, type Store } from './store.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-store-'));
  path = join(folder, 'episodes.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const made = Array.from({ length: 12 }, (_, index) => madeEpisode('run', index));
const isRoot = process.getuid?.() === 0;

function grow(journal: Pick<Journal, 'begin'>, { head, events }: StoredEpisode): EpisodeLog {
  const log = journal.begin(head);
  for (const event of events) log.append(event);
  return log;
}

function writeMade(): void {
  const store = openStore({ path });
  for (const episode of made) grow(store, episode).end(episode.end);
  store.close();
}

function alter(sql: string): void {
  const database = new DatabaseSync(path, { defensive: false });
  database.exec(sql);
  database.close();
}

function query(sql: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(sql).all();
  database.close();
  return rows;
}

/** Everything there is, by every way there is. */
function readAll(): { keys: number; episodes: StoredEpisode[] } {
  const store = openStore({ path, readOnly: true });
  try {
    const summaries = [...store.summaries()];
    const keys = store.done('run').size;
    const episodes = [...store.episodes()];
    expect(summaries).toHaveLength(episodes.length);
    return { keys, episodes };
  } finally {
    store.close();
  }
}

const fault = (code: ErrorCode, message: RegExp): unknown =>
  expect.objectContaining({ boundary: 'store', code, message: expect.stringMatching(message) });

/** The fault that the work ended in; null when it went well. */
function faultOf(work: () => unknown): EspalierError | null {
  try {
    work();
    return null;
  } catch (cause) {
    if (cause instanceof EspalierError) return cause;
    throw cause;
  }
}

/** Does the work without the powers of root, which nothing is forbidden to. */
function asNobody(work: () => void): void {
  if (!isRoot) return work();
  process.seteuid?.(65534);
  try {
    work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('damage', () => {
  it('[STO-10] refuses a file that is no database, and leaves it alone', () => {
    writeFileSync(path, 'dear diary');
    for (const readOnly of [true, false]) {
      expect(() => openStore({ path, readOnly })).toThrow(fault('corrupt-record', /is not a database/));
    }
    expect(readFileSync(path, 'utf8')).toBe('dear diary');
    expect(existsSync(`${path}-lock`)).toBe(false);
  });

  it('[STO-10] refuses a database of somebody else, and leaves it alone', () => {
    alter('CREATE TABLE meta (format); INSERT INTO meta VALUES (2)');
    const before = readFileSync(path);
    for (const readOnly of [true, false]) {
      expect(() => openStore({ path, readOnly })).toThrow(fault('corrupt-record', /not a store of Espalier/));
    }
    expect(readFileSync(path)).toEqual(before);
  });

  it('[STO-10] refuses a store that was cut off', () => {
    writeMade();
    const size = statSync(path).size;
    for (const share of [0.95, 0.5, 0.1, 0.01]) {
      truncateSync(path, Math.floor(size * share));
      expect(readAll).toThrow(fault('corrupt-record', /is damaged|is not a database/));
      expect(() => {
        const store = openStore({ path });
        try {
          store.done('run');
        } finally {
          store.close();
        }
      }).toThrow(fault('corrupt-record', /is damaged|is not a database/));
    }
  });

  it('[STO-10] never gives back anything but what was written, whichever bytes are flipped', () => {
    writeMade();
    const sound = readAll();
    const bytes = readFileSync(path);
    const random = createRandom('flip');
    let refused = 0;
    for (let round = 0; round < 300; round++) {
      const damaged = Buffer.from(bytes);
      const start = random.between(0, bytes.length - 1);
      for (let at = start; at < Math.min(bytes.length, start + random.between(1, 40)); at++) {
        damaged[at] = random.between(0, 255);
      }
      for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
      writeFileSync(path, damaged);
      const refusal = faultOf(() => expect(readAll()).toEqual(sound));
      expect(refusal?.boundary ?? 'store').toBe('store');
      if (refusal !== null) refused++;
    }
    expect(refused).toBeGreaterThan(75);
  });

  it('[STO-10] refuses a text that does not fit its hash, or is not there', () => {
    const damages: [string, RegExp][] = [
      ['UPDATE blobs SET hash = zeroblob(32) WHERE id = 3', /does not fit its hash/],
      ['UPDATE blobs SET start = start + 1 WHERE id = 3', /does not fit its hash/],
      ["UPDATE packs SET body = x'00' WHERE id = 1", /cannot be unpacked/],
      ['DELETE FROM packs WHERE id = 1', /a text is missing/],
      ["DELETE FROM blobs WHERE id = (SELECT blob FROM events WHERE kind = 'step' LIMIT 1)", /a screen .* is missing/],
      ['DELETE FROM blobs WHERE id = 1', /the task of .* is missing/],
    ];
    writeMade();
    copyFileSync(path, `${path}.sound`);
    for (const [damage, message] of damages) {
      copyFileSync(`${path}.sound`, path);
      alter(damage);
      expect(readAll).toThrow(fault('corrupt-record', message));
    }
  });

  it('[STO-10] refuses events and episodes that were altered, lost or added', () => {
    const damages: [string, RegExp][] = [
      [
        "UPDATE events SET body = substr(body, 2) WHERE kind = 'step' AND attempt = 2",
        /event of attempt 2 was altered/,
      ],
      ["UPDATE events SET blob = blob + 1 WHERE kind = 'step' AND attempt = 2", /event of attempt 2 was altered/],
      ["DELETE FROM events WHERE kind = 'review' AND attempt = 2", /has \d+ of its \d+ events/],
      ["UPDATE events SET attempt = 3 WHERE kind = 'review' AND attempt = 2", /has \d+ of its \d+ events/],
      ["UPDATE episodes SET outcome = 'passed' WHERE outcome = 'failed'", /record of episode .* was altered/],
      ["UPDATE episodes SET run = 'other' WHERE attempt = 2", /record of episode .* was altered/],
      ['DROP TABLE events', /no such table/],
    ];
    writeMade();
    copyFileSync(path, `${path}.sound`);
    for (const [damage, message] of damages) {
      copyFileSync(`${path}.sound`, path);
      alter(damage);
      expect(readAll).toThrow(fault('corrupt-record', message));
    }
  });

  it('[STO-10] notices an index that has lost an episode, or has lost its order', () => {
    const damages: [string, RegExp][] = [
      ['(run, phase, round, place) WHERE attempt <> 3', /1 of its 12 episodes cannot be found/],
      ['(run, phase, round, place DESC)', /out of order/],
    ];
    writeMade();
    copyFileSync(path, `${path}.sound`);
    for (const [columns, message] of damages) {
      copyFileSync(`${path}.sound`, path);
      alter(`
        CREATE TEMP TABLE declared AS SELECT sql FROM main.sqlite_schema WHERE name = 'episodes_in_order';
        DROP INDEX episodes_in_order;
        CREATE INDEX episodes_in_order ON episodes ${columns};
        PRAGMA writable_schema = ON;
        UPDATE main.sqlite_schema SET sql = (SELECT sql FROM declared) WHERE name = 'episodes_in_order';
      `);
      expect(readAll).toThrow(fault('corrupt-record', message));
    }
  });
});

describe('places that cannot hold a store', () => {
  it('[STO-11] says what is wrong with the path', () => {
    expect(() => openStore({ path: join(folder, 'no', 'episodes.db') })).toThrow(
      fault('unavailable', /there is no folder .*no\./),
    );
    expect(() => openStore({ path: folder })).toThrow(fault('unavailable', /is a folder/));
    expect(() => openStore({ path, readOnly: true })).toThrow(fault('unavailable', /is not there/));
    writeFileSync(path, '');
    expect(() => openStore({ path, readOnly: true })).toThrow(fault('unavailable', /is empty/));
    expect(() => openStore({ path: join(path, 'episodes.db') })).toThrow(fault('unavailable', /there is no folder/));
    openStore({ path }).close();
  });

  it('[STO-11] says that it may not', () => {
    writeMade();
    const locked = join(folder, 'locked');
    mkdirSync(locked, { mode: 0o700 });
    copyFileSync(path, join(locked, 'episodes.db'));
    chmodSync(folder, 0o755);
    if (!isRoot) chmodSync(locked, 0o000);
    chmodSync(path, 0o444);
    asNobody(() => {
      expect(() => openStore({ path: join(locked, 'episodes.db') })).toThrow(fault('unavailable', /may not be read/));
    });
    if (!isRoot) chmodSync(folder, 0o555);
    asNobody(() => {
      expect(() => openStore({ path })).toThrow(fault('unavailable', /cannot be used/));
      expect(() => openStore({ path: join(folder, 'new.db') })).toThrow(fault('unavailable', /cannot be used/));
    });
    chmodSync(folder, 0o755);
    chmodSync(locked, 0o700);
  });

  it('[STO-7] meets the lock of its writer by another name as well', () => {
    const store = openStore({ path });
    symlinkSync(path, join(folder, 'alias.db'));
    expect(() => openStore({ path: join(folder, 'alias.db') })).toThrow(
      fault('locked', /is being written by another run/),
    );
    store.close();
  });
});

describe('a full disk', () => {
  it('[STO-12] refuses what does not fit, keeps what waits, and goes on when there is space', () => {
    const database = openDatabase({ path, readOnly: false, patience: 0 });
    prepareStore(database);
    const journal = createJournalWriter(database);
    const [first, second, third] = made as [StoredEpisode, StoredEpisode, StoredEpisode];
    grow(journal, first).end(first.end);
    database.execute('PRAGMA max_page_count = 1');
    const log = grow(journal, second);
    const other = grow(journal, third);
    expect(() => log.end(second.end)).toThrow(fault('disk-full', /the disk is full/));
    expect(() => journal.flush()).toThrow(fault('disk-full', /Make space and go on/));
    expect(readAll().episodes).toEqual([first]);
    database.execute('PRAGMA max_page_count = 1000000');
    other.end(third.end);
    log.end(second.end);
    database.close();
    expect(readAll().keys).toBe(3);
    expect(readAll().episodes).toHaveLength(3);
    // What failed left no trace in what was written after it.
    expect(query('SELECT pack FROM blobs GROUP BY pack HAVING min(start) > 0')).toEqual([]);
  });

  it('[STO-12] does not take an event that there is no room for, so that it can be offered again', () => {
    const database = openDatabase({ path, readOnly: false, patience: 0 });
    prepareStore(database);
    const journal = createJournalWriter(database);
    const { head, events, end } = made[1] as StoredEpisode;
    database.execute('PRAGMA max_page_count = 1');
    const log = journal.begin(head);
    const many = Array.from({ length: 400 }, (_, index) => events[index % events.length]!);
    let refusals = 0;
    for (const event of many) {
      while (faultOf(() => log.append(event))?.code === 'disk-full') {
        if (++refusals === 3) database.execute('PRAGMA max_page_count = 1000000');
      }
    }
    log.end(end);
    database.close();
    expect(refusals).toBe(3);
    expect(readAll().episodes).toEqual([{ head, events: many, end, certificates: [] }]);
  });

  it.runIf(isRoot)('[STO-12] survives one that is really full', () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
    path = join(disk, 'episodes.db');
    let store: Store | null = null;
    try {
      store = openStore({ path });
      const ended: StoredEpisode[] = [];
      let refusal: EspalierError | null = null;
      let log = grow(store, made[0] as StoredEpisode);
      while (refusal === null) {
        const episode = madeEpisode('full', ended.length * 10);
        log = grow(store, episode);
        refusal = faultOf(() => log.end(episode.end));
        ended.push(episode);
      }
      expect(refusal).toMatchObject({ boundary: 'store', code: 'disk-full' });
      expect(ended.length).toBeGreaterThan(5);
      expect(readAll().episodes).toEqual(ended.slice(0, -1));
      execFileSync('mount', ['-o', 'remount,size=8m', disk]);
      log.end(madeEpisode('full', (ended.length - 1) * 10).end);
      expect(readAll().episodes).toEqual(ended);
    } finally {
      store?.close();
      execFileSync('umount', [disk]);
    }
  });
});
