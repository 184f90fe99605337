import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import type { Appearance, Session, Snapshot } from '../../../core/contracts.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

interface PageOptions {
  readonly keeps?: false;
  readonly pages?: Readonly<Record<string, string>>;
  asked?(path: string): Promise<void>;
}

async function inPage<T>(
  body: string,
  work: (session: Session) => Promise<T>,
  { pages, ...options }: PageOptions = {},
): Promise<T> {
  const environment = createPages({
    pool,
    pages: { '/': body, '/data': 'data', ...pages },
    origin: 'http://localhost',
    ...options,
  });
  const session = await environment.open(await environment.task('look', 1));
  try {
    await session.step({ kind: 'wait', milliseconds: 1000 });
    return await work(session);
  } finally {
    await session.close();
  }
}

const look = (body: string, options?: PageOptions): Promise<Appearance | undefined> =>
  inPage(body, async session => session.appearance?.(), options);
const shown = (body: string, options?: PageOptions): Promise<string> =>
  inPage(body, async session => (await session.observe()).text, options);

const picture = { picture: expect.stringMatching(/^[\da-f]{32}$/) };
const out = '<p role="status" id="o">-</p>';

/** What a script reads, and what the certificate names. */
const refused: Readonly<Record<string, readonly [script: string, reason: string]>> = {
  'the speed of the network': ['navigator.connection.rtt', 'Navigator.connection'],
  'the use of the disk': ['navigator.storage.estimate()', 'StorageManager.estimate'],
  'a time to wait of a request': ['new XMLHttpRequest().timeout = 9', 'XMLHttpRequest.timeout'],
  'the start of an animation': [
    'document.documentElement.animate([{ opacity: 0 }], 900).startTime',
    'Animation.startTime',
  ],
  'the name that the browser gave a history entry': ['navigation.entries()[0].key', 'NavigationHistoryEntry.key'],
  'a lock': [`navigator.locks.request('a', () => 1)`, 'LockManager.request'],
  'parts of an answer as they arrive': [
    `fetch('/data').then(answer => answer.body.tee())`,
    'an answer of a server in several parts',
  ],
  'the number of entries': [`performance.getEntriesByType('resource').length`, 'entries of performance'],
  'entries that are observed': [
    `new PerformanceObserver(() => 1).observe({ type: 'longtask' })`,
    'entries of performance',
  ],
  'the date of an answer': [`new Headers({ Date: 'x' }).get('date')`, 'a header that a server dated'],
  'all headers of an answer': [`[...new Headers({ Date: 'x' })]`, 'a header that a server dated'],
};

/** Members that no snapshot covers, and that give the same in each replay. */
const steady = `
  const canvas = document.createElement('canvas'); canvas.getContext('2d').fillRect(0, 0, 5, 5); canvas.toDataURL();
  document.body.attachShadow({ mode: 'open' }).innerHTML = '<slot></slot>';
  customElements.define('x-one', class extends HTMLElement {});
  const sheet = new CSSStyleSheet(); sheet.insertRule('p { color: red }'); document.adoptedStyleSheets = [sheet];
  const { port1, port2 } = new MessageChannel(); port1.onmessage = () => 1; port2.postMessage(1);
  new ReadableStream().getReader(); new WeakRef({}).deref(); new FinalizationRegistry(() => 1).register({});
  performance.mark('m'); performance.getEntriesByType('mark').length; performance.getEntriesByName('m', 'mark')[0].startTime;
  new PerformanceObserver(() => 1).observe({ entryTypes: ['mark', 'measure'] });
  document.body.animate([{ opacity: 0 }], 900).finished; document.timeline.currentTime;
  document.createElementNS('http://www.w3.org/2000/svg', 'svg').viewBox.baseVal;
  document.createElement('iframe').contentWindow; document.startViewTransition(() => 1);
  new Headers({ a: 'b' }).get('a'); navigation.entries()[0].url; navigation.currentEntry.index;
  class X extends HTMLParagraphElement {} customElements.define('x-two', X, { extends: 'p' });
`;

const timersAround = `for (const wait of [0, 3, 20, 200]) setTimeout(() => { o.textContent += ' ' + wait }, wait);`;
/** Each adds `answer` when it has come, after a while of the real clock. */
const answers: Readonly<Record<string, string>> = {
  'a database': `const open = indexedDB.open('d', 1); open.onupgradeneeded = () => open.result.createObjectStore('s'); open.onsuccess = () => {
    const store = open.result.transaction('s', 'readwrite').objectStore('s');
    for (let key = 0; key < 400; key++) store.put('x'.repeat(999), key);
    store.openCursor().onsuccess = ({ target: { result } }) => { if (result === null) o.textContent += ' answer'; else result.continue(); } }`,
  'a cache': `caches.open('c').then(cache => cache.put('/x', new Response('x'.repeat(1e6)))).then(() => caches.match('/x')).then(() => { o.textContent += ' answer' })`,
  'a digest': `crypto.subtle.digest('SHA-512', new Uint8Array(3e7)).then(() => { o.textContent += ' answer' })`,
  'a picture of a canvas': `const canvas = document.createElement('canvas'); canvas.width = canvas.height = 2000; canvas.getContext('2d').fillRect(1, 1, 9, 9); canvas.toBlob(() => { o.textContent += ' answer' })`,
  'a bitmap': `createImageBitmap(new ImageData(3000, 3000)).then(() => { o.textContent += ' answer' })`,
  'a server': `fetch('/data').then(answer => answer.text()).then(() => { o.textContent += ' answer' })`,
};

