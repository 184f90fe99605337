import type { Action, BrowserAction } from '../../core/action.ts';
import type { Problem } from '../../core/records.ts';
import { click, drag, hover, insert, park, press, scroll, type } from './browser/input.ts';
import { readChord } from './browser/keys.ts';
import type { Page } from './browser/page.ts';
import type { Place } from './page/keeper.ts';

export type RefAction = Extract<Action, { kind: 'click' | 'fill' | 'select' }>;

/** Does in a page what an action says, as a person would with mouse and keyboard; the reason when it cannot be done. */
export async function performOnElement(page: Page, action: RefAction): Promise<Problem | null> {
  const place = await call<Place>(page, 'locate', action.ref);
  if ('problem' in place) return { code: place.code, message: place.problem };
  const wanted = { click: 'none', fill: 'text', select: 'choice' }[action.kind];
  const isValue = action.kind === 'fill' && place.entry === 'value';
  if (action.kind !== 'click' && place.entry !== wanted && !isValue) return wrongGesture(action, place.entry);
  if (action.kind === 'select') return entered(await call(page, 'choose', action.ref, action.option));
  if (isValue) return entered(await call(page, 'give', action.ref, action.text));
  await Promise.all([click(page, place), park(page)]);
  if (action.kind === 'click') return null;
  await call(page, 'begin', action.ref);
  await (action.text === '' ? press(page, deletion) : insert(page, action.text));
  await call(page, 'complete', action.ref);
  return null;
}

const deletion = { keys: [{ key: 'Delete', code: 'Delete', windowsVirtualKeyCode: 46 }], modifiers: 0, commands: [] };

/** By pixels and keys: whatever is there gets it. */
export async function performByHand(page: Page, action: BrowserAction): Promise<Problem | null> {
  switch (action.kind) {
    case 'click-at':
      await click(page, action, action);
      return null;
    case 'hover-at':
      await hover(page, action);
      return null;
    case 'drag':
      await drag(page, action.from, action.to);
      return null;
    case 'scroll':
      await scroll(page, action, { x: action.dx, y: action.dy });
      // What is scrolled is told to the page with the next frame.
      await page.evaluate('espalierKeeper.drawn().then(espalierKeeper.drawn)');
      return null;
    case 'type':
      await type(page, action.text);
      return null;
    case 'press': {
      const chord = readChord(action.key);
      if (chord === null) return { code: 'invalid-action', message: `There is no key "${action.key}".` };
      await press(page, chord);
      return null;
    }
    case 'back':
      await page.evaluate('history.back()');
      return null;
    case 'wait':
      return null;
  }
}

function call<T>(page: Page, name: string, ...values: string[]): Promise<T> {
  return page.evaluate<T>(`espalierKeeper.hand.${name}(${values.map(value => JSON.stringify(value)).join(', ')})`);
}

function entered(wrong: string | null): Problem | null {
  return wrong === null ? null : { code: 'invalid-action', message: wrong };
}

function wrongGesture({ ref, kind }: RefAction, entry: string): Problem {
  const takes = entry === 'choice' ? 'select' : entry === 'none' ? 'click' : 'fill';
  return { code: 'invalid-action', message: `${ref} takes ${takes}, not ${kind}.` };
}
