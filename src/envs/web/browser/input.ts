import { characterKey, type Chord, type Key } from './keys.ts';
import { LostError, type Params } from './connection.ts';
import type { Page } from './page.ts';

/** What holds mouse and keyboard. */
export interface Hand extends Pick<Page, 'send'> {
  /** Waited for after each event, where scripts of the page hear more of it before the next one comes. */
  heard?(): Promise<void>;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface ClickOptions {
  readonly button?: 'right' | undefined;
  readonly double?: true | undefined;
}

export async function click(hand: Hand, at: Point, options: ClickOptions = {}): Promise<void> {
  await perform(hand, clickAt(at, options));
}

/** Clicks, and takes the pointer off the page. */
export async function clickAndPark(hand: Hand, at: Point): Promise<void> {
  await perform(hand, [...clickAt(at, {}), parked]);
}

/** Takes the pointer off the page: nothing is hovered over. */
export async function park(hand: Hand): Promise<void> {
  await perform(hand, [parked]);
}

export async function hover(hand: Hand, at: Point): Promise<void> {
  await perform(hand, [moved(at)]);
}

const dragSteps = 8;

export async function drag(hand: Hand, from: Point, to: Point): Promise<void> {
  const way = Array.from({ length: dragSteps }, (_, index) => {
    const share = (index + 1) / dragSteps;
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
  });
  await perform(hand, [moved(from)]);
  await perform(hand, [mouse('mousePressed', { ...from, button: 'left', clickCount: 1, buttons: 1 })]);
  // Moves that follow each other within a frame are made one: a drag needs each of them.
  for (const point of way) await perform(hand, [mouse('mouseMoved', { ...point, button: 'left', buttons: 1 })]);
  await perform(hand, [mouse('mouseReleased', { ...to, button: 'left', clickCount: 1, buttons: 0 })]);
}

export async function scroll(hand: Hand, at: Point, by: Point): Promise<void> {
  await perform(hand, [mouse('mouseWheel', { ...at, deltaX: by.x, deltaY: by.y })]);
}

/** Every character by its key, as somebody types it. */
export async function type(hand: Hand, text: string): Promise<void> {
  for (const character of text.replaceAll('\r\n', '\n')) {
    await perform(hand, strike(characterKey(character), { modifiers: 0, commands: [] }));
  }
}

/** The whole text at once, in the place of what is selected. */
export async function insert(hand: Hand, text: string): Promise<void> {
  await perform(hand, [{ method: 'Input.insertText', params: { text } }]);
}

export async function press(hand: Hand, { keys, modifiers, commands }: Chord): Promise<void> {
  const held = keys.slice(0, -1);
  const last = keys.at(-1) as Key;
  await perform(hand, [
    ...held.map(key => keyEvent({ type: 'rawKeyDown', ...key, modifiers })),
    ...strike(last, { modifiers, commands }),
    ...held.toReversed().map(key => keyEvent({ type: 'keyUp', ...key })),
  ]);
}

interface InputEvent {
  readonly method: string;
  readonly params: Params;
}

/**
 * Sent together, where nothing has to be done in between: the page sees them in order. What goes wrong with one may take the
 * page away from the others: the cause is told, not its consequence.
 */
async function perform(hand: Hand, events: readonly InputEvent[]): Promise<void> {
  if (hand.heard !== undefined) {
    for (const { method, params } of events) {
      await hand.send(method, params);
      await hand.heard();
    }
    return;
  }
  const parts = await Promise.allSettled(events.map(({ method, params }) => hand.send(method, params)));
  const failures = parts.flatMap(part => (part.status === 'rejected' ? [part.reason as unknown] : []));
  const cause = failures.find(failure => !(failure instanceof LostError)) ?? failures[0];
  if (cause !== undefined) throw cause;
}

const parked = moved({ x: -1, y: -1 });

function moved(to: Point): InputEvent {
  return mouse('mouseMoved', { ...to, buttons: 0 });
}

function clickAt(at: Point, { button, double }: ClickOptions): readonly InputEvent[] {
  const held = { ...at, button: button ?? 'left' };
  const pressed = (clickCount: number): InputEvent[] => [
    mouse('mousePressed', { ...held, clickCount, buttons: button === 'right' ? 2 : 1 }),
    mouse('mouseReleased', { ...held, clickCount, buttons: 0 }),
  ];
  return [moved(at), ...pressed(1), ...(double === true ? pressed(2) : [])];
}

function strike({ text, ...key }: Key, held: Pick<Chord, 'modifiers' | 'commands'>): InputEvent[] {
  // With Control, Alt or Meta held, a key types nothing.
  const typed = text === undefined || (held.modifiers & 7) !== 0 ? {} : { text };
  return [
    keyEvent({ type: 'text' in typed ? 'keyDown' : 'rawKeyDown', ...key, ...typed, ...held }),
    keyEvent({ type: 'keyUp', ...key, modifiers: held.modifiers }),
  ];
}

function keyEvent(params: Params): InputEvent {
  return { method: 'Input.dispatchKeyEvent', params };
}

function mouse(kind: string, event: Params): InputEvent {
  return { method: 'Input.dispatchMouseEvent', params: { type: kind, ...event } };
}
