import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionFor, retrace, type Step } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createTrail } from '../../../worlds/trail.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

/** A page with a module, a button that does something, and one that shows what came of it. */
function page(before: string, change: string, shown: string): string {
  return `<button id="do">Do</button><button id="show">Show</button><p id="out" role="status"></p>
    <script type="module">${before};
    document.getElementById('do').onclick = async () => { ${change} };
    document.getElementById('show').onclick = () => { document.getElementById('out').textContent = ${shown} };</script>`;
}

const steps: readonly Step[] = ['Do', 'Show', 'Do', 'Show'];

async function expectExact(pages: Record<string, string>, shown: string): Promise<void> {
  const retraced = await retrace(createPages({ pool, pages }), steps);
  expect(retraced.shown).toContain(`status "${shown}"`);
  expect(retraced).toMatchObject({ reasons: [], restored: steps.length + 1 });
}

type Case = readonly [what: string, before: string, change: string, read: string, shown: string];

const kept: readonly Case[] = [
  [
    '[SITE-125] channels of messages',
    'let n = 0; const channel = new MessageChannel(); channel.port1.onmessage = ({ data }) => { n += data.by }',
    'channel.port2.postMessage({ by: 2 })',
    'n',
    '4',
  ],
  [
    '[SITE-125] policies of trusted types',
    'let n = 0; const policy = trustedTypes.createPolicy("own", { createHTML: text => (n++, text) })',
    'policy.createHTML("a")',
    'n + String(policy.createHTML("b"))',
    '3b',
  ],
  [
    '[SITE-125] animations that are over',
    'let n = 0',
    'out.animate([{ opacity: 0 }, { opacity: 1 }], 100).onfinish = () => n++',
    'n',
    '2',
  ],
  [
    '[SITE-10] promises that were open, and what waits for them',
    'let n = 0, go; new Promise(run => { go = run }).then(value => value * 2).then(value => { n += value })',
    'n++; if (n === 2) go(10)',
    'n',
    '22',
  ],
  [
    '[SITE-10] promises of async functions that are over',
    'let n = 0; const three = (async () => ({ n: 3 }))()',
    '(await three).n++',
    'three.then(value => { n = value.n }) && n',
    '4',
  ],
  [
    '[SITE-10] objects with a method then',
    'let n = 0, keep; Promise.resolve({ then(run) { keep = run } }).then(value => { n += value })',
    'n++; if (n === 2) keep(5)',
    'n',
    '7',
  ],
  [
    '[SITE-126] weak collections',
    'const held = new WeakMap([[document.body, { n: 0 }]]), odd = new WeakSet(), key = {}',
    'held.get(document.body).n++; held.set(key, held.get(document.body).n); odd.has(key) ? odd.delete(key) : odd.add(key)',
    'held.get(document.body).n + " " + held.get(key) + odd.has(key)',
    '2 2false',
  ],
  [
    '[SITE-126] weak collections with the strings of a tagged template, which nobody holds',
    'const made = new WeakMap(), tag = strings => { if (!made.has(strings)) made.set(strings, { n: 0 }); return ++made.get(strings).n }; let n = 0',
    'n = tag`text`',
    '"template " + n',
    'template 2',
  ],
  [
    '[SITE-126] weak references',
    'const reference = new WeakRef({ n: 0 }); new FinalizationRegistry(() => 0).register(reference, 1)',
    'reference.deref().n++',
    'reference.deref().n',
    '2',
  ],
  [
    '[SITE-127] private members, of two classes by the same name',
    `class A { #n = 0; add() { this.#n++; return this } get n() { return this.#n } }
     class B extends A { #n = 5; static #all = 0; add() { this.#n += 2; B.#all++; return super.add() } get all() { return this.#n + ' ' + super.n + ' ' + B.#all } }
     const b = new B()`,
    'b.add()',
    'b.all',
    '9 2 2',
  ],
  [
    '[SITE-128] variables at the top of a module, and of functions that are called once',
    'let n = 0; const make = (run, made) => () => made ??= run({}); const lib = make(own => { let n = 0; own.up = () => n++; own.get = () => n; return own })',
    'n += 2; lib().up()',
    'n + " " + lib().get()',
    '4 2',
  ],
  [
    '[SITE-130] rules in style sheets',
    'const own = document.head.appendChild(document.createElement("style")); let n = 0',
    'own.sheet.insertRule(`#out { padding-left: ${++n}px }`, own.sheet.cssRules.length)',
    'getComputedStyle(out).paddingLeft + own.sheet.cssRules.length',
    '2px2',
  ],
  [
    '[SITE-131] variables of one name in several scopes',
    'let e = 0; const add = (function (e) { return { e, up: () => { e += 2 }, get: t => { { let e = 5; t = e } return e + t } } })(1)',
    'e += 3; add.up()',
    'e + " " + add.get()',
    '6 10',
  ],
  [
    '[SITE-133] arguments of strict functions',
    'const held = (function () { return arguments })(1, 2)',
    'held[0] += held.length; delete held[Symbol.iterator]',
    'Array.from(held).join()',
    '5,2',
  ],
  [
    '[SITE-133] carets of fields that nobody was in',
    'const field = document.body.appendChild(document.createElement("textarea")); let n = 0',
    'n++; field.setSelectionRange(0, 0)',
    'n + field.selectionDirection',
    '2forward',
  ],
  [
    '[SITE-117] what scripts heard of selections that they change themselves, also late',
    `const field = document.body.appendChild(document.createElement('input')); let n = 0, heard = 0;
     field.setAttribute('aria-label', 'Field'); field.addEventListener('selectionchange', () => heard++)`,
    'n++; field.value = "text " + n; field.setSelectionRange(n, n); setTimeout(() => { field.value = ""; }, 60)',
    'n + " " + (heard > 1)',
    '2 true',
  ],
  [
    '[SITE-27] errors that a page holds',
    'let last = new TypeError("first", { cause: { n: 0 } })',
    'last.cause.n++; last = new RangeError(last.message + "!", { cause: last.cause })',
    'last.name + last.message + last.cause.n + (last.stack.length > 5)',
    'RangeErrorfirst!!2true',
  ],
  [
    '[SITE-134] members that scripts define for good',
    'const own = Symbol(), raw = { list: [{ n: 0 }, { n: 0 }] }; let n = 0; const wrap = o => (o[own] ?? Object.defineProperty(o, own, { value: new Proxy(o, {}) }), o)',
    'wrap(raw.list[n]).n++; Object.getOwnPropertyDescriptors(raw.list[n++])',
    'JSON.stringify(raw.list) + raw.list.map(o => Object.getOwnPropertySymbols(o).length)',
    '[{"n":1},{"n":1}]1,1',
  ],
  [
    '[SITE-136] events that a page holds, with members of their own',
    'let held = null, n = 0; document.getElementById("do").addEventListener("click", event => { event.mark = { n: ++n, before: held?.mark.n }; held = event })',
    'held.mark.n += 10',
    'held.mark.n + " " + held.mark.before + held.type + Object.keys(held)',
    '12 11clickisTrusted,mark',
  ],
  [
    '[SITE-135] canvases with their pictures, styles, matrices and paths',
    `const canvas = document.body.appendChild(document.createElement('canvas')), context = canvas.getContext('2d'); let n = 0;
     const at = (x, y) => context.isPointInPath(x, y) + context.getTransform().toString()`,
    `n++; context.fillStyle = n === 1 ? 'red' : 'rgba(0, 0, 255, 0.5)'; context.fillRect(n, n, 20, 20); context.lineWidth = n + 1;
     context.setLineDash([n, 2]); context.translate(n, 0); if (n === 1) context.beginPath(); context.rect(n * 40, 40, 10, 10)`,
    'n + at(43, 45) + at(84, 45) + context.lineWidth + context.getLineDash() + context.fillStyle + (canvas.toDataURL().length > 99)',
    '2truematrix(1, 0, 0, 1, 3, 0)truematrix(1, 0, 0, 1, 3, 0)32,2rgba(0, 0, 255, 0.5)true',
  ],
  [
    '[SITE-135] canvases that a script made anew by giving them a size',
    `const canvas = document.body.appendChild(document.createElement('canvas')), context = canvas.getContext('2d'); let n = 0`,
    'n++; if (n % 2 === 1) context.fillRect(n * 3, 0, n, 1); else canvas.width = 300',
    'n + " " + context.getImageData(0, 0, 20, 1).data.filter(value => value > 0).length',
    '2 0',
  ],
  [
    '[SITE-21] scripts with direct eval that make none',
    'let n = 0; const run = text => eval(text)',
    'n++',
    'n + typeof run',
    '2function',
  ],
];

