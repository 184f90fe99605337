import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startProxied } from '../../../../test/fixtures/models/proxied.ts';
import type { ChatReply } from '../../../core/chat/chat.ts';
import { openSessions, usualSessionLimits, type SessionFiles } from '../sessions.ts';
import type { Line } from './call-record.ts';
import { createPieceReader, createPieceWriter } from './pieces.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-session-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (): string => join(folder, 'a.jsonl');
const reply = (prompt: readonly number[] | null): ChatReply => ({
  id: 'r',
  model: 'm',
  version: null,
  message: { role: 'assistant', content: 'Yes.' },
  finish: 'stop',
  usage: null,
  tokens: prompt === null ? null : { prompt: [...prompt], completion: [1], logprobs: [-0.5] },
});

function call(sessions: SessionFiles, body: string, prompt: readonly number[] | null = null): void {
  const place = sessions.take('a');
  sessions.write({ kind: 'ask', ...place, time: 1, dialect: 'openai', endpoint: 'e', body, fault: null });
  const told = { status: 200, partial: null, cut: false, problem: null };
  sessions.write({ kind: 'answer', ...place, time: 2, ...told, reply: reply(prompt) });
}

const bodiesIn = (sessions: SessionFiles): string[] =>
  sessions.attempts('a').flatMap(({ calls }) => calls.map(({ ask }) => ask.body));

describe('pieces of texts', () => {
  it('[PRX-19] give back every text', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constant('{"role":"user"},'),
    );
    const text = fc
      .array(fc.oneof(part, fc.constantFrom('long '.repeat(700), '😀'.repeat(300))))
      .map(parts => parts.join(''));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), texts => {
        const [writer, read] = [createPieceWriter(), createPieceReader()];
        const wellFormed = texts.map(one => one.toWellFormed());
        const written = wellFormed.map(writer.write);
        expect(written.map(pieces => read(JSON.parse(JSON.stringify(pieces))))).toEqual(wellFormed);
      }),
      { numRuns: 25 },
    );
  });

  it('[PRX-19] take little for a text that was there, wherever something was put into it', () => {
    const words = Array.from({ length: 20_000 }, (_, index) => `word ${(index * 7919) % 10_007}`).join(', ');
    for (const place of [0, 1, 5000, words.length]) {
      const writer = createPieceWriter();
      writer.write(words);
      const changed = writer.write(`${words.slice(0, place)} and this ${words.slice(place)}`);
      expect(JSON.stringify(changed).length).toBeLessThan(words.length / 10);
    }
  });
});

describe('the record of a session', () => {
  /** The n-th question of a conversation: all messages so far, and members before and after them that differ each time. */
  const bodyOf = (turns: number): string => {
    const text = (turn: number): string =>
      Array.from({ length: 60 }, (_, at) => `${turn}.${(at * turn) % 97}`).join(' ');
    const messages = Array.from({ length: turns }, (_, turn) => ({ role: 'user', content: text(turn) }));
    return JSON.stringify({ metadata: { turn: turns }, model: 'm', messages, tools: [{ name: 'f' }], seed: turns });
  };
  const sizeAfter = (turns: number): number => {
    rmSync(path(), { force: true });
    const sessions = openSessions(folder);
    for (let turn = 1; turn <= turns; turn++) {
      const prompt = Array.from({ length: turn * 80 }, (_, at) => at);
      call(sessions, bodyOf(turn), prompt);
    }
    return statSync(path()).size;
  };

  it('[PRX-19] grows as the conversation does, not as its square', () => {
    expect(sizeAfter(100) / sizeAfter(25)).toBeLessThan(6);
  });

  it('[PRX-19] gives back bodies and tokens as they were, also when another proxy went on with it', () => {
    const bodies = Array.from({ length: 9 }, (_, turn) => bodyOf(turn + 1));
    const prompts = bodies.map((_, turn) => Array.from({ length: turn * 300 }, (_unused, at) => at * 3));
    for (const [turn, body] of bodies.entries()) call(openSessions(folder), body, prompts[turn]);
    const sessions = openSessions(folder);
    expect(bodiesIn(sessions)).toEqual(bodies);
    const told = sessions.attempts('a').flatMap(({ calls }) => calls.map(({ answer }) => answer?.reply?.tokens));
    expect(told).toEqual(prompts.map(prompt => ({ prompt, completion: [1], logprobs: [-0.5] })));
    expect(statSync(path()).size).toBeLessThan(JSON.stringify([bodies, prompts]).length * 0.7);
  });

  it('[PRX-19] of an earlier version is read, and gone on with', () => {
    const place = { session: 'a', attempt: 1, index: 0, time: 1 };
    const old: Line = { kind: 'ask', ...place, dialect: 'openai', endpoint: 'e', body: bodyOf(2), fault: null };
    writeFileSync(path(), `${JSON.stringify(old)}\n`);
    const sessions = openSessions(folder);
    call(sessions, bodyOf(3));
    expect(bodiesIn(sessions)).toEqual([bodyOf(2), bodyOf(3)]);
  });

  it.each([
    ['is no JSON', Buffer.from('{"kind":"ask"')],
    ['is none of ours', Buffer.from('{"kind":"ask"}')],
    ['is no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['has a NUL', Buffer.from('\0\0\0')],
    ['has 100 MB', Buffer.alloc(100 * 2 ** 20, 'x')],
  ])('[PRX-12] [PRX-18] with a line that %s is read all the same, and says so', (_name, line) => {
    call(openSessions(folder), bodyOf(1));
    appendFileSync(path(), Buffer.concat([line, Buffer.from('\n')]));
    const sessions = openSessions(folder);
    call(sessions, bodyOf(2));
    expect(bodiesIn(sessions)).toEqual([bodyOf(1), bodyOf(2)]);
    expect(sessions.attempts('a')[0]?.notes).toEqual([expect.stringMatching(/^line 3 is damaged/)]);
  });

  it('[PRX-12] with many damaged lines names the first of them, and counts the others', () => {
    call(openSessions(folder), bodyOf(1));
    appendFileSync(path(), 'x\n'.repeat(1000));
    const [attempt] = openSessions(folder).attempts('a');
    expect(attempt?.notes).toHaveLength(21);
    expect(attempt?.notes.at(-1)).toBe('and 980 more');
  });

  it('[PRX-12] that lost a line says which calls went with it, and makes up no other', () => {
    const sessions = openSessions(folder);
    for (const turns of [60, 61, 62]) call(sessions, bodyOf(turns));
    const lines = readFileSync(path(), 'utf8').split('\n');
    writeFileSync(path(), lines.with(0, '{"damaged').join('\n'));
    const [attempt] = openSessions(folder).attempts('a');
    expect(attempt?.notes.length).toBeGreaterThan(1);
    const all = [60, 61, 62].map(bodyOf);
    expect(attempt?.calls.every(({ ask }) => ask.body === all[ask.index])).toBe(true);
    expect(openSessions(folder).take('a').index).toBe(3);
  });

  it('[PRX-18] takes any bytes between its lines', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 6 }), junk => {
        rmSync(path(), { force: true });
        call(openSessions(folder), 'one');
        appendFileSync(path(), Buffer.concat([...junk.map(bytes => Buffer.from(bytes)), Buffer.from('\n')]));
        const sessions = openSessions(folder);
        call(sessions, 'two');
        expect(bodiesIn(openSessions(folder))).toEqual(['one', 'two']);
      }),
      { numRuns: 40 },
    );
  });
});

