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
  readonly main: Window;
  readonly kinds: PageKinds;
  readonly contents: PageContents;
  readonly scopes: PageScopes;
  readonly natives: Natives;
  readonly neutral: Neutral;
  isFilled(value: object): boolean;
}

/** Keeps and restores the data of the scripts of a page, object by object. */
export function createGraph(options: GraphOptions): PageGraph {
  const { main, kinds, contents, scopes, natives, neutral, isFilled } = options;
  let roots: readonly Root[] = [];
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

    const place = (value: object): number => {
      const known = places.get(value);
      if (known !== undefined) return known;
      places.set(value, objects.length);
      objects.push(value);
      return objects.length - 1;
    };
    const note = (value: unknown): void => {
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null)
        return hasher.text(contents.wordOf(value));
      if (natives.nameOf(value) !== null) return hasher.text(natives.nameOf(value) as string);
      if (typeof value === 'function') {
        if (scopes.isNative(value)) {
          // One that came later holds something, or decides something.
          unsupported ??= 'a function of the browser that it was given';
          return hasher.text(scopes.wordOf(value));
        }
        scopes.see(value);
      }
      hasher.number(place(value));
    };
    const visit = (value: object): void => {
      const kind = kinds.of(value);
      if (kind.closed !== null) unsupported ??= kind.closed;
      if (kind.form === 'weak' && isFilled(value)) unsupported ??= 'data in a weak collection';
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
    const walk = (): void => {
      for (let index = found.length; index < objects.length; index++) visit(objects[index] as object);
    };

    const rooted = roots.map(root => [root, root.get()] as const);
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
    return { objects, contents: found, roots: rooted, changed, hash, sealed: hasher.word(), unsupported };
  }

  return {
    name(named) {
      roots = ownRoots(named);
    },
    capture,
    restore({ objects, contents: wanted, roots: rooted, changed }, unchecked) {
      for (const [root, value] of rooted) if (!Object.is(root.get(), value)) root.set(value);
      natives.restore(changed, unchecked ? natives.changedInWindow() : natives.changed());
      for (let index = 0; index < objects.length; index++)
        contents.restore(objects[index] as object, wanted[index] as Content);
    },
  };
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
