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

/** A page with a database of this form, a button that does something, and one that shows what came of it. */
function page(form: string, change: string, shown: string): string {
  return `<button id="do">Do</button><button id="show">Show</button><p id="out" role="status"></p>
    <script>let db; const request = indexedDB.open('own', 1);
    const done = asked => new Promise((run, fail) => { asked.onsuccess = () => run(asked.result); asked.onerror = fail });
    const store = (name, mode) => db.transaction(name, mode).objectStore(name);
    request.onupgradeneeded = () => { const made = request.result; ${form} };
    request.onsuccess = () => { db = request.result };
    document.getElementById('do').onclick = async () => { ${change} };
    document.getElementById('show').onclick = async () => { document.getElementById('out').textContent = ${shown} };</script>`;
}

const pagesOf = (body: string): Parameters<typeof createPages>[0] => ({
  pool,
  pages: { '/': body },
  origin: 'http://localhost',
});

const steps: readonly Step[] = ['Do', 'Show', 'Do', 'Show'];
const keyed = "made.createObjectStore('s', { keyPath: 'id' }).createIndex('by', 'n')";

describe('databases', () => {
  it.each([
    [
      'values with keys in them, and their indexes',
      keyed,
      "const n = await done(store('s').count()); await done(store('s', 'readwrite').put({ id: n, n: -n, deep: new Map([[1, new Date(5)]]) }))",
      "(await done(store('s').index('by').getAll())).map(one => one.id + String(one.deep.get(1).getTime())).join()",
      '15,05',
    ],
    [
      'keys that the page gives',
      "made.createObjectStore('s')",
      "const n = await done(store('s').count()); await done(store('s', 'readwrite').put([n, 2n], 'k' + n))",
      "String(await done(store('s').getAll())) + await done(store('s').getAllKeys())",
      '0,2,1,2k0,k1',
    ],
    [
      'requests and transactions that a script holds',
      keyed,
      "const own = store('s', 'readwrite'); request.last = own.transaction; request.n = (request.n ?? 0) + 1; own.put({ id: request.n })",
      "request.n + request.last.mode + (await done(store('s').count()))",
      '2readwrite2',
    ],
    [
      'connections that are opened for each use',
      keyed,
      `const one = await done(indexedDB.open('own')); const own = one.transaction('s', 'readwrite').objectStore('s');
       await done(own.put({ id: await done(own.count()) })); one.close()`,
      "await done(store('s').count())",
      '2',
    ],
  ])('[SITE-142] %s are kept', async (...[, form, change, read, shown]) => {
    const retraced = await retrace(createPages(pagesOf(page(form, change, read))), steps);
    expect(retraced.shown).toContain(`status "${shown}"`);
    expect(retraced).toMatchObject({ reasons: [], restored: steps.length + 1 });
  });

  it.each([
    [
      'a number that was given out',
      "made.createObjectStore('s', { autoIncrement: true })",
      "store('s', 'readwrite').add('x')",
      'a number that a database has given out since',
    ],
    ['a form that changed', keyed, "db.close(); indexedDB.open('own', 2)", 'was closed'],
    ['a database that is made later', keyed, "indexedDB.open('other', 1)", 'a database whose form was made'],
    ['a blob', keyed, "store('s', 'readwrite').put({ id: 1, blob: new Blob(['x']) })", 'a value that cannot be read'],
    [
      'a cursor that a script holds',
      keyed,
      "store('s', 'readwrite').put({ id: 1 }); window.own = store('s').openCursor()",
      'IDBCursor',
    ],
  ])('[SITE-142] %s is refused by name', async (...[, form, change, reason]) => {
    const { reasons } = await retrace(createPages(pagesOf(page(form, change, '"shown"'))), ['Do', 'Show']);
    expect(reasons.join()).toContain(reason);
  });

  it('[SITE-142] what a frame has written is not taken for what was there', async () => {
    const inside =
      "const asked = indexedDB.open('own', 1); asked.onsuccess = () => asked.result.transaction('s', 'readwrite').objectStore('s').put(9, 9)";
    const change = `const frame = document.createElement('iframe'); frame.srcdoc = \`<script>${inside}<\\/script>\`; document.body.append(frame);
      for (let round = 0; round < 200 && (await done(store('s').count())) === 0; round++) await new Promise(run => setTimeout(run, 10));
      frame.remove()`;
    const body = page("made.createObjectStore('s')", change, "await done(store('s').count())");
    const { shown } = await retrace(createPages(pagesOf(body)), ['Show', 'Do', 'Show']);
    expect(shown).toContain('status "1"');
  });

  const held = (before: string, change: string, shown: string): string =>
    `<button id="do">Do</button><button id="show">Show</button><p id="out" role="status">text</p><script>${before};
     document.getElementById('do').onclick = () => { ${change} };
     document.getElementById('show').onclick = () => { document.title = ${shown}; document.getElementById('show').textContent = document.title };</script>`;

  it.each([
    [
      'ranges that follow the document',
      'const range = document.createRange(), text = document.getElementById("out").firstChild; range.setStart(text, 1); range.setEnd(text, 3)',
      'text.insertData(0, "a"); range.setEnd(text, 4)',
      'range.startOffset + " " + range.endOffset',
    ],
    [
      'events that nobody has dispatched',
      'const event = new ClipboardEvent("paste"); let n = 0',
      'n++',
      'event.type + n',
    ],
  ])('[SITE-143] %s are kept', async (...[, before, change, read]) => {
    const { reasons } = await retrace(createPages(pagesOf(held(before, change, read))), ['Do', 'Do']);
    expect(reasons).toEqual([]);
  });

  it.each([
    [
      'a range that was selected',
      'let range = null',
      'range = document.createRange(); getSelection().addRange(range)',
      'a range of the selection',
    ],
    [
      'an event with data',
      'let event = null',
      'event = new CustomEvent("a", { detail: {} })',
      'an event that a script made',
    ],
  ])('[SITE-143] %s is refused', async (...[, before, change, reason]) => {
    const { reasons } = await retrace(createPages(pagesOf(held(before, change, '"shown"'))), ['Do', 'Show']);
    expect(reasons.join()).toContain(reason);
  });

  it('[SITE-144] a module that waited at its top is kept once it has run to its end', async () => {
    const html =
      '<button id="do">Do</button><p id="out" role="status"></p><script type="module" src="/own.js"></script>';
    const script = (wait: string): string =>
      `let n = 0; document.getElementById('do').onclick = () => { document.getElementById('out').textContent = ++n }; ${wait}; n += 10`;
    const open = (wait: string): ReturnType<typeof createPages> =>
      createPages({ ...pagesOf(html), pages: { '/': html, '/own.js': script(wait) } });
    const ended = await retrace(open('await null'), ['Do', 'Do']);
    expect(ended).toMatchObject({ reasons: [], restored: 3 });
    const waiting = await retrace(open('await new Promise(run => setTimeout(run, 60000))'), ['Do']);
    expect(waiting.reasons).toEqual([expect.stringContaining('a module that has not run to its end')]);
  });
});
