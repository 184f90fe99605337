import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { madeEpisode } from '../../test/fixtures/store-writer.ts';
import type { Certificate } from '../core/episode/certificate.ts';
import type { StoredEpisode } from '../core/episode/journal.ts';
import { openStore, type Store } from './store.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-certificates-'));
  path = join(folder, 'episodes.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const [first, second] = [madeEpisode('run', 1), madeEpisode('run', 2)] as [StoredEpisode, StoredEpisode];
const broken: Certificate = { result: 'broken', leaf: 3, milliseconds: 2, message: 'the page is gone' };
const agreed: Certificate = { result: 'agreed', leaf: 3, milliseconds: 4 };
const difference = { step: 1, node: 1, what: 'observation', expected: 'line 1: a', got: 'line 1: ✓' } as const;
const diverged: Certificate = { result: 'diverged', leaf: 5, milliseconds: 4, ...difference };

function write(store: Store, { head, events, end }: StoredEpisode): void {
  const log = store.begin(head);
  for (const event of events) log.append(event);
  log.end(end);
}

describe('certificates in the store', () => {
  it('[STO-16] stand with their episode, in the order they were written, and survive', () => {
    const store = openStore({ path });
    for (const episode of [first, second]) write(store, episode);
    for (const certificate of [broken, agreed, diverged]) store.certify(second.head, certificate);
    const reader = openStore({ path, readOnly: true });
    expect([...reader.episodes()]).toEqual([...store.episodes()]);
    expect(() => reader.certify(second.head, agreed)).toThrow(expect.objectContaining({ code: 'unsupported' }));
    reader.close();
    store.close();
    const again = openStore({ path });
    const found = new Map([...again.summaries()].map(({ head, certificates }) => [head.key, certificates]));
    expect(found).toEqual(
      new Map([
        [first.head.key, []],
        [second.head.key, [broken, agreed, diverged]],
      ]),
    );
    again.close();
    expect(() => again.certify(first.head, agreed)).toThrow(expect.objectContaining({ code: 'closed' }));
  });

  it('[STO-16] are for episodes that have ended, and conclude once for each leaf', () => {
    const store = openStore({ path });
    store.begin(first.head);
    expect(() => store.certify(first.head, agreed)).toThrow(
      expect.objectContaining({ boundary: 'store', message: expect.stringContaining('has not ended') }),
    );
    write(store, second);
    for (const certificate of [broken, broken, agreed, diverged]) store.certify(second.head, certificate);
    for (const certificate of [broken, agreed, { ...diverged, leaf: 3 }, { ...agreed, leaf: 5 }])
      expect(() => store.certify(second.head, certificate)).toThrow(expect.objectContaining({ code: 'already-ended' }));
    expect(() => store.certify(second.head, { ...agreed, leaf: -1 })).toThrow(
      expect.objectContaining({ code: 'corrupt-record' }),
    );
    expect([...store.summaries()][0]?.certificates).toHaveLength(4);
    store.close();
  });

  it('[STO-10] are refused when they were altered', () => {
    const store = openStore({ path });
    write(store, second);
    store.certify(second.head, diverged);
    store.close();
    const database = new DatabaseSync(path);
    database.exec(`UPDATE certificates SET result = 'agreed', body = '${JSON.stringify({ ...agreed, leaf: 5 })}'`);
    database.close();
    const reader = openStore({ path, readOnly: true });
    expect(() => [...reader.summaries()]).toThrow(expect.objectContaining({ code: 'corrupt-record' }));
    reader.close();
  });
});
