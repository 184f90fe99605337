import { closedTraps } from '../traps.ts';
import { replaceGetter } from './clock-sources.ts';
import { watchGenerators } from './generators.ts';
import { createPermanentMembers, type PermanentMembers } from './permanent-members.ts';

/** What the language itself lets scripts do that no list of members shows. */
export interface PageLanguage {
  /** Tells of every object whose attributes, prototype or extensibility a script changes. */
  onReshape(told: (object: object) => void): void;
  /** Whether a script ever changed the attributes, the prototype or the extensibility of this array. */
  isReshapedArray(value: object): boolean;
  /** Whether a function of the browser formats or compares something, and keeps nothing. */
  isFormatter(value: object): boolean;
  /** The target and the handler of a proxy that a script made. */
  behindProxy(value: object): readonly [target: object, handler: object] | null;
  /** What hangs on which object in a weak collection, whether or not anybody else holds that object. */
  weakPairs(collection: object): readonly WeakPair[];
  restoreWeak(collection: object, pairs: readonly WeakPair[]): void;
  /** Says that a script calls `eval` by its name, and could reach its variables by it. Whether one has asked for it before. */
  watchEval(): boolean;
  readonly permanent: PermanentMembers;
  /** Objects whose prototypes have no global name. */
  readonly samples: readonly object[];
  /** Functions that no name leads to. */
  readonly unnamed: readonly object[];
}

/** In a set, the value is `true`. */
export type WeakPair = readonly [key: WeakKey, value: unknown];

type Call = (...values: unknown[]) => unknown;
const getPrototype = Object.getPrototypeOf;
// Taken before scripts of the page can replace it.
const { toString: tagOf } = Object.prototype;

interface LanguageOptions {
  trip(what: string): void;
  /** Whether what happens now is not the page's doing. */
  isQuiet(): boolean;
}

