import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { retrace, type Step } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

/** A page with a button that does something, and one that shows what came of it. */
const page = (before: string, change: string, shown: string): string =>
  `<button id="do">Do</button><button id="show">Show</button><p id="out" role="status"></p><script>${before};
    document.getElementById('do').onclick = async () => { ${change} };
    document.getElementById('show').onclick = async () => { document.getElementById('out').textContent = ${shown} };</script>`;

const steps: readonly Step[] = ['Do', 'Show', 'Do', 'Show'];
const origin = 'http://localhost';
const retraced = (body: string, taken: readonly Step[], more: Record<string, string> = {}) =>
  retrace(createPages({ pool, origin, pages: { '/': body, ...more } }), taken);

/** Reads a stream to its end, and keeps all that has to do with it. */
const readAll = `let n = 0, last = null, control;
  const made = (...parts) => new ReadableStream({ start(c) { control = c; for (const part of parts) c.enqueue(part); c.close() } });
  const all = async (stream, reader = stream.getReader(), parts = []) => {
    for (;;) { const { done, value } = await reader.read(); if (done) return { stream, reader, control, parts }; parts.push(value) } };
  const said = run => { try { return String(run()) } catch (error) { return error.name } }`;

type Case = readonly [what: string, before: string, change: string, shown: string, out: string];

const kept: readonly Case[] = [
  [
    '[SITE-151] streams that were read to their end, with reader and controller',
    readAll,
    'last = await all(made("a", ++n))',
    'n + last.parts.join() + last.stream.locked + last.control.desiredSize + said(() => last.control.enqueue(1)) + said(() => last.stream.getReader())',
    '2a,2true0TypeErrorTypeError',
  ],
  [
    '[SITE-151] streams that were over before, and that are asked again',
    `${readAll}; const one = all(made({ n: 0 }))`,
    'const { reader, parts } = await one; parts[0].n++; n += Number((await reader.read()).done)',
    'n + " " + (await one).parts[0].n + (await one).reader.closed.constructor.name',
    '2 2Promise',
  ],
  [
    '[SITE-151] streams that broke, with the reason',
    `${readAll}; const broken = { n: 0 }; const bad = new ReadableStream({ start(c) { control = c } }), reader = bad.getReader();
     reader.read().catch(cause => { cause.n++ }); control.error(broken)`,
    'n++; await reader.read().catch(cause => { cause.n += 10 })',
    'n + " " + broken.n + said(() => control.desiredSize)',
    '2 21null',
  ],
  [
    '[SITE-151] answers of servers that are read as streams',
    readAll,
    'last = await all((await fetch("/data.js")).body); n += last.parts.length',
    'n + new TextDecoder().decode(last.parts[0])',
    '2answer',
  ],
  [
    '[SITE-151] streams that a page reads by a loop and does not hold',
    readAll,
    'for await (const part of made(1, 2)) n += part; for await (const part of (await fetch("/data.js")).body) n += part.length',
    'n',
    '18',
  ],
  [
    '[SITE-152] text decoders between texts, those that a restore finds in the middle of one too',
    `let n = 0, text = ''; const plain = Object.defineProperty(new TextDecoder(), 'encoding', { get: () => n++ }), strict = new TextDecoder('utf-8', { fatal: true });
     const half = new Uint8Array([0xe2, 0x82]), rest = new Uint8Array([0xac]), whole = new Uint8Array([0xe2, 0x82, 0xac])`,
    `n++; text += plain.decode(whole) + strict.decode(whole); if (n === 2) setTimeout(() => { text += plain.decode(rest) + strict.decode(rest) }, 20);
     if (n === 2) text += plain.decode(half, { stream: true }) + strict.decode(half, { stream: true })`,
    'n + text + plain.fatal + strict.fatal',
    '2€€€€€€falsetrue',
  ],
  [
    '[SITE-153] digests',
    'let hex = ""; const digest = text => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))',
    'hex = Array.from(new Uint8Array(await digest("a" + hex)), byte => byte.toString(16)).join("")',
    'hex.length + hex.slice(0, 8)',
    '636c732250',
  ],
  [
    '[SITE-154] keys of history entries',
    'let n = 0, keys = [navigation.activation.entry.key]; const own = () => navigation.currentEntry.key',
    'history.pushState({ n: ++n }, "", "?n=" + n); keys.push(own()); history.replaceState({ n }, ""); keys.push(own())',
    '`${n} ${new Set(keys).size} ${keys[1] === keys[2]} ${keys[0] === navigation.activation.entry.key} ${keys[3]} ${navigation.currentEntry.url}`',
    '2 3 true true c2e6745b-d8b3-4c5d-a658-000000000002 http://localhost/?n=2',
  ],
  [
    '[SITE-31] metas that describe a viewport: a screen of this kind has its own',
    'let n = 0',
    'n++; document.querySelector("meta")?.remove(); document.head.insertAdjacentHTML("beforeend", `<meta name="viewport" content="width=${200 * n}, initial-scale=${n + 1}">`)',
    'n + " " + innerWidth + " " + visualViewport.width + visualViewport.scale + document.querySelectorAll("meta").length',
    '2 600 60011',
  ],
];

