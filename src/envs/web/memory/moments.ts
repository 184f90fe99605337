import type { Moment } from './records.ts';

/** Keeps moments of the page, and puts them back. Runs in the page, before any script of it. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one text
export function installMoments(): void {
  const keeper = globalThis.espalierKeeper;
  const { listeners, observers, time, limits, promises } = keeper;
  const moments = new Map<number, Moment>();
  const stores = new Map<string, { readonly text: string; readonly word: string }>();
  let lastId = 0;

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
    const clock = time.capture();
    const watches = observers.capture();
    const others = listeners.lasting().map(target => [target, listeners.of(target)] as const);
    const heard = [listeners.of(globalThis), ...others.map(([, known]) => known)];
    const graph = keeper.graph.capture({
      nodeWord: node => `node ${paper.place(node)}`,
      readTree: paper.readStray,
      laden: [...paper.laden, ...heard.flat().map(({ listener }) => listener as object)],
      later: [
        ...clock.timers.flatMap(({ run, values }) => [run, ...values]),
        ...[...watches.values()].map(({ callback }) => callback),
      ],
    });
    const storage = storages().map(store => [store, Object.entries(store).toSorted()] as const);
    const [cookie, address] = [storage.length === 0 ? '' : document.cookie, location.href];
    const parts = { graph, paper, time: clock, watches, others, windows: heard[0] ?? [], storage, cookie, address };
    const travel = keeper.history.capture();
    const clipboard = keeper.clipboard.capture();
    const pointer = keeper.pointer.capture();
    const whole = { ...parts, history: travel, clipboard, pointer, elements: keeper.elements };
    const digest = digestOf(whole);
    return { ...whole, digest, certificate: certificateOf(whole, digest), marks: { promises: 0, limits: 0 } };
  }

  type Parts = Omit<Moment, 'digest' | 'certificate' | 'marks'>;

  function digestOf({ graph, paper, storage, cookie, address }: Parts): string {
    const { pathname, search, hash } = new URL(address);
    const stored = storage.flatMap(([, entries]) => [
      'store',
      ...entries.flatMap(([name, text]) => [name, wordOf(name, text)]),
    ]);
    return hashOf([graph.hash, paper.hash(), pathname, search, hash, cookie, ...stored]);
  }

  /** Pages store long texts, and change them seldom. */
  function wordOf(name: string, text: string): string {
    const known = stores.get(name);
    if (known?.text === text) return known.word;
    const word = hashOf([text]);
    stores.set(name, { text, word });
    return word;
  }

  function certificateOf({ graph, paper, time: clock, history: travel, clipboard }: Parts, digest: string): string {
    const { now, chance, timers } = clock;
    const due = timers.map(timer => `${timer.due} ${String(timer.every)} ${keeper.scopes.wordOf(timer.run)}`);
    const way = travel.entries.map(({ address }) => address);
    const words = [digest, graph.sealed, paper.sealed(), clipboard, String(now), String(chance), String(travel.index)];
    return hashOf([...words, ...due.toSorted(), ...way]);
  }

  function hashOf(words: readonly string[]): string {
    const hasher = keeper.hasher();
    for (const word of words) hasher.text(word);
    return hasher.word();
  }

  function asJson(record: Moment['history']): string | null {
    try {
      return JSON.stringify(record);
    } catch {
      return null;
    }
  }

  /** What is not as it was, in words. */
  function differenceOf(now: Moment, kept: Moment): string | null {
    const beyond = now.paper.unsupported() ?? now.graph.unsupported;
    if (beyond !== null) return `it has ${beyond}`;
    if (now.certificate === kept.certificate) return null;
    if (now.graph.hash !== kept.graph.hash) return 'the data of its scripts differ';
    if (now.paper.hash() !== kept.paper.hash()) return 'its document differs';
    if (now.paper.sealed() !== kept.paper.sealed()) return 'its listeners, focus or scrolling differ';
    if (now.graph.sealed !== kept.graph.sealed) return 'what its timers work with differs';
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

  /** What scripts hung on nodes since is taken off again. */
  function unload({ graph, paper }: Moment): void {
    const known = new Set(graph.objects);
    for (const node of paper.nodes)
      if (!known.has(node)) for (const key of Reflect.ownKeys(node)) Reflect.deleteProperty(node, key);
  }

  function putBack(moment: Moment): string | null {
    keeper.graph.restore(moment.graph);
    listeners.put(globalThis, moment.windows);
    const others = new Map(moment.others);
    for (const target of listeners.lasting()) listeners.put(target, others.get(target) ?? []);
    for (const [store, entries] of moment.storage) putStorage(store, entries);
    if (moment.storage.length > 0) putCookies(moment.cookie);
    keeper.history.restore(moment.history);
    const problem = keeper.paper.restore(moment.paper);
    unload(moment);
    observers.restore(moment.watches);
    time.restore(moment.time);
    keeper.clipboard.restore(moment.clipboard);
    keeper.pointer.restore(moment.pointer);
    keeper.elements = moment.elements;
    return problem;
  }

  /** What a page is told of what was put back reaches it late; nobody may hear of it until then. */
  async function passUnheard(moment: Moment, isDrawn: boolean): Promise<void> {
    try {
      keeper.endAnimations();
      await time.turn();
      if (
        isDrawn ||
        keeper.needsFrame() ||
        listeners.hears('toggle', 'close', 'selectionchange', 'transitionend', 'animationend')
      ) {
        await keeper.drawn();
        await keeper.drawn();
      }
      await time.turn();
      // Listeners of ours may have scrolled or focused on the way.
      keeper.person.restore(moment.paper.person);
      keeper.forgetPlace();
    } finally {
      observers.drain();
      listeners.mute(false);
    }
  }

  function obstacleTo(moment: Moment): string | null {
    const beyond = limits.passed(moment.marks.limits);
    if (beyond !== null) return `it has used ${beyond}`;
    if (promises.hasSettledSince(moment.marks.promises)) return 'a promise that was open has been settled since';
    return null;
  }

  function put(id: number): string | null {
    const moment = moments.get(id);
    if (moment === undefined) return 'the page was loaded anew since';
    const obstacle = obstacleTo(moment);
    if (obstacle !== null) return obstacle;
    listeners.mute(true);
    const problem = putBack(moment);
    if (problem !== null) listeners.mute(false);
    return problem;
  }

  async function confirm(id: number, isDrawn: boolean): Promise<string | null> {
    const moment = moments.get(id) as Moment;
    await passUnheard(moment, isDrawn);
    return differenceOf(momentNow(), moment);
  }

  keeper.memory = {
    keep() {
      const moment = momentNow();
      const marks = { promises: promises.mark(), limits: limits.mark() };
      const id = ++lastId;
      moments.set(id, { ...moment, marks });
      const { digest, certificate, paper, graph } = moment;
      const beyond = limits.beyond() ?? paper.unsupported() ?? graph.unsupported;
      const unsupported = beyond === null ? keeper.scopes.unknown() : `it has ${beyond}`;
      return {
        id,
        fingerprint: { digest, certificate },
        unsupported,
        fresh: keeper.scopes.freshCount(),
        scripts: keeper.paper.scripts(),
        entry: globalThis.navigation?.currentEntry?.key ?? '',
        history: asJson(moment.history),
      };
    },
    async restore(id) {
      return put(id) ?? confirm(id, false);
    },
    put,
    confirm: id => confirm(id, true),
    forget(ids) {
      for (const id of ids) moments.delete(id);
    },
  };
}