/** Watches the few calls of the language that a snapshot has to know of. `trip` is called with what it cannot cover. */
export function createLanguage({ trip, isQuiet }: LanguageOptions): PageLanguage {
  const proxies = new WeakMap<object, readonly [target: object, handler: object]>();
  const reshaped = new WeakSet<object>();
  // Taken before they are replaced.
  const [isReshaped, addReshaped] = [reshaped.has.bind(reshaped), reshaped.add.bind(reshaped)];
  const { isArray } = Array;
  const [isProxy, behind, addProxy] = [proxies.has.bind(proxies), proxies.get.bind(proxies), proxies.set.bind(proxies)];
  const isNative = /\{\s*\[native code\]\s*\}$/;
  const sourceOf = Function.prototype.toString;
  let hasProxies = false;
  let hasReshaped = false;
  let told: (object: object) => void = () => undefined;

  const tell = (object: unknown): void => {
    if ((typeof object !== 'object' || object === null) && typeof object !== 'function') return;
    if (isArray(object)) {
      hasReshaped = true;
      addReshaped(object);
    }
    told(object);
    // What is done to a proxy is done to what it stands for.
    if (hasProxies && isProxy(object)) tell(behind(object)?.[0]);
  };

  /** What an object inherits decides what is taken to be in it. */
  function inherits(object: unknown, prototype: unknown): void {
    if (typeof object === 'function' && typeof prototype === 'function') {
      if (prototype !== Function.prototype && isNative.test(sourceOf.call(prototype)))
        trip('a class that was made to extend a native');
    } else if (
      typeof object === 'object' &&
      object !== null &&
      (generators.isBelow(object) || (tagOf.call(object) !== '[object Object]' && !isArray(object)))
    )
      trip('an object of the browser with another prototype');
  }

  function watchReshaping(): void {
    const replace = (holder: object, name: string, before: (values: readonly unknown[]) => void): void => {
      const real = (holder as Record<string, Call>)[name] as Call;
      const value = new Proxy(
        real,
        closedTraps({
          apply(target, self, values: unknown[]) {
            before(values);
            tell(values[0]);
            return Reflect.apply(target, self, values) as unknown;
          },
        }),
      );
      Object.defineProperty(holder, name, { value, writable: true, enumerable: false, configurable: true });
    };
    const nothing = (): void => undefined;
    for (const name of ['defineProperty', 'defineProperties', 'freeze', 'seal', 'preventExtensions'])
      replace(Object, name, nothing);
    for (const name of ['defineProperty', 'preventExtensions']) replace(Reflect, name, nothing);
    for (const holder of [Object, Reflect])
      replace(holder, 'setPrototypeOf', ([object, prototype]) => inherits(object, prototype));
    replace(Reflect, 'construct', ([target, , as]) => {
      if (as !== undefined && as !== target && !isBelow(as, target) && makesNative(target))
        trip('Reflect.construct of a native with another prototype');
    });
    watchLegacy();
  }

  /** Whether what a class makes has something of the browser in it; of a bound function or a proxy nobody knows. */
  function makesNative(made: unknown): boolean {
    if (typeof made !== 'function' || (hasProxies && isProxy(made))) return true;
    if (made === Function.prototype) return false;
    return isNative.test(sourceOf.call(made)) || makesNative(getPrototype(made));
  }

  function isBelow(value: unknown, above: unknown): boolean {
    for (let at: unknown = value; at !== null && at !== undefined; at = getPrototype(at)) if (at === above) return true;
    return false;
  }

  function watchLegacy(): void {
    const legacy = Object.prototype as unknown as Record<string, Call>;
    for (const name of ['__defineGetter__', '__defineSetter__']) {
      const real = legacy[name] as Call;
      Object.defineProperty(legacy, name, {
        value(this: unknown, ...values: unknown[]) {
          tell(this);
          return Reflect.apply(real, this, values) as unknown;
        },
        writable: true,
        configurable: true,
      });
    }
    const { get, set } = Object.getOwnPropertyDescriptor(Object.prototype, '__proto__') as Required<PropertyDescriptor>;
    // oxlint-disable-next-line no-extend-native -- replaces what is there
    Object.defineProperty(Object.prototype, '__proto__', {
      get,
      set(this: unknown, prototype: unknown) {
        inherits(this, prototype);
        tell(this);
        set.call(this, prototype);
      },
      configurable: true,
    });
  }

  /** Reading through a proxy would run scripts of the page: what it stands for is read instead. */
  function watchProxies(): void {
    const Real = Proxy;
    const { revocable } = Real;
    const note = (made: object, target: object, handler: object): void => {
      hasProxies = true;
      addProxy(made, [target, handler]);
    };
    globalThis.Proxy = new Real(
      Real,
      closedTraps({
        construct(real, [target, handler]: [object, object]) {
          const made = new real(target, handler);
          note(made, target, handler);
          return made;
        },
      }),
    );
    // Whoever holds the function that revokes one holds a function of the browser, and is refused for that.
    Real.revocable = <T extends object>(target: T, handler: ProxyHandler<T>) => {
      const made = revocable(target, handler);
      note(made.proxy, target, handler);
      return made;
    };
  }

  const generators = watchGenerators(trip, value => hasProxies && isProxy(value));
  const weak = watchWeak();
  const formatters = new WeakSet<object>();
  const [isFormatter, addFormatter] = [formatters.has.bind(formatters), formatters.add.bind(formatters)];
  const noteFormatter = (made: unknown): unknown => {
    addFormatter(made as object);
    return made;
  };
  replaceGetter(Intl.NumberFormat.prototype, 'format', noteFormatter);
  replaceGetter(Intl.Collator.prototype, 'compare', noteFormatter);
  let [isEvalRead, isEvalWatched] = [false, false];
  // oxlint-disable-next-line no-eval -- given to scripts as it is
  const realEval = globalThis.eval;
  Object.defineProperty(globalThis, 'eval', {
    get() {
      isEvalRead ||= !isQuiet();
      if (isEvalWatched) trip('direct eval');
      return realEval;
    },
    set(value: unknown) {
      Object.defineProperty(globalThis, 'eval', { value, writable: true, enumerable: false, configurable: true });
    },
    configurable: true,
  });
  const inAsync = async function (): Promise<void> {
    // Only its kind is asked for, and that of its promise.
  };
  // oxlint-disable-next-line no-empty-function -- only their kinds are asked for
  const samples = [function* () {}, async function* () {}, inAsync].flatMap((make): object[] => [
    make,
    make.prototype as object,
  ]);
  // Those of the page's realm.
  const { Array: PageArray, Map: PageMap, Set: PageSet, RegExp: PagePattern } = globalThis;
  const iterators = [
    new PageArray()[Symbol.iterator](),
    new PageMap().entries(),
    new PageSet().values(),
    ''[Symbol.iterator](),
    String.prototype.matchAll.call('a', new PagePattern('a', 'g')),
    inAsync(),
  ];
  const unnamed = unnamedFunctions();
  const permanent = createPermanentMembers(value => hasProxies && isProxy(value));
  watchReshaping();
  watchProxies();
  return {
    ...weak,
    permanent,
    unnamed,
    isFormatter: value => isFormatter(value),
    onReshape(hear) {
      const before = told;
      told = object => {
        before(object);
        hear(object);
      };
    },
    isReshapedArray: value => hasReshaped && isReshaped(value),
    behindProxy: value => (hasProxies && isProxy(value) ? (behind(value) ?? null) : null),
    watchEval() {
      isEvalWatched = true;
      return isEvalRead;
    },
    samples: [...samples.filter(sample => sample !== undefined), ...iterators],
  };
}

