import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withPictures } from '../../test/fixtures/pictures/with-pictures.ts';
import { madeEpisode } from '../../test/fixtures/store-writer.ts';
import { createRandom } from '../core/random.ts';
import { openStore } from './store.ts';
import { isLong } from '../../test/long-form.ts';

const program = join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'store-writer.ts');
const kills = isLong ? 50 : 4;

let folder = '';
let path = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-crash-'));
  path = join(folder, 'episodes.db');
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Writer {
  kill(): void;
  /** Comes when it has said so many lines, or is gone. */
  said(lines: number): Promise<void>;
  /** All that it said, once it is gone. */
  readonly gone: Promise<string>;
}

function startWriter(): Writer {
  const child = spawn(process.execPath, [program, path, 'run'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return {
    kill: () => child.kill('SIGKILL'),
    said: lines =>
      new Promise(resolve => {
        child.stdout.on('data', () => {
          if (said.split('\n').length > lines) resolve();
        });
        child.once('close', () => resolve());
      }),
    gone: new Promise(resolve => {
      child.once('close', () => resolve(said));
    }),
  };
}

function flushedIn(said: string): number[] {
  // A line that was cut off by the kill was not said.
  const lines = said.slice(0, said.lastIndexOf('\n') + 1).split('\n');
  return lines.filter(line => line.startsWith('flushed ')).flatMap(line => line.split(' ').slice(1).map(Number));
}

/** Every episode that shows is whole, with its pictures, there once, and the flushed ones are among them. */
function check(flushed: ReadonlySet<number>): number {
  const store = openStore({ path, readOnly: true });
  const seen = new Set<number>();
  for (const episode of store.episodes()) {
    expect(seen.has(episode.head.index)).toBe(false);
    seen.add(episode.head.index);
    const made = withPictures(madeEpisode('run', episode.head.index));
    expect(episode).toEqual(made.episode);
    for (const [address, data] of made.pictures) expect(store.attachment(address)).toEqual(data);
  }
  const done = store.done('run');
  store.close();
  expect(done.size).toBe(seen.size);
  expect([...flushed].filter(index => !seen.has(index))).toEqual([]);
  return seen.size;
}

describe('a writer that is killed', () => {
  it(`[STO-13] loses nothing it flushed, doubles nothing and shows nothing half, ${kills} times`, async () => {
    const random = createRandom('kill');
    const flushed = new Set<number>();
    for (let round = 0; round < kills; round++) {
      const writer = startWriter();
      // Every fifth is killed while it starts: makes the file, takes the lock, recovers.
      if (round % 5 === 4) await setTimeout(random.between(20, 200));
      else {
        await writer.said(random.between(1, 4));
        await setTimeout(random.between(0, 20));
      }
      writer.kill();
      const said = flushedIn(await writer.gone);
      expect(said.filter(index => flushed.has(index))).toEqual([]);
      for (const index of said) flushed.add(index);
      if (round % 10 === 0) check(flushed);
    }
    expect(flushed.size).toBeGreaterThan(kills);
    expect(check(flushed)).toBeGreaterThanOrEqual(flushed.size);
    const database = new DatabaseSync(path);
    const cut = database.prepare(
      'SELECT count(DISTINCT attempt) AS cut FROM events WHERE attempt NOT IN (SELECT attempt FROM episodes)',
    );
    expect(cut.get()?.['cut']).toBeGreaterThan(0);
    // A picture without an event that names it would be half a step.
    const named = "SELECT attempt, unhex(json_extract(body, '$.image.hash')) AS hash FROM events WHERE kind = 'step'";
    const kept = 'SELECT attempt, hash FROM shots JOIN pictures ON picture = id';
    for (const [these, those] of [
      [named, kept],
      [kept, named],
    ]) {
      expect(database.prepare(`${these} EXCEPT ${those}`).all()).toEqual([]);
    }
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    database.close();
    openStore({ path }).close();
  }, 300_000);
});
