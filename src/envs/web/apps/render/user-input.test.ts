import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../../../test/chromium.ts';
import type { UiNode, UiRole } from '../../../../core/ui.ts';
import { createWorld } from '../../../../worlds/world.ts';
import { mail } from '../../../apps/mail/mail.ts';
import { initialFocusState, toRenderNode, type UserIntent, type Appearance } from './render-node.ts';
import { renderScript } from './render-script.ts';

const script = renderScript();
const light: Appearance = { theme: 'light', density: 'comfortable' };
const press = { command: 'press', input: {} };
const enter = { command: 'enter', input: {} };
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

/** A page that keeps what it would tell. */
async function openRenderer(): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto('data:text/html,<!doctype html>');
  await page.evaluate('globalThis.told = []; globalThis.espalierIntent = text => told.push(JSON.parse(text))');
  await page.evaluate(script);
  return page;
}

async function draw(page: Page, root: UiNode): Promise<void> {
  await page.evaluate(([node, look]) => globalThis.espalierFace.draw(node, look), [toRenderNode(root), light] as const);
}

/** What the page told since the last time. */
function told(page: Page): Promise<UserIntent[]> {
  return page.evaluate('told.splice(0)');
}

function screen(children: readonly UiNode[], name = 'Things'): UiNode {
  return { role: 'page', name: 'Test', children: [{ role: 'region', name, children }] };
}

const field = (name: string, value: string): UiNode => ({ role: 'textbox', name, value, enter });
const button = (name: string): UiNode => ({ role: 'button', name, press });