/** Lists what is in weak collections. Their keys are not held: one that is gone can be asked for by nobody. */
function watchWeak(): Pick<PageLanguage, 'weakPairs' | 'restoreWeak'> {
  const { apply } = Reflect;
  const Ref = WeakRef;
  const deref = Ref.prototype.deref;
  const { has, get, set, delete: remove } = WeakMap.prototype;
  const { has: hasMember, add, delete: removeMember } = WeakSet.prototype;
  interface Listed {
    readonly isSet: boolean;
    /** What has its keys as members: itself, or what stands for a registry, which lets nobody ask. */
    readonly store: object;
    /** Every key that it ever had and that still lives, each once. */
    refs: WeakRef<WeakKey>[];
    known: WeakSet<WeakKey>;
  }
  const lists = new WeakMap<object, Listed>();
  const [listOf, keepList] = [lists.get.bind(lists), lists.set.bind(lists)];

  function listFor(collection: object, isSet: boolean, store = collection): Listed {
    const list = listOf(collection) ?? { isSet, store, refs: [], known: new WeakSet() };
    keepList(collection, list);
    return list;
  }

  function note(list: Listed, key: WeakKey): void {
    if (apply(hasMember, list.known, [key])) return;
    apply(add, list.known, [key]);
    list.refs[list.refs.length] = new Ref(key);
  }

  function watch(
    holder: object,
    name: string,
    answer: (self: object, values: unknown[], given: unknown) => unknown,
  ): void {
    const real = (holder as Record<string, Call | undefined>)[name];
    if (real === undefined) return;
    const value = new Proxy(
      real,
      closedTraps({
        apply: (target, self: object, values: unknown[]) => answer(self, values, apply(target, self, values)),
      }),
    );
    Object.defineProperty(holder, name, { value, writable: true, configurable: true });
  }

  function mark(holder: object, name: string): void {
    watch(holder, name, (self, values, given) => {
      note(listFor(self, holder === WeakSet.prototype), values[0] as WeakKey);
      return given;
    });
  }

  /** What is registered with a token: whether it is still, `unregister` says. When somebody is told that it is gone, is chance. */
  function watchRegistries(): void {
    const tokens = (registry: object): Listed => listOf(registry) ?? listFor(registry, true, new WeakSet());
    watch(FinalizationRegistry.prototype, 'register', (self, [, , token], given) => {
      if (token === undefined) return given;
      const list = tokens(self);
      apply(add, list.store, [token as WeakKey]);
      note(list, token as WeakKey);
      return given;
    });
    watch(FinalizationRegistry.prototype, 'unregister', (self, [token]) =>
      apply(removeMember, tokens(self).store, [token as WeakKey]),
    );
  }

  for (const name of ['set', 'getOrInsert', 'getOrInsertComputed']) mark(WeakMap.prototype, name);
  mark(WeakSet.prototype, 'add');
  watchRegistries();
  return {
    weakPairs(collection) {
      const list = listOf(collection);
      const pairs: WeakPair[] = [];
      if (list === undefined) return pairs;
      const refs: WeakRef<WeakKey>[] = [];
      for (let index = 0; index < list.refs.length; index++) {
        const ref = list.refs[index] as WeakRef<WeakKey>;
        const key = apply(deref, ref, []) as WeakKey | undefined;
        if (key === undefined) continue;
        refs[refs.length] = ref;
        if (!apply(list.isSet ? hasMember : has, list.store, [key])) continue;
        pairs[pairs.length] = [key, list.isSet ? true : (apply(get, collection, [key]) as unknown)];
      }
      list.refs = refs;
      return pairs;
    },
    restoreWeak(collection, pairs) {
      const list = listOf(collection);
      if (list === undefined) return;
      for (let index = 0; index < list.refs.length; index++) {
        const key = apply(deref, list.refs[index] as WeakRef<WeakKey>, []) as WeakKey | undefined;
        if (key !== undefined) apply(list.isSet ? removeMember : remove, list.store, [key]);
      }
      for (let index = 0; index < pairs.length; index++) {
        const [key, value] = pairs[index] as WeakPair;
        if (list.isSet) apply(add, list.store, [key]);
        else apply(set, list.store, [key, value]);
        note(list, key);
      }
    },
  };
}

/** What stands for the callee of any arguments of a strict function, and for the stack of any error. */
function unnamedFunctions(): readonly object[] {
  // oxlint-disable-next-line prefer-rest-params -- only these have it
  const callee = Object.getOwnPropertyDescriptor(arguments, 'callee');
  const stack = Object.getOwnPropertyDescriptor(new globalThis.Error(), 'stack');
  return [callee?.get, stack?.get, stack?.set].filter(one => one !== undefined);
}
