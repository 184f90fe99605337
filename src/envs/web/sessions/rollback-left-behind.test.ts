import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { branch, write, type Page, type Walk } from '../../../../test/fixtures/pages/branches.ts';
import { retrace, type Step } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

type Case = readonly [what: string, page: Page, walk: Walk];

/** Classes of a page whose members are not those of the browser, and what they make. */
const overriding = Object.entries({
  'Uint8Array(4)': 'length buffer byteLength byteOffset',
  'DataView(new ArrayBuffer(4))': 'buffer byteLength byteOffset',
  'ArrayBuffer(4)': 'byteLength detached resizable',
  "RegExp('a')": 'source flags',
  "String('a')": 'valueOf toString length',
  'XMLHttpRequest()': 'readyState status response',
  'FileReader()': 'readyState result error',
  'AbortController()': 'signal',
  'DOMRect(1, 2)': 'x y width height',
}).map(([made, names]) => {
  const getters = names.split(' ').map(name => `get ${name}() { n++; throw new TypeError('${name}') }`);
  return `new (class extends ${made.replace(/\(.*/, '')} { ${getters.join(' ')} })${made.replace(/^\w+/, '')}`;
});

const press = (key: string): Step => ({ kind: 'press', key });
const editor = `<div id="e" contenteditable aria-label="E" style="width: 6em">${'word '.repeat(20)}</div>`;
const registry =
  'const registry = new FinalizationRegistry(() => undefined), one = {}, other = {}; registry.register({}, 1, other)';

/** Restored, and right. */
const restored: readonly Case[] = [
  [
    '[SITE-171] what was registered with a token',
    {
      before: registry,
      does: { Register: 'registry.register({}, 1, one)', Show: 'say(registry.unregister(one))' },
    },
    { left: ['Register'], taken: ['Show'], ends: 'false' },
  ],
  [
    '[SITE-171] what was no longer registered',
    {
      before: registry,
      does: {
        Unregister: 'registry.unregister(other)',
        Show: 'say(registry.unregister(other), registry.unregister(other))',
      },
    },
    { left: ['Unregister'], taken: ['Show'], ends: 'true false' },
  ],
  [
    '[SITE-176] where the focus of a dialog came from',
    {
      body: '<button id="b">B</button><dialog id="d"><button id="in">In</button></dialog>',
      does: {
        Open: `byId('b').focus(); byId('d').show()`,
        Again: `byId('d').open = true; byId('in').focus(); byId('d').close(); say(document.activeElement.id)`,
      },
    },
    { left: ['Open'], taken: ['Again'], ends: 'in' },
  ],
  [
    '[SITE-173] classes of a page whose members are not those of the browser',
    {
      before: `let n = 0; const held = [${overriding.join(', ')}]`,
      does: {
        Hang: `for (const one of held) one.more = 1; held[0][1] = 7`,
        Show: `say(n, held[0][1])`,
      },
    },
    { left: ['Hang'], taken: ['Show'], ends: '0 0' },
  ],
  [
    '[SITE-178] images that were loaded',
    {
      does: {
        Load: `new Image().src = '/a.svg'`,
        Show: `const image = new Image(); image.src = '/a.svg'; say(image.complete)`,
      },
    },
    { left: ['Load'], taken: ['Show'], ends: 'false' },
  ],
  [
    '[SITE-179] which box keys scroll',
    {
      body: `<div id="box" style="height: 100px; overflow: scroll"><div style="height: 900px"></div></div>`,
      does: { Show: `say(byId('box').scrollTop)` },
    },
    { left: [{ kind: 'click-at', x: 50, y: 50 }], taken: [press('ArrowDown'), 'Show'], ends: '0' },
  ],
  [
    '[SITE-185] drafts that were revoked, as those of Immer',
    {
      before: `let state = { n: 0 }; const produce = change => {
          const { proxy, revoke } = Proxy.revocable({ ...state }, {}); change(proxy); const next = { n: proxy.n }; revoke(); return next }`,
      does: { Add: 'state = produce(draft => { draft.n++ }); say(state.n)' },
    },
    { left: ['Add', 'Add'], taken: ['Add'], ends: '1' },
  ],
  [
    '[SITE-186] what a bundler makes of a module that exports a function',
    {
      before: `const module = Object.create(Object.getPrototypeOf(() => 0)); module.n = 0`,
      does: { Add: 'module.n++', Show: 'say(module.n)' },
    },
    { left: ['Add'], taken: ['Show'], ends: '0' },
  ],
  [
    '[SITE-186] attributes that were set as nodes',
    {
      body: '<p id="p" title="a"></p>',
      does: {
        Set: `const node = document.createAttribute('lang'); node.value = 'b'; byId('p').setAttributeNode(node); byId('p').removeAttributeNode(byId('p').getAttributeNode('title'))`,
        Show: `say(byId('p').getAttribute('lang'), byId('p').title)`,
      },
    },
    { left: ['Set'], taken: ['Show'], ends: 'a' },
  ],
  [
    '[SITE-186] animations that were asked for, and pointers that nobody captured',
    {
      body: '<style>#p { transition: width 1s } .wide { width: 90px }</style><p id="p" style="height: 9px"></p>',
      does: {
        Widen: `byId('p').className = 'wide'; say(byId('p').getAnimations().length, byId('p').hasPointerCapture(1))`,
        Show: `say(byId('p').className, byId('p').ariaControlsElements)`,
      },
    },
    { left: ['Widen'], taken: ['Show'], ends: '' },
  ],
];

