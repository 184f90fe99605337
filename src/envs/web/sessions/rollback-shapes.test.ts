import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { retrace, type Retraced, type Step } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

/** `first` and `second` are what two buttons do; a third one shows what came of it. */
function page(declarations: string, [first, second]: readonly [string, string], shown: string): string {
  return `<button id="first">First</button><button id="second">Second</button><button id="show">Show</button>
    <p id="out" role="status"></p><script>${declarations};
    document.getElementById('first').onclick = () => { ${first} };
    document.getElementById('second').onclick = () => { ${second} };
    document.getElementById('show').onclick = () => {
      document.getElementById('out').textContent = JSON.stringify(${shown});
    };</script>`;
}

const steps: readonly Step[] = ['Second', 'First', 'Second', 'Show', 'First', 'Second', 'Show'];
const walked = (body: string, way = steps): Promise<Retraced> =>
  retrace(createPages({ pool, pages: { '/': body } }), way);

async function expectExact(body: string, shown: string, way = steps): Promise<void> {
  const retraced = await walked(body, way);
  expect(retraced.shown).toContain(shown);
  expect(retraced).toMatchObject({ reasons: [], restored: way.length + 1 });
}

describe('the attributes of members', () => {
  it('[SITE-27] of arrays are kept: an index that is read-only, hidden or a getter, and one that is usual again', async () => {
    const body = page(
      `const list = [0, 1, 2, 3]; let n = 0; const usual = { writable: true, enumerable: true, configurable: true }`,
      [
        `Object.defineProperty(list, 0, { writable: false }); Object.defineProperty(list, 1, { enumerable: false });
         Object.defineProperty(list, 2, { get: () => 'got', configurable: true, enumerable: true })`,
        `n++; for (const index of [0, 2, 3]) Reflect.set(list, index, n * 10);
         if (n > 2) { delete list[0]; list[0] = 'new'; Object.defineProperty(list, 1, usual); list.push(n) }`,
      ],
      '[Object.keys(list), list]',
    );
    await expectExact(body, '[["0","1","2","3","4"],["new",1,"got",30,3]]');
  });

  it('[SITE-27] are kept where a usual member takes their place without a call that tells of it', async () => {
    const body = page(
      `const given = (value, flags) => ({ value, configurable: true, ...flags });
       const over = {}, index = [1], made = { length: 1 }, lone = {}, lazy = { get n() { delete this.n; return this.n = 5 } };
       Object.defineProperty(over, 'x', { get: () => 1, configurable: true });
       Object.defineProperty(index, 0, given(1)); Object.defineProperty(made, 0, given(1, { enumerable: true }));
       Object.defineProperty(lone, 'n', given(1, { enumerable: true }));
       const giving = object => class { constructor() { return object } };
       class Field extends giving(over) { x = 1 } class Index extends giving(index) { 0 = 1 }
       const run = () => 1, name = run.name`,
      [
        `new Field(); new Index(); Array.of.call(function () { return made }, 1); delete lone.n; lone.n = 1; lazy.n;
         delete run.name; Reflect.set({ name }, 'name', name, run)`,
        `for (const [object, key] of [[over, 'x'], [index, 0], [made, 0], [lone, 'n']]) Reflect.set(object, key, object[key] + 1);
         if (lazy.m) Reflect.set(lazy, 'n', 9); lazy.m = 1; Reflect.set(run, 'name', 'other')`,
      ],
      '[over.x, index, made, lone, lazy.n, run.name]',
    );
    await expectExact(body, '[2,[2],{"0":2,"length":1},{"n":2},9,"other"]');
  });

  it('[SITE-27] are kept where a script changed them through a proxy, or through a proxy of a proxy', async () => {
    const body = page(
      `const object = { x: 1, y: 2 }, list = [1, 2], out = document.getElementById('out'); let n = 0;
       const [one, other] = [new Proxy(object, {}), new Proxy(new Proxy(list, {}), {})]`,
      [
        `n++; out.textContent = JSON.stringify([n, Object.keys(object), Reflect.set(object, 'x', object.x), Reflect.set(list, 0, list[0])]);
         Object.defineProperty(one, 'x', { writable: false }); Object.defineProperty(one, 'y', { enumerable: false });
         Object.defineProperty(other, 0, { writable: false })`,
        `n++; object.x++; list[0]++; out.textContent = n`,
      ],
      'n',
    );
    await expectExact(body, '[3,["x","y"],true,true]', ['Second', 'Second', 'First']);
  });

  it('[SITE-27] that cannot be put back refuse the snapshot, and the path is walked again: arrays sealed, frozen, locked', async () => {
    for (const change of [
      "Object.defineProperty(list, 'length', { writable: false })",
      'Object.freeze(list)',
      'Object.isSealed(list) ? Object.freeze(list) : Object.seal(list)',
    ]) {
      const body = page('const list = [1, 2]', [change, 'try { list.push(3) } catch {}; list[0] = 5'], 'list');
      const { reasons } = await walked(body, ['First', 'Second', 'First', 'Show']);
      expect(reasons).toEqual([expect.stringContaining('the data of its scripts differ')]);
    }
  });
});