describe('what frameworks use', () => {
  it.each(kept)('%s are kept', async (...[, before, change, read, shown]) => {
    await expectExact({ '/': page(before, change, read) }, shown);
  });

  const late = page('let n = 0, late', 'late = await import("/late.js"); n += late.add()', 'n + " " + late?.count');

  it('[SITE-129] a module that only declares is there from the start', async () => {
    const module = 'export let count = 0; export function add() { return ++count }';
    await expectExact({ '/': late, '/late.js': module }, '3 2');
  });

  it.each([
    ['does something', { '/late.js': 'document.title += "!";' }],
    ['imports one that does', { '/late.js': 'import "./other.js";', '/other.js': 'document.title += "!"' }],
  ])('[SITE-129] a module that %s cannot be loaded again', async (_, modules) => {
    const declared = 'export let count = 0; export function add() { return ++count }';
    const pages = { '/': late, ...modules, '/late.js': modules['/late.js'] + declared };
    const { reasons, shown } = await retrace(createPages({ pool, pages }), steps);
    expect(shown).toContain('status "3 2"');
    expect(reasons).toEqual([expect.stringContaining('a module that was loaded since')]);
  });

  it.each([
    ['fails while it runs', 'globalThis.runs = (globalThis.runs ?? 0) + 1; throw Error("no " + runs)'],
    ['cannot be read', 'let of let'],
    ['throws what others share', 'throw window.shared ??= { message: 0 }'],
  ])('[SITE-162] a module that %s gives its error for ever', async (_, text) => {
    const asked = page('let n = 0', 'try { await import("/late.js") } catch (error) { n = error.message += "." }', 'n');
    const { reasons } = await retrace(createPages({ pool, pages: { '/': asked, '/late.js': text } }), ['Do', 'Show']);
    expect(reasons.join()).toContain('a module that was loaded since');
  });

  it('[SITE-162] what is imported and no script is refused by name, where no script holds it', async () => {
    const asked = 'const { default: data } = await import("/data.json", { with: { type: "json" } }); n = ++data.n';
    const pages = { '/': page('let n = 0', asked, 'n'), '/data.json': '{"n":1}' };
    const { reasons, shown } = await retrace(createPages({ pool, pages }), ['Do', 'Show']);
    expect(shown).toContain('status "2"');
    expect(reasons.join()).toContain('import() of what is no script');
    const whole = page('import data from "/data.json" with { type: "json" }', 'data.n++', 'data.n');
    await expectExact({ ...pages, '/': whole }, '3');
  });

  it.each([
    ['asks whether it can be removed', 'Object.getOwnPropertyDescriptor(o, "n").configurable', 'cannot be removed'],
    ['removes it all the same', 'delete o.n', 'a member that was defined for good, and was removed'],
  ])('[SITE-134] a script that defines a member for good and %s', async (_, ask, reason) => {
    const before = 'const o = {}; let seen = ""';
    const body = page(before, `Object.defineProperty(o, "n", { value: 1 }); seen += ${ask}`, 'seen + ("n" in o)');
    const { reasons } = await retrace(createPages({ pool, pages: { '/': body } }), ['Do', 'Show']);
    expect(reasons).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    ['a saved state', 'context.save()', 'a canvas that is clipped, or whose state is saved'],
    ['a clip', 'context.rect(0, 0, 9, 9); context.clip()', 'a canvas that is clipped, or whose state is saved'],
    ['a gradient', 'context.fillStyle = context.createLinearGradient(0, 0, 9, 9)', 'a gradient or a pattern'],
    ['a gradient that was there', 'gradient.addColorStop(0, "red")', 'a gradient that was there before'],
    ['a path that was there', 'path.rect(0, 0, 9, 9); context.fill(path)', 'a path that was there before'],
    [
      'options',
      'document.body.append(held = document.createElement("canvas")); held.getContext("2d", {})',
      'another context',
    ],
    ['a canvas by itself', 'held = new OffscreenCanvas(9, 9)', 'OffscreenCanvas'],
  ])('[SITE-135] canvases with %s are refused by name', async (_, change, reason) => {
    const before = `const context = document.body.appendChild(document.createElement('canvas')).getContext('2d');
      const gradient = context.createLinearGradient(0, 0, 9, 9), path = new Path2D(); let held`;
    const body = page(before, change, 'context.isPointInPath(4, 4)');
    const { reasons } = await retrace(createPages({ pool, pages: { '/': body } }), ['Do', 'Show']);
    expect(reasons.join()).toContain(reason);
  });

  it('[SITE-135] a canvas that is blank looks the same whether something was drawn on it before or not', async () => {
    const canvas = '<canvas id="canvas" width="20" height="10"></canvas>';
    const body = canvas + page('const context = canvas.getContext("2d")', 'context.fillRect(0, 0, 9, 9)', '""');
    const environment = createPages({ pool, pages: { '/': body } });
    const task = await environment.task('look', 1);
    const fresh = await environment.open(task);
    const trail = await createTrail(environment, task);
    try {
      await trail.step(await actionFor(trail.session(), 'Do'), { role: 'student', name: 'hand' });
      const drawn = await trail.session().appearance?.();
      expect(await trail.rollback(0)).toMatchObject({ method: 'restore' });
      const restored = await trail.session().appearance?.();
      expect(restored).toEqual(await fresh.appearance?.());
      expect(restored).not.toEqual(drawn);
    } finally {
      await trail.session().close();
      await fresh.close();
    }
  });

  it('[SITE-136] an event that holds data is refused', async () => {
    const before =
      'let held = null; const { port1, port2 } = new MessageChannel(); port1.onmessage = event => { held = event }; port2.postMessage({ n: 1 })';
    const body = page(before, 'held.data.n++', 'held.data.n');
    const { reasons } = await retrace(createPages({ pool, pages: { '/': body } }), ['Do', 'Show']);
    expect(reasons).toEqual([expect.stringContaining('an event that may hold something')]);
  });

  it('[SITE-125] a port that is closed stays closed: earlier snapshots are refused', async () => {
    const before = 'let n = 0; const { port1, port2 } = new MessageChannel(); port1.onmessage = () => n++';
    const body = page(before, 'port2.postMessage(1); if (n === 1) port1.close()', 'n');
    const { reasons, shown } = await retrace(createPages({ pool, pages: { '/': body } }), steps);
    expect(shown).toContain('status "1"');
    expect(reasons).toEqual([expect.stringContaining('a message port that was there before')]);
  });
});
