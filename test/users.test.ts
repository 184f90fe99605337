import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UsersFound } from '../src/analysis/users/count-users.ts';
import type { JsonObject } from '../src/core/json.ts';
import { startScriptedUpstream, type Script, type ScriptedUpstream } from './fixtures/models/scripted-upstream.ts';
import { library, runWarm } from './fixtures/program.ts';

let folder = '';
let upstream: ScriptedUpstream;

/** A model that plays the user: it tells what its card says, and accepts whatever it is shown. */
const obliging: Script = ({ body }) => {
  const card = (body['messages'] as JsonObject[]).map(({ content }) => JSON.stringify(content)).join('\n');
  const facts = [...card.matchAll(/the ([a-z ]+) is \\+"([^"\\]+)\\+"/g)].map(
    ([, name, value]) => `The ${name} is ${value}.`,
  );
  const isShown = card.includes('The screen that the agent shows you');
  const text = isShown ? 'Thank you.' : facts.join(' ');
  return { calls: [{ name: 'user_reply', input: isShown ? { text, accepts: true } : { text } }] };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'espalier-users-'));
  upstream = await startScriptedUpstream(obliging);
});
afterAll(async () => {
  await upstream.close();
  await rm(folder, { recursive: true });
});

describe('users in runs', () => {
  it('[USER-7] a model plays the user as a role of a team, and its errors are counted', async () => {
    const student = `team:agent=gullible,user=openai:one@${upstream.url}`;
    const name = `users:${library},persona=helpful,played=yes`;
    const ended = await runWarm(
      ['eval', name, '--student', student, '--no-baselines', '--instances', '2', '--out', 'played'],
      { folder },
    );
    expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
    expect(upstream.asked.length).toBeGreaterThan(0);
    const told = await runWarm(['users', 'played', '--json'], { folder });
    const { users } = JSON.parse(told.stdout) as UsersFound;
    expect(users).toMatchObject([{ persona: 'helpful', passed: { rate: 1 }, errors: { rate: 0, kinds: {} } }]);
    // A user who only ever says yes misjudges work that was not begun.
    writeFileSync(
      join(folder, 'hasty.mjs'),
      `export const policy = { name: 'hasty', act: ({ path }) => ({
        action: path.some(({ action }) => action.tool === 'show_user') ? { kind: 'finish' } : { kind: 'call', tool: 'show_user', input: {} },
      }) };`,
    );
    const hasty = student.replace('gullible', './hasty.mjs');
    await runWarm(['eval', name, '--student', hasty, '--no-baselines', '--instances', '2', '--out', 'hasty'], {
      folder,
    });
    const found = JSON.parse((await runWarm(['users', 'hasty', '--json'], { folder })).stdout) as UsersFound;
    expect(found.users).toMatchObject([{ passed: { rate: 0 }, errors: { rate: 1, kinds: { 'wrongly accepted': 4 } } }]);
    expect(found.agreement).toMatchObject([{ rubricOnly: 4, verifierOnly: 0, kappa: 0 }]);
    await runWarm(['report', 'hasty'], { folder });
    expect(readFileSync(join(folder, 'hasty', 'report.html'), 'utf8')).toContain('<section id="users">');
  });
});