const refused: readonly (readonly [what: string, before: string, change: string, shown: string, reason: string])[] = [
  [
    '[SITE-151] a stream that is half read, whose controller goes on',
    `${readAll}; const half = new ReadableStream({ start(c) { control = c } }), reader = half.getReader(); let sum = 0;
     const next = () => reader.read().then(({ value }) => { sum += value; next() }); next()`,
    'control.enqueue(++n)',
    'n + " " + sum',
    'a stream that is not over',
  ],
  [
    '[SITE-151] a stream that a loop waits for, whose controller alone is held',
    `${readAll}; let sum = 0; (async () => { for await (const part of new ReadableStream({ start(c) { control = c } })) sum += part })()`,
    'control.enqueue(++n)',
    'n + " " + sum',
    'a stream that is not over',
  ],
  [
    '[SITE-151] a stream with something left in it',
    `${readAll}; const full = made(1, 2, 3, 4, 5); let reader`,
    'reader = full.getReader(); n += (await reader.read()).value; reader.releaseLock()',
    'n',
    'a stream that is not over',
  ],
  [
    '[SITE-151] a stream that was cancelled',
    `${readAll}; const stopped = new ReadableStream({ start(c) { control = c }, cancel() { n += 10 } })`,
    'n++; stopped.cancel()',
    'n',
    'a stream that is not over',
  ],
  [
    '[SITE-151] a stream that was over, and whose reader lets go of it since',
    `${readAll}; const one = all(made(1))`,
    'const { reader, stream } = await one; n++; reader.releaseLock(); last = last ?? stream.getReader()',
    'n + said(() => last.releaseLock())',
    'a stream that was over before',
  ],
  [
    '[SITE-151] a stream that is given to two',
    readAll,
    'n++; last = await Promise.all(made(n).tee().map(one => all(one)))',
    'n + last.map(({ parts }) => parts.join()).join()',
    'ReadableStream.tee',
  ],
  [
    '[SITE-151] a stream of bytes',
    'let n = 0, control; const bytes = new ReadableStream({ type: "bytes", start(c) { control = c } })',
    'n++',
    'n',
    'an object of the kind ReadableByteStreamController',
  ],
  [
    '[SITE-10] a loop that waited for a promise and went on since',
    `let n = 0, sum = 0, go = []; (async () => { for await (const part of [1, 2, 3, 4].map(part => new Promise(run => go.push(() => run(part))))) sum += part })()`,
    'go[n++]()',
    'n + " " + sum',
    'an async function that waited for a promise has gone on since',
  ],
  [
    '[SITE-152] a text decoder in the middle of a text',
    'let n = 0, text = ""; const decoder = new TextDecoder()',
    'n++; text += decoder.decode(new Uint8Array(n % 2 === 1 ? [0xc3] : [0xa9]), { stream: true })',
    'n + text',
    'a text decoder in the middle of a text',
  ],
  [
    '[SITE-154] an entry of the history as an object',
    'let n = 0; const entry = navigation.currentEntry',
    'n++',
    'n + (entry === navigation.currentEntry)',
    'an object of the kind NavigationHistoryEntry',
  ],
  [
    '[SITE-154] keys that the browser drew',
    'let n = 0',
    'n = navigation.entries()[0].key.length',
    'n',
    'Navigation.entries',
  ],
];

describe('streams, and what goes with them', () => {
  it.each(kept)('%s are kept', async (...[, before, change, shown, out]) => {
    const found = await retraced(page(before, change, shown), steps, { '/data.js': 'answer' });
    expect(found.shown).toContain(`status "${out}"`);
    expect(found).toMatchObject({ reasons: [], restored: steps.length + 1 });
  });

  it.each(refused)('%s is refused by name', async (...[, before, change, shown, reason]) => {
    const { reasons } = await retraced(page(before, change, shown), steps.slice(0, 2));
    expect(reasons.join()).toContain(reason);
  });
});
