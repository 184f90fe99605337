import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { retrace, take, type Retraced, type Step } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

const key = (name: string): Step => ({ kind: 'press', key: name });

/** A page with buttons `Do` and `More`, a key that shows something, and whatever else it has. */
function page(body: string, [first, second = '']: readonly [string, string?], shown: string): string {
  return `${body}<button id="do">Do</button><button id="more">More</button><p id="out" role="status"></p><script>
    document.getElementById('do').onclick = () => { ${first} };
    document.getElementById('more').onclick = () => { ${second} };
    addEventListener('keydown', ({ key }) => { if (key === 'F2') document.getElementById('out').textContent = ${shown} });</script>`;
}

function walked(body: string, steps: readonly Step[]): Promise<Retraced> {
  return retrace(createPages({ pool, pages: { '/': body } }), steps);
}

const insert = (html: string): string => `document.head.insertAdjacentHTML('beforeend', ${JSON.stringify(html)})`;
const padding = "getComputedStyle(document.getElementById('i')).paddingLeft";

const lasting: readonly (readonly [what: string, body: string, reason: string])[] = [
  [
    'a content security policy',
    page(
      '<i id="i">i</i>',
      [
        insert(`<meta http-equiv="Content-Security-Policy" content="style-src 'none'">`),
        insert('<style>#i { padding-left: 9px }</style>'),
      ],
      padding,
    ),
    'a <meta> for Content-Security-Policy',
  ],
  [
    'a policy that is taken out again at once',
    page(
      '<i id="i">i</i>',
      [
        `${insert(`<meta http-equiv="Content-Security-Policy" content="img-src 'none'">`)}; document.head.lastElementChild.remove()`,
      ],
      'document.querySelectorAll("meta").length',
    ),
    'a <meta> for Content-Security-Policy',
  ],
  [
    'a style sheet with a title',
    page('<i id="i">i</i>', [insert('<style title="One">#i { padding-left: 9px }</style>')], padding),
    'a style sheet with a title',
  ],
  [
    'autofocus',
    page('<div id="d"></div>', ["d.innerHTML = '<input autofocus>'", 'd.innerHTML = ""'], 'document.activeElement.id'),
    'an element with autofocus',
  ],
  [
    'a new name of a field',
    page(
      '<form id="f"><input id="x" name="old" aria-label="X"></form>',
      ['void f.old; x.name = "new"'],
      'typeof f.old',
    ),
    'a field of a form that a script renamed',
  ],
  [
    'a new name of a field outside its form',
    page(
      '<form id="f"></form><input form="f" id="x" name="old" aria-label="X">',
      ['void f.old; x.name = "new"'],
      'typeof f.old',
    ),
    'a field of a form that a script renamed',
  ],
  [
    'a meta with a prefix',
    page(
      '<i id="i">i</i>',
      [
        `const meta = document.createElementNS('http://www.w3.org/1999/xhtml', 'x:meta');
        meta.setAttribute('http-equiv', 'Content-Security-Policy'); meta.setAttribute('content', "img-src 'none'");
        document.head.append(meta)`,
      ],
      'document.head.childElementCount',
    ),
    'a <meta> for Content-Security-Policy',
  ],
  [
    'a style sheet of SVG with a title',
    page(
      '<svg id="s" width="5" height="5"></svg><i id="i">i</i>',
      [
        `const sheet = document.createElementNS('http://www.w3.org/2000/svg', 'style');
        sheet.setAttribute('title', 'One'); sheet.textContent = '#i { padding-left: 9px }'; s.append(sheet)`,
      ],
      padding,
    ),
    'a style sheet with a title',
  ],
  [
    'an inline handler that is set to null',
    page('<u id="x" onclick="more.title += 1">x</u>', ['x.onclick = null', 'x.click()'], 'more.title'),
    'an inline event handler',
  ],
  [
    'an inline handler that is replaced',
    page('<u id="x" onclick="more.title += 1">x</u>', ['x.onclick = () => {}', 'x.click()'], 'more.title'),
    'an inline event handler',
  ],
  [
    'an inline handler that loses its turn',
    page(
      `<u id="x" onclick="more.title += 1">x</u><script>x.addEventListener('click', () => { more.title += 2 })</script>`,
      ["x.removeAttribute('onclick'); x.setAttribute('onclick', 'more.title += 1')", 'x.click()'],
      'more.title',
    ),
    'an inline event handler',
  ],
  [
    'an inline handler of the body',
    page(
      `<i>i</i><script>document.body.setAttribute('onresize', 'more.title += 1')</script>`,
      ['onresize = null', "dispatchEvent(new Event('resize'))"],
      'more.title',
    ),
    'an inline event handler',
  ],
  [
    'the value of an output',
    page(
      '<form id="f"><output id="x">a</output></form>',
      ["x.value = 'b'", "x.textContent = 'c'"],
      'x.value + x.defaultValue',
    ),
    'the value of an <output>',
  ],
  [
    'the mode of an output that is reset',
    page(
      `<form id="f"><output id="x">a</output></form><script>x.value = 'a'</script>`,
      ['f.reset()', "x.textContent = 'c'"],
      'x.value + x.defaultValue',
    ),
    'a form was reset',
  ],
  [
    'the value of a number field',
    page('<input id="x" type="number" value="123" aria-label="X">', ["x.value = '456'"], 'x.value'),
    'a field with a caret that no script can read',
  ],
  [
    'the choice in a list',
    page(
      '<select id="x" size="3" aria-label="X"><option>a<option>b<option>c</select>',
      ['x.selectedIndex = 2', 'x.selectedIndex = -1'],
      'x.value',
    ),
    'a list in which a script chose',
  ],
];

