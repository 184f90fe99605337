import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { take } from '../../../../test/fixtures/pages/retrace.ts';
import { isLong } from '../../../../test/long-form.ts';
import { createPages, type PagesOptions } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import type { Page } from '../browser/page.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

const times = isLong ? 16 : 1;
/** Steps are taken so many times slower than they could be. */
const slow = 16;
/** The browser gives up a view transition that takes four seconds. */
const slowForTransitions = 4;

let pool: BrowserPool;
let opened: Page | null = null;
beforeAll(() => {
  const bare = createBrowserPool({ timers: createSystemTimers() });
  pool = {
    ...bare,
    async open(viewport) {
      opened = await bare.open(viewport);
      return opened;
    },
  };
});
afterAll(() => pool.close());

const status = '<p id="o" role="status"></p><script>globalThis.add = word => { o.textContent += word + " " }</script>';

/** What a page shows each time that somebody opens it and clicks the button Go. */
async function shownEachTime(
  body: string,
  { rate = slow, ...more }: Partial<PagesOptions> & { readonly rate?: number } = {},
): Promise<readonly string[]> {
  const environment = createPages({ pool, ...more, pages: { '/': status + body, ...more.pages } });
  const shown: string[] = [];
  for (let time = 0; time < times; time++) {
    const session = await environment.open(await environment.task('look', 1));
    try {
      await opened?.send('Emulation.setCPUThrottlingRate', { rate });
      await take(session, 'Go');
      await opened?.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      shown.push(statusIn((await session.observe()).text));
    } finally {
      await session.close();
    }
  }
  return shown;
}

const statusIn = (text: string): string => / status "([^"]*)"/.exec(text)?.[1]?.trim() ?? '';
const always = (text: string): readonly string[] => Array.from({ length: times }, () => text);

describe('a page on a slow machine', () => {
  it('[SITE-90] tells observers of the scrolling to an element before the click', async () => {
    const body = `<p style="height: 1500px">tall</p><p id="e">end</p><button onclick="add('clicked')">Go</button>
      <script>new IntersectionObserver(([entry]) => { if (entry.isIntersecting) add('seen') }).observe(e)</script>`;
    expect(await shownEachTime(body)).toEqual(always('seen clicked'));
  });

  it('[SITE-91] tells nobody what a new document snapped to', async () => {
    const body = `<div id="box" style="height: 50px; overflow: auto; scroll-snap-type: y mandatory"><p style="height: 60px; margin: 0; scroll-snap-align: start">a</p>
      <p style="height: 60px; margin: 0; scroll-snap-align: start">b</p></div>
      <button onclick="box.scrollTop = 60">Go</button><script>box.addEventListener('scrollsnapchange', () => add('snapped'))</script>`;
    expect(await shownEachTime(body)).toEqual(always('snapped'));
  });
});

