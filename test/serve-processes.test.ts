import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode, encode } from '@msgpack/msgpack';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { Dealer } from 'zeromq';
import { planFor } from './fixtures/episode-setup.ts';
import { app } from '../examples/library/library.ts';
import { createWorld } from '../src/worlds/world.ts';
import { toolCallOf } from '../src/core/episode/action-tools.ts';
import { createGymClient, messageItem, responseOf, rowOf } from './fixtures/serve/gym-client.ts';
import { connectTo, type TestClient } from './fixtures/serve/start-server.ts';
import { episodesIn, library, runProgram } from './fixtures/program.ts';

const root = join(import.meta.dirname, '..');
const node = join(root, 'node_modules', '.bin', 'node');
const folder = mkdtempSync(join(tmpdir(), 'espalier-processes-'));
const world = createWorld(app);
const wanted = { task: 'lend-to-reader', seed: 3 };
const plan = planFor(world.open(world.task(wanted.task, wanted.seed)));

const started: ChildProcess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Served {
  readonly url: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly said: any;
  readonly child: ChildProcess;
  notes(): string;
}

const serve = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Served> =>
  start(['serve', ...args, '--json'], env);

async function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Served> {
  const child = spawn(node, [join(root, 'bin', 'espalier.js'), ...args], { env: { ...process.env, ...env } });
  started.push(child);
  let notes = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (notes += text));
  const said = await new Promise<{ url: string }>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => {
      resolve(text.startsWith('{') ? (JSON.parse(text) as { url: string }) : { url: new URL(text).origin });
    });
    child.once('close', () => reject(new Error(notes)));
  });
  return { ...said, said, child, notes: () => notes };
}

const inTwo = (...args: readonly string[]): Promise<Served> =>
  serve([library, '--processes', '2', '--port', '0', ...args]);

