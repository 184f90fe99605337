import { closedTraps } from '../traps.ts';

/** What the language itself lets scripts do that no list of members shows. */
export interface PageLanguage {
  /** Tells of every object whose attributes, prototype or extensibility a script changes. */
  onReshape(told: (object: object) => void): void;
  /** Whether a script ever changed the attributes, the prototype or the extensibility of this array. */
  isReshapedArray(value: object): boolean;
  /** The target and the handler of a proxy that a script made. */
  behindProxy(value: object): readonly [target: object, handler: object] | null;
  /** Whether a weak collection ever had anything in it. */
  isFilled(value: object): boolean;
  /** Objects whose prototypes have no global name. */
  readonly samples: readonly object[];
}

type Call = (...values: unknown[]) => unknown;
const getPrototype = Object.getPrototypeOf;
// Taken before scripts of the page can replace it.
const { toString: tagOf } = Object.prototype;

/** Watches the few calls of the language that a snapshot has to know of. `trip` is called with what it cannot cover. */
export function createLanguage(trip: (what: string) => void): PageLanguage {
  const proxies = new WeakMap<object, readonly [target: object, handler: object]>();
  const filled = new WeakSet<object>();
  const reshaped = new WeakSet<object>();
  // Taken before they are replaced.
  const [isFilled, addFilled] = [filled.has.bind(filled), filled.add.bind(filled)];
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
  };

  /** What an object inherits decides what is taken to be in it. */
  function inherits(object: unknown, prototype: unknown): void {
    if (typeof object === 'function' && typeof prototype === 'function') {
      if (prototype !== Function.prototype && isNative.test(sourceOf.call(prototype)))
        trip('a class that was made to extend a native');
    } else if (
      typeof object === 'object' &&
      object !== null &&
      tagOf.call(object) !== '[object Object]' &&
      !Array.isArray(object)
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
      if (as !== undefined && as !== target && !isBelow(as, target)) trip('Reflect.construct with another prototype');
    });
    watchLegacy();
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
    Real.revocable = <T extends object>(target: T, handler: ProxyHandler<T>) => {
      const made = revocable(target, handler);
      trip('a proxy that can be revoked');
      note(made.proxy, target, handler);
      return made;
    };
  }

  /** What hangs on objects in a weak collection cannot be listed; an empty one has nothing. */
  function watchWeak(): void {
    const mark = (holder: object, name: string): void => {
      const real = (holder as Record<string, Call>)[name] as Call;
      Object.defineProperty(holder, name, {
        value: new Proxy(
          real,
          closedTraps({
            apply(target, self: object, values: unknown[]) {
              addFilled(self);
              return Reflect.apply(target, self, values) as unknown;
            },
          }),
        ),
        writable: true,
        configurable: true,
      });
    };
    mark(WeakMap.prototype, 'set');
    mark(WeakSet.prototype, 'add');
  }

  // oxlint-disable-next-line no-empty-function -- only their kinds are asked for
  const samples = [function* () {}, async function* () {}, async function () {}].flatMap((make): object[] => [
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
  ];
  watchReshaping();
  watchProxies();
  watchWeak();
  return {
    onReshape(hear) {
      const before = told;
      told = object => {
        before(object);
        hear(object);
      };
    },
    isReshapedArray: value => hasReshaped && isReshaped(value),
    behindProxy: value => (hasProxies && isProxy(value) ? (behind(value) ?? null) : null),
    isFilled: value => isFilled(value),
    samples: [...samples.filter(sample => sample !== undefined), ...iterators],
  };
}
