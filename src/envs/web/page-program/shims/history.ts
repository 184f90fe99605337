import type { HistoryRecord, PageHistory, PageListeners, PageTripwires } from '../parts.ts';
import { unknownMember } from '../members/unknown-members.ts';
import { prototypeOf, replaceGetter } from './clock-sources.ts';

export interface HistoryOptions extends Pick<PageTripwires, 'quietly' | 'isQuiet'> {
  /** Hears of what neither a snapshot nor a certificate covers. */
  refuse(what: string): void;
}

const foreignKey = unknownMember('NavigationHistoryEntry.key');

/**
 * Gives the page a history that can be restored: its entries are kept here, and the history of the browser has one entry
 * for each document.
 */
export function createHistory(listeners: PageListeners, { quietly, isQuiet, refuse }: HistoryOptions): PageHistory {
  const { prototype } = History;
  const replaceReal = prototype.replaceState.bind(history);
  const goReal = prototype.go.bind(history);
  const stateReal = Object.getOwnPropertyDescriptor(prototype, 'state')?.get?.bind(history) as () => unknown;
  const later = globalThis.setTimeout;
  const { parse } = JSON;
  // Draws from the chance of the page.
  const { randomUUID } = Crypto.prototype;
  type Entry = HistoryRecord['entries'][number];
  const here = (number: number): Entry => ({ number, address: location.href, state: stateReal() });
  let entries: HistoryRecord['entries'] = [here(0)];
  let [index, made, first] = [0, 1, 0];
  /** What the keys of its entries begin with, once a script has asked for one. */
  let keys: string | null = null;

  function push(): void {
    entries = [...entries.slice(0, index + 1), here(made++)];
    index++;
  }

  const replaced = (change: Partial<Entry> = {}): HistoryRecord['entries'] => {
    const { number } = entries[index] as Entry;
    return entries.with(index, { ...here(number), ...change });
  };

  function goTo(place: number): void {
    const wanted = entries[place];
    if (wanted === undefined || place === index) return;
    const before = location.href;
    index = place;
    replaceReal(wanted.state, '', wanted.address);
    dispatchEvent(new PopStateEvent('popstate', { state: wanted.state }));
    if (new URL(before).hash === new URL(wanted.address).hash) return;
    dispatchEvent(new HashChangeEvent('hashchange', { oldURL: before, newURL: wanted.address }));
  }

  function go(by: number): void {
    const place = index + by;
    if (by === 0) location.reload();
    else if (entries[place] !== undefined) later(() => goTo(place), 0);
    // Beyond the entries of this document lie other documents.
    else if (quietly(() => (by < 0 ? navigation.canGoBack : navigation.canGoForward)))
      goReal(by < 0 ? place : place - entries.length + 1);
  }

  function replaceMembers(): void {
    Object.assign(prototype, {
      pushState(state: unknown, unused: string, address?: string | URL | null) {
        replaceReal(state, unused, address);
        push();
      },
      replaceState(state: unknown, unused: string, address?: string | URL | null) {
        replaceReal(state, unused, address);
        entries = replaced();
      },
      go: (by?: number) => go(Number(by) || 0),
      back: () => go(-1),
      forward: () => go(1),
    });
    Object.defineProperty(prototype, 'length', {
      get: () => quietly(() => navigation.entries().length) + entries.length - 1,
      configurable: true,
    });
    // The browser remembers the value by itself, for all worlds at once, and would give an old one after a restore.
    Object.defineProperty(prototype, 'state', {
      get: () => entries[index]?.state ?? null,
      enumerable: true,
      configurable: true,
    });
  }

  /** Links and scripts that go to a part of the document make an entry: it is made here, and replaces the one there. */
  function catchFragments(): void {
    let isOurs = false;
    const hear = (event: NavigateEvent): void => {
      if (!event.hashChange || isOurs || event.navigationType === 'traverse') return;
      const isPush = event.navigationType === 'push';
      if (isPush) event.preventDefault();
      isOurs = true;
      try {
        if (isPush)
          void navigation.navigate(event.destination.url, { history: 'replace' }).committed?.catch(() => null);
      } finally {
        isOurs = false;
      }
      if (isPush) push();
      else entries = replaced({ address: event.destination.url, state: null });
    };
    listeners.hearOn(navigation, 'navigate', event => quietly(() => hear(event as NavigateEvent)));
  }

  /** Which entry of ours an object of the browser stands for. */
  const shown = new WeakMap<object, number>();
  const [numberOf, setNumber] = [shown.get.bind(shown), shown.set.bind(shown)];

  /** The browser draws keys by chance, and gives entries of one document the same one. Drawn here, a restore undoes it. */
  function keyOf(number: number): string {
    keys ??= randomUUID();
    return `${keys.slice(0, -12)}${String(number).padStart(12, '0')}`;
  }

  function watchKeys(): void {
    const show = (entry: unknown, number: number): unknown => {
      if (typeof entry === 'object' && entry !== null && numberOf(entry) === undefined) setNumber(entry, number);
      return entry;
    };
    replaceGetter(prototypeOf('Navigation'), 'currentEntry', entry => show(entry, (entries[index] as Entry).number));
    replaceGetter(prototypeOf('NavigationActivation'), 'entry', entry => show(entry, first));
    replaceGetter(prototypeOf('NavigationHistoryEntry'), 'key', (key, entry) => {
      if (isQuiet()) return key;
      const number = numberOf(entry as object);
      if (number !== undefined) return keyOf(number);
      // One of another document.
      refuse(foreignKey);
      return key;
    });
  }

  replaceMembers();
  watchKeys();
  if (globalThis.navigation !== undefined) catchFragments();
  return {
    capture: (): HistoryRecord => ({ entries, index, made, keys }),
    restore(record) {
      const wanted = record.entries[record.index];
      if (
        wanted !== undefined &&
        (location.href !== wanted.address || entries !== record.entries || index !== record.index)
      )
        replaceReal(wanted.state, '', wanted.address);
      ({ entries, index, made, keys } = record);
    },
    /** A document that is come back to has its entries again. */
    adopt(record) {
      if (record.entries[record.index]?.address !== location.href) return;
      // Scripts of the page get at it: it has to be of their realm.
      entries = record.entries.map(({ number, address, state }) => ({
        number,
        address,
        state: parse(JSON.stringify(state ?? null)) as unknown,
      }));
      ({ index, made, keys } = record);
      first = (entries[index] as Entry).number;
    },
    back: () => go(-1),
    canGoBack: () => index > 0 || quietly(() => globalThis.navigation?.canGoBack === true),
  };
}
