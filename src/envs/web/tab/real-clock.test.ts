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

async function inPage<T>(body: string, work: (session: Session) => Promise<T>): Promise<T> {
  const inner = '<p>inner</p>';
  const pages = { '/': body, '/inner': inner, '/next': '<p>next</p>' };
  const environment = createPages({ pool, pages, origin: 'http://localhost' });
  const session = await environment.open(await environment.task('look', 1));
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

const look = (body: string): Promise<Appearance | undefined> =>
  inPage(body, async session => {
    await session.step({ kind: 'wait', milliseconds: 10 });
    return session.appearance?.();
  });

const picture = { picture: expect.stringMatching(/^[\da-f]{32}$/) };
const blob = (code: string): string => `URL.createObjectURL(new Blob([${JSON.stringify(code)}]))`;

/** Pages on the real clock or chance, and what the certificate names. */
const refused: Readonly<Record<string, readonly [body: string, reason: string]>> = {
  'a worker': [`<script>new Worker(${blob('postMessage(Date.now())')})</script>`, 'a worker runs'],
  'a worker that ended': [
    `<p id="o"></p><script>const w = new Worker(${blob('postMessage(1)')}); w.onmessage = () => w.terminate()</script>`,
    'a worker runs',
  ],
  'a shared worker': [`<script>new SharedWorker(${blob('onconnect = () => 1')})</script>`, 'a shared worker runs'],
  'a worker that draws': [
    `<canvas id="c"></canvas><script>const w = new Worker(${blob('onmessage = () => 1')}); const k = c.transferControlToOffscreen(); w.postMessage(k, [k])</script>`,
    'transferControlToOffscreen',
  ],
  'a refresh after a while': ['<meta http-equiv="refresh" content="300">', 'refresh'],
  'a refresh that a script adds and takes away': [
    `<script>const m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '300'; document.head.append(m); m.remove()</script>`,
    'refresh',
  ],
  'a clock in a sandbox': ['<iframe sandbox="allow-scripts" srcdoc="<script>Date.now()</script>"></iframe>', 'a frame'],
  'a timer in a sandbox': [
    '<iframe sandbox="allow-scripts" srcdoc="<script>setTimeout(() => 1, 1e6)</script>"></iframe>',
    'a frame',
  ],
  'an object with a clock': [
    '<object type="text/html" data="data:text/html,<script>Date.now()</script>"></object>',
    'a frame',
  ],
  'a cookie of a minute': [`<script>document.cookie = 'k=1; max-age=60'</script>`, 'a cookie'],
  'a cookie of two seconds, taken away': [
    `<script>document.cookie = 'k=1; max-age=2'; document.cookie = 'k=; max-age=0'</script>`,
    'a cookie',
  ],
  'a cookie until a minute from now': [
    `<script>document.cookie = 'k=1; expires=' + new Date(Date.now() + 60_000).toUTCString()</script>`,
    'a cookie',
  ],
  'a short cookie of a frame': [
    `<iframe src="/inner"></iframe><script>onload = () => { frames[0].document.cookie = 'k=1; max-age=9' }</script>`,
    'a cookie',
  ],
  'a drawn key': [
    `<script>crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, true, ['encrypt'])</script>`,
    'a key that the browser draws',
  ],
  'a cookie of a store with a date': [
    `<script>cookieStore.set({ name: 'k', value: '1', expires: Date.now() + 1e9 })</script>`,
    'a cookie',
  ],
  'a peer connection': ['<script>new RTCPeerConnection()</script>', 'a peer connection'],
  'a time of an entry': [
    `<script>performance.getEntriesByType('navigation')[0].fetchStart</script>`,
    'entries of performance',
  ],
};

/** Pages with clocks and chance of their own. */
const allowed: Readonly<Record<string, string>> = {
  'a frame without scripts': '<iframe srcdoc="<p>hello</p>"></iframe>',
  'a sandbox without scripts': '<iframe sandbox srcdoc="<p>hello</p>"></iframe>',
  'a frame with a clock': '<iframe srcdoc="<p id=t></p><script>t.textContent = Date.now()</script>"></iframe>',
  'a cookie of a year': `<script>document.cookie = 'k=1; max-age=31536000'</script>`,
  'a cookie that is taken away': `<script>document.cookie = 'k=; expires=Thu, 01 Jan 1970 00:00:00 GMT'</script>`,
  marks: `<script>performance.mark('a'); performance.measure('m', 'a').duration; performance.now()</script>`,
};

/** What scripts read, in the page and in a frame: the page's clock at the start, in milliseconds. */
const start = Date.UTC(2026, 1, 2, 9);
const isPageTime = `t => Math.abs(t - ${start}) < 60_000`;
const clocks: Readonly<Record<string, string>> = {
  'Date.now': 'realm.Date.now()',
  'new Date': 'new realm.Date().getTime()',
  'Intl format': `Date.parse(new realm.Intl.DateTimeFormat('en-US', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'UTC' }).format() + ' UTC')`,
  'Intl formatToParts': `Date.parse(new realm.Intl.DateTimeFormat('en-US', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'UTC' }).formatToParts().map(p => p.value).join('') + ' UTC')`,
  'Temporal.Now.instant': `realm.Temporal === undefined ? ${start} : realm.Temporal.Now.instant().epochMilliseconds`,
  'Temporal.Now.zonedDateTimeISO': `realm.Temporal === undefined ? ${start} : realm.Temporal.Now.zonedDateTimeISO('UTC').epochMilliseconds`,
  'performance.timeOrigin': 'realm.performance.timeOrigin',
  'performance.timing': 'realm.performance.timing.navigationStart',
  'performance.toJSON': 'realm.performance.toJSON().timeOrigin',
  'performance.now of the prototype': `${start} + realm.Performance.prototype.now.call(realm.performance)`,
  'performance.mark': `${start} + realm.performance.mark('x').startTime`,
  'performance.measure': `${start} + realm.performance.measure('y').duration`,
  'document.lastModified': 'Date.parse(realm.document.lastModified)',
  'File.lastModified': `new realm.File([], 'x').lastModified`,
  'File of form data': `(() => { const f = new realm.FormData(); f.set('a', new realm.Blob([])); return f.get('a').lastModified })()`,
  'document.timeline': `${start} + realm.document.timeline.currentTime`,
};

const chances: Readonly<Record<string, string>> = {
  'Math.random': 'realm.Math.random()',
  'getRandomValues of the prototype':
    'realm.Crypto.prototype.getRandomValues.call(realm.crypto, new realm.Uint8Array(8)).join()',
  'randomUUID of the prototype': 'realm.Crypto.prototype.randomUUID.call(realm.crypto)',
};

const shown = (body: string): Promise<string> =>
  inPage(body, async session => {
    await session.step({ kind: 'wait', milliseconds: 1000 });
    return (await session.observe()).text;
  });

describe('the real clock in pages', () => {
  it.each(Object.entries(refused))('[SITE-40] [CERT-12] %s: no certificate', async (_, [body, reason]) => {
    expect(await look(body)).toEqual({ moving: expect.stringContaining(reason) });
  });

  it('[SITE-40] what another page of the session used is not forgotten', async () => {
    const found = await inPage(
      `<a href="/next">Next</a><script>new Worker(${blob('postMessage(1)')})</script>`,
      async session => {
        const [, ref = ''] = /\[(e\d+)\] link "Next"/.exec((await session.observe()).text) ?? [];
        await session.step({ kind: 'click', ref });
        return [(await session.observe()).text, await session.appearance?.()] as const;
      },
    );
    expect(found).toEqual([expect.stringContaining('next'), { moving: expect.stringContaining('a worker runs') }]);
  });

  it.each(Object.entries(allowed))('[SITE-40] %s: can be certified', async (_, body) => {
    expect(await look(body)).toEqual(picture);
  });

  it.each(['globalThis', 'frames[0]', 'kept'])('[SITE-41] clocks in %s are the page’s', async realm => {
    const reads = Object.entries(clocks).map(([name, code]) => `['${name}', realm => ${code}]`);
    const body = `<iframe></iframe><p role="status" id="o"></p><script>
      const kept = frames[0];
      const isPageTime = ${isPageTime};
      const wrong = [${reads.join()}].map(([name, read]) => [name, read(${realm})]).filter(([, time]) => !isPageTime(time));
      o.textContent = 'wrong: ' + JSON.stringify(wrong);
    </script>`;
    expect(await shown(body)).toContain('wrong: []');
  });

  it('[SITE-41] a clock of a frame that was taken out is the page’s', async () => {
    const body = `<iframe></iframe><p role="status" id="o"></p><script>
      const { Date: D, Math: M, Intl: I } = frames[0]; document.querySelector('iframe').remove();
      o.textContent = D.now() + ' ' + M.random() + ' ' + new I.DateTimeFormat('en', { timeStyle: 'medium', timeZone: 'UTC' }).format();
    </script>`;
    const first = await shown(body);
    expect(first).toContain(`status "${start} `);
    expect(await shown(body)).toBe(first);
  });

  it.each(['globalThis', 'frames[0]'])('[SITE-41] chance in %s is the page’s', async realm => {
    const reads = Object.entries(chances).map(([, code]) => `(realm => ${code})(${realm})`);
    const body = `<iframe></iframe><p role="status" id="o"></p><script>o.textContent = [${reads.join()}].join(' ')</script>`;
    const first = await shown(body);
    expect(first).toMatch(/status "0\.\d+ /);
    expect(await shown(body)).toBe(first);
  });

  it('[SITE-41] timers of a frame run in the time of the page', async () => {
    const body = `<iframe srcdoc="<script>setTimeout(() => { parent.o.textContent += ' late' }, 600); setTimeout('parent.o.textContent += \\' text\\'', 700); requestAnimationFrame(t => { parent.o.textContent += ' frame' })</script>"></iframe><p role="status" id="o">-</p>`;
    expect(await shown(body)).toContain('- frame late text');
  });

  it('[SITE-71] a date or time picker that the mouse opened: no certificate', async () => {
    for (const type of ['date', 'month', 'week', 'datetime-local', 'time']) {
      const body = `<style>input { position: absolute; left: 0; top: 0; width: 240px; height: 40px }</style><input type="${type}">`;
      const clicked = (x: number): Promise<Appearance | undefined> =>
        inPage(body, async session => {
          await session.step({ kind: 'click-at', x, y: 20 });
          await session.step({ kind: 'press', key: 'Escape' });
          return session.appearance?.();
        });
      expect(await clicked(225), type).toEqual({ moving: expect.stringContaining('a date picker') });
      expect(await clicked(120), type).toEqual(picture);
    }
  });

  it('[SITE-71] a colour picker that was opened: neither certified nor restored', async () => {
    await inPage('<input type="color" aria-label="Tint" value="#123456"><button>Other</button>', async session => {
      const kept = await session.snapshot?.();
      await session.step({ kind: 'click', ref: 'e2' });
      expect(await session.appearance?.()).toEqual(picture);
      await session.step({ kind: 'click', ref: 'e1' });
      expect(await session.appearance?.()).toEqual({ moving: expect.stringContaining('a colour picker') });
      await expect(session.restore?.(kept as Snapshot)).rejects.toThrow('a colour picker');
    });
  });

  it('[SITE-48] an arrow key in an empty date field: neither certified nor restored', async () => {
    await inPage('<input type="month" aria-label="When">', async session => {
      const kept = await session.snapshot?.();
      await session.step({ kind: 'click', ref: 'e1' });
      expect(await session.appearance?.()).toEqual(picture);
      await session.step({ kind: 'press', key: 'ArrowUp' });
      expect(await session.appearance?.()).toEqual({ moving: expect.stringContaining('an arrow key') });
      await expect(session.restore?.(kept as Snapshot)).rejects.toThrow('an arrow key');
    });
  });

  it('[SITE-72] a page whose calls overflowed the stack is neither certified nor restored', async () => {
    const body = `<button onclick="deeper()">Count</button><script>let depth = 0; function deeper() { depth++; deeper() }</script>`;
    await inPage(body, async session => {
      await session.step({ kind: 'wait', milliseconds: 10 });
      expect(await session.appearance?.()).toEqual(picture);
    });
    await inPage(body, async session => {
      const kept = await session.snapshot?.();
      await session.step({ kind: 'click', ref: 'e1' });
      expect(await session.appearance?.()).toEqual({ moving: expect.stringContaining('the stack overflowed') });
      await expect(session.restore?.(kept as Snapshot)).rejects.toThrow('the stack overflowed');
    });
  });

  // Only Linux tells how much stack a process has used.
  const isSilent = process.platform !== 'linux';
  const overflows: readonly (readonly [where: string, code: string])[] = [
    ['a function', 'const f = () => { depth++; f() }; try { f() } catch {}'],
    ['a getter', 'const o = { get a() { depth++; return this.a } }; try { o.a } catch {}'],
    ['toJSON', 'const o = { toJSON() { depth++; return JSON.stringify(o) } }; try { JSON.stringify(o) } catch {}'],
    [
      'a trap of a Proxy',
      'const o = new Proxy({}, { get(_, k, self) { depth++; return self[k] } }); try { o.a } catch {}',
    ],
    ['an async function', 'const f = async () => { depth++; await f() }; f().catch(() => 0)'],
    ['a comparator', 'const c = () => { depth++; return [2, 1].sort(c)[0] }; try { c() } catch {}'],
  ];
  const counting = (code: string): string =>
    `<button id="b">Count</button><p id="p" role="status"></p><script>let depth = 0; b.onclick = () => { ${code}; p.textContent = depth }</script>`;
  const nearEnd = { moving: expect.stringContaining('calls near the end of the stack') };

  it.skipIf(isSilent).each(overflows)(
    '[SITE-85] an overflow of the stack that is caught is not certified: %s',
    async (_, code) => {
      await inPage(counting(code), async session => {
        expect(await session.appearance?.()).toEqual(picture);
        await session.step({ kind: 'click', ref: 'e1' });
        expect(await session.appearance?.()).toEqual(nearEnd);
      });
    },
  );

  it.skipIf(isSilent)(
    '[SITE-85] a page beside one that overflowed the stack is certified, and so are calls of a usual depth',
    async () => {
      const usual = 'const f = n => (n === 0 ? 0 : 1 + f(n - 1)); depth = f(2000)';
      await inPage(counting(overflows[0]?.[1] as string), async deep => {
        await deep.step({ kind: 'click', ref: 'e1' });
        await inPage(counting(usual), async session => {
          await session.step({ kind: 'click', ref: 'e1' });
          expect(await session.appearance?.()).toEqual(picture);
        });
        expect(await deep.appearance?.()).toEqual(nearEnd);
      });
    },
  );
});
