import { hash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { growPictured, withPictures, type PicturedEpisode } from '../../test/fixtures/pictures/with-pictures.ts';
import { madeEpisode } from '../../test/fixtures/store-writer.ts';
import type { EpisodeEvent } from '../core/episode/events.ts';
import type { StoredEpisode } from '../core/episode/journal.ts';
import { EspalierError } from '../core/errors.ts';
import { createRandom } from '../core/random.ts';
import { openDatabase } from './database.ts';
import { prepareStore } from './format.ts';
import { createJournalWriter } from './journal.ts';
import { openStore } from './store.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-pictures-'));
  path = join(folder, 'episodes.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const made = Array.from({ length: 3 }, (_, index) => withPictures(madeEpisode('run', index * 10)));
const [first, second] = made as [PicturedEpisode, PicturedEpisode];

function writeMade(): void {
  const store = openStore({ path });
  for (const pictured of made) growPictured(store, pictured).end(pictured.episode.end);
  store.close();
}

function alter(sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

function count(table: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.['rows'];
  database.close();
  return rows;
}

/** Every episode, and the pictures that it names. */
function readAll(): { episodes: StoredEpisode[]; pictures: Map<string, string | null> } {
  const store = openStore({ path, readOnly: true });
  try {
    const episodes = [...store.episodes()];
    const pictures = new Map<string, string | null>();
    for (const event of episodes.flatMap(({ events }) => events)) {
      if (event.kind !== 'step' || event.image === undefined) continue;
      const data = store.attachment(event.image.hash);
      pictures.set(event.image.hash, data === null ? null : Buffer.from(data).toString('base64'));
    }
    return { episodes, pictures };
  } finally {
    store.close();
  }
}

/** What the store refused the work with; null when it went well. */
function refusalOf(work: () => unknown): EspalierError | null {
  try {
    work();
    return null;
  } catch (cause) {
    if (cause instanceof EspalierError) return cause;
    throw cause;
  }
}

/** A step on a picture of so many bytes. */
function bigStep(id: number, bytes: number): { event: EpisodeEvent; data: Uint8Array } {
  const data = Buffer.alloc(bytes, `${id} `);
  const step = first.episode.events[1] as Extract<EpisodeEvent, { kind: 'step' }>;
  const image = { ...step.image!, hash: hash('sha256', data, 'hex') };
  return { data, event: { ...step, image } };
}

describe('pictures', () => {
  it('[PIC-1] are read back byte by byte, by the SHA-256 of their content', () => {
    const store = openStore({ path });
    growPictured(store, first).end(first.episode.end);
    const reader = openStore({ path, readOnly: true });
    for (const source of [store, reader]) {
      expect([...source.episodes()]).toEqual([first.episode]);
      expect(first.pictures.size).toBeGreaterThan(2);
      for (const [address, data] of first.pictures) expect(source.attachment(address)).toEqual(data);
      expect(source.attachment('f'.repeat(64))).toBeNull();
      expect(source.attachment('no address')).toBeNull();
    }
    reader.close();
    store.close();
    expect(() => store.attachment('f'.repeat(64))).toThrow(expect.objectContaining({ code: 'closed' }));
  });

  it('[PIC-1] are what they were when they were attached, whatever is done to the bytes later', () => {
    const store = openStore({ path });
    const { event, data } = bigStep(1, 100);
    const before = Buffer.from(data);
    const log = store.begin(first.episode.head);
    const address = log.attach(data);
    data.fill(0);
    log.append(event);
    log.end(first.episode.end);
    expect(store.attachment(address)).toEqual(Uint8Array.from(before));
    store.close();
  });

  it('[PIC-2] are kept once, uncompressed, however many steps and episodes name them', () => {
    const store = openStore({ path });
    const { head, end } = first.episode;
    for (let trial = 0; trial < 5; trial++) {
      const episode = { ...first.episode, head: { ...head, key: `${head.key}/${trial}`, index: trial } };
      growPictured(store, { ...first, episode }).end(end);
    }
    store.close();
    expect(count('pictures')).toBe(first.pictures.size);
    expect(count('shots')).toBe(first.pictures.size * 5);
    const database = new DatabaseSync(path);
    const kept = database.prepare('SELECT sum(length(body)) AS bytes FROM pictures').get()?.['bytes'];
    database.close();
    expect(kept).toBe([...first.pictures.values()].reduce((sum, { length }) => sum + length, 0));
  });

  it('[PIC-3] show with the episode that names them and not before, also when they were written long before', () => {
    const store = openStore({ path });
    const reader = openStore({ path, readOnly: true });
    const log = store.begin(first.episode.head);
    const addresses: string[] = [];
    for (let id = 1; id <= 5; id++) {
      const { event, data } = bigStep(id, 3 * 2 ** 20);
      addresses.push(log.attach(data));
      log.append(event);
    }
    // One that the attempt has named before weighs nothing.
    for (let again = 0; again < 3; again++) {
      const { event, data } = bigStep(5, 3 * 2 ** 20);
      log.attach(data);
      log.append(event);
    }
    // So many bytes do not wait for the end of the episode.
    expect(count('pictures')).toBe(3);
    for (const address of addresses) expect(reader.attachment(address)).toBeNull();
    store.flush();
    expect(count('pictures')).toBe(5);
    for (const address of addresses) expect(reader.attachment(address)).toBeNull();
    log.end(first.episode.end);
    for (const address of addresses) expect(reader.attachment(address)).toHaveLength(3 * 2 ** 20);
    reader.close();
    store.close();
  });

  it('[PIC-3] are written with the event that names them; what none names is not written', () => {
    const store = openStore({ path });
    const log = store.begin(first.episode.head);
    const address = log.attach(Buffer.from('nobody names me'));
    store.flush();
    expect(count('pictures')).toBe(0);
    log.end(first.episode.end);
    expect(store.attachment(address)).toBeNull();
    expect(count('pictures')).toBe(0);
    store.close();
  });

  it('[PIC-3] of an attempt that was cut off stay unseen, until one that ends names them', () => {
    const cut = openStore({ path });
    growPictured(cut, first);
    cut.close();
    expect(count('pictures')).toBe(first.pictures.size);
    const store = openStore({ path });
    for (const address of first.pictures.keys()) expect(store.attachment(address)).toBeNull();
    growPictured(store, first).end(first.episode.end);
    for (const [address, data] of first.pictures) expect(store.attachment(address)).toEqual(data);
    store.close();
    expect(count('pictures')).toBe(first.pictures.size);
  });

  it('[PIC-4] refuses an event that names a picture which its log does not have, and takes it with the picture', () => {
    const store = openStore({ path });
    const { event, data } = bigStep(1, 100);
    const other = store.begin(second.episode.head);
    other.attach(data);
    other.append(event);
    const log = store.begin(first.episode.head);
    const refused = { boundary: 'store', code: 'corrupt-record', message: expect.stringMatching(/names [0-9a-f]{64}/) };
    expect(() => log.append(event)).toThrow(expect.objectContaining(refused));
    log.attach(data);
    log.append(event);
    // Named twice, attached once.
    log.append(event);
    log.end(first.episode.end);
    expect([...store.episodes()]).toEqual([{ ...first.episode, events: [event, event] }]);
    expect(() => log.attach(data)).toThrow(expect.objectContaining({ code: 'already-ended' }));
    store.close();
  });

  it('[STO-12] of a step that there was no room for are offered again with it', () => {
    const database = openDatabase({ path, readOnly: false, patience: 0 });
    prepareStore(database);
    const journal = createJournalWriter(database);
    database.execute('PRAGMA max_page_count = 1');
    const log = journal.begin(first.episode.head);
    const { event, data } = bigStep(1, 9 * 2 ** 20);
    const address = log.attach(data);
    const full = expect.objectContaining({ code: 'disk-full' });
    expect(() => log.append(event)).toThrow(full);
    expect(() => log.append(event)).toThrow(full);
    database.execute('PRAGMA max_page_count = 1000000');
    log.append(event);
    log.end(first.episode.end);
    database.close();
    expect(readAll().episodes).toEqual([{ ...first.episode, events: [event] }]);
    expect(readAll().pictures.get(address)).toBe(Buffer.from(data).toString('base64'));
  });
});

describe('damaged pictures', () => {
  it('[STO-10] are refused: altered, lost, or no longer named', () => {
    const damages: [string, RegExp][] = [
      ['UPDATE pictures SET body = zeroblob(length(body)) WHERE id = 2', /a picture does not fit its hash/],
      ['UPDATE pictures SET body = substr(body, 1, length(body) - 1) WHERE id = 2', /a picture does not fit its hash/],
      ['UPDATE pictures SET hash = zeroblob(32) WHERE id = 2', /a picture of attempt 1 is missing/],
      ['DELETE FROM pictures WHERE id = 2', /a picture of attempt 1 is missing/],
      ['DELETE FROM shots WHERE picture = 2', /a picture of attempt 1 is missing/],
    ];
    writeMade();
    copyFileSync(path, `${path}.sound`);
    for (const [damage, message] of damages) {
      copyFileSync(`${path}.sound`, path);
      alter(damage);
      const refused = { boundary: 'store', code: 'corrupt-record', message: expect.stringMatching(message) };
      expect(readAll).toThrow(expect.objectContaining(refused));
    }
  });

  it('[STO-10] are never given back, whichever bytes are flipped', () => {
    writeMade();
    const sound = readAll();
    const bytes = readFileSync(path);
    const random = createRandom('flip pictures');
    let refused = 0;
    for (let round = 0; round < 200; round++) {
      const damaged = Buffer.from(bytes);
      const start = random.between(0, bytes.length - 1);
      for (let at = start; at < Math.min(bytes.length, start + random.between(1, 40)); at++) {
        damaged[at] = random.between(0, 255);
      }
      for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
      writeFileSync(path, damaged);
      const refusal = refusalOf(() => expect(readAll()).toEqual(sound));
      expect(refusal?.boundary ?? 'store').toBe('store');
      if (refusal !== null) refused++;
    }
    expect(refused).toBeGreaterThan(50);
  });
});
