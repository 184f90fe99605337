import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startScriptedUpstream, type ScriptedUpstream } from '../../../test/fixtures/models/scripted-upstream.ts';
import { startProxied } from '../../../test/fixtures/models/proxied.ts';
import { openSessions } from './sessions.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-sessions-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hello = { model: 'one', messages: [{ role: 'user', content: 'Hello' }] };

function write(sessions: ReturnType<typeof openSessions>, session: string): void {
  const place = sessions.take(session);
  sessions.write({ kind: 'ask', ...place, time: 1, dialect: 'openai', endpoint: 'e', body: '{}', fault: null });
  sessions.write({
    kind: 'answer',
    ...place,
    time: 2,
    status: 500,
    reply: null,
    partial: null,
    cut: false,
    problem: 'no',
  });
}

describe('sessions', () => {
  it('[PRX-12] counts calls and attempts, also after it was opened anew', () => {
    const first = openSessions(folder);
    write(first, 'a');
    write(first, 'a');
    write(first, 'b');
    first.write({ kind: 'verdict', session: 'a', attempt: 1, time: 3, pass: true });
    const again = openSessions(folder);
    expect(again.standing('a')).toEqual({ attempt: 1, calls: 2, underWay: 0, isRuled: true });
    expect([again.take('a'), again.take('a'), again.take('b')]).toEqual([
      { session: 'a', attempt: 2, index: 0 },
      { session: 'a', attempt: 2, index: 1 },
      { session: 'b', attempt: 1, index: 1 },
    ]);
    expect(again.attempts('a')).toMatchObject([{ attempt: 1, ruling: { pass: true }, calls: [{}, {}] }]);
    expect(again.standing('c')).toBeNull();
  });

  it('[PRX-12] drops a line that was being written, and goes on after the one before', () => {
    write(openSessions(folder), 'a');
    const path = join(folder, 'a.jsonl');
    const before = readFileSync(path, 'utf8');
    appendFileSync(path, '{"kind":"ask","session":"a","ä');
    const sessions = openSessions(folder);
    expect(sessions.take('a').index).toBe(1);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  describe('of a proxy that is killed', () => {
    let upstream: ScriptedUpstream;
    let child: ChildProcess;
    afterEach(async () => {
      child.kill('SIGKILL');
      await upstream.close();
    });

    it('[PRX-12] has all that was answered, and what was under way as not answered', async () => {
      upstream = await startScriptedUpstream(({ index }) =>
        index < 3 ? { text: `answer ${index}` } : { text: 'never', pace: () => new Promise(() => {}) },
      );
      child = spawn(process.execPath, [join(import.meta.dirname, '../../../test/fixtures/models/proxy-child.ts')], {
        env: { ...process.env, UPSTREAM: upstream.url, FOLDER: folder },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [said] = (await once(child.stdout!, 'data')) as [Buffer];
      const url = said.toString().trim();
      const ask = (): Promise<Response> =>
        fetch(`${url}/v1/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...hello, stream: true }),
        });
      for (let index = 0; index < 3; index++) {
        const reply = await ask();
        const reader = reply.body!.getReader();
        // Not a moment later than the end is heard.
        for (let heard = ''; !heard.includes('[DONE]'); ) heard += Buffer.from((await reader.read()).value ?? []);
      }
      const cut = await ask();
      await cut.body!.getReader().read();
      child.kill('SIGKILL');
      await once(child, 'exit');
      const sessions = openSessions(folder);
      const answers = sessions
        .attempts('default')[0]
        ?.calls.map(({ answer }) => answer?.reply?.message.content ?? null);
      expect(answers).toEqual(['answer 0', 'answer 1', 'answer 2', null]);
      expect(sessions.standing('default')).toMatchObject({ calls: 4, underWay: 0 });
    });
  });
});

describe('verdicts', () => {
  it('[PRX-13] end an attempt; the next call begins another', async () => {
    const proxied = await startProxied(() => ({ text: 'Good morning' }));
    const { url, kept } = proxied;
    const call = (): Promise<Response> =>
      fetch(`${url}/s/alpha/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(hello),
      });
    const rule = async (session: string, body: string): Promise<[number, unknown]> => {
      const reply = await fetch(`${url}/espalier/sessions/${session}/verdict`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      return [reply.status, await reply.json()];
    };
    try {
      await call();
      await call();
      const told = await fetch(`${url}/espalier/sessions/alpha`).then(reply => reply.json());
      expect(told).toEqual({
        session: 'alpha',
        attempt: 1,
        calls: 2,
        underWay: 0,
        isRuled: false,
        answered: 2,
        segments: [
          { calls: 1, by: 'messages' },
          { calls: 1, by: 'messages' },
        ],
      });
      expect(await rule('alpha', '{"pass":1}')).toMatchObject([
        400,
        { error: { message: expect.stringContaining('pass') } },
      ]);
      expect(await rule('alpha', 'yes')).toMatchObject([400, {}]);
      expect(await rule('nobody', '{"pass":true}')).toMatchObject([404, {}]);
      const checks = [{ name: 'tests', pass: true }];
      expect(await rule('alpha', JSON.stringify({ pass: true, checks }))).toEqual([
        200,
        { session: 'alpha', attempt: 1, calls: 2 },
      ]);
      expect(await rule('alpha', '{"pass":false}')).toMatchObject([409, {}]);
      await call();
      expect(await rule('alpha', '{"pass":false}')).toEqual([200, { session: 'alpha', attempt: 2, calls: 1 }]);
      expect(kept.map(({ attempt, calls, ruling: submitted }) => [attempt, calls.length, submitted])).toEqual([
        [1, 2, { pass: true, checks }],
        [2, 1, { pass: false }],
      ]);
      const list = await fetch(`${url}/espalier/sessions`).then(reply => reply.json());
      expect(list).toEqual({ sessions: [{ session: 'alpha', attempt: 2, calls: 1, underWay: 0, isRuled: true }] });
    } finally {
      await proxied.close();
    }
  });

  it('[PRX-13] wait for calls that are under way', async () => {
    const proxied = await startProxied(() => ({ text: 'Good', pace: () => new Promise(() => {}) }));
    const { url } = proxied;
    try {
      await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...hello, stream: true }),
      });
      const reply = await fetch(`${url}/espalier/sessions/default/verdict`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"pass":true}',
      });
      expect(reply.status).toBe(409);
    } finally {
      await proxied.close();
    }
  });
});
