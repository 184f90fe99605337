import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { branch, write, type Page, type Walk } from '../../../../test/fixtures/pages/branches.ts';
import { actionFor, retrace, type Step } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createTrail } from '../../../worlds/trail.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

const list = '<select id="s" aria-label="Fruit"><option>Pear<option id="b">Plum</select>';
const layers = ['one', 'two', 'three']
  .map(id => `<dialog id="${id}" aria-label="${id}"><p>${id}</p></dialog>`)
  .join('');
const escape: Step = { kind: 'press', key: 'Escape' };
const font = `@font-face { font-family: Far; src: url(/far.ttf) } .far { font-family: Far }`;

/** Restored, and right. */
const restored: readonly (readonly [what: string, page: Page, walk: Walk])[] = [
  [
    '[SITE-163] marks of performance',
    {
      does: {
        Mark: `performance.mark('a')`,
        Measure: `try { performance.measure('m', 'a'); say('measured') } catch (error) { say(error.name) }`,
      },
    },
    { left: ['Mark'], taken: ['Measure'], ends: 'SyntaxError' },
  ],
  [
    '[SITE-163] what a form was asked for',
    {
      body: '<form id="form"><input id="field" name="old" aria-label="Field"></form>',
      does: {
        Look: `void byId('form').old`,
        Rename: `byId('field').name = 'new'`,
        Show: `say(typeof byId('form').old)`,
      },
    },
    { left: ['Look'], taken: ['Rename', 'Show'], ends: 'undefined' },
  ],
  [
    '[SITE-163] an object with a name from a getter',
    {
      before: `let n = 0; class Named { #at = 1; get [Symbol.toStringTag]() { return 'n' + this.#at } } const one = new Named()`,
      does: { Go: 'n++; one.more = n', Show: 'say(n)' },
    },
    { left: ['Go'], taken: ['Show'], ends: '0' },
  ],
  [
    '[SITE-163] what was loaded',
    { does: { Load: `fetch('/data.json')`, Count: `say(performance.getEntriesByType('resource').length)` } },
    { left: ['Load', 'Load'], taken: ['Count', 'Count'], ends: '0' },
  ],
  [
    '[SITE-163] what one press of Escape closes',
    {
      body: layers,
      does: { One: `byId('one').showModal()`, All: `for (const id of ['one', 'two', 'three']) byId(id).showModal()` },
    },
    { left: ['One', escape, 'One', escape], taken: ['All', escape], ends: '' },
  ],
  [
    '[SITE-164] a listener with a signal',
    {
      before: `const stop = new AbortController(), hear = () => say('heard')`,
      does: {
        Bound: `addEventListener('ask', hear, { signal: stop.signal })`,
        Free: `addEventListener('ask', hear)`,
        Stop: 'stop.abort()',
        Ask: `dispatchEvent(new Event('ask'))`,
      },
    },
    { left: ['Bound'], taken: ['Free', 'Stop', 'Ask'], ends: 'heard' },
  ],
  [
    '[SITE-165] options that somebody chose',
    { body: list, does: { Mark: `byId('b').setAttribute('selected', '')`, Show: `say(byId('s').value)` } },
    { left: ['Fruit=Plum'], taken: ['Mark', 'Show'], ends: 'Plum' },
  ],
  [
    '[SITE-165] options that a script chose',
    {
      body: list,
      does: {
        Choose: `byId('s').value = 'Plum'; byId('s').selectedIndex = 0`,
        Mark: `byId('b').defaultSelected = true`,
        Show: `say(byId('s').value)`,
      },
    },
    { left: ['Choose', 'Choose'], taken: ['Mark', 'Show'], ends: 'Plum' },
  ],
  [
    '[SITE-170] what the browser found wrong with a field that was disabled',
    {
      body: '<form onsubmit="return false"><input id="off" required disabled aria-label="Off"><button>Send</button></form>',
      does: {
        Enable: `byId('off').disabled = false`,
        Show: `say(byId('off').matches(':user-invalid'))`,
      },
    },
    { left: ['Send'], taken: ['Enable', 'Show'], ends: 'false' },
  ],
  [
    '[SITE-130] rules beside those that were there',
    {
      body: '<style id="s">p { color: red }</style>',
      does: {
        Write: `byId('s').sheet.insertRule('p { margin-left: 9px }')`,
        Show: `say(getComputedStyle(byId('out')).marginLeft)`,
      },
    },
    { left: ['Write'], taken: ['Show'], ends: '0px' },
  ],
];