describe('changes that last when they are undone', () => {
  it.each(lasting)('[SITE-31] [SITE-107] %s puts earlier snapshots out of reach', async (_, body, reason) => {
    const { reasons } = await walked(body, ['Do', 'More', key('F2')]);
    expect(reasons).toEqual([expect.stringContaining(reason)]);
  });

  const held = `<i id="i">0</i><script>const s = document.createElement('script'); s.text = 'i.textContent += 1'</script>`;
  const shown = "document.getElementById('i').textContent";

  it('[SITE-86] a script that was held and ran puts earlier snapshots out of reach; one that its step made does not', async () => {
    const running = page(held, ['document.body.append(s)', 'document.body.append(s.cloneNode(true))'], shown);
    const { reasons } = await walked(running, ['Do', 'More', key('F2')]);
    expect(reasons).toEqual([expect.stringContaining('a script element that was held')]);
    const fresh = page(held, ['document.body.append(s.cloneNode(true))'], shown);
    expect(await walked(fresh, ['Do', 'Do', key('F2')])).toMatchObject({ reasons: [], restored: 4 });
  });

  it('[SITE-31] what changes nothing for good is restored', async () => {
    const body = page(
      '<i id="i">i</i>',
      [insert('<meta name="description" content="a"><style>i { color: red }</style>')],
      padding,
    );
    expect(await walked(body, ['Do', 'More', key('F2')])).toMatchObject({ reasons: [], restored: 4 });
  });
});

const remembered: readonly (readonly [what: string, body: string, steps: readonly Step[], reason: string])[] = [
  [
    'the part of a date field',
    page('<input id="x" type="date" value="2026-03-04" aria-label="X">', ['x.focus()'], 'x.value'),
    ['Do', key('ArrowRight'), key('ArrowRight'), key('ArrowUp'), key('F2')],
    'a date or time field with a chosen part',
  ],
  [
    'the style of what is typed next',
    page('<div id="x" contenteditable role="textbox" aria-label="X">a</div>', ['x.focus()'], 'x.innerHTML'),
    ['Do', key('Control+b'), key('x'), key('F2')],
    'a text style for what is typed next',
  ],
  [
    'the column of a caret',
    page(
      '<textarea id="x" aria-label="X">long one\na\nlong three</textarea>',
      ['x.focus(); x.setSelectionRange(6, 6)'],
      'x.value',
    ),
    ['Do', key('ArrowDown'), key('ArrowDown'), key('x'), key('F2')],
    'a caret that was moved by line',
  ],
  [
    'the anchor of a list',
    page(
      '<select id="x" multiple aria-label="X"><option>a<option>b<option>c</select>',
      ['x.focus()'],
      'x.selectedOptions.length',
    ),
    ['Do', key('ArrowDown'), key('ArrowDown'), key('Shift+ArrowDown'), key('F2')],
    'a list in which somebody chose',
  ],
  [
    'the caret of a number field',
    page('<input id="x" type="number" value="4" aria-label="X">', ['x.focus()'], 'x.value'),
    ['Do', key('5'), key('Backspace'), key('F2')],
    'a caret that no script can read',
  ],
];

describe('a policy that forbids style attributes', () => {
  const policy = `<meta http-equiv="Content-Security-Policy" content="style-src-attr 'none'">`;

  it('[SITE-108] styles that scripts wrote are not put back', async () => {
    const body = page('<i id="i">i</i>', ["i.style.color = 'red'", "i.style.color = ''"], 'getComputedStyle(i).color');
    const { reasons } = await walked(`${policy}${body}`, ['Do', 'More', key('F2')]);
    expect(reasons).toEqual([expect.stringContaining('content security policy')]);
  });

  it('[SITE-108] other attributes are put back', async () => {
    const body = page('<i id="i">i</i>', ["i.lang = 'de'"], 'i.lang');
    expect(await walked(`${policy}${body}`, ['Do', key('F2')])).toMatchObject({ reasons: [], restored: 3 });
  });
});

