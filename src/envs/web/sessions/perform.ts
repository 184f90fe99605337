import type { Action, BrowserAction } from '../../../core/action.ts';
import type { Problem } from '../../../core/records.ts';
import {
  click,
  clickAndPark,
  drag,
  hover,
  insert,
  press,
  scroll,
  type,
  type Hand,
  type Point,
} from '../browser/input.ts';
import { deletion, readChord } from '../browser/keys.ts';
import { wasLeft } from '../tab/loading.ts';
import { given, type ProgramPage } from '../tab/page-program.ts';
import type { Target } from '../page-program/page-records.ts';

export interface Manner {
  readonly byScript?: boolean;
  /** Whether scripts of the page post messages: those that an event makes them post come before the next event. */
  readonly posts?: boolean;
}

export type RefAction = Extract<Action, { kind: 'click' | 'fill' | 'select' }>;

/**
 * Does in a page what an action says, as a person would with mouse and keyboard; the reason when it cannot be done. By
 * script, a click is made in the page where that does the same.
 */
export async function performOnElement(
  page: ProgramPage,
  action: RefAction,
  { byScript = false, posts = false }: Manner = {},
): Promise<Problem | null> {
  const hand = handOn(page, posts);
  const { ref, ...gesture } = action;
  const isScripted = byScript && action.kind === 'click';
  const place = await (isScripted
    ? page.ask<Target>(`program.actions.click(${JSON.stringify(ref)}, ${posts})`, { asUser: true })
    : call<Target>(page, 'locate', ref, gesture));
  if ('problem' in place) return { code: place.code, message: place.problem };
  if (place.isClicked === true) return null;
  if (action.kind === 'select') await call(page, 'choose', ref, action.option);
  else if (action.kind === 'fill' && place.entry === 'value') await call(page, 'give', ref, action.text);
  else await clickAndPark(hand, place);
  if (action.kind !== 'fill' || place.entry === 'value') return null;
  await call(page, 'begin', ref);
  await hand.heard?.();
  await (action.text === '' ? press(hand, deletion) : insert(hand, action.text));
  await call(page, 'complete', ref);
  return null;
}

/** By pixels and keys: whatever is there gets it. */
export async function performByHand(page: ProgramPage, action: BrowserAction, posts = false): Promise<Problem | null> {
  const hand = handOn(page, posts);
  const outside = await firstOutside(page, pointsOf(action));
  if (outside !== null) return outside;
  switch (action.kind) {
    case 'click-at':
      await click(hand, action, action);
      return null;
    case 'hover-at':
      await hover(hand, action);
      return null;
    case 'drag':
      await drag(hand, action.from, action.to);
      return null;
    case 'scroll':
      await scroll(hand, action, { x: action.dx, y: action.dy });
      // What is scrolled is told to the page with the next frame.
      await page.ask('program.drawnTwice()');
      return null;
    case 'type':
      await type(hand, action.text);
      return null;
    case 'press': {
      const chord = readChord(action.key);
      if (chord === null) return { code: 'invalid-action', message: `There is no key "${action.key}".` };
      await press(hand, chord);
      return null;
    }
    case 'back':
      return goBack(page);
    case 'wait':
      return null;
  }
}

/** Where the pointer is after an action; null when it was taken off the page. */
export function pointerAfter(action: Action, before: Point | null): Point | null {
  if ('ref' in action) return null;
  return pointsOf(action).at(-1) ?? before;
}

function pointsOf(action: Action): readonly Point[] {
  if (action.kind === 'drag') return [action.from, action.to];
  return 'x' in action ? [{ x: action.x, y: action.y }] : [];
}

async function firstOutside(page: ProgramPage, points: readonly Point[]): Promise<Problem | null> {
  if (points.length === 0) return null;
  const [width, height] = await page.ask<[number, number]>('program.size()');
  const outside = points.find(({ x, y }) => x >= width || y >= height);
  if (outside === undefined) return null;
  const message = `(${outside.x}, ${outside.y}) lies outside of the page: it is ${width} wide and ${height} high.`;
  return { code: 'invalid-action', message };
}

async function goBack(page: ProgramPage): Promise<Problem | null> {
  if (await page.ask<boolean>('program.history.canGoBack()')) {
    await page.ask('program.history.back()');
    return null;
  }
  return { code: 'invalid-action', message: 'There is nothing to go back to: this is where the session started.' };
}

/** The order of messages and events must not depend on how busy the machine is. */
function handOn(page: ProgramPage, posts: boolean): Hand {
  if (!posts) return page;
  return {
    send: page.send,
    async heard() {
      try {
        await page.ask('program.delivered()');
      } catch (cause) {
        // A document that was left gets none.
        if (!wasLeft(cause)) throw cause;
      }
    },
  };
}

function call<T>(page: ProgramPage, name: string, ...values: unknown[]): Promise<T> {
  return page.ask<T>(`program.actions.${name}(${values.map(given).join(', ')})`);
}