describe('what comes first', () => {
  it('[SITE-101] scripts and style sheets that a step asks for come before timers', async () => {
    const body = `<button onclick="put('link', { rel: 'stylesheet', href: '/none.css' }); setTimeout(() => add('timer')); setTimeout(() => add('later'), 30)">Go</button>
      <script>const put = (name, given) => document.head.append(Object.assign(document.createElement(name), { onload: () => add('loaded'), onerror: () => add('failed') }, given))</script>`;
    const files = { pages: { '/a.js': 'add("ran")' } };
    expect(await shownEachTime(body, files)).toEqual(always('failed timer later'));
    const withScript = body.replace("'link', { rel: 'stylesheet', href: '/none.css' }", "'script', { src: '/a.js' }");
    expect(await shownEachTime(withScript, files)).toEqual(always('ran loaded timer later'));
  });

  it('[SITE-101] one that a timer asks for refuses the certificate', async () => {
    const body = `<button onclick="setTimeout(() => import('/a.js'), 5)">Go</button>`;
    const moving = { moving: expect.stringContaining('a script or style sheet that was loaded while timers ran') };
    expect(await looksAfterGo(body, 1, { '/a.js': '' })).toEqual([moving]);
  });

  it('[SITE-102] observers of crossings hear in the order in which they were made', async () => {
    const body = `<div id="list"></div><button onclick="list.hidden = !list.hidden">Go</button><script>
      for (const name of 'abcdefgh') {
        const line = list.appendChild(document.createElement('i'));
        line.textContent = name;
        new IntersectionObserver(([entry]) => add(name + (entry.isIntersecting ? '+' : '-'))).observe(line);
      }</script>`;
    const both = ['+', '-'].flatMap(sign => [...'abcdefgh'].map(name => name + sign));
    expect(await shownEachTime(body)).toEqual(always(both.join(' ')));
  });

  it('[SITE-102] observers hear of what a timer changed before the next timer runs', async () => {
    const body = `<p id="b" style="width: 50px">b</p><button onclick="for (const wait of [5, 10, 15]) setTimeout(() => { add(wait); b.style.width = 50 + wait + 'px' }, wait)">Go</button>
      <script>new ResizeObserver(() => add('size')).observe(b)</script>`;
    expect(await shownEachTime(body)).toEqual(always('size 5 size 10 size 15 size'));
  });

  it('[SITE-102] observers of a document that is loaded hear of it when it is there', async () => {
    const body = `<p id="e">e</p><script>new ResizeObserver(() => add('size')).observe(e)</script><script defer src="/slow.js"></script><button>Go</button>`;
    const asked = async (path: string): Promise<void> => void (path === '/slow.js' && (await wait(400)));
    expect(await shownEachTime(body, { pages: { '/slow.js': 'add("loaded")' }, asked })).toEqual(always('loaded size'));
  });

  it('[SITE-103] a view that changes is ready before timers run, except where its update waits for one', async () => {
    const body = `<button onclick="document.startViewTransition(UPDATE).ready.then(() => add('ready')); for (const wait of [0, 20]) setTimeout(() => add(wait), wait)">Go</button>`;
    const shown = (update: string, rate: number) => shownEachTime(body.replace('UPDATE', update), { rate });
    expect(await shown("() => add('update')", slowForTransitions)).toEqual(always('update ready 0 20'));
    const waiting = "() => new Promise(done => setTimeout(done, 10)).then(() => add('update'))";
    // It waits for pictures of the page as well: a busy browser gives it up, and is never ready.
    const waited = await shown(waiting, 1);
    expect(waited.map(one => one.replace(' ready', ''))).toEqual(always('0 update 20'));
  });

  it('[SITE-105] answers come in the order in which they were asked for', async () => {
    const body = `<button onclick="for (const name of ['slow', 'fast']) fetch('/' + name + '.js').then(() => add(name))">Go</button>`;
    const asked = async (path: string): Promise<void> => void (path === '/slow.js' && (await wait(150)));
    expect(await shownEachTime(body, { pages: { '/slow.js': '', '/fast.js': '' }, asked })).toEqual(
      always('slow fast'),
    );
  });

  it('[SITE-147] an answer comes before the selection and the pointer are told of, however soon it is there', async () => {
    const body = `<input id="i" value="text" aria-label="i"><button id="go" onclick="i.focus(); fetch('/a.js').then(() => { i.select(); add('answer') })">Go</button>
      <script>i.addEventListener('selectionchange', () => add('selection ' + performance.now()));
      go.onmouseleave = () => add('left')</script>`;
    let time = 0;
    const asked = async (path: string): Promise<void> => void (path === '/a.js' && (await wait(time++ % 2 ? 400 : 0)));
    const shown = await shownEachTime(body, { pages: { '/a.js': '' }, asked, rate: 1 });
    expect(shown[0]).toMatch(/^answer left selection \d+$/);
    expect(shown).toEqual(always(shown[0] as string));
  });

  it('[SITE-115] whatever asks for them: scripts, style sheets, XMLHttpRequest and fetch', async () => {
    const body = `<button onclick="send('/slow.js'); put('/b.js'); fetch('/c.js').then(() => add('c')); put('/d.js'); send('/e.js')">Go</button>
      <script>const send = path => { const request = new XMLHttpRequest(); request.onload = () => add(path[1]); request.open('GET', path); request.send() };
      const put = src => document.head.append(Object.assign(document.createElement('script'), { src }))</script>`;
    const asked = async (path: string): Promise<void> => void (path === '/slow.js' && (await wait(150)));
    const pages = { '/slow.js': '', '/b.js': 'add("b")', '/c.js': '', '/d.js': 'add("d")', '/e.js': '' };
    expect(await shownEachTime(body, { pages, asked })).toEqual(always('s b c d e'));
  });

  it('[SITE-116] messages come before an answer that was asked for with them', async () => {
    const body = `<button onclick="fetch('/a.js').then(() => add('answer')); port2.postMessage(1)">Go</button>
      <script>const { port1, port2 } = new MessageChannel(); port1.onmessage = ({ data }) => { add(data); if (data < 5) port2.postMessage(data + 1) }</script>`;
    expect(await shownEachTime(body, { pages: { '/a.js': '' }, rate: 1 })).toEqual(always('1 2 3 4 5 answer'));
  });

  it.each([
    [
      'a message beside an XMLHttpRequest',
      `<button onclick="const r = new XMLHttpRequest(); r.open('GET', '/a.js'); r.send(); postMessage(1)">Go</button>`,
    ],
    [
      'an image that an observer asked for',
      `<p id="p">p</p><button onclick="p.hidden = true">Go</button>
      <script>new IntersectionObserver(() => { if (p.hidden) new Image().src = '/a.js' }).observe(p)</script>`,
    ],
  ])('[SITE-116] refuses the certificate: %s', async (reason, body) => {
    expect(await looksAfterGo(body, 1, { '/a.js': '' })).toEqual([{ moving: expect.stringContaining(reason) }]);
  });

  it('[SITE-117] scripts hear once of another selection, before timers', async () => {
    const body = `<input id="i" value="text" aria-label="i"><button onclick="i.focus(); setTimeout(() => add('timer')); i.select(); i.setSelectionRange(1, 2)">Go</button>
      <script>i.addEventListener('selectionchange', () => add('field')); document.addEventListener('selectionchange', ({ target }) => { if (target === document) add('document') })</script>`;
    const shown = await shownEachTime(body);
    expect(shown).toEqual(always(shown[0] as string));
    expect(shown[0]).toMatch(/^(document )?field (document )?timer$/);
  });

  it('[SITE-106] what scrolling to an element asks for is answered before the click', async () => {
    const body = `<p style="height: 1500px">tall</p><button onclick="add('clicked')">Go</button>
      <script>addEventListener('scroll', () => fetch('/a.js').then(() => add('answered')), { once: true })</script>`;
    const asked = async (path: string): Promise<void> => void (path === '/a.js' && (await wait(150)));
    expect(await shownEachTime(body, { pages: { '/a.js': '' }, asked })).toEqual(always('answered clicked'));
  });
});

