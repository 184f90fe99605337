import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { siteAt } from '../../../../test/adversarial/contain/pages/visit.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import type { Session } from '../../../core/contracts.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

const files: Readonly<Record<string, string>> = {
  '/worker/': `<script>new Worker('/worker.js').onmessage = ({ data }) => document.body.append('heard ' + data)</script>`,
  '/worker.js': `fetch('/of-worker').then(({ status }) => postMessage(status)); new Worker('/nested.js')`,
  '/nested.js': `fetch('/of-nested')`,
  '/shared/': `<script>new SharedWorker('/shared.js')</script>`,
  '/shared.js': `fetch('/of-shared')`,
  '/service/': `<script>navigator.serviceWorker.register('/service.js')</script>`,
  '/service.js': `fetch('/of-service')`,
  '/frame/': `<iframe sandbox="allow-scripts" src="/inner"></iframe>`,
  '/inner': `<script>fetch('/of-frame', { mode: 'no-cors' })</script>`,
  '/worklet/': `<script>new AudioContext().audioWorklet.addModule('/of-worklet.js')</script>`,
  '/of-worklet.js': '',
  '/socket/': `<script>new WebSocket(location.origin.replace('http', 'ws') + '/of-socket')</script>`,
  // Functions of another frame: ours that refuse windows are not in the way.
  '/windows/': `<button onclick="go()">Go</button><iframe></iframe><script>function go() {
    const { open } = document.querySelector('iframe').contentWindow;
    open('/beside-1'); open('/beside-2', '_blank', 'noopener'); open('about:blank').document.write('beside');
    document.body.append('still here') }</script>`,
};
const asked: string[] = [];
let server: Server;
let own: string;
let pool: BrowserPool;

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html');
    response.end(files[path] ?? '');
  });
  server.on('upgrade', (request, socket) => {
    asked.push(request.url ?? '');
    socket.destroy();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(async () => {
  await pool.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => void asked.splice(0));

async function open(path: string): Promise<Session> {
  const environment = siteAt(pool, own + path);
  return environment.open(await environment.task('look', 1));
}

describe('what a page starts beside its document', () => {
  it.each(['worker', 'nested', 'shared', 'service', 'frame', 'worklet.js', 'socket'])(
    '[WEB-37] reaches the origin of the page: %s',
    async name => {
      const session = await open(`/${name === 'nested' ? 'worker' : name.replace('.js', '')}`);
      await vi.waitFor(() => expect(asked).toContain(`/of-${name}`), 20_000);
      await session.close();
    },
  );

  it('[WEB-37] a page with a worker comes to rest, and hears from it', async () => {
    const session = await open('/worker');
    await vi.waitFor(() => expect(asked).toContain('/of-worker'), 20_000);
    expect(await session.step({ kind: 'wait', milliseconds: 100 })).toEqual({ applied: true });
    expect((await session.observe()).text).toContain('heard 200');
    await session.close();
  });

  it('[WEB-8] the icon of a tab is not requested', async () => {
    const session = await open('/plain');
    await setTimeout(500);
    await session.close();
    expect(asked).toEqual(['/plain/']);
  });

  it('[WEB-37] a window is closed before it asked for anything, and its page goes on', async () => {
    const session = await open('/windows');
    const outcome = await session.step({ kind: 'click', ref: 'e1' });
    expect((await session.observe()).text).toContain('still here');
    const told = outcome.applied ? (outcome.incidents ?? []) : [];
    expect(told.filter(({ kind }) => kind === 'popup').length).toBeGreaterThan(0);
    await session.close();
    expect(asked).toEqual(['/windows/']);
  });
});
