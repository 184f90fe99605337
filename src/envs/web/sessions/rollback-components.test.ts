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

/** A page with an element `#host`, a button that does something, and one that shows what came of it. */
function page(before: string, change: string, shown: string): string {
  return `<div id="host"><em>light</em></div><button id="do">Do</button><button id="show">Show</button><p id="out" role="status"></p>
    <script type="module">const host = document.getElementById('host'); ${before};
    document.getElementById('do').onclick = () => { ${change} };
    document.getElementById('show').onclick = () => { document.getElementById('out').textContent = ${shown} };</script>`;
}

const steps: readonly Step[] = ['Do', 'Show', 'Do', 'Show'];

type Case = readonly [what: string, before: string, change: string, read: string, shown: string];

const attached = (mode: string, inner: string): string =>
  `let n = 0; const root = host.attachShadow({ mode: '${mode}' }); root.innerHTML = '${inner}'`;

const kept: readonly Case[] = [
  ...['open', 'closed'].map(
    (mode): Case => [
      `[SITE-137] what is in ${mode} shadow roots`,
      attached(mode, '<p>0</p><input aria-label="Field">'),
      'n++; root.append(n); root.querySelector("p").className = "c" + n; root.querySelector("input").value += n; root.n = n',
      'root.textContent + root.querySelector("p").className + root.querySelector("input").value + root.n',
      '012c2122',
    ],
  ),
  [
    '[SITE-137] slots, and who hears of them',
    `${attached('open', '<slot></slot><slot name="b"></slot>')}; root.addEventListener('slotchange', () => n++)`,
    'host.firstChild.slot = host.firstChild.slot === "b" ? "" : "b"',
    'n + " " + Array.from(root.querySelectorAll("slot"), slot => slot.assignedNodes().length)',
    '5 1,0',
  ],
  [
    '[SITE-137] what is selected in them',
    attached('closed', '<p>some words</p>'),
    'n++; getSelection().setBaseAndExtent(root.firstChild.firstChild, n + 4, root.firstChild.firstChild, n)',
    'String(getSelection()) + getSelection().direction',
    'me wbackward',
  ],
  [
    '[SITE-137] how far boxes in them are scrolled',
    attached('open', '<div style="height:20px;overflow:auto"><p style="height:200px">tall</p></div>'),
    'root.firstChild.scrollTop += 30',
    'root.firstChild.scrollTop',
    '60',
  ],
  [
    '[SITE-138] custom elements, which hear nothing of a rollback',
    `let log = ''; class Card extends HTMLElement { static observedAttributes = ['of']; #n = 0; connectedCallback() { log += 'c'; this.#n++ }
     disconnectedCallback() { log += 'd' } attributeChangedCallback(...[, , now]) { log += now } get n() { return this.#n } }
     customElements.define('my-card', Card); const card = document.body.appendChild(new Card())`,
    'card.setAttribute("of", card.n); document.body.prepend(card); document.body.append(new Card())',
    'log + card.n',
    'c1dcc2dcc3',
  ],
  [
    '[SITE-138] classes of custom elements of which there is none',
    "customElements.define('my-maker', class extends HTMLElement { static made = 0; constructor() { super(); this.constructor.made++ } })",
    'document.createElement("my-maker")',
    'customElements.get("my-maker").made',
    '2',
  ],
  [
    '[SITE-139] style sheets that scripts construct and adopt',
    `${attached('open', '<p>styled</p>')}; const one = new CSSStyleSheet(), two = new CSSStyleSheet(); one.replaceSync('p { width: 10px }')`,
    'n++; one.insertRule(`p { width: ${n * 20}px }`, one.cssRules.length); two.replaceSync(`p { height: ${n}px }`); root.adoptedStyleSheets.push(n === 1 ? one : two)',
    'getComputedStyle(root.firstChild).width + getComputedStyle(root.firstChild).height + root.adoptedStyleSheets.length',
    '40px2px2',
  ],
  [
    '[SITE-140] walkers through the document',
    'const walker = document.createTreeWalker(document.body, 1)',
    'walker.nextNode()',
    'walker.currentNode.localName',
    'em',
  ],
];

