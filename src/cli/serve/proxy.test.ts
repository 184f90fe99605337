import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { episodesIn } from '../../../test/fixtures/program.ts';
import { startScriptedUpstream, type ScriptedUpstream } from '../../../test/fixtures/models/scripted-upstream.ts';
import { causeText } from '../../core/errors.ts';
import { createOutput } from '../terminal/output.ts';
import { addProxy } from './proxy-verb.ts';

const secret = 'planted-secret-4711';
let folder = '';
let upstream: ScriptedUpstream;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-cli-proxy-'));
  upstream = await startScriptedUpstream(({ headers }) =>
    headers.authorization === `Bearer ${secret}` ? { text: 'Good morning' } : { status: 401, error: 'who are you?' },
  );
  process.env[keyName()] = secret;
  process.env['ESPALIER_VERDICT_KEY'] = verdictKey;
});
afterEach(async () => {
  delete process.env[keyName()];
  delete process.env['ESPALIER_VERDICT_KEY'];
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
});

function keyName(): string {
  return `ESPALIER_KEY_127_0_0_1_${new URL(upstream.url).port}`;
}

/** Runs the verb, does something as soon as it serves, and stops it. What it printed, and how it ended. */
async function serve(args: readonly string[], meanwhile: (url: string) => Promise<void> = async () => {}) {
  const { promise: printed, resolve } = Promise.withResolvers<string>();
  const results = { write: resolve };
  let notes = '';
  const output = createOutput({ results, progress: { write: text => (notes += text) }, colours: false });
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  let code: number | null = null;
  addProxy(program, {
    output,
    finish: async work => {
      code = await work;
    },
  });
  const running = program.parseAsync(['proxy', ...args, '--out', folder, '--port', '0', '--json'], { from: 'user' });
  await Promise.race([printed, running]);
  try {
    await meanwhile((JSON.parse(await printed) as { url: string }).url);
  } finally {
    process.emit('SIGTERM');
    await running;
  }
  return { code, notes };
}

const call = (url: string, session: string): Promise<Response> =>
  fetch(`${url}/s/${session}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] }),
  });
const verdictKey = 'v-71';
const rule = (url: string, session: string, key = verdictKey): Promise<Response> =>
  fetch(`${url}/espalier/sessions/${session}/verdict`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"pass":true}',
  });

describe('espalier proxy', () => {
  it('[PRX-13] [PRX-16] keeps sessions with a verdict as episodes of the run; others wait for theirs', async () => {
    const endpoint = `openai:*@${upstream.url}`;
    const { code, notes } = await serve([endpoint, '--template', 'greeting'], async url => {
      expect((await call(url, 'one')).status).toBe(200);
      expect((await call(url, 'two')).status).toBe(200);
      expect((await call(url, 'three')).status).toBe(200);
      expect((await rule(url, 'one', 'v-72')).status).toBe(401);
      expect((await rule(url, 'one')).status).toBe(200);
      expect(episodesIn(folder)).toMatchObject([{ head: { student: 'm' }, end: { outcome: 'passed' } }]);
    });
    expect(code).toBe(0);
    expect(notes).toContain('one  passed · 1 call');
    expect(notes).toContain('2 sessions without a verdict: three, two.');
    // As if it had been killed after the verdict was written down, before the episode was.
    const verdict = { kind: 'verdict', session: 'three', attempt: 1, time: 1, pass: false };
    appendFileSync(join(folder, 'sessions', 'three.jsonl'), `${JSON.stringify(verdict)}\n`);
    await serve([endpoint, '--template', 'greeting'], async url => {
      expect((await rule(url, 'one')).status).toBe(409);
      expect((await rule(url, 'two')).status).toBe(200);
    });
    const kept = episodesIn(folder).map(({ head, end }) => [
      head.key.split('/').at(-1),
      head.task.template,
      end.outcome,
    ]);
    expect(kept).toEqual([
      ['one.1', 'greeting', 'passed'],
      ['three.1', 'greeting', 'failed'],
      ['two.1', 'greeting', 'passed'],
    ]);
  });

  it('[PRX-6] writes the key of the environment into no file and no line', async () => {
    const { notes } = await serve([`openai:*@${upstream.url}`], async url => {
      await call(url, 'one');
      await rule(url, 'one');
    });
    expect(notes).not.toContain(secret);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['store.db', 'one.jsonl']));
    for (const { parentPath, name } of files) expect(readFileSync(join(parentPath, name)).includes(secret)).toBe(false);
  });

  it('[PRX-25] prints a verdict key that it drew, and none that it was given', async () => {
    const told = async (...args: string[]): Promise<string> => {
      let printed = '';
      const output = createOutput({
        results: { write: text => (printed += text) },
        progress: { write: () => undefined },
        colours: false,
      });
      const program = new Command().exitOverride();
      addProxy(program, { output, finish: async work => void (await work) });
      const parsed = program.parseAsync(
        ['proxy', `openai:*@${upstream.url}`, '--out', folder, '--port', '0', ...args],
        {
          from: 'user',
        },
      );
      for (let turn = 0; turn < 5000 && !/stops it|"url"/.test(printed); turn++) await new Promise(setImmediate);
      process.emit('SIGTERM');
      await parsed;
      return printed;
    };
    process.env['ESPALIER_VERDICT_KEY'] = 'given-by-somebody';
    for (const args of [[], ['--json']]) expect(await told(...args)).not.toContain('given-by-somebody');
    delete process.env['ESPALIER_VERDICT_KEY'];
    expect(await told()).toMatch(/Bearer [0-9a-f]{32}"/);
    expect(JSON.parse(await told('--json'))).toMatchObject({ verdictKey: expect.stringMatching(/^[0-9a-f]{32}$/) });
  });

  it('[PRX-26] writes a store and records that no other user can read', async () => {
    await serve([`openai:*@${upstream.url}`], async url => {
      await call(url, 'one');
      await rule(url, 'one');
      for (const name of ['store.db', 'store.db-wal', 'sessions/one.jsonl'])
        expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
    });
  });

  it('[PRX-16] refuses what it cannot do before it begins', async () => {
    const refusal = (...args: string[]): Promise<string> => serve(args).then(String, causeText);
    expect(await refusal('anthropic:claude@http://127.0.0.1:1', '--tokens')).toContain('do not give tokens');
    expect(await refusal(`openai:*@${upstream.url}`, '--faults', '418:1')).toContain('"418:1" is no fault');
    expect(await refusal('qwen')).toContain('does not begin with a kind');
    await serve([`openai:*@${upstream.url}`], async () => {
      expect(await refusal(`openai:*@${upstream.url}`)).toContain('is being written by another run');
    });
  });
});
