import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionFor, retrace, take, takeAgain } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createTrail } from '../../../worlds/trail.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

const actor = { role: 'student', name: 'hand' } as const;

/** A page with a button that does something, and one that shows what came of it. */
function page(change: string, shown: string, { before = '', body = '' } = {}): string {
  return `<button id="do">Do</button><button id="show">Show</button><p id="out" role="status"></p>${body}<script>${before};
    document.getElementById('do').onclick = () => { ${change} };
    document.getElementById('show').onclick = () => { document.getElementById('out').textContent = ${shown} };</script>`;
}

const count = 'n++';
const weak = 'const held = new WeakMap(), up = key => held.set(key, { n: (held.get(key)?.n ?? 0) + 1 })';
const limits: readonly (readonly [what: string, body: string, reason: string])[] = [
  [
    'super of a class that is made more than once',
    page('box.add()', 'box.n', {
      before:
        'const make = Above => class extends Above { add() { super.add(); this.n++ } }; const box = new (make(class { n = 0; add() { this.n++ } }))()',
    }),
    'super in a class that is made more than once',
  ],
  [
    'a hidden box that was scrolled',
    page(`n++; s.style.display = 'block'; s.scrollTop = 100`, 's.scrollTop', {
      before: `let n = 0; s.scrollTop = 300; s.style.display = 'none'`,
      body: '<div id="s" style="height:50px;overflow:auto"><p style="height:900px">x</p></div>',
    }),
    'a hidden box that was scrolled',
  ],
  [
    'functions of the browser that settle a promise',
    page('n++; keep(n)', 'n', {
      before: 'let n = 0, keep; (async () => ({ then(go) { keep = go } }))()',
    }),
    'a function of the browser that it was given',
  ],
  [
    'a promise of an async function that waits',
    page('n++', 'n', { before: 'let n = 0; const waits = (async () => { await new Promise(() => 0) })()' }),
    'an open promise of an async function or of the browser',
  ],
  ['direct eval', page('run("n++")', 'n', { before: 'let n = 0; const run = text => eval(text)' }), 'direct eval'],
  [
    'generators',
    page('last = numbers.next().value', 'last', {
      before: 'const numbers = (function* () { for (let n = 1; ; n++) yield n })(); let last',
    }),
    'a generator',
  ],
  [
    'iterators',
    page('last = numbers.next().value', 'last', {
      before: 'const numbers = [1, 2, 3, 4][Symbol.iterator](); let last',
    }),
    'array iterator',
  ],
  [
    'a weak collection with an object of an element',
    page('up(out.classList)', 'held.get(out.classList).n', { before: `${weak}; up(out.classList)` }),
    'a weak collection with an object that the browser hands out',
  ],
  [
    'a weak collection with the document of templates',
    page('up(t.content.ownerDocument)', 'held.get(t.content.ownerDocument).n', {
      before: `${weak}; up(t.content.ownerDocument)`,
      body: '<template id="t"></template>',
    }),
    'a weak collection with an object that the browser hands out',
  ],
  [
    'private members that a class gives to objects of others',
    page('Mark.up(out.classList)', 'Mark.of(out.classList)', {
      before:
        'class Given { constructor(o) { return o } } class Mark extends Given { #n = 0; static up(o) { if (!(#n in o)) new Mark(o); o.#n++ } static of(o) { return #n in o && o.#n } }',
    }),
    'a constructor that returns what it was given',
  ],
  [
    'signals that were given',
    page('stop.abort()', 'stop.signal.aborted', { before: 'const stop = new AbortController()' }),
    'the data of its scripts differ',
  ],
  ['frames', page(count, 'n', { before: 'let n = 0', body: '<iframe srcdoc="inside"></iframe>' }), 'an element iframe'],
  [
    'canvases that are drawn on otherwise than in two dimensions',
    page('n++', 'n', {
      before: 'let n = 0; const pen = board.getContext("bitmaprenderer")',
      body: '<canvas id="board"></canvas>',
    }),
    'a canvas with another context than a plain 2d one',
  ],
  [
    'channels to other pages',
    page(count, 'n', { before: 'let n = 0; new BroadcastChannel("x")' }),
    'used BroadcastChannel',
  ],
  [
    'a ring around the focus that a script asked for',
    page('n++; show.focus({ focusVisible: false })', 'n', { before: 'let n = 0' }),
    'used focus with focusVisible',
  ],
  [
    'style rules that scripts change',
    page('sheet.sheet.cssRules[0].style.width = ++n + "px"', 'getComputedStyle(out).width', {
      before: 'let n = 0',
      body: '<style id="sheet">#out { color: red }</style>',
    }),
    'used CSSStyleRule.style',
  ],
  [
    'names that scripts bring later',
    page(
      'const more = document.createElement("script"); more.textContent = "let late" + ++n + " = n"; document.body.append(more); more.remove()',
      'n',
      { before: 'let n = 0' },
    ),
    'the data of its scripts differ',
  ],
  ['a cookie of another path', page("document.cookie = 'z=1; path=/sub'", 'document.cookie'), 'a cookie with a path'],
];

