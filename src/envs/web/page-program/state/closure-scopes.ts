import type { ClassHome, KnownNames, ScopeFinding, ScopeNote, ScopeOwner } from '../page-records.ts';
import {
  createAnything,
  entranceOf,
  isBoundName,
  isLate,
  mostArguments,
  namesIn,
  wantsThis,
} from './function-texts.ts';
import { createHasher } from './hash.ts';
import type { Closure, ClosureMember, PageScopes, PrivateField, Root, TopNames } from './records.ts';

const byName = ({ name: one }: ClosureMember, { name: other }: ClosureMember): number =>
  one < other ? -1 : Number(one > other);

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
export function createScopes(isHarmless: (value: object) => boolean): PageScopes {
  const sourceOf = Function.prototype.toString;
  const closures = new WeakMap<object, Closure>();
  const readWord = createWords();
  /** Seen, and asked the debugger about. */
  const seen = new WeakSet<object>();
  /** Functions of the browser that only the debugger can tell from those that were bound. */
  const strange = new WeakSet<object>();
  const none: readonly unknown[] = [];
  let fresh: object[] = [];
  let asked: readonly object[] = [];
  let unknown: string | null = null;
  let held: readonly Held[] = [];
  /** What modules declare at their top, by script. */
  const tops = new Map<string, Map<string, Root>>();
  /** Classes of which there is one, by script and place; and functions that wait for theirs to be met. */
  const classes = new Map<string, object>();
  const homeless = new Map<object, string>();
  const privateFields: PrivateField[] = [];
  /** Variables of scopes that functions share, by the function that marks each. */
  const shared = new Map<object, Map<string, Root>>();
  /** Marks of scopes that a function is being entered for, and functions that wait for that. */
  const requested = new Set<object>();
  let deferred: { readonly held: Held; readonly known: KnownNames }[] = [];
  const knownPrivates = new Set<string>();

  interface Held {
    readonly index: number;
    readonly scopes: readonly Record<string, unknown>[];
    readonly bound: readonly unknown[];
  }

  /** Tells of a name, and what stands there, whether a function can reach it and whether it can change. */
  interface Reach {
    canReach(name: string): boolean;
    canChange(name: string, value: unknown): boolean;
  }

  const isRight = (text: string, { uses, tail }: KnownNames): boolean =>
    uses !== undefined && tail !== undefined && text.endsWith(tail);

  function reachOf(text: string, known: KnownNames): Reach {
    const { uses, assigned, late = [], atTop = [], script } = known;
    if (isRight(text, known)) {
      const [used, changing, coming, high] = [new Set(uses), new Set(assigned), new Set(late), new Set(atTop)];
      const top = tops.get(script ?? '');
      return {
        canReach: name => used.has(name) && !(high.has(name) && top?.has(name) === true),
        canChange: (name, value) => changing.has(name) || (value === undefined && coming.has(name)),
      };
    }
    // Names that it does not speak of are not its. A name that is written with escapes could be any.
    const spoken = namesIn(text);
    const canBeAny = text.includes('\\u');
    return {
      canReach: name => canBeAny || spoken.has(name),
      canChange: (name, value) => value === undefined || uses !== undefined || assigned?.includes(name) !== false,
    };
  }

  /** What of the scopes around a function it can use. */
  function learn({ index, scopes, bound }: Held, known: KnownNames): ScopeNote | null {
    const run = asked[index] as object;
    const { canReach, canChange } = reachOf(sourceOf.call(run), known);
    const values = new Map<string, unknown>();
    // An inner name hides an outer one.
    for (const scope of scopes)
      for (const name of Object.keys(scope)) if (canReach(name) && !values.has(name)) values.set(name, scope[name]);
    const members: ClosureMember[] = [];
    const names: string[] = [];
    const isKnown = isRight(sourceOf.call(run), known);
    const owners = isKnown ? ownersOf(scopes, known) : [];
    for (const [name, value] of values) {
      const root = owners.find(owner => owner.names.includes(name))?.roots?.get(name);
      if (!canChange(name, value)) members.push({ name, root: null, value });
      else if (root === undefined) names.push(name);
      else members.push({ name, root });
    }
    closures.set(run, { members: members.toSorted(byName), names, others: bound });
    const left = owners.filter(
      ({ roots, names: its }) => roots === undefined && its.some(name => names.includes(name)),
    );
    if (left.some(({ value }) => requested.has(value))) {
      deferred.push({ held: { index, scopes, bound }, known });
      return null;
    }
    for (const { value } of left) requested.add(value);
    return {
      index,
      names,
      wantsThis: isKnown ? known.usesThis === true : wantsThis(run),
      privates: privatesOf(run, known),
      owners: left.map(({ mark, names: its }) => ({ mark, names: its })),
    };
  }

  interface Owner extends ScopeOwner {
    /** The function that marks this scope, and the variables of it that are known. */
    readonly value: object;
    readonly roots: ReadonlyMap<string, Root> | undefined;
  }

  /** No scope further in has the name of a mark: its value tells which scope it is. */
  function ownersOf(scopes: Held['scopes'], { owners = [] }: KnownNames): readonly Owner[] {
    return owners.flatMap(owner => {
      const value = scopes.find(one => Object.hasOwn(one, owner.mark))?.[owner.mark];
      return typeof value === 'function' ? [{ ...owner, value, roots: shared.get(value) }] : [];
    });
  }

  function takeNotes(entries: readonly { readonly held: Held; readonly known: KnownNames }[]): readonly ScopeNote[] {
    deferred = [];
    requested.clear();
    const notes = entries.flatMap(({ held: one, known }) => learn(one, known) ?? []);
    bringHome();
    return notes.filter(
      one => one.names.length > 0 || one.wantsThis || one.privates.length > 0 || one.owners.length > 0,
    );
  }

  /** The classes whose private fields are still to be learned from within a function. */
  function privatesOf(run: object, known: KnownNames): readonly ClassHome[] {
    const text = sourceOf.call(run);
    if (!isRight(text, known)) {
      if (/#|\bsuper\b/.test(text))
        unknown ??= 'private members or super in a function that cannot be found in its script';
      return [];
    }
    for (const home of known.supers ?? []) {
      if (!home.isSingle) unknown ??= 'super in a class that is made more than once';
      homeless.set(run, keyOf(home, known));
    }
    return (known.privates ?? []).filter(home => {
      if (home.fields.length === 0) return false;
      if (home.isCovered === true) unknown ??= 'private members of the same name in a class and a class around it';
      if (!home.isSingle) return true;
      const key = keyOf(home, known);
      if (knownPrivates.has(key)) return false;
      knownPrivates.add(key);
      return true;
    });
  }

  const keyOf = ({ offset }: ClassHome, { script }: KnownNames): string => `${script ?? ''} ${offset}`;

  /** What `super` means to a method hangs on its class, which no script can ask it for. */
  function bringHome(): void {
    for (const [run, key] of homeless) {
      const home = classes.get(key);
      if (home === undefined) continue;
      homeless.delete(run);
      const closure = closures.get(run) as Closure;
      closures.set(run, { ...closure, others: [...closure.others, home] });
    }
  }

  /** What is in the outermost two scopes is known by name. */
  function hold({ index, bound }: ScopeFinding, handed: readonly unknown[]): Held {
    type Scope = { readonly description: string; readonly object: Record<string, unknown> };
    // The list that the debugger gives is no ordinary array.
    const around = listOf((handed[0] ?? []) as ArrayLike<Scope>);
    const inner = around.filter(({ description }) => !/^(Global|Script)$/.test(description));
    return { index, scopes: inner.map(({ object }) => object), bound: handed.slice(handed.length - bound) };
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
      const findings = JSON.parse(text as string) as readonly ScopeFinding[];
      // What is neither of a script nor bound to something is of the browser: it may settle a promise.
      for (const { index, bound, isNative } of findings)
        if (isNative && bound === 0 && !isHarmless(asked[index] as object)) strange.add(asked[index] as object);
      held = findings
        .map(finding => {
          const start = at;
          at += 1 + finding.bound;
          return hold(finding, handles.slice(start, at));
        })
        .filter(
          ({ index, scopes, bound }) =>
            scopes.length > 0 || bound.length > 0 || /^class\b|#|\b(this|super)\b/.test(sourceOf.call(asked[index])),
        );
      return held.map(({ index }) => index);
    },
    note(names) {
      for (const [at, { index }] of held.entries()) {
        const [run, known] = [asked[index] as object, names[at] as KnownNames];
        if (known.home?.isSingle === true && isRight(sourceOf.call(run), known))
          classes.set(keyOf(known.home, known), run);
      }
      const entries = held.map((one, at) => ({ held: one, known: names[at] ?? { assigned: null } }));
      held = [];
      return takeNotes(entries);
    },
    noteDeferred: () => takeNotes(deferred),
    entrance: index => entranceOf(asked[index] as object),
    stopOf(index) {
      const run = entranceOf(asked[index] as object);
      if (run !== null && isLate(run)) return 'body';
      return run !== null && sourceOf.call(run).includes('?.') ? 'place' : 'start';
    },
    enter(index) {
      const run = entranceOf(asked[index] as object) as (...values: unknown[]) => unknown;
      const given = Array.from({ length: mostArguments }, createAnything);
      (Reflect.apply(run, given[0], given) as { next?: () => unknown } | undefined)?.next?.();
    },
    /** Said from within a function that was entered: these are the variables around it. */
    adopt(index, { variables, self, privates, owners }) {
      const run = asked[index] as object;
      const known = closures.get(run) as Closure;
      for (const { has, get, set } of listOf(privates)) privateFields.push({ has, get, set });
      for (const { mark, names, roots } of listOf(owners)) {
        const own = ownRoots(roots);
        const its = JSON.parse(names) as readonly string[];
        if (typeof mark === 'function') shared.set(mark, new Map(its.map((name, at) => [name, own[at] as Root])));
      }
      const own = ownRoots(variables);
      const adopted = known.names.map((name, at) => ({ name, root: own[at] as Root }));
      const others = self === undefined ? known.others : [...known.others, self];
      closures.set(run, { members: [...known.members, ...adopted].toSorted(byName), names: [], others });
    },
    learned: () => [...asked, ...[...tops.values()].flatMap(top => Array.from(top.values(), root => root.get()))],
    giveUp(reason) {
      unknown ??= reason;
      fresh = [];
    },
    unknown: () => unknown ?? (homeless.size === 0 ? null : 'super in a class that cannot be reached'),
    adoptTop(script, found, given) {
      const { names, plain } = JSON.parse(found) as TopNames;
      const roots = ownRoots(given);
      const top = tops.get(script) ?? new Map<string, Root>();
      tops.set(script, top);
      for (const [at, name] of names.entries()) top.set(name, roots[at] as Root);
      for (const { name, tail } of plain) {
        const run = top.get(name)?.get();
        if (typeof run === 'function' && !closures.has(run) && sourceOf.call(run).endsWith(tail)) seen.add(run);
      }
    },
    topRoots: () => [...tops.values()].flatMap(top => [...top.values()]),
    privatesOf(value) {
      let found: unknown[] | null = null;
      for (const [at, { has, get }] of privateFields.entries()) if (has(value)) (found ??= []).push(at, get(value));
      return found ?? none;
    },
    restorePrivates(value, wanted) {
      for (let at = 0; at < wanted.length; at += 2) {
        const { get, set } = privateFields[wanted[at] as number] as PrivateField;
        if (!Object.is(get(value), wanted[at + 1])) set(value, wanted[at + 1]);
      }
    },
    areValues(run, values) {
      const closure = closures.get(run);
      if (closure === undefined) return values.length === 0;
      const { members, others } = closure;
      if (values.length !== members.length + others.length) return false;
      for (let index = 0; index < members.length; index++) {
        const member = members[index] as ClosureMember;
        if (!Object.is(member.root === null ? member.value : member.root.get(), values[index])) return false;
      }
      for (let index = 0; index < others.length; index++)
        if (!Object.is(others[index], values[members.length + index])) return false;
      return true;
    },
    valuesOf(run) {
      const closure = closures.get(run);
      if (closure === undefined) return none;
      const values: unknown[] = [];
      for (const member of closure.members) values.push(member.root === null ? member.value : member.root.get());
      for (const value of closure.others) values.push(value);
      return values;
    },
    restoreValues(run, values) {
      const closure = closures.get(run);
      if (closure === undefined) return;
      for (const [index, { root }] of closure.members.entries())
        if (root !== null && !Object.is(root.get(), values[index])) root.set(values[index]);
    },
    wordOf: run => readWord(run).word,
    isNative: run => readWord(run).isNative || strange.has(run),
  };
}

interface FunctionWord {
  readonly word: string;
  readonly isNative: boolean;
}

/** Tells functions apart by their texts. */
function createWords(): (run: object) => FunctionWord {
  const sourceOf = Function.prototype.toString;
  const words = new WeakMap<object, FunctionWord>();
  const hashOf = (text: string): string => {
    const hasher = createHasher(null);
    hasher.text(text);
    return hasher.word();
  };
  return run => {
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
  };
}