describe('members that may follow the real clock', () => {
  it.each(Object.entries(refused))('[SITE-44] %s: no certificate', async (_, [script, reason]) => {
    expect(await look(`<script>${script}</script>`)).toEqual({ moving: expect.stringContaining(reason) });
  });

  it('[SITE-44] what is not listed refuses in a frame, and where no snapshots are taken', async () => {
    const inFrame = '<iframe></iframe><script>frames[0].navigator.connection.rtt</script>';
    const inSandbox = '<iframe sandbox="allow-scripts" srcdoc="<script>navigator.connection</script>"></iframe>';
    const reason = { moving: expect.stringContaining('Navigator.connection') };
    expect(await look(inFrame)).toEqual(reason);
    expect(await look(inSandbox)).toEqual(reason);
    expect(await look('<script>navigator.connection.rtt</script>', { keeps: false })).toEqual(reason);
  });

  it('[SITE-44] what is listed can be certified, in a frame and where no snapshots are taken too', async () => {
    const body = `<p>text</p><script>${steady}</script>`;
    expect(await look(body)).toEqual(picture);
    expect(await look(body, { keeps: false })).toEqual(picture);
    expect(await look(`<iframe srcdoc="${body.replaceAll('"', '&quot;')}"></iframe>`)).toEqual(picture);
  });

  it('[SITE-44] a page cannot pass a frame of its own off as ours', async () => {
    const body = `<p>text</p><script>const f = document.createElement('iframe'); f.espalierLend = () => 1; document.body.append(f); f.contentWindow.navigator.connection</script>`;
    expect(await look(body)).toEqual({ moving: expect.stringContaining('Navigator.connection') });
  });
});

describe('answers that a script reads as a stream', () => {
  it.each([
    ['in one part', `'/data'`, picture],
    [
      'in several parts',
      `URL.createObjectURL(new Blob(['x'.repeat(5e6)]))`,
      { moving: expect.stringContaining('an answer of a server in several parts') },
    ],
  ])('[SITE-155] %s', async (_, address, seen) => {
    const read = `(async () => { const reader = (await fetch(${address})).body.getReader(); while (!(await reader.read()).done); o.textContent = 'read' })()`;
    expect(await look(`${out}<script>${read}</script>`)).toEqual(seen);
  });

  it('[SITE-155] in a frame, where nobody counts parts', async () => {
    const body = `<iframe srcdoc="<script>fetch('/data.js').then(answer => answer.body)</script>"></iframe>`;
    expect(await look(body, { pages: { '/data.js': '' } })).toEqual({
      moving: expect.stringContaining('Response.body'),
    });
  });
});

