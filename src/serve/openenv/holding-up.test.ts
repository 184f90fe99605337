import { once } from 'node:events';
import { request as ask, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { app } from '../../../examples/library/library.ts';
import { stoppedAfterEach, startServer } from '../../../test/fixtures/serve/start-server.ts';
import { createWorld } from '../../worlds/world.ts';

const world = createWorld(app);
const wanted = { task: 'lend-to-reader', seed: 3 };

const serve = stoppedAfterEach();

/** The status that an upgrade is answered with; 101 when it is taken. */
async function upgrade(url: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers });
  const answered = new Promise<number>(resolve => {
    socket.once('unexpected-response', (_request, response: IncomingMessage) => resolve(response.statusCode ?? 0));
    socket.once('open', () => resolve(101));
    socket.on('error', () => undefined);
  });
  try {
    return await answered;
  } finally {
    socket.terminate();
  }
}

async function status(url: string, headers: Record<string, string>): Promise<number> {
  const [response] = (await once(ask(url, { headers }).end(), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const basic = (key: string) => ({ authorization: `Basic ${Buffer.from(`student:${key}`).toString('base64')}` });

describe('keys, hosts and origins', () => {
  const keys = { student: 'student-key-0123456789', teacher: 'teacher-key-0123456789' };

  it('[SRV-27] lets nobody in without a key where there is one, at /ws and over HTTP alike', async () => {
    const { url, log } = await serve({ keys });
    const [student, teacher] = [keys.student, keys.teacher];
    for (const headers of [{}, bearer('wrong'), bearer(''), basic('wrong'), { authorization: student }]) {
      expect([headers, await upgrade(url, headers)]).toEqual([headers, 401]);
      for (const path of ['/metadata', '/metrics', '/schema', '/nowhere'])
        expect([path, await status(url + path, headers)]).toEqual([path, 401]);
      expect(await status(`${url}/health`, headers)).toBe(200);
    }
    for (const headers of [bearer(student), bearer(teacher), basic(student), basic(teacher)]) {
      expect(await upgrade(url, headers)).toBe(101);
      expect(await status(`${url}/metadata`, headers)).toBe(200);
    }
    expect(log.filter(({ kind }) => kind === 'refused-key')).toHaveLength(5);
    expect(JSON.stringify(log)).not.toContain(student);
  });

  it('[SRV-27] takes no key for a better one: without a key of teachers nobody is one', async () => {
    const server = await serve();
    for (const key of ['teacher-key-0123456789', '']) {
      const headers = bearer(key);
      expect(await upgrade(server.url, headers)).toBe(401);
    }
    const client = await server.connect();
    await client.ask('reset', wanted);
    expect(await client.ask('plan')).toMatchObject({ data: { code: 'FORBIDDEN' } });
  });

  it('[SRV-27] answers no web page and no other host name, upgrades included', async () => {
    const { url } = await serve();
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: url },
      { 'sec-fetch-site': 'same-origin' },
      { host: 'evil.example' },
    ]) {
      expect([headers, await upgrade(url, headers)]).toEqual([headers, 403]);
      expect([headers, await status(`${url}/health`, headers)]).toEqual([headers, 403]);
    }
    expect(await upgrade(`${url}/elsewhere`, {})).toBe(404);
  });

  it('[SRV-55] answers a client that also offers another protocol, and refuses two Host headers', async () => {
    const { url } = await serve();
    expect(await status(`${url}/health`, { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' })).toBe(200);
    const two = ['GET /health HTTP/1.1', 'Host: 127.0.0.1', 'Host: evil.example', 'Connection: close', '', ''];
    const raw = connect(Number(new URL(url).port), '127.0.0.1');
    raw.write(two.join('\r\n'));
    const [answer] = (await once(raw.setEncoding('utf8'), 'data')) as [string];
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    raw.destroy();
  });
});

describe('bounds', () => {
  it('[SRV-28] cuts off a frame above the limit, and what is no WebSocket; others go on', async () => {
    const server = await serve();
    const [large, other] = [await server.connect(), await server.connect()];
    await other.ask('reset', wanted);
    await large.ask('reset', wanted);
    large.send(JSON.stringify({ type: 'step', data: { kind: 'fill', ref: 'e1', text: 'x'.repeat(2 ** 20) } }));
    expect(await large.closed).toBe(1009);
    const raw = connect(Number(new URL(server.url).port), '127.0.0.1');
    raw.write('GET /ws HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    const [answer] = (await once(raw.setEncoding('utf8'), 'data')) as [string];
    expect(answer).toMatch(/^HTTP\/1.1 4\d\d/);
    raw.destroy();
    expect(await other.ask('state')).toMatchObject({ data: { step_count: 0, outcome: null } });
    expect(server.log).toContainEqual(expect.objectContaining({ event: 'incident', kind: 'broken-connection' }));
    await expect.poll(() => server.log.find(({ event }) => event === 'episode')).toMatchObject({ reason: 'abandoned' });
  });

  it('[SRV-28] stops reading from a client that does not wait for answers', async () => {
    const gate = Promise.withResolvers<void>();
    let observed = 0;
    const slow = {
      ...world,
      open: (task: ReturnType<typeof world.task>) => {
        const session = world.open(task);
        return {
          ...session,
          digest: async () => {
            observed++;
            await gate.promise;
            return session.digest();
          },
        };
      },
    };
    const server = await serve({ environments: [slow] });
    const client = await server.connect();
    const sent = 1000;
    for (let id = 0; id < sent; id++) client.send(JSON.stringify({ type: 'open', data: wanted, id }));
    await expect.poll(() => observed).toBeGreaterThan(0);
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(observed).toBeLessThanOrEqual(64);
    gate.resolve();
    const answers = await Promise.all(Array.from({ length: sent }, () => client.next()));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(sent);
    expect(answers.filter(({ type }) => type === 'open')).toHaveLength(256);
  });

  it('[SRV-28] abandons sessions without a request for the idle time, never as failed', async () => {
    const server = await serve({ idle: 0.2 });
    const client = await server.connect();
    const { data: opened } = await client.ask('open', wanted);
    await client.ask('reset', wanted);
    await expect
      .poll(
        () => server.log.filter(({ event }) => event === 'episode').map(({ outcome, reason }) => [outcome, reason]),
        {
          timeout: 5000,
        },
      )
      .toEqual([
        ['errored', 'abandoned'],
        ['errored', 'abandoned'],
      ]);
    expect(await client.ask('observe', {}, { session: opened.session })).toMatchObject({
      data: { code: 'SESSION_ERROR' },
    });
    expect(await client.ask('reset', wanted)).toMatchObject({ type: 'observation' });
  });

  it('[SRV-33] counts what it does at /metrics', async () => {
    const server = await serve();
    const client = await server.connect();
    await client.ask('reset', wanted);
    await client.ask('fork', { n: 2 });
    await client.ask('step', { kind: 'finish' });
    client.send('nothing');
    await client.next();
    const text = await (await fetch(`${server.url}/metrics`)).text();
    for (const line of [
      'espalier_sessions 2',
      'espalier_sessions_finished 1',
      'espalier_connections 1',
      'espalier_sessions_opened_total 3',
      'espalier_steps_total 1',
      'espalier_forks_total 2',
      'espalier_messages_total{type="reset"} 1',
      'espalier_errors_total{code="INVALID_JSON"} 1',
      'espalier_incidents_total{kind="malformed-message"} 1',
      'espalier_step_seconds_count 1',
    ])
      expect(text.split('\n')).toContain(line);
  });

  it('[SRV-34] stops in good order: clients are told, and what is open is abandoned', async () => {
    const server = await startServer();
    const client = await server.connect();
    await client.ask('reset', wanted);
    await server.stop();
    expect(await client.closed).toBe(1001);
    expect(server.log.filter(({ event }) => event === 'episode')).toMatchObject([{ reason: 'abandoned' }]);
  });

  it('[SRV-34] does not wait for a world that hangs', async () => {
    const hanging = {
      ...world,
      open: (task: ReturnType<typeof world.task>) => ({
        ...world.open(task),
        step: () => new Promise<never>(() => undefined),
      }),
    };
    const server = await startServer({ environments: [hanging] });
    const client = await server.connect();
    await client.ask('reset', wanted);
    client.send('{"type":"step","data":{"kind":"finish"}}');
    await server.stop(100);
    expect(server.log.filter(({ event }) => event === 'episode')).toMatchObject([{ reason: 'abandoned' }]);
  });
});