describe('what cannot be kept', () => {
  it.each(limits)('[SITE-9] is found out, said, and made good by replay: %s', async (_what, body, reason) => {
    const trail = await createTrail(createPages({ pool, pages: { '/': body } }), await taskOf());
    try {
      for (const name of ['Do', 'Show']) await trail.step(await actionFor(trail.session(), name), actor);
      const { method, divergence } = await trail.rollback(0);
      expect([method, divergence]).toEqual(['replay', expect.stringContaining(reason)]);
      for (const node of [1, 2]) await takeAgain(trail, node);
    } finally {
      await trail.session().close();
    }
  });

  it('[SITE-10] an async function that waited at the time and went on since: only what lies before it is out of reach', async () => {
    const body = page('go ? go() : wait()', 'n', {
      before:
        'let n = 0, go; async function wait() { n++; await new Promise(run => { go = run }); n += 10; go = null }',
    });
    const trail = await createTrail(createPages({ pool, pages: { '/': body } }), await taskOf());
    try {
      const step = async (name: string) => (await trail.step(await actionFor(trail.session(), name), actor)).id;
      await step('Show');
      const waiting = await step('Do');
      expect(await trail.rollback(0)).toMatchObject({ method: 'restore' });
      expect(await trail.rollback(waiting)).toMatchObject({ method: 'restore' });
      const settled = await step('Do');
      expect(await trail.rollback(0)).toMatchObject({ method: 'restore' });
      expect(await trail.rollback(settled)).toMatchObject({ method: 'restore' });
      const { method, divergence } = await trail.rollback(waiting);
      expect([method, divergence]).toEqual([
        'replay',
        expect.stringContaining('an async function that waited for a promise has gone on since'),
      ]);
    } finally {
      await trail.session().close();
    }
  });

  it('[SITE-10] an async function that waits for a timer is one', async () => {
    const body = page('work()', 'n', {
      before:
        'let n = 0; const pause = time => new Promise(run => setTimeout(run, time)); async function work() { n++; await pause(800); n += 10 }',
    });
    const { reasons } = await retrace(createPages({ pool, pages: { '/': body } }), [
      'Do',
      'Show',
      'Do',
      'Show',
      'Show',
    ]);
    expect(reasons).toEqual([expect.stringContaining('an async function that waited for a promise has gone on since')]);
    const quick = body.replace('pause(800)', 'pause(200)');
    const all = await retrace(createPages({ pool, pages: { '/': quick } }), ['Do', 'Show', 'Do', 'Show', 'Show']);
    expect(all).toMatchObject({ reasons: [], restored: 6 });
  });

  it('[SITE-22] a field that shows a text other than its value is kept with it, as is one that shows its value', async () => {
    const number = page('', 'amount.value', { body: '<input id="amount" type="number" aria-label="Amount">' });
    const key = (name: string) => ({ kind: 'press', key: name }) as const;
    const environment = createPages({ pool, pages: { '/': number } });
    const pointed = await retrace(environment, ['Amount=1.', key('5'), 'Show']);
    expect(pointed).toMatchObject({ reasons: [], restored: 4 });
    expect(pointed.shown).toContain('status "1.5"');
    const plain = await retrace(environment, ['Amount=1', key('5'), key('Backspace'), 'Show']);
    expect(plain).toMatchObject({ reasons: [], restored: 5 });
  });

  it.each([
    ['what the field does not let in', 'Amount=INV-0042', 'status "-0042"'],
    ['a text without any number', 'Amount=Sold', 'status ""'],
  ])('[SITE-22] %s leaves no text beside the value', async (_, fill, shown) => {
    const number = page('', 'amount.value', { body: '<input id="amount" type="number" aria-label="Amount">' });
    const found = await retrace(createPages({ pool, pages: { '/': number } }), [fill, 'Show']);
    expect(found).toMatchObject({ reasons: [] });
    expect(found.shown).toContain(shown);
  });

  it('[SITE-22] what is left of a text and is no number is kept, with the focus and without', async () => {
    const number = page('', 'amount.value + amount.validity.badInput', {
      body: '<input id="amount" type="number" aria-label="Amount" placeholder="0"><input id="mail" type="email" aria-label="Mail">',
    });
    const steps = ['Amount=Acme', 'Show', 'Mail= a@b.c ', 'Show', 'Amount=5', 'Show'];
    const found = await retrace(createPages({ pool, pages: { '/': number } }), steps);
    expect(found).toMatchObject({ reasons: [], restored: 7 });
    expect(found.shown).toContain('status "5false"');
  });

  it('[SITE-23] random names in addresses of blobs are no part of a digest', async () => {
    const body = page('n++', 'n', {
      before: 'let n = 0; const address = URL.createObjectURL(new Blob(["a"])); file.href = address',
      body: '<a id="file" download>File</a>',
    });
    const { reasons, shown } = await retrace(createPages({ pool, pages: { '/': body } }), ['Do', 'Show']);
    expect(reasons).toEqual([expect.stringContaining('used URL.createObjectURL')]);
    expect(shown).toContain('status "1"');
  });

  it('[SITE-9] another document: its snapshots are gone with it', async () => {
    const pages = { '/': '<a href="/next">Next</a>', '/next': '<a href="/">Home</a>' };
    const { reasons } = await retrace(createPages({ pool, pages }), ['Next', 'Home']);
    expect(reasons).toEqual([expect.stringContaining('another page was loaded since')]);
  });

  it('[SITE-11] a session whose snapshot did not do is where it was before, in another page', async () => {
    const environment = createPages({
      pool,
      pages: { '/': page('stop.abort(); n++', 'n', { before: 'let n = 0; const stop = new AbortController()' }) },
    });
    const session = await environment.open(await taskOf());
    try {
      const snapshot = await session.snapshot?.();
      await take(session, 'Do', 'Show');
      const before = [await session.digest(), await session.observe()];
      await expect(session.restore?.(snapshot as never)).rejects.toMatchObject({
        boundary: 'environment',
        code: 'diverged',
      });
      expect([await session.digest(), await session.observe()]).toEqual(before);
      await take(session, 'Do', 'Show');
      expect((await session.observe()).text).toContain('status "2"');
    } finally {
      await session.close();
    }
  });

  it.each([
    ['#:~:text=bravo', ['it has a link to a text of the page, which the browser marks']],
    ['#p:~:text=bravo', ['it has a link to a text of the page, which the browser marks']],
    ['/other#:~:text=bravo', []],
  ])('[SITE-158] a page with a link to %s', async (address, expected) => {
    const body = page(count, 'n', {
      before: 'let n = 0',
      body: `<p id="p">alpha bravo</p><a href="${address}">Find</a>`,
    });
    const { reasons } = await retrace(createPages({ pool, pages: { '/': body } }), ['Do', 'Show']);
    const own = reasons.filter(reason => reason.startsWith('The snapshot of task') || reason.startsWith('it has'));
    expect(own).toEqual(expected.map(reason => expect.stringContaining(reason)));
  });
});

function taskOf() {
  const environment = createPages({ pool, pages: { '/': '' } });
  return Promise.resolve(environment.task('look', 1));
}
