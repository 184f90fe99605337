import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { crc32, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { growPictured, withPictures } from '../../test/fixtures/pictures/with-pictures.ts';
import { makeFormat4 } from '../../test/fixtures/certify/old-store.ts';
import { madeEpisode } from '../../test/fixtures/store-writer.ts';
import type { Certification } from '../core/episode/certificate.ts';
import type { StoredEpisode } from '../core/episode/journal.ts';
import { sealTask, type Task } from '../core/records.ts';
import { episodeColumns, sealOf } from './rows.ts';
import { openStore } from './store.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-store-'));
  path = join(folder, 'episodes.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Format 2 has seals, format 1 none; neither has pictures. */
const tables = (format: 1 | 2): string => `
  PRAGMA application_id = ${0x45737061};
  CREATE TABLE meta (format INTEGER NOT NULL, flushed INTEGER NOT NULL) STRICT;
  INSERT INTO meta VALUES (${format}, 0);
  CREATE TABLE packs (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
  CREATE TABLE blobs (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, pack INTEGER NOT NULL, start INTEGER NOT NULL,
    length INTEGER NOT NULL) STRICT;
  CREATE TABLE events (seq INTEGER PRIMARY KEY, attempt INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
    blob INTEGER${format === 1 ? '' : ', seal INTEGER NOT NULL'}) STRICT;
  CREATE INDEX events_of_attempt ON events (attempt);
  CREATE TABLE episodes (attempt INTEGER PRIMARY KEY, run TEXT NOT NULL, key TEXT NOT NULL, phase TEXT NOT NULL,
    round INTEGER NOT NULL, place INTEGER NOT NULL, outcome TEXT NOT NULL, events INTEGER NOT NULL,
    task INTEGER NOT NULL, head TEXT NOT NULL, ending TEXT NOT NULL${format === 1 ? '' : ', seal INTEGER NOT NULL'},
    UNIQUE (run, key)) STRICT;
  CREATE INDEX episodes_in_order ON episodes (run, phase, round, place);
`;

/** Writes a store as older formats did: the first without seals, and without forks among the counts. */
function writeOld(format: 1 | 2, episodes: readonly StoredEpisode[]): void {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; ${tables(format)} BEGIN`);
  const put = (text: string): number => {
    const bytes = Buffer.from(text);
    const address = hash('sha256', bytes, 'buffer');
    const known = database.prepare('SELECT id FROM blobs WHERE hash = ?').get(address);
    if (known !== undefined) return Number(known['id']);
    const pack = database.prepare('INSERT INTO packs (body) VALUES (?)').run(zstdCompressSync(bytes)).lastInsertRowid;
    const blob = database.prepare('INSERT INTO blobs (hash, pack, start, length) VALUES (?, ?, 0, ?)');
    return Number(blob.run(address, pack, bytes.length).lastInsertRowid);
  };
  const insert = (table: string, columns: string, values: readonly SQLInputValue[]): void => {
    const sealed = format === 1 ? values : [...values, crc32(values.join('\n'))];
    const names = format === 1 ? columns : `${columns}, seal`;
    database.prepare(`INSERT INTO ${table} (${names}) VALUES (${sealed.map(() => '?').join()})`).run(...sealed);
  };
  const event = (...values: SQLInputValue[]): void => insert('events', 'attempt, kind, body, blob', values);
  for (const [index, { head, events, end }] of episodes.entries()) {
    const attempt = index + 1;
    const { task, ...rest } = head;
    const headText = JSON.stringify(rest);
    const blob = put(JSON.stringify(task));
    event(attempt, 'begin', headText, blob);
    for (const { kind, ...told } of events) {
      const { screen, ...body } = { screen: undefined, kind, ...told };
      event(attempt, kind, JSON.stringify(body), screen === undefined ? null : put(screen));
    }
    const { certification: _certification, ...ended } = end;
    const { forks, ...counts } = end.counts;
    const ending = JSON.stringify({ ...ended, counts: format === 1 ? counts : { ...counts, forks } });
    event(attempt, 'end', ending, null);
    const { run, key, phase, round } = head;
    const found = [attempt, run, key, phase, round, head.index, end.outcome, events.length, blob, headText, ending];
    insert('episodes', 'attempt, run, key, phase, round, place, outcome, events, task, head, ending', found);
  }
  database.exec('COMMIT');
  database.close();
}

function setFormat(format: number): void {
  const database = new DatabaseSync(path);
  database.exec(`UPDATE meta SET format = ${format}`);
  database.close();
}

const old = Array.from({ length: 4 }, (_, index) => madeEpisode('run', index * 10));

describe('formats of the store', () => {
  it.each([1, 2] as const)('[STO-9] brings a store of format %i up to date, and goes on writing to it', format => {
    writeOld(format, old);
    const store = openStore({ path });
    expect([...store.episodes()]).toEqual(old);
    const pictured = withPictures(madeEpisode('run', 40));
    const added = pictured.episode;
    growPictured(store, pictured).end(added.end);
    store.close();
    const reader = openStore({ path, readOnly: true });
    expect([...reader.episodes()]).toEqual([...old, added]);
    for (const [address, data] of pictured.pictures) expect(reader.attachment(address)).toEqual(data);
    reader.close();
    const database = new DatabaseSync(path);
    const ends = database.prepare("SELECT body FROM events WHERE kind = 'end' ORDER BY seq").all();
    expect(ends.map(({ body }) => JSON.parse(body as string) as unknown)).toEqual(
      [...old, added].map(({ end }) => end),
    );
    database.close();
  });

  it('[STO-9] brings a store of format 3 up to date: it had no calls of models', () => {
    const store = openStore({ path });
    for (const episode of old) growPictured(store, { episode, pictures: new Map() }).end(episode.end);
    store.close();
    const database = new DatabaseSync(path);
    database.exec('DROP TABLE certificates; DROP INDEX calls_of_blob; UPDATE meta SET format = 3');
    database.close();
    expect(() => openStore({ path, readOnly: true })).toThrow(expect.objectContaining({ code: 'unsupported' }));
    const opened = openStore({ path });
    expect([...opened.episodes()]).toEqual(old);
    opened.close();
    const after = new DatabaseSync(path);
    expect(after.prepare("SELECT name FROM sqlite_schema WHERE name = 'calls_of_blob'").get()).toBeDefined();
    after.close();
  });

  it('[STO-9] reads side effects of version 0.1, which called them trespasses, for reading and for writing', () => {
    const store = openStore({ path });
    for (const episode of old) growPictured(store, { episode, pictures: new Map() }).end(episode.end);
    store.close();
    const database = new DatabaseSync(path);
    database.function('seal', { varargs: true }, (...values) => sealOf(values));
    database.exec(`
      UPDATE events SET body = replace(body, '"sideEffects"', '"trespasses"');
      UPDATE episodes SET ending = replace(ending, '"sideEffects"', '"trespasses"');
      UPDATE events SET seal = seal(attempt, kind, body, blob);
      UPDATE episodes SET seal = seal(${episodeColumns});
    `);
    const [changed] = database.prepare("SELECT count(*) AS n FROM events WHERE body LIKE '%trespasses%'").all();
    database.close();
    expect(changed?.['n']).toBeGreaterThan(0);
    for (const readOnly of [true, false]) {
      const opened = openStore({ path, readOnly });
      expect([...opened.episodes()]).toEqual(old);
      opened.close();
    }
  });

  it('[STO-9] brings a store of format 4 up to date: what its episodes need before they are trained on is told by their tasks and steps', () => {
    const taskOf = (index: number, change: Partial<Task>): StoredEpisode => {
      const { head, ...rest } = madeEpisode('run', index);
      return { ...rest, head: { ...head, task: sealTask({ ...head.task, ...change }) } };
    };
    const byKey = (episode: StoredEpisode): StoredEpisode => ({
      ...episode,
      events: episode.events.map(event => {
        if (event.kind !== 'step') return event;
        return { ...event, node: { ...event.node, action: { kind: 'press', key: 'Enter' } } };
      }),
    });
    const made = taskOf(0, {});
    const imported = taskOf(10, { parameters: {}, patch: [] });
    const harness = taskOf(20, { environment: 'proxy' });
    const ofUser = taskOf(30, { environment: 'lamp' });
    const byHand = byKey(taskOf(60, {}));
    const store = openStore({ path });
    for (const episode of [made, imported, harness, ofUser, byHand])
      growPictured(store, { episode, pictures: new Map() }).end(episode.end);
    store.close();
    makeFormat4(path);
    const opened = openStore({ path });
    const said = (episode: StoredEpisode, certification: Certification): StoredEpisode => ({
      ...episode,
      end: { ...episode.end, certification },
    });
    expect([...opened.episodes()]).toEqual([
      said(made, 'by-construction'),
      said(imported, 'by-replay'),
      said(harness, 'none'),
      said(ofUser, 'by-replay'),
      said(byHand, 'by-replay'),
    ]);
    const agreed = { result: 'agreed', leaf: imported.end.leaf, milliseconds: 3 } as const;
    opened.certify(imported.head, agreed);
    expect([...opened.summaries()].map(({ certificates }) => certificates)).toEqual([[], [agreed], [], [], []]);
    opened.close();
  });

  it.each([1, 2] as const)(
    '[STO-9] asks for an upgrade when a store of format %i is opened for reading only',
    format => {
      writeOld(format, old);
      expect(() => openStore({ path, readOnly: true })).toThrow(
        expect.objectContaining({
          boundary: 'store',
          code: 'unsupported',
          expected: expect.stringContaining('for writing'),
        }),
      );
    },
  );

  it('[STO-9] leaves an older store as it was when the upgrade fails', () => {
    writeOld(1, old);
    const database = new DatabaseSync(path);
    database.exec("UPDATE episodes SET ending = '{' WHERE attempt = 3");
    database.close();
    expect(() => openStore({ path })).toThrow(expect.objectContaining({ boundary: 'store', code: 'corrupt-record' }));
    const after = new DatabaseSync(path);
    expect(after.prepare('SELECT format FROM meta').get()).toEqual({ format: 1 });
    expect(after.prepare('SELECT * FROM events LIMIT 1').get()).not.toHaveProperty('seal');
    after.close();
  });

  it('[STO-9] refuses a store of a newer format, for writing and for reading, and does not touch it', () => {
    openStore({ path }).close();
    setFormat(6);
    const before = readFileSync(path);
    for (const readOnly of [false, true]) {
      expect(() => openStore({ path, readOnly })).toThrow(
        expect.objectContaining({
          boundary: 'store',
          code: 'unsupported',
          message: expect.stringContaining('has format 6'),
          expected: expect.stringContaining('newer version of Espalier'),
        }),
      );
    }
    expect(readFileSync(path)).toEqual(before);
    setFormat(5);
    openStore({ path }).close();
  });
});
