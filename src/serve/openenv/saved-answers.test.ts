import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { planFor } from '../../../test/fixtures/episode-setup.ts';
import { createGymClient, rowOf } from '../../../test/fixtures/serve/gym-client.ts';
import { startServer, stoppedAfterEach } from '../../../test/fixtures/serve/start-server.ts';
import { toolCallOf } from '../../core/episode/action-tools.ts';
import { mail } from '../../envs/apps/mail/mail.ts';
import { createWorld } from '../../worlds/world.ts';
import type { SessionRecord } from '../sessions/session-file.ts';

const start = stoppedAfterEach();
const world = createWorld(app);
const wanted = { environment: 'library', task: 'lend-to-reader', seed: 3 };
const plan = planFor(world.open(world.task(wanted.task, wanted.seed)));
const folder = mkdtempSync(join(tmpdir(), 'espalier-saved-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function recordsIn(out: string): SessionRecord[] {
  const path = join(out, 'sessions.jsonl');
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map(line => JSON.parse(line) as SessionRecord);
}

/** What is on the disk at this moment. */
function stepsIn(out: string): number {
  const journal = new DatabaseSync(join(out, 'store.db'), { readOnly: true });
  try {
    return Number(journal.prepare("SELECT count(*) AS count FROM events WHERE kind = 'step'").get()?.['count']);
  } finally {
    journal.close();
  }
}

// oxlint-disable-next-line typescript/no-explicit-any
async function post(url: string, body: object, key?: string): Promise<any> {
  const headers = {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}

describe('an answer in a session with keep', () => {
  it('[SRV-29] comes after what was done is saved, through every codec', async () => {
    const out = join(folder, 'codecs');
    const { url, gymUrl, connect } = await start({ out });
    const [client, other] = [await connect(), await connect()];
    const { data } = await client.ask('open', { ...wanted, keep: true });
    const { name, input } = toolCallOf(plan[0]!);
    const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
    const call = rpc('tools/call', { name, arguments: input, session_id: data.session });

    expect(await post(`${url}/mcp`, call)).toMatchObject({ result: { isError: false } });
    expect(stepsIn(out)).toBe(1);
    await other.ask('mcp', call);
    expect(stepsIn(out)).toBe(2);

    const made = await post(`${url}/mcp`, rpc('openenv/session/create', { ...wanted, keep: true }));
    const id = made.result.session_id as string;
    expect(recordsIn(out).map(({ session }) => session)).toContain(id);
    await post(`${url}/mcp`, rpc('openenv/session/close', { session_id: id }));
    expect(recordsIn(out).findLast(({ session }) => session === id)?.end?.reason).toBe('abandoned');

    const { data: group } = await client.ask('fork', { n: 1 }, { session: data.session });
    const fork = group.sessions[0].session as string;
    await client.ask('close', {}, { session: fork });
    expect(recordsIn(out).findLast(({ session }) => session === fork)?.end?.reason).toBe('abandoned');

    const gym = createGymClient(gymUrl);
    await gym.post('seed_session', rowOf('library', 'lend-to-reader/3'));
    await gym.post('close');
    expect(recordsIn(out).at(-1)?.end?.reason).toBe('abandoned');
  });

  it('[SRV-69] says that the disk fails, and takes forks back that cannot be saved', async () => {
    const out = join(folder, 'disk');
    const { url, connect, log } = await start({ out });
    const client = await connect();
    const { data } = await client.ask('open', { ...wanted, keep: true });
    const more = { session: data.session as string };
    const file = join(out, 'sessions.jsonl');
    renameSync(file, `${file}.away`);
    mkdirSync(file);
    const { data: refused } = await client.ask('fork', { n: 3 }, more);
    expect(refused).toMatchObject({
      code: 'EXECUTION_ERROR',
      message: expect.stringContaining('cannot write to its disk'),
    });
    expect(log).toContainEqual(expect.objectContaining({ message: expect.stringContaining('it is a folder') }));
    rmdirSync(file);
    renameSync(`${file}.away`, file);
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^espalier_sessions 1$/m);
    expect(await client.ask('fork', { n: 2 }, more)).toMatchObject({ type: 'fork' });
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^espalier_sessions 3$/m);
  });

  it('[SRV-81] leaves nothing of a session that could not be saved to be written later', async () => {
    const out = join(folder, 'unsaved');
    const { connect } = await start({ out });
    const client = await connect();
    const open = async () => (await client.ask('open', { ...wanted, keep: true })).data;
    const first = await open();
    const file = join(out, 'sessions.jsonl');
    renameSync(file, `${file}.away`);
    mkdirSync(file);
    expect(await open()).toMatchObject({ code: 'EXECUTION_ERROR' });
    rmdirSync(file);
    renameSync(`${file}.away`, file);
    const second = await open();
    const written = readFileSync(file, 'utf8').trim().split('\n');
    const sessions = written.map(line => (JSON.parse(line) as { session: string }).session);
    expect(new Set(sessions)).toEqual(new Set([first.session, second.session]));
  });
});

