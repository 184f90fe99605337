import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { madeEpisode } from '../../test/fixtures/store-writer.ts';
import type { EpisodeEvent } from '../core/episode/events.ts';
import { openStore, type Store } from './store.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-sync-'));
  path = join(folder, 'episodes.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const step = madeEpisode('run', 0).events[1] as Extract<EpisodeEvent, { kind: 'step' }>;
const eventsPerEpisode = 100;

/** Screens that do not compress well, so that the log grows by several MiB. */
function writeEpisodes(store: Store, first: number, count: number): void {
  for (let index = first; index < first + count; index++) {
    const { head, end } = madeEpisode('run', index);
    const log = store.begin(head);
    for (let event = 0; event < eventsPerEpisode; event++) {
      const screen = randomBytes(3000).toString('base64');
      log.append({ ...step, screen });
    }
    log.end(end);
  }
}

/** Events in the file of the store alone, without its log. */
function checkpointed(): number {
  const copy = join(folder, 'copy.db');
  copyFileSync(path, copy);
  const database = new DatabaseSync(copy);
  const row = database.prepare('SELECT count(*) AS count FROM events').get();
  database.close();
  rmSync(copy);
  return Number(row?.['count']);
}

describe('syncing in a thread', () => {
  it('[STO-17] checkpoints a long log while the store is written, and a commit never does', async () => {
    const store = openStore({ path });
    const sync = store.syncInThread();
    writeEpisodes(store, 0, 60);
    // More than what makes a commit checkpoint by itself otherwise.
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(16 * 2 ** 20);
    expect(() => checkpointed()).toThrow(/no such table/);
    await sync.sync();
    expect(checkpointed()).toBe(60 * (eventsPerEpisode + 2));
    const longest = statSync(`${path}-wal`).size;
    for (let round = 1; round <= 2; round++) {
      writeEpisodes(store, round * 60, 60);
      await sync.sync();
    }
    expect(statSync(`${path}-wal`).size).toBeLessThan(longest * 2);
    await sync.close();
    store.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  it('[STO-17] tells when the log cannot be synced, and goes on', async () => {
    const store = openStore({ path });
    const sync = store.syncInThread();
    await sync.sync();
    rmSync(`${path}-wal`);
    await expect(sync.sync()).rejects.toThrow(/could not be synced: .*ENOENT/);
    await sync.close();
  });
});

describe('files beside the store', () => {
  it('[STO-17] are synced after it, as far as they are there', async () => {
    const store = openStore({ path });
    const beside = join(folder, 'sessions.jsonl');
    const sync = store.syncInThread([beside]);
    await sync.sync();
    writeFileSync(beside, 'a line\n');
    await sync.sync();
    rmSync(beside);
    // A folder cannot be opened for writing, which shows that the file is.
    mkdirSync(beside);
    await expect(sync.sync()).rejects.toThrow(/could not be synced: .*EISDIR/);
    await sync.close();
    store.close();
  });
});

describe('texts that are written again and again', () => {
  it('[STO-18] are written anew after a transaction that failed', () => {
    const store = openStore({ path });
    const other = new DatabaseSync(path);
    other.exec(`CREATE TRIGGER fail BEFORE INSERT ON packs BEGIN SELECT raise(ABORT, 'no room'); END`);
    const { head, end } = madeEpisode('run', 0);
    const log = store.begin(head);
    log.append({ ...step, screen: 'the same screen' });
    expect(() => store.save()).toThrow(/no room/);
    other.exec('DROP TRIGGER fail');
    other.close();
    log.append({ ...step, screen: 'the same screen' });
    log.end(end);
    const [read] = [...store.episodes()];
    const same = { screen: 'the same screen' };
    expect(read?.events).toMatchObject([same, same]);
    store.close();
  });
});
