import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { retrace, withoutFingerprint, type Step } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

const press = (key: string): Step => ({ kind: 'press', key });
const type = (text: string): Step => ({ kind: 'type', text });

/** Buttons named after what they do, a line to say something in, and a script. */
function page(buttons: string, body: string, script: string): string {
  const named = buttons.split(' ').map(name => `<button id="${name}">${name}</button>`);
  return `${named.join('')}<p id="out" role="status"></p>${body}<script>
    const $ = id => document.getElementById(id), say = text => { $('out').textContent = text };
    const on = (id, run) => $(id).addEventListener('click', run); ${script}</script>`;
}

async function expectExact(
  pages: string | Record<string, string>,
  steps: readonly Step[],
  shown: string,
): Promise<void> {
  const retraced = await retrace(
    createPages({ pool, pages: typeof pages === 'string' ? { '/': pages } : pages }),
    steps,
  );
  expect(retraced.shown).toContain(shown);
  expect(retraced).toMatchObject({ reasons: [], restored: steps.length + 1 });
}

describe('the document', () => {
  it('[SITE-5] has its fields back: text, checks, choices, what is half and what is wrong with them', async () => {
    const form = `<form><input aria-label="Text" id="t" value="x"><input type="checkbox" aria-label="Check" id="c">
      <input type="radio" name="r" aria-label="R1" id="r1" checked><input type="radio" name="r" aria-label="R2" id="r2">
      <select aria-label="Pick" id="s"><option>one<option>two<option>three</select>
      <select multiple aria-label="Many" id="m"><option>m1<option>m2</select>
      <textarea aria-label="Area" id="a">hi</textarea><input type="date" aria-label="Day" id="d"><button type="reset">Reset</button></form>`;
    const script = `on('Half', () => { $('c').indeterminate = true; $('t').setCustomValidity('bad'); $('s').selectedIndex = -1 });
      on('Show', () => say([t.value, c.checked, c.indeterminate, r1.checked, r2.checked, s.selectedIndex,
        [...m.options].map(option => option.selected), a.value, d.value, t.validationMessage].join(';')))`;
    const fill = ['Text=hello', 'Check', 'R2', 'Pick=three', 'Area=long text', 'Day=2026-02-03'];
    await expectExact(
      page('Half Show', form, script),
      [...fill, 'Show', 'Half', 'Show', 'Reset', 'Show'],
      'x;false;true;true;false;0;false,false;hi;;bad',
    );
  });

  it('[SITE-25] draws the ring around the focus as it did, also after the next key or the next script', async () => {
    const keys = `let n = 0; addEventListener('keyup', () => say(++n + String(document.querySelector(':focus-visible')?.id)))`;
    await expectExact(page('A', '', keys), ['A', press('x'), press('y')], '2A');
    const later = `setTimeout(() => { $('B').focus(); say('ring ' + $('B').matches(':focus-visible')) }, 2000)`;
    const wait: Step = { kind: 'wait', milliseconds: 3000 };
    await expectExact(page('A B', '', later), [press('x'), wait, 'A'], 'ring true');
  });

  it('[SITE-5] has the focus and the caret back, in fields and in text that is edited where it stands', async () => {
    const body = `<input aria-label="One" id="a"><input aria-label="Two" id="b"><div contenteditable role="textbox" aria-label="Edit" id="e">abc</div>`;
    const script = `let log = ''; for (const kind of ['focus', 'blur']) for (const each of [a, b, e])
      each.addEventListener(kind, () => { log += kind[0] + each.id });
      on('Show', () => say(log + a.value + ';' + b.value + ';' + e.innerHTML))`;
    const steps: Step[] = [
      'One=hello',
      press('ArrowLeft'),
      type('X'),
      press('Shift+ArrowLeft'),
      type('YZ'),
      press('Tab'),
    ];
    const more: Step[] = [type('q'), press('Shift+Tab'), 'Edit=new', press('Home'), type('W'), 'Show', press('Tab')];
    await expectExact(page('Show', body, script), [...steps, ...more], 'hellYZo;q;Wnew');
  });

  it('[SITE-5] has what is open back: details, dialogs, popovers, and nobody hears of it', async () => {
    const body = `<details id="d"><summary>More</summary>inside</details>
      <dialog id="m" aria-label="Modal"><button id="Close">Close</button><form method="dialog"><button value="fine">Fine</button></form></dialog>
      <button popovertarget="p">Menu</button><div popover id="p"><button id="In">In</button></div>`;
    const script = `let log = ''; const hear = (id, kind) => $(id).addEventListener(kind, () => { log += kind[0]; say(log + m.returnValue) });
      hear('d', 'toggle'); hear('m', 'close'); hear('m', 'cancel'); hear('p', 'toggle');
      on('Open', () => m.showModal()); on('Close', () => m.close('closed')); on('In', () => p.hidePopover())`;
    const steps: Step[] = [
      'More',
      'Open',
      'Close',
      'Menu',
      'In',
      'Open',
      'Fine',
      'More',
      'Open',
      press('Escape'),
      'Menu',
    ];
    await expectExact(page('Open', body, script), steps, 'tcttctcct');
  });

  it('[SITE-5] has parts back that scripts hold beside it, and what they hung on its nodes', async () => {
    const script = `const panel = document.createElement('div'); panel.innerHTML = '<b>0</b>'; let n = 0;
      const views = ['one', 'two'].map(name => { const view = document.createElement('section'); view.innerHTML = '<input aria-label="In ' + name + '">'; return view });
      $('host').append(views[0]);
      on('Do', ({ target }) => { n++; panel.firstChild.textContent = n; panel.dataset.n = n; target.count = n; target.data = { n };
        panel.addEventListener('x', () => { document.title += '!' }); for (const view of views) view.firstChild.value += n;
        $('model').content.firstChild.textContent += n; document.documentElement.lang = 'l' + n; document.body.className = 'c' + n });
      on('Swap', () => { panel.isConnected ? panel.remove() : document.body.append(panel); $('host').replaceChildren(views[n % 2]) });
      on('Show', () => { panel.dispatchEvent(new Event('x')); document.body.append($('model').content.cloneNode(true));
        say(JSON.stringify([panel.outerHTML, $('Do').data, $('Do').count, views.map(view => view.firstChild.value)])) })`;
    const body = '<div id="host"></div><template id="model"><i>x</i></template>';
    await expectExact(
      page('Do Swap Show', body, script),
      ['Do', 'Show', 'Swap', 'Do', 'Swap', 'Do', 'Show', 'Swap', 'Show'],
      '123',
    );
  });

  it('[SITE-5] is scrolled as it was, itself and within', async () => {
    const body = `<div id="box" style="height:100px;overflow:auto;scroll-behavior:smooth"><div style="height:1000px">tall</div></div><div style="height:2000px">x</div>`;
    const script = `let n = 0; box.addEventListener('scroll', () => n++); onscroll = () => n += 100;
      on('Box', () => { box.scrollTop += 37 }); on('All', () => scrollBy({ top: 3, behavior: 'smooth' }));
      on('Show', () => say([box.scrollTop, scrollY, n].join()))`;
    await expectExact(
      page('Box All Show', body, script),
      ['Box', 'Show', 'Box', 'All', 'Show', 'All', 'Show'],
      '74,6,202',
    );
  });

  it('[SITE-6] is put back without any observer, transition or animation of the page being told', async () => {
    const style = `<style>.t{transition:opacity 2s;opacity:1}.t.off{opacity:0}@keyframes k{to{opacity:.5}}.k{animation:k 1s}</style>`;
    const body = `${style}<div class="t" id="box" style="width:50px;height:10px">box</div><div id="space" style="height:900px"></div><div id="end">end</div><ul id="list"></ul>`;
    const script = `const told = { mutations: 0, sizes: 0, sights: 0, ends: 0 }; const tell = (kind, by) => { told[kind] += by };
      new MutationObserver(records => tell('mutations', records.length)).observe($('list'), { childList: true, subtree: true, attributes: true });
      new ResizeObserver(entries => tell('sizes', entries.length)).observe(box); const seen = new IntersectionObserver(entries => tell('sights', entries.length));
      seen.observe($('end')); box.addEventListener('transitionend', () => tell('ends', 1)); box.addEventListener('animationend', () => tell('ends', 100));
      on('Do', () => { const item = document.createElement('li'); item.textContent = 'item'; $('list').append(item); item.className = 'x';
        box.style.width = box.offsetWidth + 20 + 'px'; box.classList.toggle('off'); if (told.ends % 2) box.classList.toggle('k');
        space.style.height = Math.max(0, parseInt(space.style.height) - 300) + 'px'; if (told.sizes > 3) seen.unobserve($('end')) });
      on('Show', () => say(JSON.stringify(told)))`;
    await expectExact(page('Do Show', body, script), ['Do', 'Show', 'Do', 'Do', 'Show', 'Do', 'Show'], '"sizes":5');
  });
});

