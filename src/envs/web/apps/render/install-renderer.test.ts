import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../../../test/chromium.ts';
import type { StateSession } from '../../../../core/contracts.ts';
import { EspalierError } from '../../../../core/errors.ts';
import { createRandom } from '../../../../core/random.ts';
import { createScreen, type UiNode } from '../../../../core/ui.ts';
import type { App } from '../../../../worlds/app/app.ts';
import { createWorld } from '../../../../worlds/world.ts';
import { mail } from '../../../apps/mail/mail.ts';
import { shop } from '../../../apps/shop/shop.ts';
import { tracker } from '../../../apps/tracker/tracker.ts';
import { toRenderNode, type Appearance } from './render-node.ts';
import { renderScript } from './render-script.ts';
import { isLong } from '../../../../../test/long-form.ts';

const script = renderScript();
const light: Appearance = { theme: 'light', density: 'comfortable' };
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

/** An empty document with a renderer in it. */
async function freshen(page: Page): Promise<void> {
  await page.goto('data:text/html,<!doctype html>');
  await page.evaluate('globalThis.espalierIntent = () => {}');
  await page.evaluate(script);
}

async function openRenderer(width = 1280, height = 800): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height } });
  await freshen(page);
  return page;
}

async function draw(page: Page, root: UiNode, look = light): Promise<void> {
  await page.evaluate(([node, wanted]) => globalThis.espalierFace.draw(node, wanted), [
    toRenderNode(root),
    look,
  ] as const);
}

/** The screens of a random walk: what an app shows when things are done to it. */
function walk(session: StateSession, seed: string, steps: number): UiNode[] {
  const random = createRandom(seed);
  const screens = [session.screen()];
  for (let step = 0; step < steps; step++) {
    session.step(random.pick(session.candidates()).action);
    screens.push(session.screen());
  }
  return screens;
}

function walksOf<S extends Parameters<typeof createWorld>[0] extends App<infer T> ? T : never>(
  app: App<S>,
  steps: number,
): UiNode[] {
  const world = createWorld(app);
  return world.templates
    .filter((_, index) => index % 8 === 1)
    .flatMap(({ id }) => walk(world.open(world.task(id, 7)), `${app.id} ${id}`, steps));
}

/** Reads the document as one who cannot see would, and writes it as a screen is written. */
function readDocument(): string {
  const native: Record<string, string> = {
    NAV: 'navigation',
    H2: 'heading',
    P: 'text',
    BUTTON: 'button',
    SELECT: 'combobox',
    INPUT: 'textbox',
    TEXTAREA: 'textbox',
  };
  const wordy = 'heading text alert status cell button link tab menuitem'.split(' ');
  const onLine = (text: string): string => text.replaceAll('\n', ' ⏎ ');
  const ownText = (element: Element): string =>
    [...element.childNodes]
      .map(node => {
        if (!(node instanceof Element)) return node.textContent ?? '';
        return node.getAttribute('aria-hidden') === 'true' ? '' : ownText(node);
      })
      .join('');
  const read = (element: Element, indent: string): string => {
    if (element.getAttribute('aria-hidden') === 'true') return '';
    const told = element.getAttribute('role') ?? native[element.tagName];
    const role = told === 'paragraph' ? 'text' : told;
    const inner = (deeper: string): string => [...element.children].map(child => read(child, deeper)).join('');
    if (role === undefined) return inner(indent);
    const label = element.getAttribute('aria-label');
    const isWordy = label === null && wordy.includes(role);
    const name = isWordy ? ownText(element) : label;
    const ref = element.getAttribute('data-ref');
    let line = `${indent}${ref === null ? '' : `[${ref}] `}`;
    if (name === null) line += role;
    else line += role === 'text' ? onLine(name) : `${role} "${onLine(name)}"`;
    const live = 'value' in element && element.tagName !== 'BUTTON' ? String(element.value) : null;
    const value = element.getAttribute('data-value') ?? live;
    if (value !== null) line += value === '' ? ': (empty)' : `: ${onLine(value)}`;
    if (element instanceof HTMLSelectElement)
      line += ` {${[...element.options].map(option => option.value).join(' | ')}}`;
    for (const state of (element.getAttribute('data-states') ?? '').split(' ').filter(Boolean)) line += ` (${state})`;
    const isLeaf = isWordy || element instanceof HTMLSelectElement;
    return `${line}\n${isLeaf ? '' : inner(`${indent}  `)}`;
  };
  return `page "${document.title}"\n${[...document.body.children].map(child => read(child, '  ')).join('')}`;
}

