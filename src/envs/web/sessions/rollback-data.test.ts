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

const buttons = '<button id="do">Do</button><button id="show">Show</button><p id="out" role="status"></p>';
const steps: readonly Step[] = ['Do', 'Show', 'Do', 'Do', 'Show'];

/** A page that changes its data on one button and shows it on another: in between nobody can see it. */
function hiding(declarations: string, change: string, shown: string): string {
  return `${buttons}<script>${declarations};
    document.getElementById('do').addEventListener('click', () => { ${change} });
    document.getElementById('show').addEventListener('click', () => {
      document.getElementById('out').textContent = JSON.stringify(${shown});
    });</script>`;
}

/** Every rollback is by snapshot, and everything goes on as it did. */
async function expectExact(body: string, shown: string, way = steps): Promise<void> {
  const retraced = await retrace(createPages({ pool, pages: { '/': body } }), way);
  expect(retraced.shown).toContain(shown);
  expect(retraced).toMatchObject({ reasons: [], restored: way.length + 1 });
}

describe('the data of scripts', () => {
  it('[SITE-1] is put back where names of the page hold it', async () => {
    const page = hiding(
      'let first = 0; var second = 0; const third = { n: 0 }; class Fourth { static made = 0 }; window.alert = () => 0',
      `first++; second += 2; third.n += 3; Fourth.made += 4; window.fifth = (window.fifth ?? 0) + 5;
       if (first > 1) { const before = window.print; window.print = () => before() + 1; window.late = [first] }
       document.sixth = first`,
      '[first, second, third.n, Fourth.made, window.fifth, window.late, document.sixth, "print" in window]',
    );
    await expectExact(page, '[3,6,9,12,15,[3],3,true]');
  });

  it('[SITE-1] is put back whatever kind of object it is in', async () => {
    const page = hiding(
      `const map = new Map([['a', 1]]), set = new Set(['a', 'b']), date = new Date(0), pattern = /a/g;
       const words = new Uint16Array(4), view = new DataView(words.buffer), holes = [1, , 3], sign = Symbol('sign');
       const order = { a: 1, b: 2, c: 3 }, cycle = { n: 0, list: [] }, url = new URL('http://x.test/?a=1');
       const secret = { [sign]: 0, frozen: Object.freeze({ n: 0 }), none: undefined };
       Object.defineProperty(secret, 'unlisted', { value: 0, writable: true, configurable: true });
       cycle.self = cycle; cycle.list.push(cycle); holes.name = 'x'`,
      `map.delete('a'); map.set('b' + map.size, { x: map }); map.set('a', 2);
       set.delete('a'); set.add('a'); set.add(set.size);
       date.setDate(date.getDate() + 1); pattern.test('aaaaaa'); words[1] += 3; view.setInt8(7, view.getInt8(7) + 1);
       holes.length += 1; holes[holes.length] = 1; delete holes[0]; holes.name += 'y';
       const [key] = Object.keys(order); const value = order[key]; delete order[key]; order[key] = value + 1;
       cycle.list[0].self.n++; cycle.list.push({ n: cycle.n }); url.searchParams.append('b', url.href.length);
       secret[sign]++; secret.unlisted++; secret.frozen = Object.freeze({ n: secret.unlisted }); delete secret.none`,
      `[[...map.keys()], [...set], date, pattern.lastIndex, [...words], Object.keys(holes), holes, order,
       cycle.list.map(one => one.n), cycle.self === cycle, url, secret[sign], secret.unlisted, secret, 'none' in secret]`,
    );
    await expectExact(page, '"a":2,"b":3,"c":4');
  });

  it('[SITE-1] is put back in headers, form data, parameters and addresses, and calls no method that scripts gave them', async () => {
    const page = hiding(
      `let asked = 0;
       class Own extends Headers {
         append(...pair) { asked++; Headers.prototype.append.call(this, ...pair) } entries() { asked++; return [].values() } }
       class Form extends FormData { delete() { asked++ } entries() { asked++; return [].values() } }
       class Query extends URLSearchParams { entries() { asked++; return [].values() } toString() { asked++; return '' } }
       class Address extends URL { get href() { asked++; return '' } set href(to) { asked++ } toString() { return this.origin + this.search + this.hash } }
       const plain = new Headers({ a: '1' }), copy = new Request('/', { headers: plain }).headers, address = new Address('http://x.test/');
       const all = [new Own(), new Form(), new Query(), plain, copy, new FormData(), address.searchParams]`,
      `for (const list of all) { list.append('a', [...list].length); list.set('b', list.get('a').length) }
       address.hash += 'c'`,
      '[asked, String(address), all.map(list => [...list].join(" "))]',
    );
    await expectExact(page, '[3,"http://x.test?a=0&b=1&a=2&a=3#ccc"');
  });

  it('[SITE-1] leaves a pattern where it goes on', async () => {
    const page = hiding(
      'const pattern = /a/g, at = []',
      'pattern.test("aaaaaa"); at.push(pattern.lastIndex)',
      '[at, pattern.lastIndex]',
    );
    await expectExact(page, '[[1,2,3],3]');
  });

  it('[SITE-1] is put back through classes, accessors, proxies and events of its own', async () => {
    const page = hiding(
      `class Base { n = 0; get double() { return this.n * 2 } }
       class Counter extends Base { constructor() { super(); Counter.made = (Counter.made ?? 0) + 1 } bump() { this.n++ } }
       Base.prototype.shared = 0;
       const counter = new Counter(); let reads = 0; const lazy = { get n() { return ++reads } };
       const target = { n: 0 }; let hits = 0;
       const proxy = new Proxy(target, { get(from, key) { hits++; return from[key] }, set(on, key, to) { on[key] = to; return true } });
       class Bus extends EventTarget {}; const bus = new Bus(); let heard = 0; bus.addEventListener('x', () => heard++);
       function react(object) { for (const key of Object.keys(object)) { let held = object[key];
         Object.defineProperty(object, key, { get: () => held, set: to => { held = to }, enumerable: true, configurable: true }) }
         return object }
       const state = react({ count: 0, list: [] })`,
      `counter.bump(); new Counter(); Base.prototype.shared++; lazy.n; proxy.n++; state.count++; state.list.push(state.count);
       bus.dispatchEvent(new Event('x')); bus.addEventListener('x', () => heard++)`,
      '[counter, counter.double, Counter.made, counter.shared, reads, target, hits, heard, state.count, state.list]',
    );
    await expectExact(page, '[{"n":3},6,4,3,3,{"n":3},3,6,3,[1,2,3]]');
  });

  it('[SITE-1] draws the same chance and tells the same time', async () => {
    const page = hiding(
      'const drawn = []',
      'drawn.push(Math.random(), crypto.randomUUID(), Date.now(), performance.now(), new Event("x").timeStamp)',
      'drawn',
    );
    await expectExact(page, '-a');
  });
});