describe('what the browser does by its own clock', () => {
  const skipping = Array.from({ length: 9 }, () => '<p style="content-visibility: auto">part<br>part</p>').join('');
  it.each([
    [
      'parts that it skips',
      `<div style="line-height: 300px">${skipping}</div><button>Go</button>`,
      'content-visibility',
    ],
    [
      'a frame that is loaded lazily',
      '<p style="height: 9000px">p</p><iframe loading="lazy" src="/in"></iframe><button>Go</button>',
      'a frame',
    ],
  ])('[SITE-104] refuses the certificate: %s', async (_, body, reason) => {
    expect(await looksAfterGo(body, 1, { '/in': 'in' })).toEqual([{ moving: expect.stringContaining(reason) }]);
  });

  it('[SITE-104] shows what it skips at first in a new document before anybody looks', async () => {
    const part = '<div style="content-visibility: auto; contain-intrinsic-size: 50px"><p>part</p></div>';
    const environment = createPages({ pool, pages: { '/': `<button>Go</button>${part}` } });
    // Without the first frames, four of 24 pages told that a part came to show.
    const look = async (): Promise<unknown> => {
      const session = await environment.open(await environment.task('look', 1));
      await take(session, 'Go');
      const seen = await session.appearance?.();
      await session.close();
      return seen;
    };
    const looks: unknown[] = [];
    for (let time = 0; time < 4; time++) looks.push(...(await Promise.all([look(), look(), look()])));
    expect(looks).toEqual(looks.map(() => ({ picture: expect.any(String) })));
    expect(new Set(looks.map(seen => JSON.stringify(seen))).size).toBe(1);
  });

  it('[SITE-104] refuses the certificate: a drag that scripts follow', async () => {
    const body = `<b draggable="true" style="position: fixed; left: 20px; top: 100px">drag</b><script>let n = 0; addEventListener('drag', () => { n++ })</script>`;
    const environment = createPages({ pool, pages: { '/': body } });
    const session = await environment.open(await environment.task('look', 1));
    await take(session, { kind: 'drag', from: { x: 30, y: 108 }, to: { x: 240, y: 140 } });
    expect(await session.appearance?.()).toEqual({ moving: expect.stringContaining('a drag') });
    await session.close();
  });
});

