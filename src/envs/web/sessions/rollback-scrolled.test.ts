import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { branch, write, type Page, type Walk } from '../../../../test/fixtures/pages/branches.ts';
import type { Step } from '../../../../test/fixtures/pages/retrace.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

const press = (key: string): Step => ({ kind: 'press', key });
const lines = Array.from({ length: 30 }, (_, line) => `<p style="margin: 0">line ${line}</p>`).join('');
const boxWith = (style: string): string => `<div id="box" style="height: 60px; ${style}">${lines}</div>`;
const reveal = `byId('box').style.display = 'block'; byId('box').style.overflow = 'auto'; say(byId('box').scrollTop)`;
const unseen = 'a hidden box that was scrolled';

/** Refused with the reason, and right. */
const hidden: Readonly<Record<string, readonly [page: Page, walk: Walk]>> = {
  'whose overflow is clipped': [
    {
      body: boxWith('overflow: clip'),
      does: {
        Scroll: `byId('box').style.overflow = 'auto'; byId('box').scrollTop = 100; byId('box').style.overflow = 'clip'`,
        Show: reveal,
      },
    },
    { left: ['Scroll'], taken: ['Show'], ends: unseen },
  ],
  'that is displayed inline': [
    {
      body: boxWith('display: inline; overflow: auto'),
      does: {
        Scroll: `byId('box').style.display = 'block'; byId('box').scrollTop = 90; byId('box').style.display = 'inline'`,
        Show: reveal,
      },
    },
    { left: ['Scroll'], taken: ['Show'], ends: unseen },
  ],
  'by the wheel': [
    {
      body: boxWith('overflow: clip'),
      does: { Open: `byId('box').style.overflow = 'auto'`, Close: `byId('box').style.overflow = 'clip'` },
    },
    {
      left: ['Open', { kind: 'scroll', x: 50, y: 30, dx: 0, dy: 90 }, 'Close'],
      taken: ['Open', 'Close'],
      ends: unseen,
    },
  ],
};

const editor = '<div id="e" contenteditable role="textbox" aria-label="E">a<b id="b">R</b>z</div>';
const select = `byId('e').focus(); getSelection().collapse(byId('b').firstChild, 1)`;
const typing: Page = { body: editor, does: { Put: select, Show: `say(byId('e').innerHTML)` } };

describe('how far a box was scrolled that scrolls no more', () => {
  it.each(Object.entries(hidden))('[SITE-181] %s is refused by name', async (_, [page, { ends, ...walk }]) => {
    const found = await branch(pool, write(page), walk);
    expect(found).toMatchObject({ method: 'replay', reason: expect.stringContaining(ends) as string });
  });

  it('[SITE-181] and that is back where it was is restored', async () => {
    const page = write({
      body: boxWith('overflow: auto'),
      does: {
        Scroll: `byId('box').scrollTop = 100`,
        Back: `byId('box').scrollTop = 0`,
        Hide: `byId('box').hidden = true`,
      },
    });
    const walk = { first: ['Scroll', 'Back'], left: ['Hide'], taken: ['Hide'] };
    expect(await branch(pool, page, walk)).toMatchObject({ method: 'restore', reason: null });
  });

  it('[SITE-182] stays where it is when it grows, though it was at a later end in an abandoned branch', async () => {
    const page = write({
      body: boxWith('overflow: auto'),
      does: {
        End: `byId('box').scrollTop = 1e6`,
        Add: `byId('box').append(Object.assign(document.createElement('p'), { textContent: 'more' }))`,
        Show: `say(byId('box').scrollTop > 500)`,
      },
    });
    const walk = { first: ['End'], left: ['Add', 'End'], taken: ['Show', 'Add', 'Show'] };
    expect(await branch(pool, page, walk)).toMatchObject({ method: 'restore', reason: null });
  });
});

describe('the style that an editor keeps for what is typed next', () => {
  it('[SITE-183] is refused by name after a deletion, until the caret moves', async () => {
    const walk = { first: ['Put', press('Backspace')], left: [press('ArrowLeft')], taken: [press('x'), 'Show'] };
    const reason = expect.stringContaining('a text style for what is typed next') as string;
    expect(await branch(pool, write(typing), walk)).toMatchObject({ method: 'replay', reason, shown: 'a<b>x</b>z' });
    const moved = { ...walk, first: [...walk.first, press('ArrowLeft')], left: [press('ArrowRight')] };
    expect(await branch(pool, write(typing), moved)).toMatchObject({ method: 'restore', reason: null });
  });
});

it('[SITE-184] objects that stand in the place of handlers are restored', async () => {
  const page = write({
    body: '<input id="field" aria-label="Field">',
    before: `const kept = { handleEvent() {} }; byId('field').onfocus = kept`,
    does: { Change: `byId('field').onfocus = () => say('focus')`, Show: `say(byId('field').onfocus === kept)` },
  });
  const found = await branch(pool, page, { left: ['Change'], taken: ['Show'] });
  expect(found).toEqual({ method: 'restore', reason: null, shown: 'true' });
});