/** Everything that a drawing is made of, what is in the fields included. */
function wholeDocument(): string {
  const fields = [...document.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, textarea, select')];
  const entries = fields.map(field => ('selectedIndex' in field ? `${field.selectedIndex}` : field.value));
  const { theme, density } = document.documentElement.dataset;
  return [document.title, theme, density, document.body.outerHTML, ...entries].join('\n');
}

const hostile = [
  '<script>alert(1)</script><b>"bold"</b> & \'quoted\' </textarea>',
  'Émile 👩‍👩‍👧‍👦 🇫🇮 ✂️ x̂ \u202e\u2066 zero\u200bwidth',
  'שלום עולם, مرحبا بالعالم',
  'first line\nsecond line\n\n  fourth line',
  `${'Donaudampfschifffahrtsgesellschaft'.repeat(100)} ${'words and more words '.repeat(80)}`,
  '',
  ' ',
];

/** A screen with every role, and with texts that break what is not careful. */
function screenOfAllKinds(text: string): UiNode {
  const press = { command: 'press', input: {} };
  const enter = { command: 'enter', input: {} };
  const kids: UiNode[] = [
    { role: 'heading', name: text },
    { role: 'text', name: text },
    { role: 'status', name: text },
    { role: 'text', name: `Key: ${text}x` },
    { role: 'link', name: text, press },
    { role: 'button', name: text, press, states: ['expanded'] },
    { role: 'textbox', name: text, value: text, enter, states: ['required', 'invalid'] },
    { role: 'textbox', name: 'Comment', value: text, enter },
    { role: 'combobox', name: text, value: text, options: [`${text}.`, 'other'], enter },
    { role: 'combobox', name: 'Chosen', value: `${text}.`, options: [`${text}.`, 'other'], enter },
    { role: 'tab', name: text, press, states: ['selected'] },
    { role: 'radio', name: text, press, states: ['checked', 'disabled'] },
  ];
  const row: UiNode = {
    role: 'row',
    name: `${text}, 2026-01-02: ${text}`,
    children: [
      { role: 'cell', name: text },
      { role: 'cell', name: `${text}, 2026-01-02` },
    ],
  };
  return {
    role: 'page',
    name: text.trim().replaceAll(/\s+/g, ' '),
    children: [
      { role: 'banner', name: text, children: [{ role: 'text', name: text }] },
      { role: 'navigation', name: text, children: [{ role: 'link', name: text, press, states: ['current'] }] },
      { role: 'alert', name: text },
      {
        role: 'region',
        name: text,
        children: [
          { role: 'search', name: text, children: [{ role: 'textbox', name: text, value: text, enter }] },
          { role: 'toolbar', name: text, children: [{ role: 'switch', name: text, press, states: ['checked'] }] },
          ...kids,
          { role: 'table', name: text, children: [row, row] },
          {
            role: 'list',
            name: text,
            children: [{ role: 'listitem', name: `${text}: ${text}`, press, value: text, children: kids }, row],
          },
          { role: 'list' },
          { role: 'form', children: kids },
          { role: 'dialog', name: text, children: [{ role: 'alert', name: text }, ...kids] },
          {
            role: 'menu',
            name: text,
            states: ['unread'],
            children: [{ role: 'menuitem', name: text, press, states: ['checked'] }],
          },
          { role: 'button', name: text, press, children: kids.slice(0, 2) },
          { role: 'checkbox', press },
          { role: 'textbox', value: text, states: ['disabled'], enter },
        ],
      },
    ],
  };
}

describe('the face of an app', () => {
  it.each((isLong ? [mail, shop, tracker] : [shop]) as unknown as App<never>[])(
    '[FACE-1] [FACE-2] shows every screen of $id as it is, drawn anew or over the screen before',
    async app => {
      const [patched, fresh] = [await openRenderer(), await openRenderer()];
      let before = '';
      for (const screen of walksOf(app, 12)) {
        const { text } = createScreen(screen);
        if (text === before) continue;
        before = text;
        await draw(patched, screen);
        expect(await patched.evaluate(readDocument)).toBe(text);
        await freshen(fresh);
        await draw(fresh, screen);
        expect(await patched.evaluate(wholeDocument)).toBe(await fresh.evaluate(wholeDocument));
      }
      await Promise.all([patched.close(), fresh.close()]);
    },
  );

  it('[FACE-1] [FACE-2] shows any text in any role: markup, emoji, right to left, line breaks, very long, none', async () => {
    const [patched, fresh] = [await openRenderer(390, 844), await openRenderer()];
    for (const text of hostile) {
      const screen = screenOfAllKinds(text);
      await draw(patched, screen);
      expect(await patched.evaluate(readDocument)).toBe(createScreen(screen).text);
      await freshen(fresh);
      await draw(fresh, screen);
      expect(await patched.evaluate(wholeDocument)).toBe(await fresh.evaluate(wholeDocument));
      for (const page of [patched, fresh])
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    }
    await Promise.all([patched.close(), fresh.close()]);
  });

  it('[FACE-1] refuses what no page can draw', () => {
    const enter = { command: 'enter', input: {} };
    const wrong: UiNode[] = [
      { role: 'textbox', name: 'Nested', enter, children: [{ role: 'text', name: 'inside' }] },
      { role: 'combobox', name: 'Pressed', press: enter },
      { role: 'button', name: 'Filled', enter },
    ];
    for (const node of wrong) {
      expect(() => toRenderNode({ role: 'page', children: [node] })).toThrow(EspalierError);
      expect(() => toRenderNode({ role: 'page', children: [node] })).toThrow(node.name);
    }
  });
});