/** Refused with the reason, and right. */
const refused: readonly Case[] = [
  [
    '[SITE-171] a generator that inherits from something else',
    {
      before: `function* make() { yield 1; yield 2 }
        const { next } = Object.getPrototypeOf(make.prototype); make.prototype = Object.prototype; const one = make()`,
      does: { Go: 'next.call(one)', Show: 'say(next.call(one).value)' },
    },
    { left: ['Go'], taken: ['Show'], ends: 'a generator that inherits from something else' },
  ],
  [
    '[SITE-173] a class of elements with a member in the place of the browser',
    {
      before: `class Named extends HTMLElement { get tagName() { return 'NAMED' } }
        customElements.define('x-named', Named); document.body.append(new Named())`,
      does: { Go: `say('gone')`, Show: `say(document.querySelector('x-named').tagName)` },
    },
    { left: ['Go'], taken: ['Show'], ends: 'a node with a member "tagName" in the place of the browser' },
  ],
  [
    '[SITE-174] a caret that a script moved by line',
    {
      body: editor,
      does: {
        End: `byId('e').focus(); getSelection().collapse(byId('e').firstChild, 3);
          getSelection().modify('move', 'forward', 'lineboundary')`,
        Show: `say(getSelection().anchorOffset)`,
      },
    },
    { left: ['End'], taken: ['Show'], ends: 'Selection.modify by more than a word' },
  ],
  [
    '[SITE-176] what was chosen in an option beside its list',
    {
      body: '<select id="s" aria-label="S"><option>a</select>',
      before: `const option = document.createElement('option'); option.textContent = 'b'`,
      does: {
        Choose: 'option.selected = true; option.selected = false',
        Add: `option.setAttribute('selected', ''); byId('s').append(option); say(byId('s').value)`,
      },
    },
    { left: ['Choose'], taken: ['Add'], ends: 'option holds' },
  ],
  [
    '[SITE-172] an alternate style sheet that was enabled once',
    {
      body: '<link id="l" rel="alternate stylesheet" title="Red" href="/a.css">',
      does: {
        Enable: `byId('l').setAttribute('disabled', ''); byId('l').removeAttribute('disabled')`,
        Show: `say(getComputedStyle(byId('out')).color)`,
      },
    },
    { left: ['Enable'], taken: ['Show'], ends: 'a link whose disabled attribute a script changed or took away' },
  ],
  [
    '[SITE-185] a function that revokes a proxy',
    {
      before: `const { proxy, revoke } = Proxy.revocable({ n: 1 }, {}); globalThis.held = proxy; globalThis.end = () => revoke()`,
      does: { End: 'end()', Show: 'try { say(held.n) } catch { say("gone") }' },
    },
    { left: ['End'], taken: ['Show'], ends: 'a function of the browser that it was given' },
  ],
  [
    '[SITE-180] a dialog that a script kept open',
    {
      body: '<dialog id="d"><button>In</button></dialog>',
      before: `byId('d').addEventListener('cancel', event => event.preventDefault())`,
      does: { Open: `byId('d').showModal()` },
    },
    { left: ['Open', press('Escape')], taken: ['Open', press('Escape')], ends: 'a dialog that a script kept open' },
  ],
  [
    '[SITE-180] a script that need not wait for others',
    {
      before: `const script = document.createElement('script')`,
      does: { Set: 'script.async = false; script.async = true', Show: 'say(script.async)' },
    },
    { left: ['Set'], taken: ['Show'], ends: 'what a script said of the order of another' },
  ],
  [
    '[SITE-180] an element of a template that was upgraded',
    {
      body: '<template id="t"><x-one></x-one></template>',
      before: `customElements.define('x-one', class extends HTMLElement {}); const one = byId('t').content.firstChild`,
      does: { Append: 'document.body.append(one)', Show: `say(one.matches(':defined'))` },
    },
    { left: ['Append'], taken: ['Show'], ends: 'differ' },
  ],
];

