import type { SnapshotHandle, RestoreAttempt, PageView } from '../page-records.ts';
import type { MainParts, MainWindow } from '../parts.ts';
import { motionEvents } from '../shims/motion-events.ts';
import { createLoaded, loadedSince } from './loaded.ts';
import { createHasher, type Neutral } from './hash.ts';
import type { PageObserver } from './observer.ts';
import { createRememberedSizes } from './remembered-sizes.ts';
import type { Soundness } from './soundness.ts';
import { areListed, createStorages } from './storages.ts';
import type { HiddenTexts, PageDom, PageGraph, PageScopes, SnapshotRecord } from './records.ts';

export interface SnapshotOptions {
  readonly main: MainWindow;
  readonly parts: MainParts;
  readonly graph: PageGraph;
  readonly dom: PageDom;
  readonly scopes: PageScopes;
  readonly texts: HiddenTexts;
  readonly observer: PageObserver;
  readonly neutral: Neutral;
  /** Why no snapshot of this page can be trusted at all. */
  readonly obstacle: string | null;
  readonly soundness: Soundness;
}

export interface PageSnapshots {
  /** An unchecked one is taken without asking whether scripts changed what the browser brought along. */
  keep(view: PageView, how: { readonly unchecked: boolean; readonly unsound: string | null }): SnapshotHandle;
  /** Restores a snapshot while the page is muted; says why it cannot be, or what has to be typed by hand. */
  restore(id: number, unchecked: boolean): RestoreAttempt;
  /** What the page shows, where everything is as it was; else what is not, in words. */
  compare(id: number): { readonly view: PageView } | { readonly refused: string };
  /** Restores the focus, after listeners of ours may have moved it. */
  restoreFocus(id: number): void;
  forget(ids: readonly number[]): void;
  /** What the page showed; null where it is not kept. */
  viewOf(id: number): PageView | null;
}

type Parts = Omit<SnapshotRecord, 'digest' | 'certificate' | 'marks' | 'view'>;

