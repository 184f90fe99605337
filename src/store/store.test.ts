import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { installed, startPostgres } from '../../test/fixtures/app/services.ts';
import { freePort } from '../envs/web/servers/run-server.ts';
import { growPictured, withPictures } from '../../test/fixtures/pictures/with-pictures.ts';
import { madeEpisode } from '../../test/fixtures/store-writer.ts';
import type { EpisodeEvent } from '../core/episode/events.ts';
import type { EpisodeLog, Journal, StoredEpisode } from '../core/episode/journal.ts';
import { copyStore } from './copy.ts';
import { connectBlocking } from './postgres/blocking.ts';
import { openStoreAt } from './postgres/open-store-at.ts';
import { openStore } from './store.ts';

let folder = '';
let path = '';
let server: Awaited<ReturnType<typeof startPostgres>> | null = null;
let stores = 0;
beforeAll(async () => {
  if (installed.postgres) server = await startPostgres(await freePort());
});
afterAll(() => server?.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-store-'));
  path = join(folder, 'episodes.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The law holds whatever the store lies in. */
const kinds = ['sqlite', 'postgres'] as const;
const addressOfStore = (database: string, name: string): string => `${database}?store=${encodeURIComponent(name)}`;
const inPostgres = (): string => addressOfStore((server as NonNullable<typeof server>).url, `store ${++stores}`);

function grow(journal: Journal, { head, events }: StoredEpisode): EpisodeLog {
  const log = journal.begin(head);
  for (const event of events) log.append(event);
  return log;
}

function write(journal: Journal, episode: StoredEpisode): void {
  grow(journal, episode).end(episode.end);
}

function query(sql: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(sql).all();
  database.close();
  return rows;
}

function inAnotherProcess(sql: string): unknown {
  const script = `const { DatabaseSync } = require('node:sqlite'); const database = new DatabaseSync(process.argv[1]);
    console.log(JSON.stringify(database.prepare(process.argv[2]).get() ?? null)); database.close();`;
  return JSON.parse(execFileSync(process.execPath, ['-e', script, path, sql], { encoding: 'utf8', stdio: 'pipe' }));
}

const made = (count: number, run = 'run'): StoredEpisode[] =>
  Array.from({ length: count }, (_, index) => madeEpisode(run, index));

const inOrder = (left: StoredEpisode, right: StoredEpisode): number =>
  left.head.run.localeCompare(right.head.run) ||
  left.head.phase.localeCompare(right.head.phase) ||
  left.head.round - right.head.round ||
  left.head.index - right.head.index;

for (const kind of kinds) {
  describe.skipIf(kind === 'postgres' && !installed.postgres)(`a store in ${kind}`, () => {
    beforeEach(() => {
      if (kind === 'postgres') path = inPostgres();
    });

    it('[STO-1] gives back what was written, whatever the texts are', () => {
      const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.constant('cut \ud83d in half'));
      const step = madeEpisode('run', 0).events[1] as Extract<EpisodeEvent, { kind: 'step' }>;
      fc.assert(
        fc.property(fc.array(fc.tuple(text, text, text), { maxLength: 20 }), texts => {
          const events = texts.map(([screen, line, thought]) => ({
            ...step,
            node: { ...step.node, thought },
            screen,
            text: line,
          }));
          const episode = { ...madeEpisode('run', 0), events };
          const store = openStoreAt({ path });
          write(store, episode);
          expect([...store.episodes()]).toEqual([episode]);
          store.close();
          const reopened = openStoreAt({ path, readOnly: true });
          expect([...reopened.episodes()]).toEqual([episode]);
          reopened.close();
          if (kind === 'sqlite') rmSync(path);
          else path = inPostgres();
        }),
        { numRuns: kind === 'sqlite' ? 30 : 6 },
      );
    });

    it('[STO-1] refuses a record that its schema does not allow, and takes the right one after it', () => {
      const store = openStoreAt({ path });
      const episode = madeEpisode('run', 1);
      expect(() => store.begin({ ...episode.head, round: -1 })).toThrow(/head of the episode is not valid.*round/);
      const log = store.begin(episode.head);
      expect(() => log.append({ kind: 'open' } as never)).toThrow(/event is not valid.*root/);
      for (const event of episode.events) log.append(event);
      const end = { ...episode.end, milliseconds: Number.NaN };
      expect(() => log.end(end)).toThrow(/end of the episode is not valid.*milliseconds/);
      log.end(episode.end);
      expect([...store.episodes()]).toEqual([episode]);
      store.close();
    });

    it('[STO-3] refuses a second end, of the same attempt and of another one', () => {
      const store = openStoreAt({ path });
      const episode = madeEpisode('run', 1);
      const log = grow(store, episode);
      const rival = grow(store, episode);
      log.end(episode.end);
      const refused = expect.objectContaining({ boundary: 'store', code: 'already-ended' });
      const { end, head, events } = episode;
      expect(() => log.end(end)).toThrow(refused);
      expect(() => log.append(events[0]!)).toThrow(refused);
      expect(() => rival.end({ ...end, outcome: 'errored' })).toThrow(refused);
      write(store, { ...episode, head: { ...head, run: 'other' } });
      expect([...store.episodes({ run: 'run' })]).toEqual([episode]);
      expect([...store.done('other')]).toEqual([head.key]);
      store.close();
    });

    it('[STO-4] reads in the order of run, phase, round and plan, and what the filter asks for', () => {
      const episodes = [...made(20, 'b'), ...made(20, 'a')];
      const store = openStoreAt({ path });
      for (const episode of episodes.toReversed()) write(store, episode);
      const ordered = episodes.toSorted(inOrder);
      expect([...store.episodes()]).toEqual(ordered);
      const filters = [
        { run: 'a' },
        { phase: 'evaluate' },
        { round: 1, outcome: 'failed' },
        { run: 'b', phase: 'collect', round: 0, outcome: 'passed' },
        { run: 'c' },
      ] as const;
      for (const filter of filters) {
        const wanted = ordered.filter(({ head, end }) =>
          Object.entries(filter).every(([name, value]) => ({ ...head, ...end })[name as 'run'] === value),
        );
        expect([...store.episodes(filter)]).toEqual(wanted);
        expect([...store.summaries(filter)]).toEqual(wanted.map(({ events: _events, ...summary }) => summary));
      }
      store.close();
    });

    it('[STO-6] is read beside its writer: whole episodes, as they end, and no write', () => {
      const writer = openStoreAt({ path });
      const reader = openStoreAt({ path, readOnly: true });
      const growing = grow(writer, madeEpisode('run', 0));
      writer.flush();
      expect([...reader.episodes()]).toEqual([]);
      growing.end(madeEpisode('run', 0).end);
      expect([...reader.episodes()]).toEqual(made(1));
      // A reader half-way through sees what was there when it began; the writer is not held up.
      for (const episode of made(10).slice(1)) write(writer, episode);
      const half = reader.episodes()[Symbol.iterator]();
      half.next();
      for (const episode of made(20).slice(10)) write(writer, episode);
      writer.flush();
      expect([...{ [Symbol.iterator]: () => half }]).toHaveLength(9);
      expect([...reader.summaries()]).toHaveLength(20);
      const refused = expect.objectContaining({ boundary: 'store', code: 'unsupported' });
      expect(() => reader.begin(madeEpisode('run', 30).head)).toThrow(refused);
      expect(() => reader.flush()).toThrow(refused);
      reader.close();
      writer.close();
    });

    it('[STO-6] can be read by its own writer while it goes on writing', () => {
      const store = openStoreAt({ path });
      for (const episode of made(10)) write(store, episode);
      const seen: string[] = [];
      let next = 10;
      for (const { head } of store.episodes()) {
        seen.push(head.key);
        if (next < 20) write(store, madeEpisode('run', next++));
        store.flush();
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual(expect.arrayContaining(made(10).map(({ head }) => head.key)));
      expect([...store.episodes()]).toEqual(made(20).toSorted(inOrder));
      store.close();
    });

    it('[STO-8] says that it is closed', () => {
      const store = openStoreAt({ path });
      write(store, madeEpisode('run', 0));
      const log = store.begin(madeEpisode('run', 1).head);
      const reading = store.episodes()[Symbol.iterator]();
      store.close();
      const refused = expect.objectContaining({ boundary: 'store', code: 'closed' });
      expect(() => store.done('run')).toThrow(refused);
      expect(() => reading.next()).toThrow(refused);
      expect(() => log.append(madeEpisode('run', 1).events[0]!)).toThrow(refused);
      expect(() => log.end(madeEpisode('run', 1).end)).toThrow(refused);
      expect(() => store.begin(madeEpisode('run', 2).head)).toThrow(refused);
      expect(() => store.flush()).toThrow(refused);
    });

    it('[STO-2] shows nothing of an attempt that was cut off, and gives it back to whoever goes on with it', () => {
      const [episode, other] = [madeEpisode('run', 1), madeEpisode('run', 2)];
      const first = openStoreAt({ path });
      grow(first, episode);
      first.save();
      write(first, other);
      first.close();
      const second = openStoreAt({ path });
      expect([...second.done('run')]).toEqual([other.head.key]);
      const [unfinished] = second.unfinished('run');
      expect(unfinished).toMatchObject({ head: episode.head, events: episode.events });
      const log = second.resume(unfinished!);
      expect(() => write(second, other)).toThrow(expect.objectContaining({ code: 'already-ended' }));
      log.end(episode.end);
      expect([...second.episodes()]).toEqual([episode, other].toSorted(inOrder));
      expect(second.unfinished('run')).toEqual([]);
      second.close();
    });

    it('[STO-16] adds certificates to what has ended, and concludes a leaf once', () => {
      const store = openStoreAt({ path });
      const episode = madeEpisode('run', 1);
      const agreed = { result: 'agreed', leaf: 3, milliseconds: 4 } as const;
      const broken = { result: 'broken', leaf: 3, milliseconds: 2, message: 'the page is gone' } as const;
      expect(() => store.certify(episode.head, agreed)).toThrow(/has not ended/);
      write(store, episode);
      for (const certificate of [broken, agreed]) store.certify(episode.head, certificate);
      for (const certificate of [broken, agreed])
        expect(() => store.certify(episode.head, certificate)).toThrow(
          expect.objectContaining({ code: 'already-ended' }),
        );
      expect([...store.episodes()]).toEqual([{ ...episode, certificates: [broken, agreed] }]);
      store.close();
    });

    it('[PIC-1] [PIC-3] [PIC-4] gives pictures back byte by byte, with the episode that names them', () => {
      const pictured = withPictures(madeEpisode('run', 1));
      const store = openStoreAt({ path });
      const log = growPictured(store, pictured);
      store.save();
      const [[address, data]] = [...pictured.pictures] as [[string, Uint8Array]];
      expect(store.attachment(address)).toBeNull();
      log.end(pictured.episode.end);
      expect(store.attachment(address)).toEqual(Uint8Array.from(data));
      expect(store.attachment('none')).toBeNull();
      const step = pictured.episode.events.find(event => event.kind === 'step')!;
      const other = store.begin(madeEpisode('run', 2).head);
      expect(() => other.append(step)).toThrow(/which its log does not have/);
      store.close();
    });

    it('[STO-20] is copied into a store of the other kind and back, nothing more and nothing less', () => {
      const pictured = withPictures(madeEpisode('run', 7));
      const from = openStoreAt({ path });
      for (const episode of made(6)) write(from, episode);
      growPictured(from, pictured).end(pictured.episode.end);
      from.certify(pictured.episode.head, { result: 'agreed', leaf: 1, milliseconds: 1 });
      grow(from, madeEpisode('run', 9));
      from.save();
      const there = openStoreAt({
        path: kind === 'sqlite' && installed.postgres ? inPostgres() : join(folder, 'other.db'),
      });
      write(there, madeEpisode('run', 0));
      expect(copyStore(from, there)).toEqual({ episodes: 6, known: 1, unfinished: 1 });
      expect(copyStore(from, there)).toEqual({ episodes: 0, known: 7, unfinished: 0 });
      // An episode that is certified after it was copied.
      from.certify(madeEpisode('run', 1).head, { result: 'agreed', leaf: 1, milliseconds: 1 });
      expect(copyStore(from, there)).toEqual({ episodes: 0, known: 7, unfinished: 0 });
      const back = openStoreAt({ path: join(folder, 'back.db') });
      copyStore(there, back);
      for (const copy of [there, back]) {
        expect([...copy.episodes()]).toEqual([...from.episodes()]);
        expect(copy.unfinished('run').map(({ head, events }) => ({ head, events }))).toEqual(
          from.unfinished('run').map(({ head, events }) => ({ head, events })),
        );
        for (const [address, data] of pictured.pictures)
          expect(copy.attachment(address)).toEqual(Uint8Array.from(data));
        copy.close();
      }
      from.close();
    });
  });
}

describe('a store in a file', () => {
  it('[STO-2] shows an attempt only when it has ended, and keeps the ones that were cut off in the journal', () => {
    const episode = madeEpisode('run', 1);
    const first = openStore({ path });
    grow(first, episode);
    first.close();
    const second = openStore({ path });
    expect([...second.episodes()]).toEqual([]);
    expect(second.done('run').size).toBe(0);
    const before = query('SELECT * FROM events ORDER BY seq');
    expect(before).toHaveLength(episode.events.length + 1);
    write(second, episode);
    expect([...second.episodes()]).toEqual([episode]);
    expect([...second.done('run')]).toEqual([episode.head.key]);
    second.close();
    expect(query('SELECT * FROM events ORDER BY seq').slice(0, before.length)).toEqual(before);
    expect(query('SELECT DISTINCT attempt FROM events')).toHaveLength(2);
  });

  it('[STO-5] keeps equal texts once', () => {
    const store = openStore({ path });
    const episode = madeEpisode('run', 1);
    const { head, events } = episode;
    for (let trial = 0; trial < 5; trial++) {
      write(store, { ...episode, head: { ...head, key: `${head.key}/${trial}`, index: trial } });
    }
    store.close();
    const screens = events.filter(({ kind }) => kind === 'step').length;
    expect(query('SELECT id FROM blobs')).toHaveLength(screens + 1);
    expect(query('SELECT id FROM packs')).toHaveLength(1);
  });

  it('[STO-7] has one writer at a time', () => {
    const writer = openStore({ path });
    const refused = expect.objectContaining({ boundary: 'store', code: 'locked' });
    expect(() => openStore({ path })).toThrow(refused);
    write(writer, madeEpisode('run', 0));
    writer.close();
    const next = openStore({ path });
    expect(() => openStore({ path })).toThrow(refused);
    write(next, madeEpisode('run', 1));
    expect(next.done('run').size).toBe(2);
    next.close();
  });

  it('[STO-19] keeps the locks of a reader while the store is opened and closed again in the same process', () => {
    const writer = openStore({ path });
    for (const episode of made(3)) write(writer, episode);
    writer.close();
    const reader = openStore({ path, readOnly: true });
    expect(reader.done('run').size).toBe(3);
    openStore({ path, readOnly: true }).close();
    // Whoever closes a store last removes its log: another process must see that it is not the last.
    inAnotherProcess('CREATE TABLE another (one)');
    expect(existsSync(`${path}-wal`)).toBe(true);
    openStore({ path, readOnly: true }).close();
    const reading = reader.episodes()[Symbol.iterator]();
    reading.next();
    openStore({ path, readOnly: true }).close();
    inAnotherProcess('INSERT INTO another VALUES (1)');
    // The log may not be emptied under a reader that is in the middle of it.
    expect(inAnotherProcess('PRAGMA wal_checkpoint(TRUNCATE)')).toMatchObject({ busy: 1 });
    reading.return?.();
    expect([...reader.episodes()]).toHaveLength(3);
    reader.close();
  });
});

describe.skipIf(!installed.postgres)('a store in Postgres', () => {
  it('[STO-21] takes any number of writers: the first that commits an episode wins', () => {
    path = inPostgres();
    const [one, other] = [openStoreAt({ path }), openStoreAt({ path })];
    const episode = madeEpisode('run', 1);
    const [log, rival] = [grow(one, episode), grow(other, episode)];
    write(other, madeEpisode('run', 2));
    log.end(episode.end);
    expect(() => rival.end({ ...episode.end, outcome: 'errored' })).toThrow(
      expect.objectContaining({ boundary: 'store', code: 'already-ended' }),
    );
    expect([...other.episodes()]).toEqual([...one.episodes()]);
    expect(one.done('run').size).toBe(2);
    one.close();
    other.close();
  });

  it('[STO-10] [STO-11] refuses rows that were altered, a store that is not there, and a server that is not', () => {
    path = inPostgres();
    const store = openStoreAt({ path });
    write(store, madeEpisode('run', 1));
    store.close();
    const connection = connectBlocking(server!.url);
    connection.query("UPDATE espalier.episodes SET outcome = 'passed' || outcome");
    connection.close();
    const reader = openStoreAt({ path, readOnly: true });
    expect(() => [...reader.summaries()]).toThrow(/was altered/);
    reader.close();
    expect(() => openStoreAt({ path: addressOfStore(server!.url, 'none'), readOnly: true })).toThrow(
      /holds no store "none"/,
    );
    expect(() => openStoreAt({ path: 'postgres://user:secret@127.0.0.1:1/db?store=a' })).toThrow(
      expect.objectContaining({ code: 'unavailable', message: expect.not.stringContaining('secret') }),
    );
  });
});