describe('what functions hold in the scopes around them', () => {
  it('[SITE-2] is read and put back: variables of a script that is one function', async () => {
    const body = `let count = 0; const list = [], next = ((made = 10) => () => ++made)(), later = {};
      document.getElementById('do').addEventListener('click', function () { count++; list.push(next()); later.sum = list.length });
      document.getElementById('show').onclick = () => {
        document.getElementById('out').textContent = JSON.stringify([count, list, later]); };`;
    await expectExact(`${buttons}<script>(() => { ${body} })()</script>`, '[3,[11,12,13],{"sum":3}]');
    await expectExact(`${buttons}<script type="module">${body}</script>`, '[3,[11,12,13],{"sum":3}]');
  });

  it('[SITE-2] is read and put back: instances that only their listeners know, bound functions, objects that listen', async () => {
    const page = `${buttons}<script>
      class Counter {
        constructor(shown) { this.n = 0; this.shown = shown;
          document.getElementById('do').addEventListener('click', () => this.add());
          document.getElementById('show').addEventListener('click', this.tell.bind(this, 'bound')); }
        add() { this.n++ }
        tell(word) { document.title = word + this.n } }
      new Counter(true);
      (() => { let total = 0; const hearer = { calls: 0, handleEvent({ target }) { this.calls++; total += this.calls;
        if (target.id === 'show') document.getElementById('out').textContent = 'heard ' + this.calls + ' ' + total } };
        document.addEventListener('click', hearer) })();
    </script>`;
    await expectExact(page, 'page "bound3"');
    await expectExact(page, 'heard 5 15');
  });

  it('[SITE-2] is read and put back in every form that a variable can be written in', async () => {
    const page = `${buttons}<script>(function () {
      let a = 0, b = 1, c, d = 0, [e] = [0], { f } = { f: 0 }, g = null, h = 0, i = '', j;
      const move = { swap() { [a, b] = [b, a] }, async wait() { await 0; ({ c } = { c: (c ?? 0) + 1 }) }, *count() { d += 1; yield d },
        get each() { for (e of [e + 1]); return e }, set each(to) { f = to }, logic() { g ??= 5; g &&= g + 1; h ||= 7; i += h } };
      class Late { static made() { return j = (j ?? 0) + 1 } get() { return j } }
      document.getElementById('do').onclick = () => { move.swap(); move.wait(); [...move.count()]; move.each = move.each; move.logic(); Late.made() };
      document.getElementById('show').onclick = () => {
        document.getElementById('out').textContent = JSON.stringify([a, b, c, d, e, f, g, h, i, new Late().get()]) };
    })()</script>`;
    await expectExact(page, '[1,0,3,3,3,3,8,7,"777",3]');
  });

  const counting = (functions: string, bump = 'const bump = () => ++ran'): string => `${buttons}<script>(() => {
      let ran = 0; ${bump}; const all = [${functions}];
      document.getElementById('do').onclick = () => { bump(); window.kept = [...all] };
      document.getElementById('show').onclick = () => { document.getElementById('out').textContent = 'ran ' + ran };
    })()</script>`;

  it('[SITE-3] is learned without running anything of the page', async () => {
    const functions = `(x = 1, { y = [], z } = {}) => { ran += x + y + z }, async function named(w) { ran += w; await 0; ran++ },
      function* (v) { ran += v; yield v }, async function* (u) { ran += u; yield u }, function () { ran += arguments.length },
      (...rest) => { ran += rest.length }, s => t => { ran += s + t }, { get worth() { return ++ran }, set worth(to) { ran = to } },
      class { static made = 0; constructor(given = bump()) { ran++ } method() { ran++ } }, () => ++ran, () => { throw ++ran },
      (x = bump()) => { ran += x }, (x = bump(), { y = bump() } = {}, [z = bump()] = []) => { ran++ }, function late(x = () => bump()) {
        ran += x() }, async (x = bump()) => { await x; ran++ }, function* (x = bump()) { yield ran++ }, { given(x = bump()) { ran++ } }`;
    await expectExact(counting(functions), 'ran 3');
  });

  it('[SITE-2] is told apart in the turns of a loop, each of which has a copy of what its head declares', async () => {
    const page = `${buttons}<script>(() => {
      const all = []; for (let i = 0, none = () => 0; i < 3; i++) all.push(() => { none(); return i++ });
      document.getElementById('do').onclick = () => { for (const one of all) one() };
      document.getElementById('show').onclick = () => {
        document.getElementById('out').textContent = all.map(one => one()).join(' ') };
    })()</script>`;
    await expectExact(page, '4 5 6');
  });

  it('[SITE-3] is not learned where that would run something, which is said', async () => {
    for (const unsafe of [
      '(x = bump()) => ran++',
      '({ [++ran]: x } = {}) => ran++',
      'class { field = ++ran; constructor() { ran++ } }',
    ]) {
      // A constant function tells scopes apart: then another function of the same scope is entered.
      await expectExact(counting(unsafe), 'ran 3');
      const page = counting(unsafe, 'let bump = () => ++ran; bump = bump');
      const { shown, reasons } = await retrace(createPages({ pool, pages: { '/': page } }), ['Do', 'Show']);
      expect(shown).toContain('ran 1');
      expect(reasons).toEqual([expect.stringContaining('the variable ran of a function cannot be reached')]);
    }
  });
});