const area = '<textarea id="t" cols="8" rows="4" aria-label="T">aaaa bbbb cccc dddd eeee ffff gggg</textarea>';
const list = '<select id="s" multiple size="4" aria-label="S"><option>one<option>two<option>three</select>';
const inTable = (field: string): string => `<table><form id="f"><tr><td id="d">${field}</td></tr></form></table>`;

const inForms: readonly (readonly [what: string, body: string, steps: readonly Step[], reason: string])[] = [
  [
    'a field that the parser gave to a form',
    page(inTable('<input id="x" aria-label="X">'), ['x.remove()', 'd.append(x)'], 'x.form === null'),
    ['Do', key('F2')],
    'only the parser',
  ],
  [
    'an image that the parser gave to a form',
    page(inTable('<img id="x" name="n" alt="x">'), ['x.remove()'], 'typeof f.n'),
    ['Do', key('F2')],
    'an image with a name',
  ],
  [
    'interestfor',
    page('<button interestfor="h">I</button><p id="h" popover="hint">hint</p>', ['1'], '1'),
    ['Do'],
    'after a while',
  ],
  ['a caret that the mouse put into a text', page(area, ['1'], 't.selectionStart'), ['T', key('F2')], 'the mouse put'],
  [
    'a text that a person wrote too short',
    page('<input id="x" minlength="4" aria-label="X">', ['1'], 'x.validity.tooShort'),
    ['X=ab', 'Do', 'X=abcdef', 'Do', key('F2')],
    'its document differs',
  ],
  ['a choice of an agent in a list', page(list, ['1'], 's.value'), ['S=two', key('F2')], 'a list in which somebody'],
  ['options that left a list', page(list, ['s.options[1].remove()'], 's.length'), ['Do', key('F2')], 'options'],
  ['a choice by index', page(list, ['s.options.selectedIndex = 1'], 's.value'), ['Do', key('F2')], 'a script chose'],
];

describe('what the browser remembers of keys and the mouse', () => {
  it.each(remembered)('[SITE-32] %s is not kept by snapshot', async (...[, body, steps, reason]) => {
    const { reasons } = await walked(body, steps);
    expect(reasons.length).toBeGreaterThan(0);
    for (const each of reasons) expect(each).toContain(reason);
  });

  it.each(inForms)('[SITE-36] [SITE-112] %s is not kept by snapshot', async (...[, body, steps, reason]) => {
    const { reasons } = await walked(body, steps);
    expect(reasons).toEqual([expect.stringContaining(reason)]);
  });

  it('[SITE-32] the style of what is typed next outlives a click on a button, and is gone after a rollback', async () => {
    const body = page('<p id="x" contenteditable role="textbox" aria-label="X">a</p>', ['x.lang = 1'], 'x.innerHTML');
    const { open, task } = createPages({ pool, pages: { '/': body } });
    const session = await open(await task('look', 1));
    const snapshotAfter = async (...steps: Step[]) => (await take(session, ...steps), await session.snapshot?.());
    const [plain, styled] = [await snapshotAfter('X=ab'), await snapshotAfter(key('Control+b'), 'More')];
    await take(session, 'Do');
    await expect(session.restore?.(styled!)).rejects.toThrow('a text style for what is typed next');
    await session.restore?.(plain!);
    await take(session, key('c'), key('F2'));
    expect((await session.observe()).text).toContain('status "abc"');
    await session.close();
  });

  it('[SITE-32] fields that are filled as agents do are restored', async () => {
    const fields = ['number', 'email', 'date'].map(type => `<input type="${type}" aria-label="${type}">`);
    const body = page(fields.join(''), [''], '"shown"');
    const steps = ['number=12', 'email=a@b.c', 'date=2026-03-04', key('F2')];
    expect(await walked(body, steps)).toMatchObject({ reasons: [], restored: 5 });
  });
});