describe('the shape of natives', () => {
  it('[SITE-27] is part of a snapshot: where it changed since, the path is walked again', async () => {
    for (const change of [
      'Object.freeze(Array.prototype)',
      "Object.defineProperty(Array.prototype, 'at', { enumerable: true })",
      'const { at } = Array.prototype; delete Array.prototype.at; Array.prototype.at = at',
      "Object.defineProperty(window, 'print', { writable: false })",
      'Object.setPrototypeOf(Array.prototype, Object.create(Object.prototype))',
    ]) {
      const { reasons } = await walked(page('', [change, ''], '1'), ['First']);
      expect(reasons, change).toHaveLength(1);
    }
  });
});

describe('what objects hide', () => {
  it('[SITE-27] is kept: prototypes of functions that were untouched, stacks of errors, holes over members of a prototype', async () => {
    const body = page(
      `function Made() {} class Empty {} function Other() {} let n = 0;
       class List extends Array {} List.prototype[1] = 'under'; const list = new List(3);
       const error = new Error('x'), bag = {}; const one = () => Error.captureStackTrace(bag, one)`,
      [
        `Made.prototype.n = ++n; Empty.prototype.n = n * 2; Made.prototype.constructor = Other;
         error.stack = 'own ' + n; Error.captureStackTrace(bag); bag.stack = 'set ' + n`,
        'list[0] = n; if (n > 1) list[2] = n; one(); delete Empty.prototype.n',
      ],
      `[new Made().n, new Made().constructor.name, new Empty().n, error.stack, bag.stack.slice(0, 5), [...list],
        Object.keys(list)]`,
    );
    await expectExact(body, '[2,"Other",null,"own 2","Error",[2,"under",2],["0","2"]]');
  });
});

describe('dialogs and popovers', () => {
  const at = 'inset:120px auto auto 100px;width:90px';

  it('[SITE-28] lie in front of each other in the order in which they were opened', async () => {
    const layers = ['a', 'b', 'c'].map(
      id => `<div id="${id}" popover="manual" style="${at}"><i id="${id}i">${id}</i></div>`,
    );
    const body = page(
      'const by = id => document.getElementById(id); const open = (...ids) => ids.forEach(id => by(id).showPopover())',
      ["for (const id of ['a', 'b', 'c']) by(id).hidePopover(); open('c', 'b', 'a')", "by('b').togglePopover()"],
      "document.elementsFromPoint(110, 132).map(element => element.id).filter(id => /^.i$/.test(id)).join('')",
    );
    await expectExact(`${layers.join('')}${body}`, '"aici"', ['First', 'Show', 'Second', 'Show']);
  });

  it('[SITE-28] have the same source: the Tab key goes on from the button that opened a popover', async () => {
    const body = `<button popovertarget="p">Open</button><button>Between</button><button>After</button>
      <div id="p" popover><button>Inside</button></div><p id="out" role="status"></p>
      <script>addEventListener('focusin', ({ target }) => { document.getElementById('out').textContent = target.textContent })</script>`;
    const tab = { kind: 'press', key: 'Tab' } as const;
    const retraced = await walked(body, ['Open', tab, tab, { kind: 'press', key: 'Escape' }, tab]);
    expect(retraced).toMatchObject({ reasons: [], restored: 6 });
  });
});