describe('listeners and timers', () => {
  it('[SITE-4] are put back: those that hear once, until a signal, in their order, on what survives', async () => {
    const page = `${buttons}<button id="more">More</button><script>
      let log = ''; const say = word => { log += word; document.getElementById('out').textContent = log };
      const one = document.getElementById('do'), other = document.getElementById('show'), more = document.getElementById('more');
      const a = () => say('a'), b = () => say('b'), shared = () => say('s');
      one.addEventListener('click', a); one.addEventListener('click', b, true);
      one.addEventListener('click', shared, { once: true }); other.addEventListener('click', shared, { once: true });
      one.addEventListener('click', shared, { once: true }); one.onclick = () => say('o');
      more.onclick = () => { one.removeEventListener('click', a); one.addEventListener('click', a); one.onclick = () => say('p');
        const n = log.length; one.addEventListener('click', () => say('+' + n)); other.removeEventListener('click', shared);
        document.addEventListener('click', () => say('d'), true); if (log.length > 20) { one.onclick = null; window.onclick = () => say('w') } };
    </script>`;
    await expectExact(page, 'w', ['Do', 'Show', 'More', 'Do', 'More', 'Do', 'More', 'Do', 'Show']);
  });

  it('[SITE-4] are as they were where an attribute and a script speak of the same one, if not by snapshot', async () => {
    const page = `${buttons}<button id="inline" onclick="say('attribute')">Inline</button><script>
      const say = word => { document.getElementById('out').textContent = word }, inline = document.getElementById('inline');
      document.getElementById('do').onclick = () => { inline.onclick = () => say('property') };
      document.getElementById('show').onclick = () => inline.setAttribute('onclick', "say('another')");
    </script>`;
    const way = ['Inline', 'Do', 'Inline', 'Show', 'Inline'];
    const { shown, reasons } = await retrace(createPages({ pool, pages: { '/': page } }), way);
    expect(shown).toContain('another');
    expect(reasons).toEqual([expect.stringContaining('an inline event handler that a script changed')]);
  });

  it('[SITE-4] are put back: toasts, timers that set timers, intervals and what waits to be called', async () => {
    const wait: Step = { kind: 'wait', milliseconds: 700 };
    const page = `${buttons}<div id="toasts"></div><script>
      let n = 0, beats = 0; setInterval(() => beats++, 300);
      const later = (run => { let timer; return () => { clearTimeout(timer); timer = setTimeout(run, 1200, ++n) } })(at => { document.title = 'fired ' + at });
      function tick(left) { if (left > 0) setTimeout(tick, 400, left - 1); n += 10 }
      document.getElementById('do').onclick = () => { later(); tick(3);
        const toast = document.createElement('div'); toast.textContent = 'toast ' + n; document.getElementById('toasts').append(toast);
        setTimeout(() => { toast.className = 'leaving'; setTimeout(() => toast.remove(), 300) }, 1400) };
      document.getElementById('show').onclick = () => { document.getElementById('out').textContent = n + ' ' + beats };
    </script>`;
    await expectExact(page, 'fired', ['Do', 'Show', wait, 'Do', wait, wait, 'Show', wait, 'Show']);
  });
});