/** Refused with the reason, and right. */
const refused: readonly (readonly [what: string, page: Page, walk: Walk])[] = [
  [
    '[SITE-167] the default of an output',
    {
      body: '<output id="output">first</output>',
      does: { Default: `byId('output').defaultValue = 'second'`, Show: `say(byId('output').value)` },
    },
    { left: ['Default'], taken: ['Show'], ends: 'the value of an <output>' },
  ],
  [
    '[SITE-166] a request that is held',
    {
      before: 'const request = new XMLHttpRequest()',
      does: { Json: `request.responseType = 'json'`, Show: 'say(request.responseType)' },
    },
    { left: ['Json'], taken: ['Show'], ends: 'what is in request: "json", not ""' },
  ],
  [
    '[SITE-166] a request that was not sent yet',
    {
      before: `const request = new XMLHttpRequest(); request.open('GET', '/data.json')`,
      does: { Head: `request.setRequestHeader('x-head', '1')`, Show: 'say(request.readyState)' },
    },
    { left: ['Head'], taken: ['Show'], ends: 'a request that was opened and not sent' },
  ],
  [
    '[SITE-166] the type of an answer',
    {
      before: 'const request = new XMLHttpRequest()',
      does: { Type: `request.overrideMimeType('text/xml')`, Show: 'say(request.readyState)' },
    },
    { left: ['Type'], taken: ['Show'], ends: 'what is in request: "text/xml", not undefined' },
  ],
  [
    '[SITE-166] a reader that is held',
    {
      before: 'const reader = new FileReader(); let n = 0',
      does: {
        Read: `reader.readAsArrayBuffer(new Blob(['ab'.repeat(++n)]))`,
        Show: 'say(reader.result === null ? 0 : reader.result.byteLength)',
      },
    },
    { left: ['Read'], taken: ['Read', 'Show'], ends: 'what is in request: 2, not 0' },
  ],
  [
    '[SITE-167] fonts that were loaded',
    {
      body: `<style>${font}</style><p id="p">text</p>`,
      before: 'let n = 0; document.fonts.onloadingerror = () => { n++ }',
      does: { Use: `byId('p').className = 'far'`, Show: 'say(n)' },
    },
    { left: ['Use'], taken: ['Use', 'Show'], ends: 'its fonts have loaded since' },
  ],
  [
    '[SITE-167] a link that was led elsewhere',
    {
      body: '<link id="l" rel="stylesheet" href="/a.css"><p>text</p>',
      before: `let n = 0; byId('l').onload = () => { n++ }`,
      does: { Media: `byId('l').media = 'print'`, Show: 'say(n)' },
    },
    { left: ['Media'], taken: ['Show'], ends: 'a link was changed since' },
  ],
  [
    '[SITE-167] a link that was taken out',
    {
      body: '<link id="l" rel="preload" as="fetch" href="/data.json" crossorigin>',
      before: `let n = 0; byId('l').onload = () => { n++ }`,
      does: { Remove: `byId('l').remove()`, Show: 'say(n)' },
    },
    { left: ['Remove'], taken: ['Show'], ends: 'another link would have to be loaded again' },
  ],
  [
    '[SITE-167] an import map',
    {
      does: {
        Map: `const map = document.createElement('script'); map.type = 'importmap';
          map.textContent = '{"imports":{"far":"/far.js"}}'; document.head.append(map); map.remove()`,
        Import: `import('f' + 'ar').then(() => say('found'), error => say(error.message.includes('bare')))`,
      },
    },
    { left: ['Map'], taken: ['Import'], ends: 'an import map or speculation rules' },
  ],
  [
    '[SITE-167] the validity of a button',
    {
      body: '<form id="f" onsubmit="return false"><button id="go">Send</button></form>',
      does: { Refuse: `byId('go').setCustomValidity('no')`, Check: `say(byId('f').checkValidity())` },
    },
    { left: ['Refuse'], taken: ['Check'], ends: 'what a script found wrong with a button' },
  ],
  [
    '[SITE-169] an image that waited until somebody came near',
    {
      before: `const tall = document.createElement('div'), image = new Image(9, 9); tall.style.height = '6000px';
        image.loading = 'lazy'; image.alt = ''; document.body.append(tall, image); image.src = '/a.svg'`,
      does: { Down: 'scrollTo(0, 99999)', Show: 'say(image.complete)' },
    },
    { left: ['Down', 'Show'], taken: ['Show'], ends: 'an image that waited until somebody came near' },
  ],
  [
    '[SITE-169] a style sheet that imports another one',
    {
      before: `let n = 0; const style = document.createElement('style'); style.onload = () => { n++ };
        style.textContent = '@import url(/a.css)'; document.head.append(style)`,
      does: { Empty: `style.textContent = ''`, Show: 'say(n)' },
    },
    { left: ['Empty'], taken: ['Show'], ends: 'a style sheet or another link would have to be loaded again' },
  ],
  [
    '[SITE-169] a rule that imports a style sheet',
    {
      body: '<style id="s">p { margin: 0 }</style>',
      before: `let n = 0; byId('s').onload = () => { n++ }`,
      does: { Import: `byId('s').sheet.insertRule('@import url(/a.css)', 0)`, Show: 'say(n)' },
    },
    { left: ['Import'], taken: ['Show'], ends: 'an @import that a script inserted' },
  ],
  [
    '[SITE-169] a class that is written as SVG has it',
    {
      body: '<svg id="v" width="9" height="9"></svg>',
      does: { Add: `byId('v').className.baseVal += ' on'`, Show: `say(byId('v').outerHTML.includes('on'))` },
    },
    { left: ['Add'], taken: ['Show'], ends: 'used SVGAnimatedString.baseVal' },
  ],
  [
    '[SITE-169] a box that remembers its size',
    {
      body: `<style>#b { display: none; contain-intrinsic-size: auto 10px } #b.on { display: block }
        #b.off { display: block; content-visibility: hidden }</style><div id="b"><div style="height:90px"></div></div>`,
      does: {
        On: `byId('b').className = 'on'`,
        Off: `byId('b').className = 'off'`,
        Show: `say(byId('b').offsetHeight)`,
      },
    },
    { left: ['On'], taken: ['Off', 'Show'], ends: 'a box that remembers its size' },
  ],
];

