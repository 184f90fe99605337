import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import type { Action } from '../../../core/action.ts';
import type { Appearance } from '../../../core/contracts.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';
import { createUrlEnvironment } from '../sites/url/environment.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

const press = (key: string): Action => ({ kind: 'press', key });
const still: readonly Action[] = [{ kind: 'wait', milliseconds: 10 }];

async function look(body: string, actions: readonly Action[] = still): Promise<Appearance | undefined> {
  const environment = createPages({ pool, pages: { '/': body }, origin: 'http://localhost' });
  const session = await environment.open(await environment.task('look', 1));
  try {
    for (const action of actions) await session.step(action);
    return await session.appearance?.();
  } finally {
    await session.close();
  }
}

async function shown(body: string): Promise<string> {
  const environment = createPages({ pool, pages: { '/': body }, origin: 'http://localhost' });
  const session = await environment.open(await environment.task('look', 1));
  try {
    for (const action of still) await session.step(action);
    return (await session.observe()).text;
  } finally {
    await session.close();
  }
}

const script = (code: string): string => `<p id="o">-</p><script>${code}</script>`;
const list = (attributes: string): string =>
  `<select id="s" ${attributes}><option>Cherry<option>Apple<option>Banana<option>Abacus</select><script>s.focus()</script>`;
const field = (type: string, value = ''): string =>
  `<input id="d" aria-label="D" type="${type}" value="${value}"><script>d.focus()</script>`;
const key = `crypto.subtle.importKey('jwk', { kty: 'EC', crv: 'P-256', x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4', y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM', d: '870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE' }, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])`;

/** A page, what is done in it, and what the certificate names. */
const refused: Readonly<Record<string, readonly [body: string, reason: string, actions?: readonly Action[]]>> = {
  'letters typed into a menu': [list(''), 'two letters', [press('a'), press('b')]],
  'letters typed into a list box': [list('size="4"'), 'two letters', [press('a'), press('b')]],
  'letters typed into a list of an open shadow root': [
    `<x-a id="h"></x-a><script>h.attachShadow({ mode: 'open' }).innerHTML = '<select><option>A<option>B</select>'; h.shadowRoot.firstChild.focus()</script>`,
    'two letters',
    [press('a'), press('b')],
  ],
  'letters typed into a list of a closed shadow root': [
    `<x-a id="h"></x-a><script>const r = h.attachShadow({ mode: 'closed' }); r.innerHTML = '<select><option>A<option>B</select>'; r.firstChild.focus()</script>`,
    'two letters',
    [press('a'), press('b')],
  ],
  'an arrow in an empty month': [field('month'), 'real date', [press('ArrowUp')]],
  'an arrow in an empty date': [field('date'), 'real date', [press('ArrowDown')]],
  'a copy command': [script(`document.execCommand('copy')`), 'the command copy'],
  'whether cutting is allowed': [script(`document.queryCommandEnabled({ toString: () => 'Cut' })`), 'the command Cut'],
  'a measure to a mark in an object': [
    script(`performance.measure('x', undefined, new String('responseEnd')).duration`),
    'entries of performance',
  ],
  'a measure from a mark that changes': [
    script(
      `let n = 0; performance.mark('a'); performance.measure('x', { start: { toString: () => n++ ? 'loadEventEnd' : 'domComplete' }, end: 1e6 })`,
    ),
    'entries of performance',
  ],
  'the progress of an animation': [
    script(`o.animate([{ opacity: 1 }], 6000).overallProgress`),
    'Animation.overallProgress',
  ],
  'a timeline of its own': [script(`new DocumentTimeline({ originTime: 0 })`), 'DocumentTimeline'],
  'a boundary in a request': [
    script(`new Request('/', { method: 'POST', body: new FormData() }).headers.get('content-type')`),
    'form data',
  ],
  'a boundary in an answer': [script(`new Response(new FormData()).text()`), 'form data'],
  'an observer with a delay': [
    script(`new IntersectionObserver(() => 1, { delay: 600, trackVisibility: true }).observe(o)`),
    'an observer of visibility',
  ],
  'the memory in the console': [script('console.memory'), 'the use of memory'],
};

/** The same without the real clock. */
const allowed: Readonly<Record<string, readonly [body: string, actions?: readonly Action[]]>> = {
  'one letter in a menu': [list(''), [press('a')]],
  'letters in a text field': ['<input id="i"><script>i.focus()</script>', [press('a'), press('b')]],
  'an arrow in a date with a value': [field('date', '2020-02-02'), [press('ArrowUp')]],
  'a bold command': [script(`document.execCommand('bold')`)],
  'measures of marks': [
    script(
      `performance.mark('a'); performance.measure('x', new String('a').toString()); performance.measure('y', { start: 'a', detail: 1 }); performance.measure('z')`,
    ),
  ],
  'an observer without a delay': [script(`new IntersectionObserver(() => 1).observe(o)`)],
  'a text as a body': [script(`new Response('a').text(); new Request('/', { method: 'POST', body: 'a' })`)],
};

const picture = { picture: expect.stringMatching(/^[\da-f]{32}$/) };

describe('values that follow the real clock or chance', () => {
  it.each(Object.entries(refused))('[SITE-48] %s: no certificate', async (_, [body, reason, actions]) => {
    expect(await look(body, actions)).toEqual({ moving: expect.stringContaining(reason) });
  });

  it('[SITE-111] an algorithm is signed with under the name that was judged', async () => {
    const sign = `crypto.subtle.sign({ get name() { return n++ ? 'ECDSA' : 'HMAC' }, hash: 'SHA-256' }, k, new Uint8Array(4))`;
    const told = (text: string): string => `() => { o.textContent = '${text}' }`;
    const body = `<p role="status" id="o"></p><script>let n = 0; ${key}.then(k => ${sign}).then(${told('drawn')}, ${told('refused')})</script>`;
    // The key does not fit the name that was judged.
    expect(await shown(body)).toContain('"refused"');
  });

  it.each(Object.entries(allowed))('[SITE-48] %s: can be certified', async (_, [body, actions]) => {
    expect(await look(body, actions)).toEqual(picture);
  });

  it('[SITE-111] styles draw nothing by chance', async () => {
    const body = `<p role="status" id="o"></p><script>o.textContent = CSS.supports('width', 'random(1px, 2px)')</script>`;
    expect(await shown(body)).toContain('"false"');
  });

  it('[SITE-49] nothing is answered from a cache that ages by the real clock', async () => {
    let asked = 0;
    const server = createServer((request, response) => {
      if (request.url !== '/data')
        return response
          .setHeader('content-type', 'text/html')
          .end(`<script>const ask = async () => { await (await fetch('/data')).text() }; ask().then(ask)</script>`);
      asked++;
      return response.setHeader('cache-control', 'max-age=3').end('x');
    });
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    try {
      const environment = await createUrlEnvironment({
        url: `http://127.0.0.1:${port}/`,
        tasks: { tasks: [{ id: 'look', instruction: 'Look.', steps: 3, verify: () => false }] },
        timers: createSystemTimers(),
        pool,
        viewport: { width: 600, height: 400 },
        pictures: null,
      } as Parameters<typeof createUrlEnvironment>[0]);
      const session = await environment.open(await environment.task('look', 1));
      await session.step({ kind: 'wait', milliseconds: 100 });
      await session.close();
    } finally {
      server.closeAllConnections();
      server.close();
    }
    expect(asked).toBe(2);
  });
});
