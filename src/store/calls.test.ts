import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { madeEpisode } from '../../test/fixtures/store-writer.ts';
import type { ChatMessage } from '../core/chat/chat.ts';
import type { CallEvent, ModelCall } from '../core/chat/model.ts';
import { createCallReader, createCallWriter } from '../core/episode/call-log.ts';
import type { EpisodeLog } from '../core/episode/journal.ts';
import type { Actor } from '../core/tree.ts';
import { openStore } from './store.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-calls-'));
  path = join(folder, 'episodes.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const by: Actor = { role: 'student', name: 'm' };
const picture = Buffer.from('a picture');
const { head, events, end } = madeEpisode('run', 0);

function callOf(messages: readonly ChatMessage[]): ModelCall {
  return {
    endpoint: 'openai:m@http://127.0.0.1:1/v1',
    question: 'act',
    prompts: {},
    messages,
    tools: [],
    sampling: {},
    reply: {
      id: 'r',
      model: 'm',
      version: null,
      message: { role: 'assistant', content: 'ok' },
      finish: 'stop',
      usage: null,
      tokens: { prompt: [1, 2], completion: [3], logprobs: [-1] },
    },
    cost: null,
    attempts: 1,
    problem: null,
  };
}

const said = (text: string): ChatMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const calls = [
  callOf([said('a screen '.repeat(500))]),
  callOf([
    said('a screen '.repeat(500)),
    { role: 'user', content: [{ type: 'image', mediaType: 'image/png', data: picture.toString('base64') }] },
  ]),
];

function grow(log: EpisodeLog): CallEvent[] {
  const write = createCallWriter(log.attach);
  log.append(events[0]!);
  return calls.map(call => {
    const event = write(call, { by, at: 0 });
    log.append(event);
    return event;
  });
}

function alter(sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

describe('calls in the store', () => {
  it('[TOK-8] are read back whole, with their pictures, once their episode has ended', () => {
    const store = openStore({ path });
    const log = store.begin(head);
    const written = grow(log);
    store.flush();
    const reader = openStore({ path, readOnly: true });
    for (const { record } of written) expect(reader.attachment(record)).toBeNull();
    log.end(end);
    for (const source of [store, reader]) {
      expect([...source.episodes()]).toEqual([{ head, events: [events[0], ...written], end, certificates: [] }]);
      expect(written.map(({ record }) => createCallReader(source.attachment)(record))).toEqual(calls);
    }
    reader.close();
    store.close();
  });

  it('[TOK-8] are compressed with the screens that they repeat', () => {
    const store = openStore({ path });
    const log = store.begin(head);
    const written = grow(log);
    log.end(end);
    const bytes = written.reduce((sum, { record }) => sum + (store.attachment(record)?.length ?? 0), 0);
    store.close();
    const database = new DatabaseSync(path);
    const packed = database.prepare('SELECT sum(length(body)) AS bytes FROM packs').get()?.['bytes'];
    database.close();
    expect(bytes).toBeGreaterThan(4000);
    expect(packed).toBeLessThan(2000);
  });

  it('[TOK-8] that are alike are kept once, and each is found', () => {
    const store = openStore({ path });
    const log = store.begin(head);
    const twins = [0, 1].map(at => createCallWriter(log.attach)(calls[0]!, { by, at }));
    for (const event of twins) log.append(event);
    log.end(end);
    expect(twins[0]?.record).toBe(twins[1]?.record);
    expect([...store.episodes()][0]?.events).toEqual(twins);
    expect(createCallReader(store.attachment)(twins[1]!.record)).toEqual(calls[0]);
    store.close();
  });

  it('[TOK-8] that were not attached are refused', () => {
    const store = openStore({ path });
    const [event] = grow(store.begin(head));
    const bare = store.begin({ ...head, key: 'another' });
    expect(() => bare.append(event!)).toThrow(expect.objectContaining({ boundary: 'store', code: 'corrupt-record' }));
    store.close();
  });

  it.each([
    ["DELETE FROM blobs WHERE id IN (SELECT blob FROM events WHERE kind = 'call')", 'is missing'],
    ["UPDATE events SET body = replace(body, 'stop', 'calls') WHERE kind = 'call'", 'was altered'],
  ])('[TOK-9] that were damaged are refused: %s', (sql, words) => {
    const store = openStore({ path });
    const log = store.begin(head);
    grow(log);
    log.end(end);
    store.close();
    alter(sql);
    const reader = openStore({ path, readOnly: true });
    expect(() => [...reader.episodes()]).toThrow(
      expect.objectContaining({ code: 'corrupt-record', message: expect.stringContaining(words) }),
    );
    reader.close();
  });
});