describe('attributes of elements', () => {
  it('[SITE-30] are put back with their namespaces', async () => {
    const body = `<svg><use id="use" xlink:href="#a"></use></svg>${page(
      `const use = document.getElementById('use'); const xlink = 'http://www.w3.org/1999/xlink'; let n = 0`,
      [`use.removeAttributeNS(xlink, 'href')`, `n++; use.setAttribute('class', 'c' + n)`],
      `[use.getAttributeNS(xlink, 'href'), use.getAttribute('class')]`,
    )}`;
    await expectExact(body, '[null,"c3"]');
  });

  it('[SITE-30] are put back where a name alone does not lead to them: capitals, a namespace without a prefix, one name twice', async () => {
    const body = page(
      `const out = document.getElementById('out'); let n = 0;
       const words = () => [...out.attributes].map(one => [one.namespaceURI, one.name, one.value].join(' ')).slice(2);
       out.setAttributeNS(null, 'Size', 0); out.setAttributeNS('urn:one', 'kind', 0); out.setAttribute('kind', 0)`,
      [
        `out.removeAttributeNS('urn:one', 'kind'); out.removeAttributeNS(null, 'Size')`,
        `n++; out.setAttributeNS(null, 'Size', n); out.setAttributeNS('urn:one', 'kind', n); out.setAttributeNS(null, 'kind', -n)`,
      ],
      'words()',
    );
    await expectExact(body, '[" kind -3"," Size 3","urn:one kind 3"]');
  });
});

describe('functions that we watch', () => {
  const watched = [
    'Element.prototype.attachShadow',
    'CSSStyleSheet.prototype.insertRule',
    'document.getSelection',
    'Object.freeze',
    'WeakMap.prototype.set',
    "Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set",
    'Proxy',
  ];

  it('[SITE-37] hand nobody what stands behind them', async () => {
    const body = `<p id="out" role="status"></p><script>
      const found = [];
      for (const member of ${JSON.stringify(watched)}) {
        const wire = eval(member);
        let behind = null;
        Object.prototype.get = (target, key, receiver) => { behind = target; return Reflect.get(target, key, receiver) };
        void wire.name;
        delete Object.prototype.get;
        if (behind !== null) found.push(member);
      }
      document.getElementById('out').textContent = 'Found: ' + (found.join() || 'none');</script>`;
    expect((await walked(body, [])).shown).toContain('Found: none');
  });
});

describe('functions whose variables are read', () => {
  // The browser takes an optional call for the first place of a function, and has done the rest by then.
  it.each(['n += 1, tell(n), log?.add(n)', 'n += 1; tell(n); log?.add?.(n); log.clear?.()'])(
    '[SITE-132] do nothing, optional calls or not: %s',
    async body => {
      const { restored, shown } = await walked(
        `<button id="go">Go</button><p id="out" role="status">0</p><script>{
          let [n, log] = [0, null];
          log = new Set();
          const tell = text => { document.getElementById('out').textContent = text };
          document.getElementById('go').onclick = () => { ${body} };
        }</script>`,
        ['Go', 'Go'],
      );
      expect(shown).toContain('status "2"');
      expect(restored).toBe(3);
    },
  );
});
