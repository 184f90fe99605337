import { characterKey, type Chord, type Key } from './keys.ts';
import type { Page } from './page.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface ClickOptions {
  readonly button?: 'right' | undefined;
  readonly double?: true | undefined;
}

/** Sent together: the page sees them in order, and waits for no answer in between. */
export async function click(page: Page, at: Point, { button, double }: ClickOptions = {}): Promise<void> {
  const held = { ...at, button: button ?? 'left' };
  const pressed = (clickCount: number): Promise<unknown>[] => [
    mouse(page, 'mousePressed', { ...held, clickCount, buttons: button === 'right' ? 2 : 1 }),
    mouse(page, 'mouseReleased', { ...held, clickCount, buttons: 0 }),
  ];
  await Promise.all([mouse(page, 'mouseMoved', { ...at, buttons: 0 }), ...pressed(1), ...(double ? pressed(2) : [])]);
}

/** Takes the pointer off the page: nothing is hovered over. */
export async function park(page: Page): Promise<void> {
  await mouse(page, 'mouseMoved', { x: -1, y: -1, buttons: 0 });
}

export async function hover(page: Page, at: Point): Promise<void> {
  await mouse(page, 'mouseMoved', { ...at, buttons: 0 });
}

const dragSteps = 8;

export async function drag(page: Page, from: Point, to: Point): Promise<void> {
  const way = Array.from({ length: dragSteps }, (_, index) => {
    const share = (index + 1) / dragSteps;
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
  });
  await mouse(page, 'mouseMoved', { ...from, buttons: 0 });
  await mouse(page, 'mousePressed', { ...from, button: 'left', clickCount: 1, buttons: 1 });
  // Moves that follow each other within a frame are made one: a drag needs each of them.
  for (const point of way) await mouse(page, 'mouseMoved', { ...point, button: 'left', buttons: 1 });
  await mouse(page, 'mouseReleased', { ...to, button: 'left', clickCount: 1, buttons: 0 });
}

export async function scroll(page: Page, at: Point, by: Point): Promise<void> {
  await mouse(page, 'mouseWheel', { ...at, deltaX: by.x, deltaY: by.y });
}

/** Every character by its key, as somebody types it. */
export async function type(page: Page, text: string): Promise<void> {
  for (const character of text.replaceAll('\r\n', '\n')) {
    await Promise.all(strike(page, characterKey(character), { modifiers: 0, commands: [] }));
  }
}

/** The whole text at once, in the place of what is selected. */
export async function insert(page: Page, text: string): Promise<void> {
  await page.send('Input.insertText', { text });
}

export async function press(page: Page, { keys, modifiers, commands }: Chord): Promise<void> {
  const held = keys.slice(0, -1);
  const last = keys.at(-1) as Key;
  await Promise.all([
    ...held.map(key => keyEvent(page, { type: 'rawKeyDown', ...key, modifiers })),
    ...strike(page, last, { modifiers, commands }),
    ...held.toReversed().map(key => keyEvent(page, { type: 'keyUp', ...key })),
  ]);
}

function strike(page: Page, { text, ...key }: Key, held: Pick<Chord, 'modifiers' | 'commands'>): Promise<unknown>[] {
  // With Control, Alt or Meta held, a key types nothing.
  const typed = text === undefined || (held.modifiers & 7) !== 0 ? {} : { text };
  return [
    keyEvent(page, { type: 'text' in typed ? 'keyDown' : 'rawKeyDown', ...key, ...typed, ...held }),
    keyEvent(page, { type: 'keyUp', ...key, modifiers: held.modifiers }),
  ];
}

function keyEvent(page: Page, event: Record<string, unknown>): Promise<unknown> {
  return page.send('Input.dispatchKeyEvent', event);
}

function mouse(page: Page, kind: string, event: Record<string, unknown>): Promise<unknown> {
  return page.send('Input.dispatchMouseEvent', { type: kind, ...event });
}
