import type { GraphRecord, PaperRecord, Registration, TimeRecord } from './keeper.ts';

interface Moment {
  readonly graph: GraphRecord;
  readonly paper: PaperRecord;
  readonly time: TimeRecord;
  readonly windows: readonly Registration[];
  readonly storage: readonly (readonly [Storage, readonly (readonly [string, string])[]])[];
  readonly cookie: string;
  readonly address: string;
  readonly history: unknown;
  readonly certificate: string;
}

/** Keeps moments of the page, and puts them back. Runs in the page, before any script of it. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one text
export function installMemory(): void {
  const keeper = globalThis.espalierKeeper;
  const { mixText } = keeper;
  const moments = new Map<number, Moment>();
  let last = 0;

  function storages(): Storage[] {
    try {
      return [localStorage, sessionStorage];
    } catch {
      // A page without an origin has none.
      return [];
    }
  }

  function momentNow(): Moment {
    const paper = keeper.paper.capture();
    const graph = keeper.graph.capture(paper.laden);
    const storage = storages().map(store => [store, Object.entries(store).toSorted()] as const);
    const [cookie, address] = [storage.length === 0 ? '' : document.cookie, location.href];
    const time = keeper.time.capture();
    const digest = digestOf({ graph, paper, storage, cookie, address });
    const timers = time.timers.map(({ due, every, run }) => `${due} ${String(every)} ${run.name}`).toSorted();
    const certificate = hashOf([digest, paper.sealed, String(time.now), String(time.chance), ...timers]);
    const windows = keeper.listeners.of(globalThis);
    return { graph, paper, time, windows, storage, cookie, address, history: history.state, certificate };
  }

  function digestOf(moment: Pick<Moment, 'graph' | 'paper' | 'storage' | 'cookie' | 'address'>): string {
    const { graph, paper, storage, cookie, address } = moment;
    const { pathname, search, hash } = new URL(address);
    const stored = storage.flatMap(([, entries]) => entries.map(([key, value]) => `${key}=${value}`));
    return hashOf([graph.hash, paper.hash, pathname, search, hash, cookie, ...stored]);
  }

  function hashOf(words: readonly string[]): string {
    const lanes = [words.reduce(mixText, 19), words.reduce(mixText, 0x3c6ef372)];
    return lanes.map(lane => (lane >>> 0).toString(16).padStart(8, '0')).join('');
  }

  /** What is not as it was, in words. */
  function differenceOf(now: Moment, kept: Moment): string | null {
    if (now.certificate === kept.certificate) return null;
    if (now.graph.hash !== kept.graph.hash) return 'its data differ';
    if (now.paper.hash !== kept.paper.hash) return 'its document differs';
    if (now.paper.sealed !== kept.paper.sealed) return 'its listeners, focus or scrolling differ';
    return 'its storage, address or timers differ';
  }

  function putStorage(store: Storage, wanted: readonly (readonly [string, string])[]): void {
    const names = new Set(wanted.map(([name]) => name));
    for (const name of Object.keys(store)) if (!names.has(name)) store.removeItem(name);
    for (const [name, value] of wanted) if (store.getItem(name) !== value) store.setItem(name, value);
  }

  function putCookies(wanted: string): void {
    if (document.cookie === wanted) return;
    for (const pair of document.cookie.split('; '))
      document.cookie = `${pair.split('=', 1)[0] ?? ''}=; max-age=0; path=/`;
    for (const pair of wanted.split('; ')) if (pair !== '') document.cookie = `${pair}; path=/`;
  }

  function putBack(moment: Moment): boolean {
    keeper.graph.restore(moment.graph);
    keeper.listeners.put(globalThis, moment.windows);
    for (const [store, entries] of moment.storage) putStorage(store, entries);
    if (moment.storage.length > 0) putCookies(moment.cookie);
    if (location.href !== moment.address) history.replaceState(moment.history, '', moment.address);
    const scrolled = keeper.paper.restore(moment.paper);
    keeper.time.restore(moment.time);
    return scrolled;
  }

  keeper.memory = {
    keep() {
      const moment = momentNow();
      const id = ++last;
      moments.set(id, moment);
      const { certificate, paper } = moment;
      return { id, fingerprint: { digest: digestOf(moment), certificate }, unsupported: paper.unsupported };
    },
    async restore(id) {
      const moment = moments.get(id);
      if (moment === undefined) return 'the page was loaded anew since';
      const spent = moment.time.timers.find(timer => timer.isResolver && keeper.time.hasFired(timer.id));
      if (spent !== undefined) return 'a promise that waited for a timer was kept since, and cannot be kept again';
      keeper.listeners.mute(true);
      try {
        const scrolled = putBack(moment);
        await keeper.time.turn();
        if (scrolled && keeper.listeners.hears('scroll')) await keeper.drawn();
        await keeper.time.turn();
      } finally {
        keeper.listeners.drain();
        keeper.listeners.mute(false);
      }
      const difference = differenceOf(momentNow(), moment);
      keeper.look();
      return difference;
    },
    forget(ids) {
      for (const id of ids) moments.delete(id);
    },
  };
}
