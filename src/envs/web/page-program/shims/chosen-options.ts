import { closedTraps } from '../traps.ts';

/** Which options somebody has chosen: these no longer follow their attribute, and the browser shows that to no script. */
export interface ChosenOptions {
  isChosen(option: Element): boolean;
  /** A form that is reset forgets it. */
  forget(select: HTMLSelectElement): void;
}

// Taken before they are watched.
const { apply } = Reflect;
const getter = (holder: object, name: string): (() => unknown) =>
  Object.getOwnPropertyDescriptor(holder, name)?.get as () => unknown;

type Hear = (type: string, listener: (event: Event, target: EventTarget | null) => void, isLast?: boolean) => void;

export function watchChosenOptions(hear: Hear): ChosenOptions {
  const chosen = new WeakSet<object>();
  const [isChosen, add, drop] = [chosen.has.bind(chosen), chosen.add.bind(chosen), chosen.delete.bind(chosen)];
  const [selectedIn, optionsOf] = ['selectedIndex', 'options'].map(name => getter(HTMLSelectElement.prototype, name));
  const isSelected = getter(HTMLOptionElement.prototype, 'selected');
  const { closest } = Element.prototype;
  const itemOf = HTMLCollection.prototype.item as (index: number) => Element | null;

  const noteSelected = (select: unknown): void => {
    if (!(select instanceof HTMLSelectElement)) return;
    const index = apply(selectedIn as () => number, select, []);
    const option = index < 0 ? null : apply(itemOf, apply(optionsOf as () => unknown, select, []), [index]);
    if (option !== null) add(option);
  };
  const forget = (select: HTMLSelectElement): void => {
    for (const option of select.options) drop(option);
  };

  /** The browser does not count a write that changes nothing. */
  function watch(holder: object, name: string, note: (self: unknown, before: unknown) => void): void {
    const member = Object.getOwnPropertyDescriptor(holder, name);
    const set = member?.set;
    if (member === undefined || set === undefined) return;
    const traps = closedTraps<typeof set>({
      apply(target, self, values: unknown[]) {
        const before = self instanceof HTMLOptionElement ? apply(isSelected, self, []) : null;
        apply(target, self, values);
        note(self, before);
      },
    });
    Object.defineProperty(holder, name, { ...member, set: new Proxy(set, traps) });
  }

  for (const name of ['value', 'selectedIndex']) watch(HTMLSelectElement.prototype, name, noteSelected);
  watch(HTMLOptionsCollection.prototype, 'selectedIndex', list => {
    const first = apply(itemOf, list, [0]);
    if (first !== null) noteSelected(apply(closest, first, ['select']));
  });
  watch(HTMLOptionElement.prototype, 'selected', (option, before) => {
    if (apply(isSelected, option, []) !== before) add(option as object);
  });
  hear('input', ({ isTrusted }, target) => {
    if (isTrusted) noteSelected(target);
  });
  hear(
    'reset',
    ({ defaultPrevented }, form) => {
      if (defaultPrevented || !(form instanceof HTMLFormElement)) return;
      for (const field of form.elements) if (field instanceof HTMLSelectElement) forget(field);
    },
    true,
  );
  return { isChosen: option => isChosen(option), forget };
}
