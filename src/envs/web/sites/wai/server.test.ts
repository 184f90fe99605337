import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWaiFiles } from './files.ts';
import { createWaiServer, pageHeader, type WaiServer } from './server.ts';

const fixtures = join(import.meta.dirname, '../../../../../test/fixtures/wai');
const files = createWaiFiles(join(fixtures, 'hostile'));
let server: WaiServer;
beforeEach(async () => {
  server = await createWaiServer({ files });
});
afterEach(() => server.close());

const get = (path: string): Promise<Response> => fetch(`${server.url}${path}`);

function put(body: BodyInit, token = server.token): Promise<Response> {
  return fetch(`${server.url}/api/state`, { method: 'PUT', headers: { [pageHeader]: token }, body });
}

function reset(token = server.token): Promise<Response> {
  return fetch(`${server.url}/api/reset`, { method: 'POST', headers: { [pageHeader]: token } });
}

/** A request as it is written: clients would tidy the path. */
async function raw(request: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(`${request}\r\nhost: x\r\nconnection: close\r\n\r\n`);
  let answer = '';
  for await (const chunk of socket.setEncoding('utf8')) answer += chunk;
  return answer;
}

async function listen(): Promise<() => Promise<string | null>> {
  const reader = (await get('/api/events')).body!.pipeThrough(new TextDecoderStream()).getReader();
  return async () => (await reader.read()).value ?? null;
}

