import type { Content, GraphRecord, GraphRoots, Root } from './records.ts';

/** Keeps and puts back the data of the scripts of a page, object by object. Runs in the page, before any script of it. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one text
export function installGraph(): void {
  const keeper = globalThis.espalierKeeper;
  const { kinds, contents, scopes } = keeper;
  const own = new Set(Object.getOwnPropertyNames(globalThis));
  const lastOwn = [...own].at(-1);
  const holder = globalThis as unknown as Record<string, unknown>;
  /** What the browser has in its functions of the window, to see when a script puts something else there. */
  const given = [...own].flatMap(name => {
    if (!/^[a-z]/.test(name)) return [];
    const member = Object.getOwnPropertyDescriptor(globalThis, name);
    return member?.writable === true ? [[name, member.value as unknown] as const] : [];
  });
  let roots: readonly Root[] = [];

  function membersNow(): Map<string, unknown> {
    const members = new Map<string, unknown>();
    const names = Object.getOwnPropertyNames(globalThis);
    // What came later stands behind, unless something was taken away before it.
    const first = names[own.size - 1] === lastOwn ? own.size : 0;
    for (let index = first; index < names.length; index++) {
      const name = names[index] as string;
      if (own.has(name)) continue;
      const member = Object.getOwnPropertyDescriptor(globalThis, name);
      if (member !== undefined && 'value' in member) members.set(name, member.value as unknown);
    }
    for (const [name, value] of given) if (holder[name] !== value) members.set(name, holder[name]);
    return members;
  }

  // oxlint-disable-next-line max-lines-per-function -- one walk over one set of places
  function capture({ nodeWord, readTree, laden, later }: GraphRoots): GraphRecord {
    const places = new Map<object, number>();
    const objects: object[] = [];
    const found: Content[] = [];
    const hasher = keeper.hasher();
    let unsupported: string | null = null;

    const place = (value: object): number => {
      const known = places.get(value);
      if (known !== undefined) return known;
      places.set(value, objects.length);
      objects.push(value);
      return objects.length - 1;
    };
    const note = (value: unknown): void => {
      if (typeof value === 'function') {
        if (scopes.isNative(value)) return hasher.text(scopes.wordOf(value));
        scopes.see(value);
      } else if (typeof value !== 'object' || value === null || value === globalThis)
        return hasher.text(contents.wordOf(value));
      hasher.number(place(value));
    };
    const visit = (value: object): void => {
      const kind = kinds.of(value);
      if (kind.closed !== null) unsupported ??= kind.closed;
      if (kind.form === 'weak' && kinds.isFilled(value)) unsupported ??= 'data in a weak collection';
      if (kind.form === 'node') {
        if (!(value as Node).isConnected) for (const more of readTree(value as Node)) note(more);
        hasher.text(nodeWord(value as Node));
      }
      const content = kind.form === 'still' ? empty : contents.of(value, kind);
      found.push(content);
      hasher.add(content.hash);
      for (const link of content.links) note(link);
    };
    const walk = (): void => {
      for (let index = found.length; index < objects.length; index++) visit(objects[index] as object);
    };

    const rooted = roots.map(root => [root, root.get()] as const);
    const members = membersNow();
    for (const [, value] of rooted) note(value);
    for (const [name, value] of [...members].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      hasher.text(name);
      note(value);
    }
    for (const value of laden) note(value);
    walk();
    const hash = hasher.word();
    for (const value of later) note(value);
    walk();
    return { objects, contents: found, roots: rooted, members, hash, sealed: hasher.word(), unsupported };
  }

  const empty: Content = {
    shown: [],
    keys: [],
    values: [],
    entries: [],
    links: [],
    hash: { left: 0, right: 0 },
  };

  function restoreMembers(members: ReadonlyMap<string, unknown>): void {
    for (const name of membersNow().keys()) {
      if (members.has(name)) continue;
      if (own.has(name)) holder[name] = given.find(([other]) => other === name)?.[1];
      // What a script declared cannot be taken back, only emptied.
      else if (!Reflect.deleteProperty(holder, name)) holder[name] = undefined;
    }
    for (const [name, value] of members) if (!Object.is(holder[name], value)) holder[name] = value;
  }

  keeper.graph = {
    name(named) {
      roots = named;
    },
    capture,
    restore({ objects, contents: wanted, roots: rooted, members }) {
      for (const [root, value] of rooted) if (!Object.is(root.get(), value)) root.set(value);
      restoreMembers(members);
      for (let index = 0; index < objects.length; index++) {
        const content = wanted[index] as Content;
        if (content !== empty) contents.put(objects[index] as object, content);
      }
    },
  };
}
