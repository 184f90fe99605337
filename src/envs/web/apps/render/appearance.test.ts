import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../../../test/chromium.ts';
import { createRandom } from '../../../../core/random.ts';
import type { UiNode } from '../../../../core/ui.ts';
import type { App } from '../../../../worlds/app/app.ts';
import { createWorld } from '../../../../worlds/world.ts';
import { mail } from '../../../apps/mail/mail.ts';
import { shop } from '../../../apps/shop/shop.ts';
import { tracker } from '../../../apps/tracker/tracker.ts';
import { toRenderNode, type Appearance } from './render-node.ts';
import { renderScript } from './render-script.ts';

const apps = [mail, shop, tracker] as unknown as App<never>[];
const light: Appearance = { theme: 'light', density: 'comfortable' };
const script = renderScript();
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

async function openRenderer(width: number, height: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.goto('data:text/html,<!doctype html>');
  await page.evaluate('globalThis.espalierIntent = () => {}');
  await page.evaluate(script);
  return page;
}

async function draw(page: Page, root: UiNode, look = light): Promise<void> {
  await page.evaluate(([node, wanted]) => globalThis.espalierFace.draw(node, wanted), [
    toRenderNode(root),
    look,
  ] as const);
}

/** One screen of each kind that a walk through the app comes by. */
function screensOf(app: App<never>, most: number): UiNode[] {
  const world = createWorld(app);
  const found = new Map<string, UiNode>();
  const shapeOf = ({ role, name = '', children = [] }: UiNode): string =>
    `${role} ${children.length} ${name.replaceAll(/\d/g, '')}`;
  for (const { id } of world.templates) {
    const [session, random] = [world.open(world.task(id, 2)), createRandom(id)];
    for (let step = 0; step < 12 && found.size < most; step++) {
      session.step(random.pick(session.candidates()).action);
      const screen = session.screen();
      const content = screen.children?.at(-1)?.children ?? [];
      const shape = content.map(part => (part.role === 'list' ? 'list' : shapeOf(part))).join();
      if (!found.has(shape)) found.set(shape, screen);
    }
  }
  return [...found.values()];
}

/** What is in view and yet not to be had by a pointer, however the page is scrolled. */
function covered(): string[] {
  const wrong: string[] = [];
  const elements = [...document.querySelectorAll('[data-ref]')];
  const check = (element: Element): void => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    // A bar that scrolls by itself shows a part of what is in it.
    const view = element.closest('nav')?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
    if (x <= view.left || x >= view.right - 1 || y <= view.top || y >= view.bottom - 1) return;
    if (y < 0 || y >= innerHeight) return;
    const hit = document.elementFromPoint(x, y);
    if (hit === null || !element.contains(hit))
      wrong.push(`${element.outerHTML.slice(0, 90)} lies under ${hit?.outerHTML.slice(0, 60)}`);
  };
  for (let at = 0; at <= document.documentElement.scrollHeight; at += 170) {
    scrollTo(0, at);
    elements.forEach(check);
  }
  for (const element of elements) {
    element.scrollIntoView({ block: 'center', inline: 'center' });
    check(element);
  }
  return wrong;
}

function sticksOut(): string[] {
  const wide = document.documentElement.scrollWidth - innerWidth;
  return wide > 0 ? [`the page is ${wide} pixels too wide`] : [];
}

/** Things to touch that are too small for a finger. */
function tooSmall(): string[] {
  return [...document.querySelectorAll('[data-ref]')]
    .filter(element => element.getBoundingClientRect().height < 40)
    .map(element => `${element.outerHTML.slice(0, 90)} is ${element.getBoundingClientRect().height} high`);
}