describe('what an abandoned branch left behind', () => {
  it.each(restored)('%s', async (_, page, { ends, ...walk }) => {
    expect(await branch(pool, write(page), walk)).toEqual({ method: 'restore', reason: null, shown: ends });
  });

  it.each(refused)('%s', async (_, page, { ends, ...walk }) => {
    const found = await branch(pool, write(page), walk);
    expect(found).toMatchObject({ method: 'replay', reason: expect.stringContaining(ends) as string });
  });

  it('[SITE-177] the Tab key goes where it went before anybody was in a group of radio buttons', async () => {
    const page = write({
      body: `<button>Start</button>${['A', 'B', 'C'].map(id => `<input type="radio" name="r" id="${id}" aria-label="${id}">`).join('')}`,
      before: `addEventListener('focusin', ({ target }) => { if (target.id) say(target.id) })`,
      does: { Visit: `byId('C').focus(); byId('C').blur()` },
    });
    const found = await branch(pool, page, { left: ['Visit'], taken: ['Start', press('Tab')] });
    const reason = expect.stringContaining('one of its radio buttons had the focus') as string;
    expect(found).toMatchObject({ method: 'replay', reason, shown: 'A' });
  });

  it('[SITE-176] what was chosen in a field of another type is not shown by its next type', async () => {
    const page = write({
      body: '<input id="x" aria-label="X">',
      does: {
        Choose: `byId('x').checked = true; byId('x').checked = false`,
        Turn: `byId('x').type = 'checkbox'; byId('x').setAttribute('checked', '')`,
      },
    });
    await branch(pool, page, { left: ['Choose'], taken: ['Turn'] });
  });

  it('[SITE-174] an editor keeps the line of its caret also while something else has the focus', async () => {
    const page = write({
      body: editor,
      does: {
        Focus: `byId('e').focus(); getSelection().collapse(byId('e').firstChild, 3)`,
        Leave: '',
        Return: `byId('e').focus()`,
        Show: `say(getSelection().anchorOffset)`,
      },
    });
    const steps: Step[] = ['Focus', press('End'), 'Leave', 'Return', press('Home'), 'Show'];
    const { reasons } = await retrace(createPages({ pool, pages: { '/': page } }), steps);
    expect(reasons).toEqual([expect.stringContaining('a caret that was moved by line')]);
  });
});
