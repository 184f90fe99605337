import type { MainWindow } from '../parts.ts';
import type { PlatformReads } from './platform-reads.ts';

/** Says why an event that scripts hold cannot be kept. Those of the hand lead to nothing but nodes. */
export function createEventLimit(main: MainWindow, { of }: PlatformReads): (event: Event) => string | null {
  const { Event, UIEvent, MouseEvent, PointerEvent, KeyboardEvent, FocusEvent, WheelEvent } = main;
  const kinds = [Event, UIEvent, MouseEvent, PointerEvent, KeyboardEvent, FocusEvent, WheelEvent];
  const unsent = new Set<object>([Event, main.ClipboardEvent, main.DragEvent].map(({ prototype }) => prototype));
  /** One that was made to be compared with, and that nobody has dispatched. */
  const isUnsent = (event: Event): boolean => {
    const holds = ['clipboardData', 'dataTransfer'].some(name => (of(event, name) ?? null) !== null);
    const isBare = of(event, 'target') === null && of(event, 'eventPhase') === 0 && !holds;
    return isBare && unsent.has(Object.getPrototypeOf(event) as object);
  };
  const plain = new Set<object>(kinds.map(({ prototype }) => prototype));
  return event => {
    if (!event.isTrusted) return isUnsent(event) ? null : 'an event that a script made';
    // Moves hold the events that they were made of.
    const isPlain =
      plain.has(Object.getPrototypeOf(event) as object) &&
      !/^pointer(move|rawupdate)$/.test(of(event, 'type') as string);
    return isPlain ? null : 'an event that may hold something';
  };
}