describe('components', () => {
  it.each(kept)('%s are kept', async (...[, before, change, read, shown]) => {
    const retraced = await retrace(createPages({ pool, pages: { '/': page(before, change, read) } }), steps);
    expect(retraced.shown).toContain(`status "${shown}"`);
    expect(retraced).toMatchObject({ reasons: [], restored: steps.length + 1 });
  });

  it.each([
    ['open', '[SITE-137]'],
    ['closed', '[SITE-137]'],
  ])('%s %s roots: fields are filled in, forms sent, and focus and caret restored', async mode => {
    const body = page(
      `${attached(mode, '<form><label>Word <input name="word" required></label><button>Send</button></form>')};
       root.firstChild.onsubmit = event => { event.preventDefault(); n += new FormData(event.target).get('word').length }`,
      'root.querySelector("input").focus()',
      'n + (root.activeElement?.name ?? "")',
    );
    const hand: readonly Step[] = ['Word=pears', { kind: 'press', key: 'Enter' }, 'Do', 'Word=fig', 'Send', 'Show'];
    const { reasons, shown } = await retrace(createPages({ pool, pages: { '/': body } }), hand);
    expect(shown).toContain('status "8"');
    expect(reasons).toEqual([]);
  });

  it('[SITE-141] a field is not taken for filled in when a restore takes the focus from it', async () => {
    const body = page('let n = 0', 'n++', 'n');
    const html = body.replace('<em>light</em>', '<label>Word <input value="" required></label>');
    const { reasons } = await retrace(createPages({ pool, pages: { '/': html } }), ['Do', 'Word=pears']);
    expect(reasons).toEqual([]);
  });

  it('[SITE-6] a caret that a restore places is told to nobody', async () => {
    const before = 'let n = 0; host.innerHTML = "<label>Word <input></label>"; onselect = () => n++';
    const pages = { '/': page(before, 'n += 10', 'n') };
    const way: readonly Step[] = ['Word=pears', { kind: 'press', key: 'Home' }, 'Show', 'Do'];
    const { reasons, shown } = await retrace(createPages({ pool, pages }), way);
    expect(shown).toContain('status "0"');
    expect(reasons).toEqual([]);
  });

  it('[SITE-141] a field is not taken for filled in where somebody typed after the state of a restore', async () => {
    const before =
      'host.innerHTML = "<label>Word <textarea></textarea></label>"; host.querySelector("textarea").value = "some"';
    const read = 'host.querySelector("textarea").matches(":user-valid")';
    const pages = { '/': page(before, 'host.querySelector("textarea").focus()', read) };
    const way: readonly Step[] = ['Do', 'Show', 'Do', 'Word=pears'];
    const { reasons } = await retrace(createPages({ pool, pages }), way);
    expect(reasons).toEqual([]);
  });

  it('[SITE-12] a field that a script wrote into after it got the focus is filled in as before', async () => {
    const before = 'host.innerHTML = "<label>Word <input value=a></label>"; const field = host.querySelector("input")';
    const pages = { '/': page(before, 'field.focus(); field.value += "b"', 'field.value') };
    const { reasons, restored } = await retrace(createPages({ pool, pages }), ['Do', 'Word=pears', 'Show']);
    expect({ reasons, restored }).toEqual({ reasons: [], restored: 4 });
  });

  const told = '[getSelection().type, getSelection(), getSelection().direction, getSelection().anchorNode?.nodeName]';
  it.each([
    ['in a field', 'host.innerHTML = "<input value=abcdef>"; const root = host', 'DIV'],
    ['in a field of a shadow root', attached('closed', '<p><input value=abcdef></p>'), 'BODY'],
  ])('[SITE-145] what stays selected %s that was left', async (_, before, node) => {
    const change = `const field = root.querySelector('input'); field.focus();
      field.setSelectionRange(field.selectionStart + 1, 6, 'backward'); document.getElementById('show').focus()`;
    const pages = { '/': page(before, change, told) };
    const { reasons, shown } = await retrace(createPages({ pool, pages }), steps);
    expect(shown).toContain(`status "Range,cdef,backward,${node}"`);
    expect(reasons).toEqual([]);
  });

  it.each([
    ['a person', [{ kind: 'click-at', x: 30, y: 20, double: true }, 'Show', 'Do'], 'Range,some,forward,BODY'],
    ['a script', ['Do', 'Show', { kind: 'click-at', x: 30, y: 20 }], 'Range,some words,forward,P'],
  ] as const)('[SITE-145] what %s selected in a shadow root', async (_, first, shown) => {
    const before = attached('open', '<p style="margin:0;font:20px/20px monospace">some words</p>');
    const change = 'getSelection().selectAllChildren(root.firstChild)';
    const pages = { '/': page(before, change, told) };
    const { reasons, ...retraced } = await retrace(createPages({ pool, pages }), first);
    expect(retraced.shown).toContain(`status "${shown}"`);
    expect(reasons).toEqual([]);
  });

  it('[SITE-137] what has the focus is in the slot that it was in, or a restore is refused', async () => {
    const before = attached('open', '<section><slot name="a"></slot></section><slot></slot>');
    const change =
      'n++; host.firstChild.slot = n === 1 ? "a" : ""; host.firstChild.tabIndex = 0; host.firstChild.focus()';
    const html = page(
      `${before}; onkeydown = () => show()`,
      change,
      'root.firstChild.matches(":focus-within") + " " + n',
    );
    const keyed = html.replace("document.getElementById('show').onclick =", 'const show =');
    const key: Step = { kind: 'press', key: 'F2' };
    const { restored } = await retrace(createPages({ pool, pages: { '/': keyed } }), ['Do', key, 'Do', key]);
    expect(restored).toBeGreaterThan(0);
  });

  it('[SITE-145] where a caret was in something that a script took out', async () => {
    const before =
      'const draw = () => { host.innerHTML = "<p>some words</p>"; host.firstChild.onclick = draw }; host.style.cssText = "font:20px/20px monospace"; draw()';
    const pages = { '/': page(before, 'getSelection().removeAllRanges()', told) };
    const way: readonly Step[] = [{ kind: 'click-at', x: 30, y: 30 }, 'Show', 'Do'];
    const { reasons, shown } = await retrace(createPages({ pool, pages }), way);
    expect(shown).toContain('status "Caret,,none,#text"');
    expect(reasons).toEqual([]);
  });

  const define = "customElements.define('my-card', class extends HTMLElement {";

  it.each([
    ['[SITE-137]', 'a shadow root that comes later', '', 'host.attachShadow({ mode: "open" })', 'was there before'],
    [
      '[SITE-137]',
      'a copied shadow root',
      'host.attachShadow({ mode: "open", clonable: true })',
      'document.body.append(host.cloneNode(true))',
      'the parser or a copy made',
    ],
    [
      '[SITE-137]',
      'a closed one that can be copied',
      '',
      'document.createElement("p").attachShadow({ mode: "closed", clonable: true })',
      'can be copied',
    ],
    ['[SITE-138]', 'a definition that comes later', '', `${define} })`, 'a custom element that was defined since'],
    [
      '[SITE-138]',
      'a wait for a definition',
      '',
      'customElements.whenDefined("my-card")',
      'a wait for a custom element',
    ],
    [
      '[SITE-138]',
      'an element that failed',
      `${define} constructor() { throw 0 } })`,
      'document.body.append(document.createElement("my-card"))',
      'whose class failed',
    ],
    [
      '[SITE-138]',
      'internals',
      `${define} own = this.attachInternals() })`,
      'document.createElement("my-card")',
      'attachInternals',
    ],
    ['[SITE-138]', 'an element of forms', '', `${define} static formAssociated = true })`, 'belongs to forms'],
    [
      '[SITE-138]',
      'a built-in element',
      '',
      'customElements.define("my-button", class extends HTMLButtonElement {}, { extends: "button" })',
      'a customised built-in element',
    ],
    [
      '[SITE-138]',
      'a class whose callbacks cannot be replaced',
      '',
      'customElements.define("my-own", Object.freeze(class extends HTMLElement { static { Object.freeze(this.prototype) } connectedCallback() {} }))',
      'callbacks cannot be replaced',
    ],
    [
      '[SITE-139]',
      'a style sheet that is replaced late',
      'const sheet = new CSSStyleSheet()',
      'sheet.replace("p {}")',
      'style rules',
    ],
  ])('%s %s is refused by name', async (...[, , before, change, reason]) => {
    const body = page(before, `if (out.textContent === '') { ${change} }`, '"shown"');
    const { reasons } = await retrace(createPages({ pool, pages: { '/': body } }), ['Do', 'Show']);
    expect(reasons.join()).toContain(reason);
  });

  it.each([
    ['declares', '<div><template shadowrootmode="closed"><input></template></div>'],
    [
      'writes',
      "<script>document.write('<div><template shadowroot', 'mode=closed>'); document.write('</template></div>')</script>",
    ],
  ])('[SITE-137] a page that %s a shadow root keeps no snapshots', async (_, html) => {
    const { reasons } = await retrace(createPages({ pool, pages: { '/': html + page('', '', '"shown"') } }), ['Show']);
    expect(reasons).toEqual([expect.stringContaining('a shadow root that the parser made')]);
  });

  it('[SITE-138] no script sees what the browser calls instead of the callbacks of an element', async () => {
    const body = page(
      `let seen = []; class Card extends HTMLElement { connectedCallback() {} static get observedAttributes() { seen.push(Object.getOwnPropertyDescriptor(this.prototype, 'connectedCallback').value === first); return [] } attributeChangedCallback() {} constructor() { super(); seen.push(this.connectedCallback === first) } }
       const first = Card.prototype.connectedCallback; document.body.append(document.createElement('my-card')); customElements.define('my-card', Card)`,
      'seen.push(Object.getOwnPropertyNames(Card.prototype).join())',
      'seen.join()',
    );
    const { shown } = await retrace(createPages({ pool, pages: { '/': body } }), ['Do', 'Show']);
    expect(shown).toContain('status "true,true,constructor,connectedCallback,attributeChangedCallback"');
  });
});