describe('what a browser shows of what was taken back', () => {
  it.each(restored)('%s', async (_, page, { left, taken, ends }) => {
    expect(await branch(pool, write(page), { left, taken })).toEqual({ method: 'restore', reason: null, shown: ends });
  });

  it.each(refused)('%s', async (_, page, { left, taken, ends }) => {
    const found = await branch(pool, write(page), { left, taken });
    expect(found).toMatchObject({ method: 'replay', reason: expect.stringContaining(ends) as string });
  });

  it('[SITE-167] the error of a promise that was caught late', async () => {
    const page = write({
      before: `let [n, h] = [0, 0]; addEventListener('rejectionhandled', () => { h++ });
        addEventListener('unhandledrejection', event => { n++; event.preventDefault() }); const lost = Promise.reject(1)`,
      does: { Catch: 'lost.catch(() => undefined)', Show: 'say(n, h)' },
    });
    expect(await branch(pool, page, { left: ['Catch'], taken: ['Catch', 'Show'] })).toMatchObject({
      method: 'replay',
      reason: expect.stringContaining('was caught since') as string,
      shown: '1 1',
    });
  });

  it('[SITE-170] a field that is hidden counts as judged once its form was sent, and not once a script asked', async () => {
    const page = write({
      body: '<form id="form" onsubmit="return false"><input required aria-label="On"><input id="hid" type="hidden" required></form>',
      does: {
        Ask: `byId('form').reportValidity()`,
        Send: `byId('form').requestSubmit()`,
        Reset: `byId('form').reset()`,
        Show: `byId('hid').type = 'text'; say(byId('hid').matches(':user-invalid')); byId('hid').type = 'hidden'`,
      },
    });
    const steps = ['Ask', 'Show', 'Send', 'Show', 'Reset', 'Show'];
    expect(await retrace(createPages({ pool, pages: { '/': page } }), steps)).toMatchObject({
      restored: steps.length + 1,
      reasons: [],
    });
  });

  it('[SITE-168] dialogs on top of each other are not opened again at once', async () => {
    const page = write({
      body: `${layers}`,
      before: `for (const [id, next] of [['one', 'two'], ['two', 'three']]) {
        const button = byId(id).appendChild(document.createElement('button'));
        button.textContent = 'Open ' + next; button.onclick = () => byId(next).showModal() }`,
      does: { One: `byId('one').showModal()` },
    });
    const environment = createPages({ pool, pages: { '/': page } });
    const trail = await createTrail(environment, await environment.task('look', 1));
    try {
      const go = async (step: Step): Promise<unknown> =>
        trail.step(await actionFor(trail.session(), step), { role: 'student', name: 'hand' });
      for (const step of ['One', 'Open two', escape, escape]) await go(step);
      expect(await trail.rollback(2)).toMatchObject({
        method: 'replay',
        divergence: expect.stringContaining('several dialogs or popovers would be opened at once') as string,
      });
      await go(escape);
      expect((await trail.session().observe()).text).toContain('button "Open two"');
      expect(await trail.rollback(1)).toMatchObject({ method: 'restore' });
    } finally {
      await trail.session().close();
    }
  });
});