describe('what scripts hang on objects of the browser', () => {
  it('[SITE-24] is put back where it hangs on nodes and styles, whatever the name of the member', async () => {
    const page = hiding(
      `const sign = Symbol('sign'), out = document.getElementById('out'), body = document.body`,
      `body[sign] = (body[sign] ?? 0) + 1; body.firstChild.firstChild.tag = body[sign];
       Object.defineProperty(body, 'hidden', { value: body[sign] + 1, configurable: true });
       body.firstChild.style.MozOsxFontSmoothing = 'x'.repeat(body[sign]); body.firstChild.style.held = [body[sign]]`,
      `[body[sign], body.firstChild.firstChild.tag, body.hidden, body.firstChild.style.MozOsxFontSmoothing, body.firstChild.style.held]`,
    );
    await expectExact(page, '[3,3,4,"xxx",[3]]');
  });

  it.each([
    ['document.body.classList', 'DOMTokenList'],
    ['document.body.attributes', 'NamedNodeMap'],
    ['document.body.children', 'HTMLCollection'],
    ['getSelection()', 'Selection'],
    ['localStorage', 'Storage'],
  ])('[SITE-24] is refused where it hangs on %s, which no script holds', async (object, kind) => {
    const page = hiding(
      'const sign = Symbol("sign")',
      `${object}[sign] = (${object}[sign] ?? 0) + 1`,
      `[${object}[sign]]`,
    );
    const { reasons, shown } = await retrace(createPages({ pool, pages: { '/': page } }), ['Do', 'Do', 'Show']);
    expect(reasons).toEqual([expect.stringContaining(`an object of the kind ${kind} with members of its own`)]);
    expect(shown).toContain('[2]');
  });

  it('[SITE-29] is put back where it hangs on functions and interfaces of the browser', async () => {
    const places = {
      member: 'Array.prototype.map',
      wrapped: 'document.createElement',
      getter: 'Object.getOwnPropertyDescriptor(Node.prototype, "textContent").get',
      prototype: 'HTMLVideoElement.prototype',
      language: 'Function.prototype.call',
    };
    const count = (object: string, key: string): string => `${object}[${key}] = (${object}[${key}] ?? 0) + 1`;
    const hidden = (object: string, key: string): string =>
      `Object.defineProperty(${object}, "${key}", { value: (Number(${object}.${key}) || 0) + 1, configurable: true })`;
    const page = hiding(
      'const sign = Symbol("sign")',
      [
        ...Object.values(places).map(place => count(place, '"n"')),
        count('Array.prototype.filter', 'sign'),
        hidden('Array.prototype.some', 'n'),
        hidden('Array.prototype.every', 'name'),
      ].join(';'),
      `[${Object.values(places).map(place => `${place}.n`)}, Array.prototype.filter[sign], Array.prototype.some.n, Array.prototype.every.name]`,
    );
    await expectExact(page, '[3,3,3,3,3,3,3,3]');
  });

  it.each([
    ['RTCPeerConnection.prototype.close.n = 1', 'used RTCPeerConnection.close'],
    [
      'HTMLVideoElement.prototype.requestPictureInPicture = () => 1',
      'a HTMLVideoElement.prototype.requestPictureInPicture of its own',
    ],
    [
      'delete HTMLVideoElement.prototype.width; HTMLVideoElement.prototype.n = 1',
      'a HTMLVideoElement.prototype.width of its own',
    ],
    [
      'Object.defineProperty(HTMLVideoElement.prototype, "width", { get: () => 1 })',
      'a HTMLVideoElement.prototype of its own',
    ],
  ])('[SITE-29] is refused where an interface is not understood: %s', async (change, reason) => {
    const page = hiding('', change, '1');
    const { reasons } = await retrace(createPages({ pool, pages: { '/': page } }), ['Do', 'Show']);
    expect(reasons).toEqual([expect.stringContaining(reason)]);
  });
});