/** Takes snapshots of the page, restores and compares them. */
export function createSnapshots({
  main,
  parts,
  graph,
  dom,
  scopes,
  texts,
  observer,
  neutral,
  obstacle,
  soundness,
}: SnapshotOptions): PageSnapshots {
  const { document, location } = main;
  const { listeners, observers, time, tripwires, promises, handedOut, styleRules } = parts;
  const snapshots = new Map<number, SnapshotRecord>();
  const storages = createStorages(main);
  const loaded = createLoaded(main, parts.roots);
  const remembered = createRememberedSizes(main, parts.roots);
  const stores = new Map<string, { readonly text: string; readonly word: string }>();
  let lastId = 0;

  const owed = (): string | null => {
    if (listeners.hears('selectionchange') && listeners.owesSelection())
      return 'a selection that its scripts are not told of yet';
    return listeners.hears(...motionEvents) && listeners.motions.owes()
      ? 'an animation that its scripts are not told of yet'
      : null;
  };

  /** Beside the record, why not all of it can be kept. */
  function capture(
    unchecked: boolean,
    unsound: string | null,
  ): Parts & Pick<SnapshotRecord, 'digest' | 'certificate'> & { readonly unsupported: string | null } {
    const hung = handedOut.lookThrough();
    const tree = dom.capture();
    const clock = time.capture();
    const watches = observers.capture();
    const others = listeners
      .lasting()
      .map(target => [target, listeners.of(target)] as const)
      .filter(([, known]) => known.length > 0);
    const heard = [listeners.of(main), ...others.map(([, known]) => known)];
    const data = graph.capture({
      unchecked,
      nodeWord: node => `node ${tree.place(node)}`,
      readTree: tree.readStray,
      laden: [...tree.laden, ...heard.flat().map(({ listener }) => listener as object)],
      later: [
        ...clock.timers.flatMap(({ run, values }) => [run, ...values]),
        ...[...watches.values()].map(({ callback }) => callback),
        ...parts.history.capture().entries.map(({ state }) => state),
      ],
    });
    const storage = storages.capture();
    const whole = {
      graph: data,
      dom: tree,
      time: clock,
      watches,
      styleRules: styleRules.capture(),
      databases: parts.databases.capture(),
      others,
      windows: heard[0] ?? [],
      storage,
      cookie: storage.length === 0 ? '' : document.cookie,
      address: location.href,
      name: main.name,
      history: parts.history.capture(),
      clipboard: parts.clipboard.capture(),
      pointer: parts.pointer.capture(),
      elements: observer.elements(),
      loaded: loaded(),
    };
    const digest = digestOf(whole);
    const unsupported =
      tripwires.beyond() ??
      unsound ??
      hung ??
      owed() ??
      parts.linked.unsettled() ??
      parts.databases.limit() ??
      remembered() ??
      tree.unsupported() ??
      data.unsupported;
    return { ...whole, digest, certificate: certificateOf(whole, digest), unsupported };
  }

  function digestOf({ graph: data, dom: tree, storage, cookie, name, styleRules: written, databases }: Parts): string {
    const { pathname, search, hash } = location;
    const stored = storage.flatMap(([, entries]) => [
      'store',
      ...entries.toSorted(byName).flatMap(([key, text]) => [key, wordOf(key, text)]),
    ]);
    const rules = written
      .map(([element, its]) => [tree.place(element), its] as const)
      .toSorted(([one], [other]) => one - other)
      .flatMap(([place, its]) => [`rules ${place}`, ...its]);
    return hashOf([
      data.hash,
      tree.hash(),
      pathname,
      search,
      hash,
      cookie,
      name,
      ...stored,
      ...rules,
      ...databases.contents.map(({ word }) => word),
    ]);
  }

  /** Pages store long texts, and change them seldom. */
  function wordOf(name: string, text: string): string {
    const known = stores.get(name);
    if (known?.text === text) return known.word;
    const word = hashOf([text]);
    stores.set(name, { text, word });
    return word;
  }

  function certificateOf(whole: Parts, digest: string): string {
    const { now, chance, timers } = whole.time;
    const due = timers.map(timer => `${timer.due} ${String(timer.every)} ${scopes.wordOf(timer.run)}`);
    const way = whole.history.entries.map(({ address }) => address);
    const { graph: data, dom: tree, clipboard, history, others, watches } = whole;
    const stored = whole.storage.flatMap(([, entries]) => entries.map(([key]) => key));
    const counts = [now, chance, history.index, others.length, watches.size].map(String);
    const heard = others.map(([, known]) => known.map(({ type, capture: isFirst }) => `${type} ${isFirst}`).join());
    return hashOf([
      digest,
      data.sealed,
      tree.sealed(),
      clipboard,
      ...counts,
      ...heard,
      ...due.toSorted(),
      ...way,
      'stored',
      ...stored,
    ]);
  }

  function hashOf(words: readonly string[]): string {
    const hasher = createHasher(neutral);
    for (const word of words) hasher.text(word);
    return hasher.word();
  }

  function asJson(record: SnapshotRecord['history']): string | null {
    try {
      return JSON.stringify(record);
    } catch {
      return null;
    }
  }

  function differenceOf(now: ReturnType<typeof capture>, kept: SnapshotRecord): string | null {
    if (now.unsupported !== null) return `it has ${now.unsupported}`;
    const late = loadedSince(now.loaded, kept.loaded);
    if (late !== null) return late;
    if (now.dom.radioChanges !== kept.dom.radioChanges)
      return 'one of its radio buttons had the focus, and none was chosen';
    if (now.certificate !== kept.certificate) {
      if (now.graph.hash !== kept.graph.hash)
        return `the data of its scripts differ: ${graph.difference(now.graph, kept.graph)}`;
      if (now.dom.hash() !== kept.dom.hash()) return `its document differs: ${dom.difference(now.dom, kept.dom)}`;
      if (now.dom.sealed() !== kept.dom.sealed()) return 'its listeners, focus or scrolling differ';
      if (now.graph.sealed !== kept.graph.sealed) return 'what its timers work with differs';
      const isListed = areListed(now.storage, kept.storage);
      return isListed ? 'its storage, address or timers differ' : 'its storage lists its names in another order';
    }
    return null;
  }

  function restoreCookies(wanted: string): void {
    if (document.cookie === wanted) return;
    for (const pair of document.cookie.split('; '))
      document.cookie = `${pair.split('=', 1)[0] ?? ''}=; max-age=0; path=/`;
    for (const pair of wanted.split('; ')) if (pair !== '') document.cookie = `${pair}; path=/`;
  }

  /** What scripts hung on nodes since is taken off again. */
  function unload({ graph: data, dom: tree }: SnapshotRecord): void {
    const known = new Set(data.objects);
    for (const node of tree.nodes)
      if (node !== document) {
        if (!known.has(node)) for (const key of Reflect.ownKeys(node)) Reflect.deleteProperty(node, key);
        const style = handedOut.styleWithMembers(node);
        if (style !== null && !known.has(style))
          for (const key of handedOut.membersOfStyle(style)) Reflect.deleteProperty(style, key);
      }
  }

  function restoreRecord(wanted: SnapshotRecord, unchecked: boolean): RestoreAttempt {
    graph.restore(wanted.graph, unchecked);
    listeners.restore(main, wanted.windows);
    const others = new Map(wanted.others);
    for (const target of listeners.lasting()) listeners.restore(target, others.get(target) ?? []);
    for (const [store, entries] of wanted.storage) storages.restore(store, entries);
    if (wanted.storage.length > 0) restoreCookies(wanted.cookie);
    if (main.name !== wanted.name) main.name = wanted.name;
    parts.history.restore(wanted.history);
    const { problem, typing } = dom.restore(wanted.dom);
    unload(wanted);
    graph.restoreRanges(wanted.graph);
    styleRules.restore(wanted.styleRules);
    parts.databases.restore(wanted.databases);
    observers.restore(wanted.watches);
    time.restore(wanted.time);
    parts.clipboard.restore(wanted.clipboard);
    parts.pointer.restore(wanted.pointer);
    observer.restoreElements(wanted.elements);
    return problem === null ? { typing } : { refused: problem };
  }

  const unsoundness = (): string | null => {
    const found = soundness.check();
    return found === null ? null : `it has ${found}`;
  };

  function obstacleTo(wanted: SnapshotRecord): string | null {
    const beyond = tripwires.passed(wanted.marks.tripwires);
    if (beyond !== null) return `it has used ${beyond}`;
    const spent = promises.spentSince(wanted.marks.promises, wanted.graph.objects);
    if (spent !== null) return spent;
    const inDatabases = parts.databases.obstacleTo(wanted.databases);
    return inDatabases === null ? null : `it has used ${inDatabases}`;
  }

  return {
    keep(view, { unchecked, unsound }) {
      const now = capture(unchecked, unsound);
      const marks = { promises: promises.mark(), tripwires: tripwires.mark() };
      const id = ++lastId;
      snapshots.set(id, { ...now, marks, view });
      const unsupported = obstacle ?? (now.unsupported === null ? scopes.unknown() : `it has ${now.unsupported}`);
      return {
        id,
        fingerprint: { digest: now.digest, certificate: now.certificate },
        unsupported,
        beyond: tripwires.beyond(),
        fresh: scopes.freshCount() + promises.takeLooks(),
        texts: texts.unknownCount(),
        scripts: dom.scripts(),
        modules: modulesIn(document),
        entry: main.navigation?.currentEntry?.key ?? '',
        history: asJson(now.history),
      };
    },
    restore(id, unchecked) {
      const wanted = snapshots.get(id);
      if (wanted === undefined) return { refused: 'the page was loaded anew since' };
      const reason = obstacle ?? obstacleTo(wanted) ?? (unchecked ? null : unsoundness());
      if (reason !== null) return { refused: reason };
      listeners.mute(true);
      // Unchecked, nobody minds whether the ring around the focus is drawn.
      const hand = unchecked ? null : dom.handFor(wanted.dom);
      if (hand !== null) return { hand };
      const attempt = restoreRecord(wanted, unchecked);
      if ('refused' in attempt) listeners.mute(false);
      return attempt;
    },
    restoreFocus(id) {
      const { dom: record } = snapshots.get(id) as SnapshotRecord;
      dom.restoreFocus(record);
      dom.endTyping(record);
    },
    compare(id) {
      const kept = snapshots.get(id) as SnapshotRecord;
      const hung = handedOut.lookAround();
      if (hung !== null) return { refused: `it has ${hung}` };
      const difference = differenceOf(capture(false, soundness.check()), kept);
      if (difference !== null) return { refused: difference };
      const view = observer.look();
      const refused = appearanceOf(view, kept.view);
      return refused === null ? { view } : { refused };
    },
    forget(ids) {
      for (const id of ids) snapshots.delete(id);
    },
    viewOf: id => snapshots.get(id)?.view ?? null,
  };
}

const byName = ([one]: readonly [string, string], [other]: readonly [string, string]): number =>
  one < other ? -1 : Number(one > other);

/** Addresses of the modules that a document names. */
export function modulesIn(document: Document): readonly string[] {
  return Array.from(document.querySelectorAll<HTMLScriptElement>('script[type=module i][src]'), ({ src }) => src);
}

/** What looks otherwise than it did. */
function appearanceOf(now: PageView, kept: PageView | null): string | null {
  if (kept === null) return 'nobody looked at it when it was kept';
  if (now.text !== kept.text) return 'its text differs from the record';
  if (now.focus !== kept.focus) return 'its focus differs from the record';
  if (now.scroll.x !== kept.scroll.x || now.scroll.y !== kept.scroll.y) return 'its scrolling differs from the record';
  const isLaidOut = JSON.stringify(now.boxes) === JSON.stringify(kept.boxes) && now.appearance === kept.appearance;
  return isLaidOut ? null : 'its layout differs from the record';
}
