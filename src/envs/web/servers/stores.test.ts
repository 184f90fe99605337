import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installed, startPostgres } from '../../../../test/fixtures/app/services.ts';
import { runsAll } from '../../../../test/long-form.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createFolderStore } from './folder.ts';
import { createPostgresDatabases } from './postgres.ts';
import { openRedisStore } from './redis.ts';
import { freePort } from './run-server.ts';
import { createSqliteStore } from './sqlite.ts';
import type { Store, StoreState } from './store.ts';

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'espalier-stores-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A store, and a program that uses what is in it. */
interface Used {
  readonly store: Store;
  write(value: string): void;
  read(): string;
}

/** Whatever is written afterwards, a restore gives back what was captured, to a program that has it open. */
async function expectLaws({ store, write, read }: Used): Promise<string> {
  write('one');
  const one = await store.capture();
  const before = read();
  expect(await store.capture()).toEqual(one);
  const back = async (to: StoreState): Promise<void> => store.restore(to, await store.capture());
  for (const value of ['two', "it's \\ three\n\t4", 'fünf']) {
    write(value);
    const changed = await store.capture();
    expect([changed.text === one.text, read() === before]).toEqual([false, false]);
    await back(one);
    expect(read()).toBe(before);
    expect((await store.capture()).text).toBe(one.text);
    await back(changed);
    expect((await store.capture()).text).toBe(changed.text);
    await back(one);
  }
  return read() === before ? 'restored' : 'changed';
}

describe('a store', () => {
  it.each(['DELETE', 'WAL'])('[STORE-1] restores an SQLite file that a program has open (%s)', async mode => {
    const folder = mkdtempSync(join(scratch, 'sqlite-'));
    const file = join(folder, 'app.db');
    const program = new DatabaseSync(file);
    program.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)`);
    const insert = program.prepare('INSERT INTO notes (text) VALUES (?)');
    const store = createSqliteStore(file, folder);
    await expectLaws({
      store,
      write: value => void insert.run(value),
      read: () => JSON.stringify(program.prepare('SELECT * FROM notes').all()),
    });
    expect(await store.sql?.('SELECT text FROM notes WHERE id = ?', 1)).toEqual([{ text: 'one' }]);
    program.exec('ALTER TABLE notes ADD COLUMN more TEXT');
    const altered = await store.capture();
    program.exec('DROP TABLE notes');
    await store.restore(altered, await store.capture());
    expect(program.prepare('SELECT more FROM notes').all()).toHaveLength(1);
    await store.close();
    program.close();
  });

  it('[STORE-1] restores a folder: files, folders and links', async () => {
    const folder = mkdtempSync(join(scratch, 'folder-'));
    const place = mkdtempSync(join(scratch, 'copies-'));
    let count = 0;
    const laws = expectLaws({
      store: createFolderStore(folder, place),
      write(value) {
        mkdirSync(join(folder, `sub${count}`), { recursive: true });
        writeFileSync(join(folder, `sub${count++}`, 'file'), value);
        writeFileSync(join(folder, 'same'), value);
      },
      read: () =>
        JSON.stringify([
          readdirSync(folder, { recursive: true }).toSorted(),
          readFileSync(join(folder, 'same'), 'utf8'),
        ]),
    });
    expect(await laws).toBe('restored');
  });

  describe.runIf(runsAll && installed.postgres)('Postgres', () => {
    let server: Awaited<ReturnType<typeof startPostgres>>;
    const psql = (url: string, script: string): string =>
      execFileSync('psql', ['-XqtA', url], { input: script, encoding: 'utf8' });
    beforeAll(async () => {
      server = await startPostgres(await freePort());
    }, 60_000);
    afterAll(() => server.stop());

    it('[STORE-1] [STORE-2] restores the rows of a database that a session has to itself', async () => {
      psql(server.url, 'CREATE DATABASE shop;');
      const url = server.url.replace(/postgres$/, 'shop');
      psql(
        url,
        `CREATE TABLE people (id serial PRIMARY KEY, name text UNIQUE);
        CREATE TABLE orders (id serial PRIMARY KEY, person int REFERENCES people, note text);
        INSERT INTO people (name) VALUES ('Ada'); INSERT INTO orders (person, note) VALUES (1, 'first');`,
      );
      const databases = createPostgresDatabases(url);
      const [store, other] = [await databases.open(), await databases.open()];
      const own = store.values['postgres'] ?? '';
      const quote = (value: string): string => `'${value.replaceAll("'", "''")}'`;
      await expectLaws({
        store,
        write: value =>
          void psql(
            own,
            `INSERT INTO people (name) VALUES (${quote(value)}); INSERT INTO orders (person, note) SELECT max(id), name FROM people GROUP BY name;
            UPDATE people SET name = name || '!' WHERE id = 1;`,
          ),
        read: () => psql(own, 'SELECT * FROM people; SELECT * FROM orders; SELECT last_value FROM people_id_seq;'),
      });
      expect(await other.sql?.('SELECT name FROM people WHERE name = $1', 'Ada')).toEqual([{ name: 'Ada' }]);
      expect(await other.sql?.('SELECT name FROM people')).toHaveLength(1);
      const state = await store.capture();
      psql(own, 'ALTER TABLE people ADD COLUMN age int');
      await expect(store.restore(state, await store.capture())).rejects.toThrow(
        'the tables of the database were altered since',
      );
      await expect(store.sql?.('SELECT nothing FROM nowhere')).rejects.toThrow('nowhere');
      await Promise.all([store.close(), other.close()]);
      await databases.close();
      expect(psql(url, `SELECT count(*) FROM pg_database WHERE datname LIKE 'espalier%'`)).toBe('0\n');
    }, 60_000);
  });

  it.runIf(runsAll && installed.redis)('[STORE-1] restores the keys of a Redis of its own', async () => {
    const store = await openRedisStore(createSystemTimers(), mkdtempSync(join(scratch, 'redis-')));
    const url = store.values['redis'] ?? '';
    const ask = (...words: string[]): string => execFileSync('redis-cli', ['-u', url, ...words], { encoding: 'utf8' });
    const laws = expectLaws({
      store,
      write(value) {
        ask('RPUSH', 'list', value);
        ask('SET', 'last', value, 'EX', '1000');
        ask('HSET', 'hash', value, '1');
      },
      read: () => ask('LRANGE', 'list', '0', '-1') + ask('GET', 'last') + ask('HGETALL', 'hash'),
    });
    expect(await laws).toBe('restored');
    await store.close();
  });
});
