import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { take } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages, type PagesOptions } from '../../../../test/fixtures/pages/site-pages.ts';
import type { Session } from '../../../core/contracts.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool } from '../browser/pool.ts';

const pool = createBrowserPool({ timers: createSystemTimers() });
afterAll(() => pool.close());

const start = `<button onclick="go()">Go</button><p id="o" role="status"></p><script>
  const add = word => { o.textContent += word + ' ' };
  const { port1, port2 } = new MessageChannel();
</script>`;

async function open(body: string, more: Partial<PagesOptions> = {}): Promise<Session> {
  const environment = createPages({ pool, ...more, pages: { '/': start + body, ...more.pages } });
  return environment.open(await environment.task('look', 1));
}

const shownIn = async (session: Session): Promise<string> =>
  / status "([^"]*)"/.exec((await session.observe()).text)?.[1]?.trim() ?? '';

async function shown(body: string, more: Partial<PagesOptions> = {}): Promise<string> {
  const session = await open(body, more);
  const text = await shownIn(session);
  await session.close();
  return text;
}

describe('messages that scripts post while their document is loaded', () => {
  it('[SITE-149] arrive after the scripts that it loads, so that nobody counts how long these took', async () => {
    const asked = async (path: string): Promise<void> => void (path === '/late.js' && (await wait(300)));
    const body = `<script>
      let [turns, isThere] = [0, false];
      port1.onmessage = () => { if (isThere) add(turns + ' turns'); else { turns++; port2.postMessage(null) } };
      port2.postMessage(null);
    </script><script async src="/late.js"></script>`;
    expect(await shown(body, { asked, pages: { '/late.js': 'isThere = true' } })).toBe('0 turns');
  });

  it.each([
    [
      'objects among them',
      `port2.postMessage(1); const two = { n: 2 }; port2.postMessage(two); two.n = 9; port2.postMessage(3)`,
    ],
    ['a port that is closed', 'port2.postMessage(1); port2.postMessage(2); port2.postMessage(3); port2.close()'],
    [
      'a port that goes elsewhere',
      `port2.postMessage(1); port2.postMessage(2); onmessage = ({ ports: [port] }) => port.postMessage(3); postMessage(0, '*', [port2])`,
    ],
    [
      'a port whose other end goes elsewhere',
      `const other = new MessageChannel(); port1.onmessage = ({ ports: [port] }) => { port.onmessage = ({ data }) => add(data) };
      other.port1.postMessage(1); other.port1.postMessage(2); other.port1.postMessage(3); port2.postMessage(0, [other.port2])`,
    ],
    [
      'a port that goes to a frame',
      `for (const n of [1, 2, 3]) port2.postMessage(n); document.body.append(document.createElement('iframe'));
      document.querySelector('iframe').contentWindow.postMessage(0, '*', [port2])`,
    ],
    [
      'a port that is cloned',
      'for (const n of [1, 2, 3]) port2.postMessage(n); structuredClone(port2, { transfer: [port2] })',
    ],
  ])('[SITE-149] arrive as they were posted: %s', async (_, posts) => {
    const body = `<script>port1.onmessage = ({ data }) => add(data?.n ?? data); ${posts}</script>`;
    expect(await shown(body)).toBe('1 2 3');
  });

  it('[SITE-149] arrive also where a page stops its loading', async () => {
    const body =
      '<script>port1.onmessage = ({ data }) => add(data); port2.postMessage(1)</script><img src="/late.png"><script>window.stop()</script>';
    expect(await shown(body)).toBe('1');
  });
});

describe('answers', () => {
  const pages = { '/a.js': 'a', '/b.js': 'b' };

  it('[SITE-150] come one after another, each with the messages that the one before led to', async () => {
    const body = `<script>
      port1.onmessage = ({ data }) => add('message ' + data);
      const ask = name => fetch('/' + name + '.js').then(() => { add(name); port2.postMessage(name) });
      function go() { port2.postMessage('go'); ask('a'); ask('b') }
    </script>`;
    const session = await open(body, { pages });
    await take(session, 'Go');
    expect(await shownIn(session)).toBe('message go a message a b message b');
    await session.close();
  });
});