describe('what surrounds the document', () => {
  it('[SITE-7] storage, cookies and the clipboard are as they were', async () => {
    const body = '<input aria-label="One"><input aria-label="Two">';
    const script = `on('Do', () => { localStorage.n = Number(localStorage.n ?? 0) + 1; sessionStorage.setItem('s' + localStorage.n, 'x');
        document.cookie = 'c=' + localStorage.n; document.cookie = 'd' + localStorage.n + '=1; path=/'; if (localStorage.n == 2) sessionStorage.clear() });
      on('Show', () => say(JSON.stringify([localStorage, sessionStorage, document.cookie])))`;
    const copy: Step[] = [
      'One=hello',
      press('Control+a'),
      press('Control+c'),
      'Two=x',
      press('Control+v'),
      press('Control+a'),
      press('Control+x'),
    ];
    await expectExact(
      page('Do Show', body, script),
      ['Do', 'Show', 'Do', ...copy, press('Control+v'), press('Control+v'), 'Do', 'Show'],
      '"n":"3"',
    );
  });

  it('[SITE-8] the way back leads where it should: fragments, entries that scripts make, and the action', async () => {
    const body = '<a href="#a">A</a><a href="#b">B</a>';
    const script = `let n = 0, log = ''; const tell = text => { log += ' ' + text; say(log) };
      addEventListener('hashchange', event => tell('h' + new URL(event.newURL).hash)); onpopstate = ({ state }) => tell('p' + JSON.stringify(state));
      on('Push', () => { n++; history.pushState({ n }, '', '/page' + n) }); on('Replace', () => history.replaceState({ r: n }, '', '#r' + n));
      on('Back', () => history.back()); on('Go', () => history.go(-2)); on('Forward', () => history.forward());
      on('Hash', () => { location.hash = 'set' + n }); on('Show', () => tell(location.pathname + location.hash + JSON.stringify(history.state) + history.length))`;
    const back: Step = { kind: 'back' };
    const steps: Step[] = [
      'A',
      'B',
      'Back',
      'Show',
      'Push',
      'Hash',
      'Show',
      'Go',
      'Show',
      'Forward',
      'Replace',
      'Show',
      back,
      'Show',
      back,
      back,
      'Show',
    ];
    await expectExact(page('Push Replace Back Go Forward Hash Show', body, script), steps, '/null4');
  });

  it('[SITE-8] the state of an entry is the object that it was', async () => {
    const script = `let held = null; on('Take', () => { history.replaceState({ n: 1 }, ''); held = history.state });
      on('Other', () => history.replaceState(null, '')); on('Show', () => say(held === history.state))`;
    const pages = { '/': page('Take Other Show', '', script) };
    const retraced = await retrace(createPages({ pool, pages }), ['Take', 'Show', 'Other', 'Show']);
    expect(retraced).toMatchObject({ reasons: [], restored: 5 });
  });

  it('[SITE-8] there is nothing behind the start, and other documents are gone back to', async () => {
    const environment = createPages({
      pool,
      pages: {
        '/': page('Push', '<a href="/next">Next</a>', `on('Push', () => history.pushState(1, '', '/#pushed'))`),
        '/next': '<a href="/">Home</a>',
      },
    });
    const session = await environment.open(await environment.task('look', 1));
    try {
      const back = () => session.step({ kind: 'back' });
      const nothing = {
        applied: false,
        problem: { code: 'invalid-action', message: expect.stringContaining('nothing to go back to') },
      };
      expect(await back()).toEqual(nothing);
      const start = await session.digest();
      await session.step({ kind: 'click', ref: 'e1' });
      const pushed = await session.digest();
      expect(pushed).not.toBe(start);
      await session.step({ kind: 'click', ref: 'e2' });
      expect((await session.observe()).text).toContain('page "/next"');
      expect(withoutFingerprint(await back())).toEqual({ applied: true });
      expect(await session.digest()).toBe(pushed);
      expect(withoutFingerprint(await back())).toEqual({ applied: true });
      expect(await session.digest()).toBe(start);
      expect(await back()).toEqual(nothing);
    } finally {
      await session.close();
    }
  });
});