describe('a field that is not valid', () => {
  const form = `<form id="f"><input aria-label="Needed" required></form><button onclick="f.requestSubmit()">Go</button><button>Other</button>`;
  const inRoot = `<div id="host"></div><button onclick="root.lastChild.reportValidity()">Go</button>
    <script>const root = host.attachShadow({ mode: 'MODE' }); root.innerHTML = '<input required>'</script>`;
  const inFrame = `<iframe id="f" srcdoc="<input required>"></iframe><button onclick="f.contentDocument.querySelector('input').reportValidity()">Go</button>`;
  const picture = { picture: expect.stringMatching(/^[\da-f]{32}$/) };
  const moving = { moving: expect.stringContaining('a field with the focus that is not valid') };

  it('[SITE-92] is not certified as long as the browser may show a bubble about it', async () => {
    const environment = createPages({ pool, pages: { '/': form } });
    const session = await environment.open(await environment.task('look', 1));
    expect(await session.appearance?.()).toEqual(picture);
    await take(session, 'Go');
    expect(await session.appearance?.()).toEqual(moving);
    await take(session, 'Other');
    expect(await session.appearance?.()).toEqual(picture);
    await session.close();
  });

  it.each([
    ['an open shadow root', inRoot.replace('MODE', 'open')],
    ['a closed shadow root', inRoot.replace('MODE', 'closed')],
    ['a frame', inFrame],
  ])('[SITE-92] also in %s', async (_, body) => {
    const environment = createPages({ pool, pages: { '/': body } });
    const session = await environment.open(await environment.task('look', 1));
    await take(session, 'Go');
    expect(await session.appearance?.()).toEqual(moving);
    await session.close();
  });

  it('[SITE-100] is not certified in a closed shadow root either, though its host can have the focus', async () => {
    const body = inRoot.replace('MODE', 'closed').replace('id="host"', 'id="host" tabindex="0"');
    expect(await looksAfterGo(body)).toEqual([moving]);
  });
});

/** What a page looks like, every third of a second, after a click on Go. */
async function looksAfterGo(body: string, looks = 1, more: PagesOptions['pages'] = {}): Promise<readonly unknown[]> {
  const environment = createPages({ pool, pages: { '/': body, ...more } });
  const session = await environment.open(await environment.task('look', 1));
  await take(session, 'Go');
  const seen: unknown[] = [];
  for (let look = 0; look < looks; look++) {
    if (look > 0) await wait(300);
    seen.push(await session.appearance?.());
  }
  await session.close();
  return seen;
}

describe('a caret', () => {
  const blinking = { moving: expect.stringContaining('a caret') };
  const large = 'font-size: 60px; caret-color: red';
  const focusing = '<button onclick="field().focus()">Go</button>';

  it.each([
    [
      'a shadow root',
      `<div id="host"></div><script>const root = host.attachShadow({ mode: 'open' }); root.innerHTML = '<input style="${large}">'
      const field = () => root.firstChild</script>`,
    ],
    [
      'a frame',
      `<iframe id="f" srcdoc='<input style="${large}">'></iframe><script>const field = () => f.contentDocument.querySelector('input')</script>`,
    ],
  ])('[SITE-100] does not blink in %s while the page is looked at', async (_, body) => {
    const [first, ...more] = await looksAfterGo(body + focusing, 6);
    expect(first).toEqual({ picture: expect.any(String) });
    expect(more).toEqual(Array.from({ length: 5 }, () => first));
  });

  it.each([
    ['a field', `<input id="i" style="${large} !important"><script>const field = () => i</script>`],
    [
      'a text that can be edited',
      `<p id="i" contenteditable><b style="${large} !important">b</b></p><script>const field = () => (getSelection().setPosition(i.firstChild.firstChild, 1), i)</script>`,
    ],
  ])('[SITE-100] that styles of the page keep in sight in %s is not certified', async (_, body) => {
    expect(await looksAfterGo(body + focusing)).toEqual([blinking]);
  });
});