describe('bounds of records', () => {
  const limits = { file: 40_000, folder: 70_000, attempt: 1_000_000, sessions: 4 };
  const post = (url: string, session: string, length: number): Promise<Response> =>
    fetch(`${url}/s/${session}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content: randomText(length) }] }),
    });
  let drawn = 1;
  const randomText = (length: number): string =>
    Array.from({ length }, () => String.fromCharCode(97 + ((drawn = (drawn * 48_271) % 2_147_483_647) % 26))).join('');

  it('[PRX-20] refuse a call beyond them in the dialect of the harness, and note it once', async () => {
    const proxied = await startProxied(() => ({ text: 'Good' }), { sessionLimits: limits });
    const { url, sessions, upstream } = proxied;
    try {
      expect((await post(url, 'one/v1/chat/completions', 30_000)).status).toBe(200);
      const refused = await post(url, 'one/v1/chat/completions', 30_000);
      expect(refused.status).toBe(413);
      expect(await refused.json()).toMatchObject({
        error: { message: expect.stringMatching(/cannot be recorded: the record of the session has \d+ bytes\. Give/) },
      });
      const other = await post(url, 'one/v1/messages', 30_000);
      expect([other.status, await other.json()]).toMatchObject([413, { type: 'error' }]);
      expect(sessions.attempts('one')[0]?.notes).toEqual([expect.stringContaining('A call was refused')]);
      expect(upstream.asked.length).toBe(1);
      expect((await post(url, 'two/v1/chat/completions', 30_000)).status).toBe(200);
      const full = await post(url, 'three/v1/chat/completions', 30_000);
      expect([full.status, await full.text()]).toEqual([413, expect.stringContaining('all sessions have')]);
      const rule = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"pass":true}' };
      expect((await fetch(`${url}/espalier/sessions/one/verdict`, rule)).status).toBe(200);
    } finally {
      await proxied.close();
    }
  });

  it('[PRX-20] count sessions, and what all bodies of an attempt come to', async () => {
    const few = { ...usualSessionLimits, sessions: 2, attempt: 500 };
    const proxied = await startProxied(() => ({ text: 'Good' }), { sessionLimits: few });
    const { url } = proxied;
    try {
      const told = [];
      for (const session of ['one', 'two', 'three'])
        told.push((await post(url, `${session}/v1/chat/completions`, 10)).status);
      expect(told).toEqual([200, 200, 413]);
      expect((await post(url, 'one/v1/chat/completions', 450)).status).toBe(413);
      for (let asked = 0; asked < 50; asked++) await fetch(`${url}/espalier/sessions/none-${asked}`);
      expect((await post(url, 'two/v1/chat/completions', 10)).status).toBe(200);
    } finally {
      await proxied.close();
    }
  });
});
