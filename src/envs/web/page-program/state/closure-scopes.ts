import type { ScopeFinding, ScopeNote } from '../page-records.ts';
import { createHasher } from './hash.ts';
import type { Closure, PageScopes, Root } from './records.ts';

/** By index: how a list of the page is iterated over is the page's. */
const listOf = <T>(given: ArrayLike<T>): readonly T[] =>
  Array.from({ length: given.length }, (_, index) => given[index] as T);

/** Roots that scripts of the page cannot change, though they may get at those that stand in their scopes. */
export function ownRoots(given: ArrayLike<Root>): readonly Root[] {
  return listOf(given).map(({ get, set }) => {
    return {
      get: () => Reflect.apply(get, undefined, []) as unknown,
      set: value => void Reflect.apply(set, undefined, [value]),
    };
  });
}

/**
 * Knows what functions of the page hold in the scopes around them. A script cannot read that: the debugger of the browser
 * tells it, once for each function.
 */
export function createScopes(): PageScopes {
  const sourceOf = Function.prototype.toString;
  const closures = new WeakMap<object, Closure>();
  const words = new WeakMap<object, { readonly word: string; readonly isNative: boolean }>();
  /** Seen, and asked the debugger about. */
  const seen = new WeakSet<object>();
  const none: readonly unknown[] = [];
  let fresh: object[] = [];
  let asked: readonly object[] = [];
  let unknown: string | null = null;
  let held: readonly Held[] = [];

  interface Held {
    readonly index: number;
    readonly script: string | null;
    readonly scopes: readonly Record<string, unknown>[];
    readonly bound: readonly unknown[];
  }

  const namesIn = (text: string): ReadonlySet<string> => new Set(text.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu));
  const isArrow = (text: string): boolean =>
    /^(async\b\s*)?(\([^]*?\)|[\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=>/u.test(text) &&
    !/^(async\s+)?function\b/.test(text);

  /** What an arrow function calls `this` is that of the function around it, though no scope shows it. */
  function wantsThis(run: object): boolean {
    const text = sourceOf.call(run);
    return isArrow(text) && /\b(this|super)\b/.test(text);
  }

  /** What of the scopes around a function it can use: names that it does not speak of are not its. */
  function learn({ index, scopes, bound }: Held, assigned: readonly string[] | null): ScopeNote {
    const run = asked[index] as object;
    const text = sourceOf.call(run);
    const spoken = namesIn(text);
    // A name that is written with escapes could be any.
    const canBeAny = spoken.has('eval') || text.includes('\\u');
    const canReach = (name: string): boolean => canBeAny || spoken.has(name);
    const values = new Map<string, unknown>();
    // An inner name hides an outer one.
    for (const scope of scopes)
      for (const name of Object.keys(scope)) if (canReach(name) && !values.has(name)) values.set(name, scope[name]);
    const constants = [...bound];
    const names: string[] = [];
    for (const [name, value] of values) {
      if (value === undefined || assigned === null || assigned.includes(name)) names.push(name);
      else constants.push(value);
    }
    closures.set(run, { constants, variables: [] });
    return { index, names, wantsThis: wantsThis(run) };
  }

  /** What is in the outermost two scopes is known by name. */
  function hold({ index, script, bound }: ScopeFinding, handed: readonly unknown[]): Held {
    type Scope = { readonly description: string; readonly object: Record<string, unknown> };
    // The list that the debugger gives is no ordinary array.
    const around = listOf((handed[0] ?? []) as ArrayLike<Scope>);
    const inner = around.filter(({ description }) => !/^(Global|Script)$/.test(description));
    return { index, script, scopes: inner.map(({ object }) => object), bound: handed.slice(handed.length - bound) };
  }

  const isClass = (run: object): boolean => /^class\b/.test(sourceOf.call(run));

  /** What stands between the parentheses of a function; what it is called may be worked out as well. */
  function parametersOf(text: string): string {
    const start = text.indexOf('(', text.startsWith('[') ? closing(text, 0) : 0);
    return start < 0 || /^(async\s+)?[\p{ID_Start}$_][\p{ID_Continue}$]*\s*=>/u.test(text)
      ? ''
      : text.slice(start + 1, closing(text, start));
  }

  function closing(text: string, from: number): number {
    let depth = 0;
    for (let at = from; at < text.length; at++) {
      if ('([{'.includes(text[at] as string)) depth++;
      else if (')]}'.includes(text[at] as string) && --depth === 0) return at;
    }
    return text.length;
  }

  /** A function stops where it begins, unless it first works out what it was not given: it would not stop there. */
  function canEnter(run: unknown): run is object {
    return typeof run === 'function' && !isClass(run) && !parametersOf(sourceOf.call(run)).includes('(');
  }

  /** The function to enter: of a class one of its methods, which stand in the same scopes. */
  function entranceOf(run: object): object | null {
    if (!isClass(run)) return canEnter(run) ? run : null;
    for (const holder of [(run as { prototype: object }).prototype, run])
      for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(holder)))
        for (const method of [member.value, member.get, member.set] as unknown[])
          if (name !== 'constructor' && canEnter(method)) return method;
    return null;
  }

  /** Answers to whatever it is asked, so that a function that is only entered has nothing to work out. */
  function createAnything(): unknown {
    let count = 0;
    const anything: unknown = new Proxy(function () {}, {
      get: (_target, key) => (key === 'done' ? ++count > 100 : key === Symbol.toPrimitive ? () => '' : anything),
      apply: () => anything,
      construct: () => anything as object,
    });
    return anything;
  }

  function isBoundName(run: object): boolean {
    const name: unknown = Object.getOwnPropertyDescriptor(run, 'name')?.value;
    return typeof name === 'string' && name.startsWith('bound ');
  }

  function hashOf(text: string): string {
    const hasher = createHasher(null);
    hasher.text(text);
    return hasher.word();
  }

  function readWord(run: object): { readonly word: string; readonly isNative: boolean } {
    let read = words.get(run);
    if (read === undefined) {
      const text = sourceOf.call(run);
      // What was bound to something holds it, though it looks like the browser's own.
      const isBound = /^function (bound |\()/.test(text) || isBoundName(run);
      const isNative = /\{\s*\[native code\]\s*\}$/.test(text) && !isBound;
      read = { word: `f${text.length} ${hashOf(text)}`, isNative };
      words.set(run, read);
    }
    return read;
  }

  return {
    see(run) {
      if (seen.has(run) || unknown !== null) return;
      seen.add(run);
      fresh.push(run);
    },
    freshCount: () => fresh.length,
    take() {
      [asked, fresh] = [fresh, []];
      return asked;
    },
    hold(given) {
      const [text, ...handles] = listOf(given);
      let at = 0;
      held = (JSON.parse(text as string) as readonly ScopeFinding[])
        .map(finding => {
          const start = at;
          at += 1 + finding.bound;
          return hold(finding, handles.slice(start, at));
        })
        .filter(
          ({ index, scopes, bound }) => scopes.length > 0 || bound.length > 0 || wantsThis(asked[index] as object),
        );
      return [...new Set(held.flatMap(({ script }) => script ?? []))];
    },
    note(assigned) {
      const notes = held.map(one => learn(one, one.script === null ? [] : (assigned[one.script] ?? null)));
      held = [];
      return notes.filter(one => one.names.length > 0 || one.wantsThis);
    },
    entrance: index => entranceOf(asked[index] as object),
    isChained(index) {
      const run = entranceOf(asked[index] as object);
      return run !== null && sourceOf.call(run).includes('?.');
    },
    enter(index) {
      const run = entranceOf(asked[index] as object) as (...values: unknown[]) => unknown;
      const given = Array.from({ length: 12 }, createAnything);
      (Reflect.apply(run, given[0], given) as { next?: () => unknown } | undefined)?.next?.();
    },
    /** Said from within a function that was entered: these are the variables around it. */
    adopt(index, { variables, self }) {
      const run = asked[index] as object;
      const known = closures.get(run) as Closure;
      const constants = self === undefined ? known.constants : [...known.constants, self];
      closures.set(run, { constants, variables: ownRoots(variables) });
    },
    giveUp(reason) {
      unknown ??= reason;
      fresh = [];
    },
    unknown: () => unknown,
    valuesOf(run) {
      const closure = closures.get(run);
      if (closure === undefined) return none;
      return [...closure.constants, ...closure.variables.map((variable: Root) => variable.get())];
    },
    restoreValues(run, values) {
      const closure = closures.get(run);
      if (closure === undefined) return;
      const { constants, variables } = closure;
      for (const [index, variable] of variables.entries()) {
        const value = values[constants.length + index];
        if (!Object.is(variable.get(), value)) variable.set(value);
      }
    },
    wordOf: run => readWord(run).word,
    isNative: run => readWord(run).isNative,
  };
}
