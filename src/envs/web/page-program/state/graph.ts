import type { MainWindow, PagePromises } from '../parts.ts';
import type { WeakPair } from '../shims/language.ts';
import { ownRoots } from './closure-scopes.ts';
import { createHasher, type Neutral } from './hash.ts';
import type { Changed, Natives } from './natives.ts';
import type {
  Content,
  GraphRecord,
  GraphRoots,
  PageContents,
  PageGraph,
  PageKinds,
  PageScopes,
  Root,
} from './records.ts';

export interface GraphOptions {
  readonly main: MainWindow;
  readonly kinds: PageKinds;
  readonly contents: PageContents;
  readonly scopes: PageScopes;
  readonly natives: Natives;
  readonly neutral: Neutral;
  readonly promises: PagePromises;
  weakPairs(collection: object): readonly WeakPair[];
  isProxy(value: object): boolean;
  /** Whether the browser gave this to a script, and would again. */
  isHandedOut(value: object): boolean;
  restoreWeak(collection: object, pairs: readonly WeakPair[]): void;
}

/** Keeps and restores the data of the scripts of a page, object by object. */
export function createGraph(options: GraphOptions): PageGraph {
  const { main, kinds, contents, scopes, natives, neutral, promises, weakPairs, restoreWeak, isHandedOut } = options;
  let roots: readonly Root[] = [];
  const held: Root[] = [];
  /** What the last capture came to. */
  let reached = new Set<object>();
  /** What stands in templates belongs to a document of its own. */
  const inert = main.document.createElement('template').content.ownerDocument;

  /** Nodes of other documents and attributes by themselves are not in the tree that is kept. */
  function foreignness(node: Node): string | null {
    if (node.nodeType === 2) return 'an attribute that it holds';
    const owner = node.nodeType === 9 ? node : node.ownerDocument;
    return owner === main.document || owner === inert ? null : 'a node of another document';
  }

  function capture({ unchecked, nodeWord, readTree, laden, later }: GraphRoots): GraphRecord {
    const places = new Map<object, number>();
    const objects: object[] = [];
    const found: Content[] = [];
    const hasher = createHasher(neutral);
    let unsupported: string | null = null;
    const weak: WeakFound[] = [];

    const place = (value: object): number => {
      const known = places.get(value);
      if (known !== undefined) return known;
      places.set(value, objects.length);
      objects.push(value);
      return objects.length - 1;
    };
    const note = (value: unknown): void => {
      if (!isObject(value)) return hasher.text(contents.wordOf(value));
      // Nearly all have been met before.
      const met = places.get(value);
      if (met !== undefined) return hasher.number(met);
      if (natives.nameOf(value) !== null) return hasher.text(natives.nameOf(value) as string);
      if (typeof value === 'function') {
        if (scopes.isNative(value)) {
          // One that came later holds something, or decides something.
          unsupported ??= `a function of the browser that it was given (${nameOf(value)})`;
          return hasher.text(scopes.wordOf(value));
        }
        // Ours lead to something, and hold nothing else.
        if (promises.linkOf(value) === null) scopes.see(value);
      }
      hasher.number(place(value));
    };
    const visit = (value: object): void => {
      const kind = kinds.of(value);
      if (kind.closed !== null) unsupported ??= kind.closed;
      if (kind.form === 'weak') weak.push({ collection: value, pairs: weakPairs(value), noted: new Set() });
      if (kind.form === 'node') {
        unsupported ??= foreignness(value as Node);
        if (!(value as Node).isConnected) for (const more of readTree(value as Node)) note(more);
        hasher.text(nodeWord(value as Node));
      }
      const content = contents.of(value, kind);
      unsupported ??= content.closed;
      found.push(content);
      hasher.add(content.hash);
      for (const link of content.links) note(link);
    };
    const walkLinks = (): void => {
      for (let index = found.length; index < objects.length; index++) visit(objects[index] as object);
    };
    /** Where a key was met, as a word that says nothing of when it was put in; null when nobody else holds it. */
    const rankOf = (key: WeakKey): string | null => {
      if (typeof key === 'symbol') return `s${String(key)}`;
      const name = natives.nameOf(key);
      if (name !== null) return `n${name}`;
      const known = places.get(key);
      if (known !== undefined) return `o${String(known).padStart(9, '0')}`;
      const strings = options.isProxy(key) ? null : stringsOf(key);
      if (strings !== null) return `p${JSON.stringify(strings)}`;
      if (key === inert || isHandedOut(key))
        unsupported ??= 'a weak collection with an object that the browser hands out';
      if (!(key instanceof main.Node)) return null;
      const word = nodeWord(key as Node);
      return word === 'node -1' ? null : `t${word.slice(5).padStart(9, '0')}`;
    };
    /** What hangs on an object in a weak collection is there as long as somebody else holds that object. */
    const walkWeak = (): boolean => {
      const before = objects.length;
      for (let index = 0; index < weak.length; index++) {
        const { collection, pairs, noted } = weak[index] as WeakFound;
        const met = pairs
          .filter(([key]) => !noted.has(key))
          .map(([key, value]) => ({ key, value, rank: rankOf(key) }))
          .filter(({ rank }) => rank !== null)
          .toSorted((one, other) => ((one.rank as string) < (other.rank as string) ? -1 : 1));
        for (const { key, value, rank } of met) {
          noted.add(key);
          hasher.text(`weak ${place(collection)} ${rank?.charAt(0) === 's' ? rank : ''}`);
          if (typeof key !== 'symbol') note(key);
          note(value);
        }
      }
      return objects.length > before;
    };
    const walk = (): void => {
      do walkLinks();
      while (walkWeak());
    };

    const rooted = [...held, ...roots, ...scopes.topRoots()].map(root => [root, root.get()] as const);
    const changed = unchecked ? natives.changedInWindow() : natives.changed();
    hasher.text(natives.shapes());
    for (const [, value] of rooted) note(value);
    for (const { key, descriptor } of inOrder(changed)) {
      // Arrays with holes and objects would seem to have it.
      if (typeof key === 'string' && /^\d+$/.test(key)) unsupported ??= 'a native with a member that is a number';
      hasher.text(`${String(key)} ${attributesOf(descriptor)}`);
      for (const part of [descriptor?.value, descriptor?.get, descriptor?.set] as unknown[]) note(part);
    }
    for (const value of laden) note(value);
    walk();
    const hash = hasher.word();
    hasher.text(changed.map(({ key }) => String(key)).join());
    for (const value of later) note(value);
    walk();
    reached = new Set(objects);
    return { objects, contents: found, roots: rooted, changed, weak, hash, sealed: hasher.word(), unsupported };
  }

  return {
    name(named) {
      roots = ownRoots(named);
    },
    hold(value) {
      held.push({ get: () => value, set: () => undefined });
    },
    capture,
    spread() {
      const queue = scopes.learned().filter(value => isObject(value));
      for (const value of queue) {
        const kind = kinds.of(value);
        if (kind.closed !== null || !spreading.has(kind.form)) continue;
        for (const link of contents.of(value, kind).links) {
          if (reached.has(link) || natives.nameOf(link) !== null) continue;
          reached.add(link);
          queue.push(link);
          if (typeof link === 'function' && !scopes.isNative(link) && promises.linkOf(link) === null) scopes.see(link);
        }
      }
    },
    difference(now, kept) {
      const at = kept.contents.findIndex((content, index) => !isSame(content, now.contents[index]));
      const [object, before, after] = [kept.objects[at], kept.contents[at], now.contents[at]];
      if (object === undefined || before === undefined) return 'there is more of it';
      if (now.objects[at] !== object) return 'another object stands where one did';
      const key = before.keys.findIndex(
        (name, index) => after?.keys[index] !== name || !Object.is(after.values[index], before.values[index]),
      );
      if (key >= 0) return `the member ${String(before.keys[key])} of an object (${before.form})`;
      const added = after?.keys.find(name => !before.keys.includes(name));
      if (added !== undefined) return `the member ${String(added)} of an object (${before.form}) cannot be removed`;
      const isMore = after !== undefined && after.entries.length > before.entries.length;
      const differing = before.entries.findIndex((one, index) => !Object.is(one, after?.entries[index]));
      const entry = differing < 0 && isMore ? before.entries.length : differing;
      const [was, is] = [before.entries[entry], after?.entries[entry]].map(wordFor);
      const what = typeof object === 'function' ? Function.prototype.toString.call(object).slice(0, 60) : before.form;
      return `what is in ${what}: ${is ?? 'nothing'}, not ${was ?? 'nothing'}`;
    },
    restore({ objects, contents: wanted, roots: rooted, changed, weak }, unchecked) {
      for (const [root, value] of rooted) if (!Object.is(root.get(), value)) root.set(value);
      natives.restore(changed, unchecked ? natives.changedInWindow() : natives.changed());
      for (let index = 0; index < objects.length; index++)
        contents.restore(objects[index] as object, wanted[index] as Content);
      for (const { collection, pairs } of weak) restoreWeak(collection, pairs);
    },
    restoreRanges({ objects, contents: wanted }) {
      for (const [index, { form, entries }] of wanted.entries()) {
        if (form !== 'range') continue;
        const [start, from, end, to] = entries as readonly [Node, number, Node, number];
        const range = objects[index] as Range;
        const isStartSame = range.startContainer === start && range.startOffset === from;
        if (isStartSame && range.endContainer === end && range.endOffset === to) continue;
        try {
          range.setStart(start, from);
          range.setEnd(end, to);
        } catch {
          // Whoever restores compares afterwards.
        }
      }
    },
  };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'function' || (typeof value === 'object' && value !== null);

/** What leads to most functions, and is read without asking the browser for anything. */
const spreading: ReadonlySet<Content['form']> = new Set(['function', 'plain', 'array', 'map', 'set']);

function isSame(one: Content, other: Content | undefined): boolean {
  return other !== undefined && one.hash.every((lane, at) => lane === other.hash[at]);
}

/** What stands in a tagged template: it gives its function the same array each time, and nobody has to hold that. */
function stringsOf(key: object): readonly string[] | null {
  if (!Array.isArray(key) || !Object.isFrozen(key)) return null;
  const raw: unknown = Object.getOwnPropertyDescriptor(key, 'raw')?.value;
  return Array.isArray(raw) && Object.isFrozen(raw) ? (raw as readonly string[]) : null;
}

/** A weak collection that was met, and the keys in it that were. */
interface WeakFound {
  readonly collection: object;
  readonly pairs: readonly WeakPair[];
  readonly noted: Set<WeakKey>;
}

/** A value in a few letters. */
function wordFor(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value.slice(0, 40))
    : typeof value === 'object'
      ? 'an object'
      : String(value).slice(0, 40);
}

function nameOf(run: object): string {
  const name: unknown = Object.getOwnPropertyDescriptor(run, 'name')?.value;
  return typeof name === 'string' && name !== '' ? name.slice(0, 40) : 'without a name';
}

/** The order in which members were added says nothing. */
function inOrder(changed: readonly Changed[]): readonly Changed[] {
  return changed.toSorted((one, other) => (String(one.key) < String(other.key) ? -1 : 1));
}

function attributesOf(descriptor: PropertyDescriptor | null): string {
  if (descriptor === null) return 'removed';
  const { writable, enumerable, configurable } = descriptor;
  return [writable, enumerable, configurable].map(Boolean).join();
}
