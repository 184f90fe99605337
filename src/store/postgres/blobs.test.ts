import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installed, startPostgres } from '../../../test/fixtures/app/services.ts';
import { growPictured, withPictures } from '../../../test/fixtures/pictures/with-pictures.ts';
import { madeEpisode } from '../../../test/fixtures/store-writer.ts';
import { freePort } from '../../envs/web/servers/run-server.ts';
import { createFollower } from '../../fleet/controller/follow.ts';
import { connectFleet } from '../../fleet/database/connect.ts';
import { createCommitter } from '../../fleet/worker/committer.ts';
import { copyStore } from '../copy.ts';
import { openStore } from '../store.ts';
import { createMemoryJournal } from './finished-episodes.ts';
import { openStoreAt } from './open-store-at.ts';

const server = join(import.meta.dirname, '../../../test/fixtures/fleet/s3-server.ts');

let folder = '';
let s3: ChildProcess;
let postgres: Awaited<ReturnType<typeof startPostgres>>;
let bucket = '';

const inBucket = (): string[] => globSync(join(folder, 's3', 'blobs', 'of', 'runs', '*object'));
const beside = (name: string, blobs = bucket): string =>
  `${postgres.url}?store=${name}&blobs=${encodeURIComponent(blobs)}`;

describe.skipIf(!installed.postgres)('blobs on S3', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'espalier-blobs-'));
    s3 = spawn(process.execPath, [server, join(folder, 's3')], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = (await once(s3.stdout as NonNullable<typeof s3.stdout>, 'data')) as [Buffer];
    bucket = `http://S3RVER:S3RVER@127.0.0.1:${port.toString().trim()}/blobs/of/runs`;
    postgres = await startPostgres(await freePort());
  });
  afterAll(async () => {
    s3.kill();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const large = withPictures(madeEpisode('run', 7), 40_000);
  const small = withPictures(madeEpisode('run', 8));

  it('[STO-23] lie outside of the database when they are large, and every copy has the same bytes', () => {
    const from = openStore({ path: join(folder, 'from.db') });
    for (const pictured of [large, small]) growPictured(from, pictured).end(pictured.episode.end);
    const there = openStoreAt({ path: beside('one') });
    copyStore(from, there);
    expect(inBucket()).toHaveLength(large.pictures.size);
    const plain = openStoreAt({ path: `${postgres.url}?store=two` });
    const back = openStore({ path: join(folder, 'back.db') });
    copyStore(there, plain);
    copyStore(there, back);
    for (const store of [there, plain, back]) {
      expect([...store.episodes()]).toEqual([...from.episodes()]);
      for (const [hash, data] of [...large.pictures, ...small.pictures])
        expect(Buffer.from(store.attachment(hash) ?? []).equals(data)).toBe(true);
    }
    const blind = openStoreAt({ path: `${postgres.url}?store=one`, readOnly: true });
    const [first = ''] = large.pictures.keys();
    expect(() => blind.attachment(first)).toThrow(/keeps large attachments.*Expected an address that names it/);
    const file = inBucket().find(path => path.includes(first)) ?? '';
    writeFileSync(file, 'something else');
    expect(() => there.attachment(first)).toThrow(/does not fit its hash/);
    rmSync(file);
    expect(() => there.attachment(first)).toThrow(/the blob \w+ is missing/);
    for (const store of [from, there, plain, back, blind]) store.close();
  });

  it('[STO-23] are put there by workers of a fleet and fetched by whoever collects', async () => {
    for (const path of inBucket()) rmSync(path);
    const database = await connectFleet({
      address: `${postgres.url}?blobs=${encodeURIComponent(bucket)}`,
      connections: 2,
    });
    const store = await database.store('fleet-run');
    const finished = createMemoryJournal();
    for (const pictured of [large, small]) growPictured(finished, pictured).end(pictured.episode.end);
    const committer = createCommitter(database);
    expect(await committer.commit(store, finished.take())).toBe(2);
    expect(inBucket()).toHaveLength(large.pictures.size);
    const rows = await database.query<{ bytes: number }>(
      'SELECT sum(octet_length(body)) AS bytes FROM espalier.attachments WHERE store = $1',
      [store],
    );
    expect(rows[0]?.bytes).toBeLessThan(16_384);
    const journal = openStore({ path: join(folder, 'collected.db') });
    const options = { database, store, storeName: 'fleet-run', journal };
    const follower = createFollower({ ...options, isKnown: () => false, onEpisode: () => undefined });
    expect(await follower.next()).toBe(true);
    for (const [hash, data] of [...large.pictures, ...small.pictures])
      expect(Buffer.from(journal.attachment(hash) ?? []).equals(data)).toBe(true);
    journal.close();
    await database.close();
  });

  it('[STO-23] are refused with the reason where the bucket or its address is wrong', () => {
    const refusals: [string, RegExp][] = [
      [bucket.replace('/blobs/', '/nothing/'), /did not take a blob.*Expected a bucket that exists/s],
      [bucket.replace('S3RVER:S3RVER', 'S3RVER:wrong'), /did not take a blob/],
      ['ftp://key:secret@host/bucket', /address of the store of blobs cannot be read/],
      ['https://host/bucket', /address of the store of blobs cannot be read/],
    ];
    for (const [blobs, words] of refusals) {
      const store = openStoreAt({ path: beside(`refused ${refusals.length}`, blobs) });
      expect(() => growPictured(store, large).end(large.episode.end)).toThrow(words);
      expect([...store.episodes()]).toEqual([]);
      store.close();
    }
  });
});
