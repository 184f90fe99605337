import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { madeEpisode } from '../../test/fixtures/store-writer.ts';
import type { EpisodeLog, Journal, StoredEpisode } from '../core/episode/journal.ts';
import { openStore } from './store.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-store-'));
  path = join(folder, 'episodes.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

function grow(journal: Journal, { head, events }: StoredEpisode): EpisodeLog {
  const log = journal.begin(head);
  for (const event of events) log.append(event);
  return log;
}

function write(journal: Journal, episode: StoredEpisode): void {
  grow(journal, episode).end(episode.end);
}

/** As another connection sees it. */
function countOf(table: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(`SELECT 1 FROM ${table}`).all();
  database.close();
  return rows.length;
}

const keysIn = (episodes: Iterable<StoredEpisode>): string[] => [...episodes].map(({ head }) => head.key).toSorted();

describe('episodes that are written together', () => {
  it('[STO-24] writes what belongs together in one transaction, and nothing of it when a part fails', () => {
    const store = openStore({ path });
    const [waiting, ...episodes] = Array.from({ length: 600 }, (_, index) => madeEpisode('run', index)) as [
      StoredEpisode,
      ...StoredEpisode[],
    ];
    const open = grow(store, waiting);
    const bad = (): void =>
      store.together?.(() => {
        for (const episode of episodes.slice(0, 300)) write(store, episode);
        write(store, episodes[0] as StoredEpisode);
      });
    expect(bad).toThrow('has ended already');
    expect([...store.episodes()]).toEqual([]);
    const seen: number[] = [];
    store.together?.(() => {
      for (const episode of episodes) write(store, episode);
      seen.push(countOf('episodes'));
    });
    expect([seen, countOf('episodes')]).toEqual([[0], 599]);
    // What waited before is no part of what failed, and texts of it are written again.
    open.end(waiting.end);
    const found = new Map([...store.episodes()].map(episode => [episode.head.key, episode]));
    for (const episode of [waiting, ...episodes]) expect(found.get(episode.head.key)).toEqual(episode);
    expect(keysIn(found.values())).toEqual(keysIn([waiting, ...episodes]));
    expect(countOf('packs')).toBeLessThan(60);
    store.close();
  });
});
