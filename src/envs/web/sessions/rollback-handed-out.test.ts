import { afterAll, beforeAll, expect, it } from 'vitest';
import { branch, write, type Page } from '../../../../test/fixtures/pages/branches.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

it('[SITE-188] scripts hear nothing of images that a restore loads again, wherever they are', async () => {
  const page = write({
    body: `<style>img { width: 9px; height: 9px }</style><img id="sized" sizes="90px" srcset="/a.svg 100w, /b.svg 2000w">
      <picture><source id="source" media="(min-width: 1px)" srcset="/a.svg"><img id="chosen" src="/b.svg"></picture>
      <svg width="9" height="9"><image id="drawn" href="/a.svg" width="9" height="9"></image></svg>`,
    before: `const heard = [], beside = new Image(); beside.src = '/a.svg'; beside.id = 'beside';
      for (const one of [beside, ...['sized', 'chosen', 'drawn'].map(byId)]) one.addEventListener('load', () => heard.push(one.id))`,
    does: {
      Change: `beside.src = '/b.svg'; byId('sized').sizes = '2000px'; byId('source').media = 'print';
        byId('drawn').setAttribute('href', '/b.svg')`,
      Show: `say(heard.sort().join(' '))`,
    },
  });
  const found = await branch(pool, page, { left: ['Change'], taken: ['Show', 'Change', 'Show'] });
  const once = ['beside', 'chosen', 'drawn', 'sized'];
  expect(found).toEqual({ method: 'restore', reason: null, shown: once.flatMap(id => [id, id]).join(' ') });
});

const animated =
  '<style>@keyframes turn { to { color: red } } #p { animation: turn 1s forwards }</style><p id="p">P</p>';
const playing = `byId('p').getAnimations()[0]`;

/** What a script hangs something on that a page is given by an index or a name, not by a member. */
const hung: readonly (readonly [what: string, body: string, object: string])[] = [
  ['a style sheet', '<style>p { color: red }</style>', 'document.styleSheets[0]'],
  ['a list of elements of one name', '<form><input name="r"><input name="r"></form>', 'document.forms[0].r'],
  ['a list of elements of one name', '<b id="two">1</b><b id="two">2</b>', 'window.two'],
  ['a function of an object of Intl', '', `(globalThis.format ??= new Intl.NumberFormat('en')).format`],
  ['an attribute', '<p id="p" class="a">P</p>', `byId('p').getAttributeNode('class')`],
  ['an inline event handler', '<i id="i" onclick="say(1)">I</i>', `byId('i').onclick`],
  ['an object of the kind CSSAnimation', animated, playing],
  ['an object of the kind KeyframeEffect', animated, `${playing}.effect`],
];

it.each(hung)('[SITE-189] %s with members of its own is refused by name', async (what, body, object) => {
  const page = write({ body, does: { Hang: `${object}.extra = 1`, Show: `say(${object}.extra)` } });
  const found = await branch(pool, page, { left: ['Hang'], taken: ['Show'] });
  const reason = expect.stringContaining(`it has ${what} with members of its own`) as string;
  expect(found).toEqual({ method: 'replay', reason, shown: '' });
});

it.each([`${playing}.cancel()`, `${playing}.effect = null`])(
  '[SITE-190] an animation of a style sheet is not taken back where a script called it off: %s',
  async code => {
    const page: Page = { body: animated, does: { Stop: code, Show: `say(getComputedStyle(byId('p')).color)` } };
    const found = await branch(pool, write(page), { left: ['Stop'], taken: ['Show'] });
    const reason = expect.stringContaining('an animation that was there before') as string;
    expect(found).toEqual({ method: 'replay', reason, shown: 'rgb(255, 0, 0)' });
  },
);

it('[SITE-191] which of two boxes was scrolled first is no difference', async () => {
  const box = (id: string): string =>
    `<div id="${id}" style="height: 50px; overflow: auto"><p style="height: 900px">${id}</p></div>`;
  const page = write({
    body: box('a') + box('b'),
    does: {
      Both: `byId('b').scrollTop = 9; byId('a').scrollTop = 9`,
      Other: `byId('a').scrollTop = 0; byId('b').scrollTop = 0; byId('a').scrollTop = 5`,
    },
  });
  const found = await branch(pool, page, { first: ['Both'], left: ['Other'], taken: ['Other'] });
  expect(found).toMatchObject({ method: 'restore', reason: null });
});