/** The process of a server at a place. */
function processAt({ child }: Served, place: number): number {
  const own = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').map(Number);
  const found = own.find(pid => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0--place\0${place}@`));
  if (found === undefined) throw new Error(`There is no process at place ${place}.`);
  return found;
}

const placeOf = (session: unknown): number => Number(/^s-(\d+)-/.exec(String(session))?.[1]);

interface Opened {
  readonly client: TestClient;
  readonly session: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

/** A connection to each of two servers, with a session that it opened there. */
async function oneAtEach(url: string, more: object = {}): Promise<[Opened, Opened]> {
  const found: Opened[] = [];
  for (let tries = 0; tries < 2; tries++) {
    const client = await connectTo(url);
    const { data } = await client.ask('open', { ...wanted, ...more });
    found.push({ client, session: data.session as string, data });
  }
  const [one, two] = found.toSorted((left, right) => placeOf(left.session) - placeOf(right.session));
  expect(found.map(({ session }) => placeOf(session)).toSorted()).toEqual([1, 2]);
  return [one, two] as [Opened, Opened];
}

async function series(url: string, name: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = [...text.matchAll(new RegExp(`^${name}\\{([^}]*)\\} (\\S+)$`, 'gm'))];
  return Object.fromEntries(found.map(([, labels = '', value]) => [labels, Number(value)]));
}

describe('several processes behind one address', () => {
  it('[SRV-90] keep a connection where it is, and reach a session by its id from every connection', async () => {
    const out = join(folder, 'reach');
    const { url } = await inTwo('--out', out);
    const [here, there] = await oneAtEach(url);
    // Answers of both servers come in the order of the requests where these have no id.
    const asked = ['state', 'state', 'digest', 'digest'];
    for (const [at, type] of asked.entries())
      here.client.send(JSON.stringify({ type, session: at % 2 === 0 ? there.session : here.session }));
    const answers = [
      await here.client.next(),
      await here.client.next(),
      await here.client.next(),
      await here.client.next(),
    ];
    expect(answers.map(({ type, session }) => [type, session])).toEqual(
      asked.map((type, at) => [type, at % 2 === 0 ? there.session : here.session]),
    );
    // With an id it comes back with it.
    const { id, data } = await here.client.ask('step', plan[0], { session: there.session, id: 'mine', request: 'one' });
    expect([id, data.observation.node]).toEqual(['mine', 1]);
    expect((await here.client.ask('attach', { session: there.session })).data.node).toBe(1);
    // It belongs to the connection that attached it, and ends with it.
    await here.client.close();
    await expect.poll(async () => (await there.client.ask('state', {}, { session: there.session })).type).toBe('error');
    const { data: own } = await there.client.ask('reset', wanted);
    expect(own.observation.node).toBe(0);
    await there.client.close();
  });

  it('[SRV-90] reach it by JSON-RPC and by the cookie of NeMo Gym, on connections that others use', async () => {
    const { url, said } = await inTwo('--nemo-gym', '0');
    const rpc = async (method: string, params: object) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      return (await (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).json()).result;
    };
    const made = [await rpc('openenv/session/create', wanted), await rpc('openenv/session/create', wanted)];
    const ids = made.map(({ session_id }) => session_id as string);
    expect(ids.map(placeOf).toSorted()).toEqual([1, 2]);
    const call = { name: 'list_books', arguments: { text: '' } };
    for (const session_id of [...ids, ...ids])
      expect(await rpc('tools/call', { session_id, ...call })).toMatchObject({ isError: false });
    const client = await connectTo(url);
    for (const session_id of ids) {
      const params = { session_id, ...call };
      const { data } = await client.ask('mcp', { jsonrpc: '2.0', id: 2, method: 'tools/call', params });
      expect(data).toMatchObject({ id: 2, result: { isError: false } });
    }
    await client.close();
    const gyms = [createGymClient(said.nemoGym), createGymClient(said.nemoGym)];
    const row = rowOf('library', 'lend-to-reader/3');
    for (const gym of gyms) await gym.post('seed_session', row);
    expect(gyms.map(gym => placeOf(gym.cookie().split('=')[1])).toSorted()).toEqual([1, 2]);
    for (const { name, input } of plan.map(toolCallOf))
      for (const gym of gyms) expect((await gym.post(name, input)).status).toBe(200);
    for (const gym of gyms)
      expect((await gym.post('verify', { ...row, response: responseOf(messageItem('Done.')) })).json().reward).toBe(1);
  });

  it('[SRV-91] start a killed process again: its kept sessions come back, and nobody else notices', async () => {
    const out = join(folder, 'killed');
    const served = await inTwo('--out', out);
    const [one, two] = await oneAtEach(served.url, { keep: true });
    await one.client.ask('step', plan[0], { session: one.session });
    const { data: before } = await one.client.ask('state', {}, { session: one.session });
    const { data: other } = await two.client.ask('open', wanted);
    process.kill(processAt(served, 1), 'SIGKILL');
    expect(await one.client.closed).toBe(1006);
    // The process at the other place goes on with its sessions, and passes on what is for the first once that is back.
    expect((await two.client.ask('step', plan[0], { session: other.session })).data.observation.node).toBe(1);
    const { data: after } = await two.client.ask('state', {}, { session: one.session });
    expect(after).toEqual(before);
    const again = await connectTo(served.url);
    expect((await again.ask('attach', { session: one.session })).data.node).toBe(1);
    for (const action of plan.slice(1)) await again.ask('step', action, { session: one.session });
    expect((await again.ask('verify', {}, { session: one.session })).data.reward).toBe(1);
    expect(served.notes()).toContain('Process 1 ended (SIGKILL). It is started again.');
    await again.close();
    await two.client.close();
    started.splice(started.indexOf(served.child), 1);
    served.child.kill('SIGTERM');
    await once(served.child, 'exit');
    expect(episodesIn(join(out, 'process-1')).map(({ end }) => end.outcome)).toContain('passed');
    // With fewer processes the sessions of the second would be lost.
    const fewer = await runProgram(['serve', library, '--processes', '1', '--out', out], { folder });
    expect([fewer.code, fewer.stderr]).toEqual([2, expect.stringContaining('Expected --processes 2 or more')]);
    const third = await inTwo('--out', out);
    expect(third.said.resumed).toBe(1);
  });

  it('[SRV-91] end with the process that started them, however that ended', async () => {
    const served = await inTwo();
    const own = [processAt(served, 1), processAt(served, 2)];
    served.child.kill('SIGKILL');
    const isThere = (pid: number): boolean => readdirSync('/proc').includes(String(pid));
    await expect.poll(() => own.some(isThere), { timeout: 15_000 }).toBe(false);
  });

  it('[SRV-92] add up in metrics, and share limits and keys', async () => {
    const keys = { ESPALIER_STUDENT_KEY: 'student-key-of-tests', ESPALIER_TEACHER_KEY: 'teacher-key-of-tests' };
    const args = [library, '--processes', '2', '--port', '0', '--sessions', '4', '--client-sessions', '4'];
    const { url } = await serve(args, keys);
    expect((await fetch(`${url}/metrics`)).status).toBe(401);
    const headers = { authorization: `Bearer ${keys.ESPALIER_STUDENT_KEY}` };
    const metadata = await (await fetch(`${url}/metadata`, { headers })).json();
    expect(metadata.capabilities.limits.sessions).toBe(4);
    const teacher = await connectTo(url, keys.ESPALIER_TEACHER_KEY);
    const student = await connectTo(url, keys.ESPALIER_STUDENT_KEY);
    const own = (await teacher.ask('open', wanted)).data.session;
    const others = (await student.ask('open', wanted)).data.session;
    expect([placeOf(own), placeOf(others)].toSorted()).toEqual([1, 2]);
    // The rights of a connection hold in sessions at other places, too.
    expect((await teacher.ask('plan', {}, { session: others })).type).toBe('plan');
    expect((await student.ask('plan', {}, { session: own })).data.code).toBe('FORBIDDEN');
    for (const client of [teacher, student]) await client.ask('open', wanted);
    for (const client of [teacher, student])
      expect((await client.ask('open', wanted)).data.code).toBe('CAPACITY_REACHED');
    const text = await (await fetch(`${url}/metrics`, { headers })).text();
    const sum = (name: string): number =>
      [...text.matchAll(new RegExp(`^${name}\\{place="\\d"\\} (\\d+)$`, 'gm'))].reduce(
        (all, [, n]) => all + Number(n),
        0,
      );
    expect([sum('espalier_sessions'), sum('espalier_sessions_limit')]).toEqual([4, 4]);
    expect(text.match(/^# TYPE espalier_sessions gauge$/gm)).toHaveLength(1);
    // Who guesses is slowed down, and nobody else.
    const wrong = { authorization: 'Bearer guessed' };
    for (let tries = 0; tries < 20; tries++) expect((await fetch(`${url}/state`, { headers: wrong })).status).toBe(401);
    expect((await fetch(`${url}/state`, { headers: wrong })).status).toBe(429);
    expect((await teacher.ask('state')).type).toBe('state');
    await teacher.close();
    await student.close();
  });

  it('[SRV-92] count each step once, wherever its session is', async () => {
    const { url } = await inTwo();
    const [one, two] = await oneAtEach(url);
    for (const [at, action] of plan.slice(0, 2).entries())
      await (at === 0 ? one : two).client.ask('step', action, { session: two.session });
    expect(await series(url, 'espalier_steps_total')).toEqual({ 'place="1"': 0, 'place="2"': 2 });
    await one.client.close();
    await two.client.close();
  });

  it('[SRV-90] give each connection of verifiers to a process', async () => {
    const { said } = await inTwo('--verifiers', '0', '--out', join(folder, 'verifiers'));
    for (let client = 0; client < 3; client++) {
      const socket = new Dealer({ linger: 0 });
      socket.connect(said.verifiers);
      await socket.send([Buffer.from('a'), Buffer.from('health'), Buffer.from(encode({}))]);
      const [id, kind, data] = (await socket.receive()) as [Buffer, Buffer, Buffer];
      expect([id.toString(), kind.toString(), decode(data)]).toEqual(['a', 'reply', { success: true, error: null }]);
      socket.close();
    }
  });
});

describe('servers behind an address', () => {
  it('[SRV-93] are one, and are refused with another number or other keys than theirs', async () => {
    const port = 20_000 + Math.floor(process.pid % 20_000);
    const front = `http://127.0.0.1:${port}`;
    const [one, two] = [
      await serve([library, '--port', '0', '--place', `1@${front}`]),
      await serve([library, '--port', '0', '--place', `2@${front}`]),
    ];
    const asFront = (...args: readonly string[]) => runProgram(['serve', '--behind', ...args], { folder });
    expect((await asFront(two.url, one.url)).stderr).toContain('was started as number 2, and is number 1 here');
    const { url } = await serve(['--behind', one.url, two.url, '--port', String(port)]);
    const [here, there] = await oneAtEach(url);
    expect((await here.client.ask('step', plan[0], { session: there.session })).data.observation.node).toBe(1);
    expect((await there.client.ask('state', {}, { session: here.session })).data.node).toBe(0);
    await Promise.all([here.client.close(), there.client.close()]);
    one.child.kill('SIGTERM');
    await once(one.child, 'exit');
    const health = await (await fetch(`${url}/health`)).json();
    expect(health).toEqual({ status: 'healthy', servers: 1, of: 2 });
    const left = await connectTo(url);
    expect(placeOf((await left.ask('open', wanted)).data.session)).toBe(2);
    await left.close();
    const keyed = await serve([library, '--port', '0', '--place', `1@${front}`], {
      ESPALIER_STUDENT_KEY: 'student-key-of-tests',
    });
    expect((await asFront(keyed.url)).stderr).toContain('has other keys than this server');
    expect((await runProgram(['serve'], { folder })).stderr).toContain('There is nothing to serve');
    const mixed = await runProgram(['serve', library, '--behind', two.url], { folder });
    expect(mixed.stderr).toContain('Leave out environments, --processes, --place and --out');
  });

  it('[SRV-93] are reached by the session header of MCP', async () => {
    const args = ['mcp', library, '--http', '--place'];
    const places = await Promise.all([1, 2].map(place => start([...args, `${place}@http://127.0.0.1:1`])));
    const { url } = await serve(['--behind', ...places.map(one => one.url), '--port', '0']);
    const ask = (method: string, params: object, session = '') =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(session === '' ? {} : { 'mcp-session-id': session }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
    const hello = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const ids: string[] = [];
    for (let client = 0; client < 2; client++) {
      const answer = await ask('initialize', hello);
      ids.push(answer.headers.get('mcp-session-id') ?? '');
      await answer.text();
    }
    expect(ids.map(placeOf).toSorted()).toEqual([1, 2]);
    for (const id of [...ids, ...ids, ...ids]) {
      const answer = await ask('tools/list', {}, id);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('list_books')]);
    }
  });
});