describe('answers of the browser', () => {
  const after = (milliseconds: number) => (path: string) =>
    path === '/data' ? new Promise<void>(resolve => setTimeout(resolve, milliseconds)) : Promise.resolve();

  it.each(Object.entries(answers))('[SITE-45] those of %s come before any timer', async (_, script) => {
    const body = `${out}<script>${timersAround}${script}</script>`;
    expect(await shown(body)).toContain('- answer 0 3 20 200');
  });

  it('[SITE-45] an answer that takes longer than a second refuses the certificate, and timers go on', async () => {
    const body = `${out}<script>${timersAround}${answers['a server']}</script>`;
    const [text, seen] = await inPage(
      body,
      async session => [(await session.observe()).text, await session.appearance?.()] as const,
      { asked: after(2500) },
    );
    expect(text).toContain('- 0 3 20 200 answer');
    expect(seen).toEqual({ moving: expect.stringContaining('longer than a second') });
  });

  it('[SITE-51] an answer that asks for another one comes before any timer, and so does the other', async () => {
    const ask = `fetch('/data').then(() => fetch('/data')).then(() => { o.textContent += ' answer' })`;
    // Begun by a timer: so the page surely settles while it waits.
    const body = `${out}<script>setTimeout(() => { ${timersAround}${ask} }, 500)</script>`;
    const [text, seen] = await inPage(
      body,
      async session => [(await session.observe()).text, await session.appearance?.()] as const,
      { asked: after(150) },
    );
    expect(text).toContain('- answer 0 3 20 200');
    expect(seen).toEqual(picture);
  });

  it('[SITE-51] a step ends when all that its timers asked for was answered, the last ones too', async () => {
    const show = `o.textContent = asked - answered + ' open'`;
    const ask = `asked++; ${show}; fetch('/data').then(() => { answered++; ${show} })`;
    const body = `${out}<script>let asked = 0, answered = 0; setTimeout(() => setInterval(() => { ${ask} }, 20), 980)</script>`;
    expect(await shown(body, { asked: after(60) })).toContain('status "0 open"');
  });

  it('[SITE-51] a page with an answer that took longer than a second is not restored, and says why', async () => {
    const body = `${out}<script>${answers['a server']}</script>`;
    const restored = inPage(
      body,
      async session => {
        const kept = await session.snapshot?.();
        await session.step({ kind: 'wait', milliseconds: 10 });
        if (kept !== undefined) await session.restore?.(kept);
      },
      { asked: after(2500) },
    );
    await expect(restored).rejects.toThrow('longer than a second');
  });

  it('[SITE-52] images of inputs load before any timer', async () => {
    const told = (text: string): string => `() => { o.textContent += ' ${text}' }`;
    const body = `${out}<input id="i" type="image" alt="x"><script>i.onerror = ${told('answer')}; onload = () => { i.src = '/data'; ${timersAround} }</script>`;
    expect(await shown(body, { asked: after(150) })).toContain('- answer 0 3 20 200');
  });

  it('[SITE-73] an answer that shows the boundary of form data: no certificate', async () => {
    const asks = {
      text: `fetch('/echo').then(answer => answer.text())`,
      json: `fetch('/echo.js').then(answer => answer.json())`,
      request: `const r = new XMLHttpRequest(); r.onload = () => r.responseText; r.open('GET', '/echo'); r.send()`,
      'request for an object': `const r = new XMLHttpRequest(); r.responseType = 'json'; r.onload = () => r.response; r.open('GET', '/echo.js'); r.send()`,
    };
    const pages = { '/echo': '------WebKitFormBoundary4BOgS1Z1uAD92YCy', '/echo.js': '{"type":"WebKitFormBoundary4"}' };
    for (const [name, ask] of Object.entries(asks)) {
      const seen = await look(`${out}<script>${ask}</script>`, { pages });
      expect(seen, name).toEqual({ moving: expect.stringContaining('the boundary of form data') });
    }
    const sent = `fetch('/data', { method: 'POST', body: new FormData() }).then(answer => answer.text())`;
    expect(await look(`${out}<script>${sent}</script>`)).toEqual(picture);
  });

  it('[SITE-70] images load before any timer, in the document and outside of it', async () => {
    const told = `() => { o.textContent += ' answer' }`;
    const begun = (begin: string): string =>
      `${out}<img id="i" alt=""><div id="d"></div><script>const told = ${told}; onload = () => { ${begin}; ${timersAround} }</script>`;
    for (const begin of [
      `i.onerror = told; i.src = '/data'`,
      `i.onerror = told; i.setAttribute('srcset', '/data 1x')`,
      `d.innerHTML = '<img alt="" src="/data" onerror="told()">'`,
      `const made = new Image(); made.onerror = told; made.src = '/data'`,
      `const made = document.createElement('img'); made.onerror = told; made.setAttribute('src', '/data')`,
    ])
      expect(await shown(begun(begin), { asked: after(150) }), begin).toContain('- answer 0 3 20 200');
  });

  it('[SITE-70] a page with an image that took longer than a second is neither certified nor restored', async () => {
    const body = `${out}<script>onload = () => { new Image().src = '/data' }</script>`;
    const work = async (session: Session): Promise<Appearance | undefined> => {
      const seen = await session.appearance?.();
      const kept = await session.snapshot?.();
      await session.step({ kind: 'wait', milliseconds: 10 });
      await expect(session.restore?.(kept as Snapshot)).rejects.toThrow('an image that took longer than a second');
      return seen;
    };
    const slow = { asked: (path: string) => (path === '/data' ? after(4000)(path) : Promise.resolve()) };
    expect(await inPage(body, work, slow)).toEqual({ moving: expect.stringContaining('an image that took longer') });
  });

  it('[SITE-45] messages of scripts to themselves arrive before the page is at rest', async () => {
    const chain = (most: number): string => `${out}<script>
      let count = 0; const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { o.textContent = ++count; if (count < ${most}) port2.postMessage(1) };
      setTimeout(() => port2.postMessage(1), 200);
    </script>`;
    expect(await shown(chain(900))).toContain('status "900"');
    expect(await look(chain(1e6))).toEqual({ moving: expect.stringContaining('messages without an end') });
  });

  it('[SITE-46] nothing that is held weakly is collected', async () => {
    const body = `${out}<script>
      const held = Array.from({ length: 50 }, () => new WeakRef(new Array(1e5)));
      const registry = new FinalizationRegistry(() => { o.textContent += ' collected' });
      for (let n = 0; n < 50; n++) registry.register(new Array(1e5).fill(n), n);
      setTimeout(() => { for (let n = 0; n < 100; n++) new Array(1e6).fill(n); }, 100);
      setTimeout(() => { for (let n = 0; n < 100; n++) new Array(1e6).fill(n); }, 300);
      setTimeout(() => { o.textContent += ' ' + held.filter(one => one.deref() === undefined).length }, 600);
    </script>`;
    expect(await shown(body)).toContain('status "- 0"');
  });
});
