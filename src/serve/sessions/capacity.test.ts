import { describe, expect, it } from 'vitest';
import { stoppedAfterEach, type TestClient } from '../../../test/fixtures/serve/start-server.ts';

const wanted = { task: 'lend-to-reader', seed: 3 };
const finish = { kind: 'finish' };

const serve = stoppedAfterEach();

/** Opens a session and ends it with a verdict. */
async function finishOne(client: TestClient): Promise<string> {
  const { data } = await client.ask('open', wanted);
  await client.ask('step', finish, { session: data.session });
  return data.session;
}

async function gauge(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

async function rpc(url: string, method: string, params: object = {}): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as Record<string, unknown>;
}

describe('capacity', () => {
  it('[SRV-50] gives the place of a finished session to another one; it can still be read', async () => {
    const server = await serve({ sessions: 2, clientSessions: 2 });
    const client = await server.connect();
    const first = await finishOne(client);
    const second = await finishOne(client);
    const open = await client.ask('open', wanted);
    expect(open).toMatchObject({ type: 'open' });
    expect(await client.ask('verify', {}, { session: first })).toMatchObject({ data: { outcome: 'failed' } });
    expect(await gauge(server.url, 'espalier_sessions')).toBe(1);
    expect(await gauge(server.url, 'espalier_sessions_finished')).toBe(2);
    await client.ask('open', wanted);
    // A reset takes a place again.
    expect(await client.ask('reset', wanted, { session: second })).toMatchObject({
      data: { code: 'CAPACITY_REACHED' },
    });
    await client.ask('close', {}, { session: open.data.session });
    expect(await client.ask('reset', wanted, { session: second })).toMatchObject({ type: 'observation' });
    expect(await client.ask('open', wanted)).toMatchObject({ data: { code: 'CAPACITY_REACHED' } });
  });

  it('[SRV-50] drops the session that finished first when too many are left unclosed', async () => {
    const server = await serve({ sessions: 3, clientSessions: 3 });
    const client = await server.connect();
    const finished: string[] = [];
    for (let index = 0; index < 5; index++) finished.push(await finishOne(client));
    const answers = await Promise.all(finished.map(session => client.ask('verify', {}, { session })));
    expect(answers.map(({ type }) => type)).toEqual(['error', 'error', 'verify', 'verify', 'verify']);
    expect(await gauge(server.url, 'espalier_sessions_finished')).toBe(3);
  });

  it('[SRV-51] gives clients without a connection at most half of all places', async () => {
    const server = await serve({ sessions: 10, clientSessions: 10 });
    const created: Record<string, unknown>[] = [];
    for (let index = 0; index < 10; index++) created.push(await rpc(server.url, 'openenv/session/create', wanted));
    expect(created.filter(answer => 'result' in answer)).toHaveLength(5);
    expect(created.at(-1)).toMatchObject({ error: { code: -32000, data: { active_sessions: 5, max_sessions: 5 } } });
    const client = await server.connect();
    expect(await client.ask('reset', wanted)).toMatchObject({ type: 'observation' });
  });
});

describe('held-out templates', () => {
  const keys = { student: 'student-key-0123456789', teacher: 'teacher-key-0123456789' };
  const heldOut = { environment: 'mail', task: 'forward-message', seed: 3 };

  it('[SRV-52] are opened with the key of a teacher, or where the server was told so', async () => {
    const server = await serve({ keys });
    const [student, teacher] = [await server.connect(keys.student), await server.connect(keys.teacher)];
    for (const verb of ['open', 'reset'])
      expect(await student.ask(verb, heldOut)).toMatchObject({ data: { code: 'FORBIDDEN' } });
    await student.ask('reset', { environment: 'mail', task: 'star-message' });
    expect(await student.ask('reset', heldOut)).toMatchObject({ data: { code: 'FORBIDDEN' } });
    expect(await student.ask('state')).toMatchObject({ data: { task: 'mail/star-message/1', outcome: null } });
    expect(await teacher.ask('open', heldOut)).toMatchObject({ type: 'open' });
    const told = await serve({ heldOut: true });
    expect(await (await told.connect()).ask('open', heldOut)).toMatchObject({ type: 'open' });
  });
});