describe('a request', () => {
  it('[SRV-70] of a student over HTTP alone gets no reward for a held-out template', async () => {
    const heldOut = createWorld(mail).templates.find(({ split }) => split !== 'train')?.id;
    const keys = { student: 'student-key', teacher: 'teacher-key' };
    const { url } = await start({ heldOut: true, keys });
    const step = (task: string | undefined, key: string) =>
      post(`${url}/step`, { environment: 'mail', task, action: { kind: 'finish' } }, key);
    expect(await step(heldOut, 'student-key')).toMatchObject({ done: true, reward: null });
    expect(await step(heldOut, 'teacher-key')).toMatchObject({ done: true, reward: 0 });
    expect(await step('star-message', 'student-key')).toMatchObject({ done: true, reward: 0 });
  });

  it('[SRV-71] that resets a named session with another keep is refused, and changes nothing', async () => {
    const { connect } = await start({ out: join(folder, 'keep') });
    const client = await connect();
    await client.ask('reset', wanted);
    const { data: own } = await client.ask('state');
    const { data: named } = await client.ask('open', wanted);
    const answer = await client.ask('reset', { ...wanted, keep: true }, { session: named.session });
    expect(answer.data).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('without "keep"') });
    expect((await client.ask('state')).data).toEqual(own);
    expect(await client.ask('state', {}, { session: named.session })).toMatchObject({ type: 'state' });
    const { data: many } = await client.ask('fork', { n: 100 });
    expect(many.message).toContain('at most 64 forks at once');
  });
});

describe('verdicts after a restart', () => {
  it('[SRV-61] are those of the sessions that ended last, however many were closed without one', async () => {
    const out = join(folder, 'many');
    const before = await startServer({ out });
    const client = await before.connect();
    const { data } = await client.ask('open', { ...wanted, keep: true });
    await client.ask('step', { kind: 'finish' }, { session: data.session });
    await before.stop();
    const ended = recordsIn(out).at(-1)!;
    const others = Array.from({ length: 4096 }, (_, index) => ({ ...ended, session: `s-${index}` }));
    const noVerdict = { ...ended.end!, outcome: 'errored' as const, reason: 'abandoned', verdict: null };
    const closed = others.map(record => ({ ...record, session: `${record.session}-closed`, end: noVerdict }));
    const records = [{ ...ended, end: null }, ...others, ended, ...closed];
    writeFileSync(join(out, 'sessions.jsonl'), records.map(record => `${JSON.stringify(record)}\n`).join(''));
    const after = await startServer({ out });
    const again = await after.connect();
    expect(await again.ask('verify', {}, { session: data.session })).toMatchObject({ data: { reward: 0 } });
    expect(await again.ask('verify', {}, { session: 's-0' })).toMatchObject({ data: { code: 'SESSION_ERROR' } });
    await after.stop();
  });
});