describe('the server of an app', () => {
  it('[WAI-3] takes the first push for the seed, and goes back to it', async () => {
    const before = await get('/api/state');
    expect(before.status).toBe(404);
    expect(await before.json()).toHaveProperty('error');
    expect([server.state(), server.seed(), server.pushes()]).toEqual([null, null, 0]);
    await put('{"n": 1}');
    await put('{"n": 2, "text": "é 語 \\ud83c"}');
    expect(server.state()).toBe('{"n": 2, "text": "é 語 \\ud83c"}');
    expect(await (await get('/api/state?fresh')).text()).toBe(server.state());
    expect(server.seed()).toBe('{"n": 1}');
    expect(server.pushes()).toBe(2);
    expect(await (await reset()).json()).toMatchObject({ status: 'ok', seed_restored: true });
    expect(await (await get('/api/state')).text()).toBe('{"n": 1}');
  });

  it('[WAI-3] tells the page of a reset, and not of a restore', async () => {
    const next = await listen();
    expect(await next()).toBe('data: connected\n\n');
    server.restore('{"n": 5}', '{"n": 4}');
    expect(await (await get('/api/state')).text()).toBe('{"n": 5}');
    expect(await (await reset()).json()).toMatchObject({ clients_notified: 1 });
    expect(await next()).toBe('data: reset\n\n');
    expect([server.state(), server.seed()]).toEqual(['{"n": 4}', '{"n": 4}']);
    server.restore(null, null);
    expect((await get('/api/state')).status).toBe(404);
    await put('[]');
    expect(server.seed()).toBe('[]');
  });

  it('[WAI-4] lets only the page write', async () => {
    await put('1');
    for (const token of ['', 'guess', server.token.slice(1)]) {
      expect((await put('2', token)).status).toBe(403);
      expect((await reset(token)).status).toBe(403);
    }
    expect((await fetch(`${server.url}/api/state`, { method: 'PUT', body: '2' })).status).toBe(403);
    expect([server.state(), server.refused(), server.pushes()]).toEqual(['1', 7, 1]);
    const another = await createWaiServer({ files });
    expect((await put('2', another.token)).status).toBe(403);
    await another.close();
  });

  it('[WAI-4] refuses and records a push that is not JSON, not UTF-8 or too large, and keeps the state', async () => {
    await put('{"kept": true}');
    const bad: [BodyInit, number][] = [
      ['{"cut": ', 400],
      ['', 400],
      ['\ufeff{}', 400],
      [new Uint8Array([0x22, 0xff, 0x22]), 400],
      [new Uint8Array(32 * 1024 * 1024 + 1).fill(0x20), 413],
    ];
    for (const [body, status] of bad) expect((await put(body)).status).toBe(status);
    expect(server.state()).toBe('{"kept": true}');
    expect(server.pushes()).toBe(1);
    expect(server.faults().map(fault => /not JSON|not UTF-8|larger/.exec(fault)?.[0])).toEqual([
      'not JSON',
      'not JSON',
      'not JSON',
      'not UTF-8',
      'larger',
    ]);
    expect((await put(new Uint8Array(32 * 1024 * 1024).fill(0x31))).status).toBe(200);
  });

  it('[WAI-5] serves the files of the app with their types', async () => {
    const types: [string, string][] = [
      ['/', 'text/html; charset=utf-8'],
      ['/index.html?v=2', 'text/html; charset=utf-8'],
      ['/js/desk.js', 'text/javascript; charset=utf-8'],
      ['/css/styles.css', 'text/css; charset=utf-8'],
      ['/files/report.csv', 'text/csv; charset=utf-8'],
    ];
    for (const [path, type] of types) {
      const response = await get(path);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, type]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    const legacy = new Uint8Array(await (await get('/files/legacy.txt')).arrayBuffer());
    expect([legacy.length, legacy[3]]).toEqual([42, 0xe9]);
    const head = await fetch(`${server.url}/`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await fetch(`${server.url}/`, { method: 'DELETE' })).status).toBe(405);
  });

  it('[WAI-5] serves nothing outside of the folder, no task and no verifier', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'espalier-wai-'));
    writeFileSync(join(folder, 'index.html'), 'here');
    writeFileSync(join(folder, '.env'), 'SECRET=1');
    symlinkSync(join(fixtures, 'hostile/index.html'), join(folder, 'out.html'));
    const other = await createWaiServer({ files: createWaiFiles(folder) });
    expect((await fetch(`${other.url}/`)).status).toBe(200);
    for (const path of ['/.env', '/%2eenv', '/out.html'])
      expect((await fetch(other.url + path)).status, path).toBe(404);
    await other.close();
    rmSync(folder, { recursive: true });

    const hidden = ['/real-tasks.json', '/real-tasks/task_e1.py', '/real-tasks/', '/REAL-TASKS/task_e1.py'];
    const outside = ['/../board/index.html', '/..%2fboard%2findex.html', '/js/%2e%2e/%2e%2e/board/index.html'];
    const nothing = ['/js', '/js/', '/nothing.js', '/index.html%00', '/js/..%2freal-tasks%2ftask_e1.py', '//'];
    for (const path of [...hidden, ...outside, ...nothing])
      expect((await raw(`GET ${path} HTTP/1.1`)).split('\r\n')[0], path).toMatch(/ 40[04] /);
    expect(await raw('GET /%zz HTTP/1.1')).toMatch(/^HTTP\/1.1 400 /);
    expect(server.faults()).toEqual([]);
  });

  it('[WAI-5] reads a file once: every session sees the same app', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'espalier-wai-'));
    writeFileSync(join(folder, 'index.html'), 'first');
    const remembered = createWaiFiles(folder);
    const body = async (): Promise<string | undefined> => (await remembered.read('/'))?.body.toString();
    expect(await body()).toBe('first');
    writeFileSync(join(folder, 'index.html'), 'second');
    expect(await body()).toBe('first');
    expect(await remembered.read('/late.js')).toBeNull();
    writeFileSync(join(folder, 'late.js'), 'now');
    expect((await remembered.read('/late.js'))?.type).toBe('text/javascript; charset=utf-8');
    rmSync(folder, { recursive: true });
  });

  it('[WAI-6] closes at once, whatever is connected, and frees its port', async () => {
    const next = await listen();
    await next();
    const port = Number(new URL(server.url).port);
    const idle = connect(port, '127.0.0.1');
    idle.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(idle, 'data');
    const half = connect(port, '127.0.0.1');
    half.write(`PUT /api/state HTTP/1.1\r\nhost: x\r\n${pageHeader}: ${server.token}\r\ncontent-length: 10\r\n\r\n12`);
    await get('/');
    const gone = [idle, half].map(
      socket => new Promise(resolve => socket.on('error', () => undefined).on('close', resolve)),
    );
    await server.close();
    await Promise.all(gone);
    expect(await next().catch(() => null)).toBeNull();
    const again = await createWaiServer({ files, port });
    expect(again.url).toBe(server.url);
    await again.close();
    expect(server.faults()).toEqual([]);
    await server.close();
  });

  it('[WAI-6] says so when the port is taken', async () => {
    const port = Number(new URL(server.url).port);
    const second = createWaiServer({ files, port });
    await expect(second).rejects.toMatchObject({ boundary: 'environment', code: 'unavailable' });
    await expect(second).rejects.toThrow(`port ${port}`);
  });
});
