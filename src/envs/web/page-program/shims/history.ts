import type { HistoryRecord, PageHistory, PageListeners } from '../parts.ts';

/**
 * Gives the page a history that can be restored: its entries are kept here, and the history of the browser has one entry
 * for each document.
 */
export function createHistory(listeners: PageListeners, quietly: <T>(work: () => T) => T): PageHistory {
  const { prototype } = History;
  const replaceReal = prototype.replaceState.bind(history);
  const goReal = prototype.go.bind(history);
  const stateReal = Object.getOwnPropertyDescriptor(prototype, 'state')?.get?.bind(history) as () => unknown;
  const later = globalThis.setTimeout;
  const { parse } = JSON;
  let entries: HistoryRecord['entries'] = [{ address: location.href, state: stateReal() }];
  let index = 0;

  const here = (): HistoryRecord['entries'][number] => ({ address: location.href, state: stateReal() });

  function push(): void {
    entries = [...entries.slice(0, index + 1), here()];
    index++;
  }

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
        entries = entries.with(index, here());
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
      else entries = entries.with(index, { address: event.destination.url, state: null });
    };
    listeners.hearOn(navigation, 'navigate', event => quietly(() => hear(event as NavigateEvent)));
  }

  replaceMembers();
  if (globalThis.navigation !== undefined) catchFragments();
  return {
    capture: (): HistoryRecord => ({ entries, index }),
    restore(record) {
      const wanted = record.entries[record.index];
      if (
        wanted !== undefined &&
        (location.href !== wanted.address || entries !== record.entries || index !== record.index)
      )
        replaceReal(wanted.state, '', wanted.address);
      ({ entries, index } = record);
    },
    /** A document that is come back to has its entries again. */
    adopt(record) {
      if (record.entries[record.index]?.address !== location.href) return;
      // Scripts of the page get at it: it has to be of their realm.
      entries = record.entries.map(({ address, state }) => ({
        address,
        state: parse(JSON.stringify(state ?? null)) as unknown,
      }));
      ({ index } = record);
    },
    back: () => go(-1),
    canGoBack: () => index > 0 || quietly(() => globalThis.navigation?.canGoBack === true),
  };
}