describe('what moves or loads by itself', () => {
  it('[SITE-33] elements that animate SVG do not run, and are not kept', async () => {
    const svg = `<svg width="60" height="20"><rect id="r" width="10" height="10"><animate attributeName="width" from="10" to="50" dur="2s" begin="0s" fill="freeze"/></rect></svg>`;
    const shown = 'Math.round(r.getBoundingClientRect().width)';
    const { reasons, shown: text } = await walked(page(svg, ['1'], shown), ['Do', key('F2')]);
    expect(reasons).toEqual([expect.stringContaining('an element animate')]);
    expect(text).toContain('status "10"');
  });

  it('[SITE-33] images of inputs have loaded when the page is at rest', async () => {
    const image = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>';
    const body = page('<input id="x" type="image" alt="x"><i id="n">0</i>', [`x.src = '${image}'`], 'n.textContent');
    const { shown } = await walked(`${body}<script>x.onload = () => { n.textContent = 'loaded' }</script>`, ['Do']);
    expect(shown).toContain('loaded');
  });

  it('[SITE-52] scripts hear the load of an image input once, and not when it is put back', async () => {
    const image = (width: string): string =>
      `'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="' + ${width} + '" height="20"/>'`;
    const change = `x.src = ${image('(30 + n)')}`;
    const anew = "x.style.display = 'none'; x.offsetWidth; x.style.display = ''";
    const body = page('<input id="x" type="image" alt="x">', [change, anew], 'n');
    const counting = '<script>let n = 0; x.onload = () => { n++ }</script>';
    const { reasons, shown } = await walked(`${body}${counting}`, ['Do', 'More', 'Do', 'More', key('F2')]);
    expect(reasons).toEqual([]);
    expect(shown).toContain('status "2"');
  });

  it('[SITE-70] scripts hear the load of an image once, and not when it is put back', async () => {
    const change = `x.src = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="' + (30 + n) + '" height="20"/>'`;
    const body = page('<img id="x" alt="x">', [change, 'x.remove()'], 'n');
    const counting = '<script>let n = 0; x.onload = () => { n++ }</script>';
    const { reasons, shown } = await walked(`${body}${counting}`, ['Do', 'Do', 'Do', key('F2')]);
    expect(reasons).toEqual([]);
    expect(shown).toContain('status "3"');
  });

  it('[SITE-52] a script hears the load of an image input that came before the script did', async () => {
    const image = 'data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 width=%2230%22 height=%2220%22/>';
    const input = `<input id="x" type="image" alt="x" src="${image}">`;
    const late = `<script>let n = 0; addEventListener('load', () => { x.onload = () => { n++ } })</script>`;
    const { shown } = await walked(page(`${input}${late}`, ['1'], 'n'), ['Do', key('F2')]);
    expect(shown).toContain('status "1"');
  });

  it('[SITE-33] looking at an image input calls no handler of the page', async () => {
    const image = 'data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 width=%2230%22 height=%2220%22/>';
    const input = `<script>let n = 0</script><input type="image" alt="x" src="${image}" onload="n += this.isConnected ? 0 : 1">`;
    const { shown } = await walked(page(input, ['1'], 'n'), ['Do', key('Tab'), 'Do', key('F2')]);
    expect(shown).toContain('status "0"');
  });

  it('[SITE-109] nobody is told of transitions that a restore starts', async () => {
    const style =
      '<style>#i { display: inline-block; width: 20px; transition: width 2s } #i.wide { width: 90px }</style>';
    const body = page(`${style}<i id="i">i</i>`, ["i.classList.toggle('wide')"], 'n');
    const counting =
      '<script>let n = 0; i.ontransitionstart = () => { n++ }; i.ontransitioncancel = () => { n += 100 }</script>';
    const { reasons, restored, shown } = await walked(`${body}${counting}`, ['Do', 'Do', key('F2')]);
    expect({ reasons, restored }).toEqual({ reasons: [], restored: 4 });
    expect(shown).toContain('status "2"');
  });

  it('[SITE-109] scripts are not told when the browser skips a part', async () => {
    const part = '<div id="d" style="content-visibility: auto"><p>part</p></div>';
    const body = page(part, ["d.style.marginTop = d.style.marginTop === '' ? '3000px' : ''"], 'n');
    const counting =
      "<script>let n = 0; d.addEventListener('contentvisibilityautostatechange', () => { n++ })</script>";
    const { reasons, restored, shown } = await walked(`${body}${counting}`, ['Do', key('F2')]);
    expect({ reasons, restored }).toEqual({ reasons: [], restored: 3 });
    expect(shown).toContain('status "0"');
  });

  it('[SITE-34] a member that a function got later is taken away again', async () => {
    const body = page('', ['run.count = (run.count ?? 0) + 1'], 'Reflect.ownKeys(run).join()');
    const { reasons, restored } = await walked(`<script>function run() {}</script>${body}`, ['Do', key('F2'), 'Do']);
    expect({ reasons, restored }).toEqual({ reasons: [], restored: 4 });
  });
});