describe('people at the face of an app', () => {
  it('[FACE-3] tells a click, Enter and Space on everything that can be pressed', async () => {
    const page = await openRenderer();
    const roles: UiRole[] = [
      'button',
      'link',
      'tab',
      'menuitem',
      'checkbox',
      'radio',
      'switch',
      'listitem',
      'row',
      'text',
    ];
    const root = screen(roles.map(role => ({ role, name: `a ${role}`, press })));
    await draw(page, root);
    for (const [index] of roles.entries()) {
      const click = { kind: 'click', ref: `e${index + 1}` };
      const element = page.locator(`[data-ref=e${index + 1}]`);
      const ways = [() => element.click(), () => element.press('Enter'), () => element.press('Space')];
      for (const go of ways) {
        await go();
        expect(await told(page)).toEqual([click]);
        await draw(page, root);
      }
    }
    await page.close();
  });

  it('[FACE-3] tells what is typed at every input, and what is chosen', async () => {
    const page = await openRenderer();
    const choice: UiNode = { role: 'combobox', name: 'Size', value: '', options: ['S', 'M', 'L'], enter };
    await draw(page, screen([field('Name', ''), choice]));
    await page.locator('[data-ref=e1]').pressSequentially('a');
    expect(await told(page)).toEqual([{ kind: 'fill', ref: 'e1', text: 'a' }]);
    await draw(page, screen([field('Name', 'a'), choice]));
    await page.locator('[data-ref=e2]').selectOption('M');
    expect(await told(page)).toEqual([{ kind: 'select', ref: 'e2', option: 'M' }]);
    await draw(page, screen([field('Name', 'a'), { ...choice, value: 'M' }]));
    await page.locator('[data-ref=e2]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await told(page)).toEqual([{ kind: 'select', ref: 'e2', option: 'L' }]);
    // Refused: the choice goes back to what it was.
    await draw(page, screen([field('Name', 'a'), { ...choice, value: 'M' }]));
    expect(await page.locator('[data-ref=e2]').inputValue()).toBe('M');
    await page.close();
  });

  it('[FACE-3] opens a choice within the page, where it can be seen and clicked', async () => {
    const page = await openRenderer();
    const choice: UiNode = { role: 'combobox', name: 'Size', value: 'S', options: ['S', 'M', 'L'], enter };
    await draw(page, screen([choice]));
    await page.locator('[data-ref=e1]').click();
    const box = await page.locator('option[value=L]').boundingBox();
    await page.mouse.click(box!.x + box!.width / 2, box!.y + box!.height / 2);
    expect(await told(page)).toEqual([{ kind: 'select', ref: 'e1', option: 'L' }]);
    await page.close();
  });

  it('[FACE-3] does nothing with what is disabled or cannot be acted on', async () => {
    const page = await openRenderer();
    const off = { states: ['disabled'] } as const;
    const root = screen([
      { role: 'button', name: 'off', press, ...off },
      { role: 'link', name: 'off', press, ...off },
      { role: 'checkbox', name: 'off', press, ...off },
      { role: 'textbox', name: 'off', value: '', enter, ...off },
      { role: 'combobox', name: 'off', value: 'a', options: ['a', 'b'], enter, ...off },
      { role: 'button', name: 'idle' },
      { role: 'textbox', name: 'idle', value: 'kept' },
      { role: 'combobox', name: 'idle', value: 'a', options: ['a', 'b'] },
    ]);
    await draw(page, root);
    const all = page.locator('section > :not([aria-hidden])');
    for (const element of await all.all()) {
      await element.click({ force: true });
      await page.keyboard.type(' x');
      await page.keyboard.press('Enter');
    }
    expect(await told(page)).toEqual([]);
    expect(await page.locator('[data-ref]').count()).toBe(0);
    expect(await page.locator(':disabled:not(option)').count()).toBe(5);
    await page.close();
  });

  it('[FACE-4] tells one thing at a time, by what the element is called on the screen that is drawn', async () => {
    const page = await openRenderer();
    await draw(page, screen([button('one'), button('two'), button('three')]));
    await page.evaluate(`document.querySelector('[data-ref=e1]').click();
      document.querySelector('[data-ref=e2]').click(); document.querySelector('[data-ref=e3]').click()`);
    expect(await told(page)).toEqual([{ kind: 'click', ref: 'e1' }]);
    // The second is gone, the third has moved.
    await draw(page, screen([button('new'), button('newer'), button('newest'), button('three')]));
    expect(await told(page)).toEqual([{ kind: 'click', ref: 'e4' }]);
    await page.close();
  });

  it('[FACE-4] loses nothing that is typed or chosen before an answer comes', async () => {
    const page = await openRenderer();
    const choice: UiNode = { role: 'combobox', name: 'Size', value: 'S', options: ['S', 'M'], enter };
    await draw(page, screen([button('go'), choice]));
    await page.locator('[data-ref=e1]').click();
    await page.locator('[data-ref=e2]').selectOption('M');
    await draw(page, screen([button('go'), choice]));
    expect(await page.locator('[data-ref=e2]').inputValue()).toBe('M');
    const both = [
      { kind: 'click', ref: 'e1' },
      { kind: 'select', ref: 'e2', option: 'M' },
    ];
    expect(await told(page)).toEqual(both);
    await draw(page, screen([field('Name', '')]));
    await page.locator('[data-ref=e1]').pressSequentially('hel');
    expect(await told(page)).toEqual([{ kind: 'fill', ref: 'e1', text: 'h' }]);
    await draw(page, screen([field('Name', 'h')]));
    expect(await page.locator('[data-ref=e1]').inputValue()).toBe('hel');
    expect(await told(page)).toEqual([{ kind: 'fill', ref: 'e1', text: 'hel' }]);
    await page.keyboard.type('lo');
    await draw(page, screen([field('Name', 'hel')]));
    expect(await told(page)).toEqual([{ kind: 'fill', ref: 'e1', text: 'hello' }]);
    await draw(page, screen([field('Name', 'HELLO')]));
    expect(await page.locator('[data-ref=e1]').inputValue()).toBe('HELLO');
    await page.close();
  });

  it('[FACE-5] keeps focus, caret and scroll while a real app answers every key', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 500 } });
    await page.goto('data:text/html,<!doctype html>');
    const world = createWorld(mail);
    const session = world.open(world.task('star-message', 3));
    const answer = () => draw(page, session.screen());
    await page.exposeFunction('espalierIntent', async (text: string) => {
      session.step(JSON.parse(text));
      await answer();
    });
    await page.evaluate(script);
    await answer();
    const search = page.getByRole('textbox', { name: 'Search mail' });
    await search.click();
    await page.keyboard.type('desk on');
    for (let count = 0; count < 3; count++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.type(' move', { delay: 1 });
    await expect.poll(() => session.observe().text).toContain('textbox "Search mail": desk move on');
    await expect.poll(() => page.locator('[role=list]').getAttribute('aria-label')).toMatch(/^\d messages?$/);
    expect(await search.evaluate(element => element === document.activeElement)).toBe(true);
    expect(await search.evaluate((element: HTMLInputElement) => element.selectionStart)).toBe('desk move'.length);
    await page.close();
  });

  it('[FACE-5] keeps what is in focus when things come, go and move around it, and blurs when it is gone', async () => {
    const page = await openRenderer();
    const items = ['a', 'b', 'c', 'd'].map(
      (name): UiNode => ({ role: 'listitem', name, children: [button(`Open ${name}`)] }),
    );
    const [a, b, c, d] = items as [UiNode, UiNode, UiNode, UiNode];
    const listOf = (name: string, ...children: UiNode[]): UiNode => screen([{ role: 'list', name, children }]);
    await draw(page, listOf('4 things', a, b, c, d));
    await page.getByRole('button', { name: 'Open b' }).focus();
    const focused = () => page.evaluate('document.activeElement.textContent');
    for (const next of [
      listOf('3 things', d, c, b),
      listOf('2 things', b, a),
      listOf('4 things', c, d, a, b),
      listOf('3 things', b, c, a),
    ]) {
      await draw(page, next);
      expect(await focused()).toBe('Open b');
    }
    await draw(page, listOf('1 thing', a));
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
    await page.close();
  });

  it('[FACE-5] stays where it is scrolled on the same screen, and starts another one at the top', async () => {
    const page = await openRenderer();
    const texts = (word: string): UiNode[] =>
      Array.from({ length: 80 }, (_, index) => ({ role: 'text', name: `${word} ${index}` }));
    const height = () => page.evaluate(() => scrollY);
    await draw(page, screen([{ role: 'heading', name: 'One' }, ...texts('line')]));
    await page.evaluate(() => scrollTo(0, 600));
    await draw(page, screen([{ role: 'heading', name: 'One' }, ...texts('row')]));
    expect(await height()).toBe(600);
    await draw(page, screen([{ role: 'heading', name: 'Two' }, ...texts('row')]));
    expect(await height()).toBe(0);
    await page.evaluate(() => scrollTo(0, 600));
    await draw(page, screen(texts('row'), 'Elsewhere'));
    expect(await height()).toBe(0);
    await page.close();
  });

  it('[FACE-6] puts people back where they were: focus, ring, caret, scroll and open choice', async () => {
    const page = await openRenderer();
    const choice: UiNode = { role: 'combobox', name: 'Size', value: 'S', options: ['S', 'M', 'L'], enter };
    const long = Array.from({ length: 60 }, (_, index): UiNode => ({ role: 'text', name: `line ${index}` }));
    const root = screen([field('Comment', 'many words\n'.repeat(60)), choice, button('go'), ...long]);
    await draw(page, root);
    await page.locator('textarea').click();
    await page.evaluate(`document.activeElement.setSelectionRange(3, 8);
      document.activeElement.scrollTop = 90; scrollTo(0, 40)`);
    const here = () => page.evaluate(() => globalThis.espalierFace.place());
    const [typing] = [await here()];
    expect(typing).toMatchObject({ caret: [3, 8], scroll: [0, 40], scrolled: [{ y: 90 }], open: false });
    await page.getByRole('button', { name: 'go' }).click();
    const [pressed, picture] = [await here(), await page.screenshot()];
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Space');
    const choosing = await here();
    expect(choosing.open).toBe(true);
    const node = toRenderNode(root);
    for (const wanted of [typing, pressed, choosing, pressed]) {
      await draw(page, screen([button('elsewhere')], 'Other'));
      // A picker opens only for somebody who is there.
      await page.keyboard.press('Shift');
      await page.evaluate(([face, look, place]) => globalThis.espalierFace.draw(face, look, place), [
        node,
        light,
        wanted,
      ] as const);
      expect(await here()).toEqual(wanted);
    }
    expect(picture.equals(await page.screenshot())).toBe(true);
    await page.close();
  });

  it('[FACE-6] starts a screen at the top, or at its dialog, with nothing in focus', async () => {
    const page = await openRenderer();
    const long = Array.from({ length: 60 }, (_, index): UiNode => ({ role: 'text', name: `line ${index}` }));
    const dialog: UiNode = { role: 'dialog', name: 'Sure?', children: [button('Yes')] };
    const start = (root: UiNode) =>
      page.evaluate(([face, look, place]) => globalThis.espalierFace.draw(face, look, place), [
        toRenderNode(root),
        light,
        initialFocusState,
      ] as const);
    const here = () => page.evaluate(() => globalThis.espalierFace.place());
    await draw(page, screen([field('Comment', 'many words\n'.repeat(60)), ...long]));
    await page.locator('textarea').focus();
    await page.evaluate('document.activeElement.scrollTop = 90; scrollTo(0, 40)');
    await start(screen([field('Comment', 'many words\n'.repeat(60)), ...long]));
    expect(await here()).toEqual({ ...initialFocusState, scroll: [0, 0] });
    for (const children of [
      [...long, dialog],
      [dialog, ...long],
      [...long, dialog],
    ]) {
      await start(screen(children));
      const box = await page.getByRole('button', { name: 'Yes' }).boundingBox();
      expect(box!.y).toBeGreaterThan(0);
      expect(box!.y).toBeLessThan(760);
      expect((await here()).focus).toBeNull();
    }
    await page.close();
  });

  it('[FACE-7] presses the way out of a dialog or menu on Escape, and nothing where there is none', async () => {
    const page = await openRenderer();
    const dialog = (role: UiRole, ...names: string[]): UiNode => ({ role, name: 'Sure?', children: names.map(button) });
    for (const [root, intents] of [
      [screen([button('Cancel'), dialog('dialog', 'Delete', 'Cancel')]), [{ kind: 'click', ref: 'e3' }]],
      [screen([dialog('menu', 'Todo', 'Keep status')]), [{ kind: 'click', ref: 'e2' }]],
      [screen([dialog('dialog', 'Delete')]), []],
      [screen([button('Cancel')]), []],
    ] as const) {
      await draw(page, root);
      await page.keyboard.press('Escape');
      expect(await told(page)).toEqual(intents);
      await draw(page, screen([]));
    }
    await page.close();
  });
});