/** Texts that stand out too little from their ground. */
function faint(): string[] {
  type Colour = [number, number, number, number];
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
  const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  const parse = (text: string): Colour => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return [red ?? 0, green ?? 0, blue ?? 0, (alpha ?? 0) / 255];
  };
  const over = (front: Colour, back: Colour): Colour => {
    const mix = (at: 0 | 1 | 2): number => front[at] * front[3] + back[at] * (1 - front[3]);
    return [mix(0), mix(1), mix(2), 1];
  };
  const groundOf = (element: Element | null): Colour => {
    if (element === null) return [255, 255, 255, 1];
    const colour = parse(getComputedStyle(element).backgroundColor);
    return colour[3] === 1 ? colour : over(colour, groundOf(element.parentElement));
  };
  const brightness = (colour: Colour): number => {
    const [red, green, blue] = colour.slice(0, 3).map(part => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
  };
  const wrong: string[] = [];
  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    const hasText = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent?.trim() !== '');
    // These are pictures.
    if (!hasText || ['rating', 'thumb', 'logo', 'comma'].includes(element.dataset['part'] ?? '')) continue;
    if (element.closest('option') !== null || element.closest(':disabled') !== null) continue;
    const ground = groundOf(element);
    const [one, other] = [brightness(ground), brightness(over(parse(getComputedStyle(element).color), ground))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < 4.5) wrong.push(`${element.outerHTML.slice(0, 90)}: ${contrast.toFixed(2)}`);
  }
  return wrong;
}

describe('the look of an app', () => {
  it('[FACE-9] shows words once, and all of them, where the name of an item repeats what is in it', async () => {
    const page = await openRenderer(1280, 800);
    const press = { command: 'press', input: {} };
    const item = (role: 'row' | 'listitem', name: string, ...children: UiNode[]): UiNode => ({ role, name, children });
    const link = (name: string): UiNode => ({ role: 'link', name, press });
    const cells = (...names: string[]): UiNode[] => names.map(name => ({ role: 'cell', name }));
    const items = [
      item('row', 'Ann, 2026-05-03: Budget', link('Budget')),
      item('row', 'Ann Lee', link('Ann Lee'), { role: 'text', name: 'Alder & Co' }),
      item('listitem', 'CORE-12', link('Soft delete'), { role: 'text', name: 'Done, High' }),
      item('listitem', 'Budgeting for Ann', link('Budget')),
      item('listitem', '4.5 stars: Fine', { role: 'text', name: 'It holds.' }),
    ];
    const table: UiNode = {
      role: 'table',
      name: 'Sums',
      children: [item('row', 'Pots, 3, €4', ...cells('Pots', '3', '€4'))],
    };
    await draw(page, {
      role: 'page',
      name: 'Test',
      children: [{ role: 'list', name: 'Five', children: items }, table],
    });
    const shown = (await page.locator('[role=row], [role=listitem]').allInnerTexts()).map(text =>
      text.split(/\s+/).toSorted().join(' '),
    );
    expect(shown).toEqual([
      '2026-05-03 Ann Budget',
      '& AL Alder Ann Co Lee',
      'CORE-12 Done, High Soft delete',
      'Ann Budget Budgeting for',
      '4.5 Fine It holds. stars: ★★★★★',
      '3 Pots €4',
    ]);
    await page.close();
  });

  it.each(apps)('[FACE-8] lets a pointer get at everything that can be acted on, wide and narrow: $id', async app => {
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ] as const) {
      const page = await openRenderer(width, height);
      for (const screen of screensOf(app, 30)) {
        await draw(page, screen);
        expect(await page.evaluate(covered)).toEqual([]);
        expect(await page.evaluate(sticksOut)).toEqual([]);
      }
      await page.close();
    }
  });

  it.each(apps)('[FACE-8] is large enough for a finger on a narrow screen: $id', async app => {
    const page = await openRenderer(390, 844);
    for (const screen of screensOf(app, 30)) {
      await draw(page, screen);
      expect(await page.evaluate(tooSmall)).toEqual([]);
    }
    await page.close();
  });

  it.each(['light', 'dark', 'contrast', 'warm'] as const)('[FACE-8] can be read in every theme: %s', async theme => {
    const page = await openRenderer(1280, 800);
    for (const app of apps) {
      for (const screen of screensOf(app, 12)) {
        await draw(page, screen, { theme, density: 'compact' });
        expect(await page.evaluate(faint)).toEqual([]);
      }
    }
    await page.close();
  });
});
