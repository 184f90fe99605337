/**
 * What the program in the realm of the page uses instead of the language there: built-in functions of a realm of our own, which
 * no script of the page can replace. `tab/hardening.ts` writes the calls.
 */
export interface SafeLanguage {
  /** An array of our realm. */
  list(...items: readonly unknown[]): readonly unknown[];
  /** Gives an array that the language made for us, such as rest parameters, the methods of our realm. */
  own(values: unknown[]): unknown[];
  /** What can be iterated over without calling anything of the page. */
  each(values: unknown): unknown;
  /** Lets nobody hear that somebody waits for a promise of ours. */
  wait(value: unknown): unknown;
  is(value: unknown, kind: unknown): boolean;
  pattern(source: string, flags: string): RegExp;
  /** Methods by name; the first value is what the method belongs to. */
  readonly call: Readonly<Record<string, Call>>;
  /** The same where it may belong to nothing: then nothing is called. */
  readonly maybe: SafeLanguage['call'];
  readonly built: Readonly<Record<string, unknown>>;
}

type Call = (self: unknown, ...values: unknown[]) => unknown;
type Method = (this: unknown, ...values: unknown[]) => unknown;
type Methods = Readonly<Record<string, Method | undefined>>;

/** Methods of texts, numbers, functions, arrays and promises whose calls are written anew. */
export const safeMethods: readonly string[] = `
  apply at call catch charAt charCodeAt codePointAt concat endsWith every filter find findIndex findLast flat flatMap forEach
  includes indexOf join lastIndexOf localeCompare map match matchAll padEnd padStart pop push reduce repeat replace replaceAll
  reverse shift slice some sort splice split startsWith substring then toFixed toLowerCase toReversed toSorted toSpliced toString
  toUpperCase trim trimEnd trimStart unshift with`
  .trim()
  .split(/\s+/);

/** Built-in objects whose functions are called by name. */
export const safeHolders: readonly string[] = ['Array', 'JSON', 'Math', 'Number', 'Object', 'Reflect', 'String'];
export const safeCollections: readonly string[] = ['Map', 'Set', 'WeakMap', 'WeakSet'];
export const safeFunctions: readonly string[] = ['Boolean', 'Number', 'String'];

type Realm = typeof globalThis;

/**
 * Called in the realm of the page, before its first script, with the realm that is lent. The functions are of the page's realm:
 * the browser calls no listener that a function of a realm without a page has handed over.
 */
export function createSafeLanguage(own: Realm): SafeLanguage {
  const { apply, defineProperty, getPrototypeOf, setPrototypeOf } = Reflect;
  const { hasOwn, freeze, fromEntries } = Object;
  const { Array: Own, Map: OwnMap, Set: OwnSet, RegExp: OwnPattern } = own;
  const { isArray, from, of, prototype: arrays } = Own;
  const made = [new OwnMap().keys(), new OwnSet().keys(), new Own().values()].map(one => getPrototypeOf(one) as object);
  const iterables = new OwnSet<unknown>([arrays, OwnMap.prototype, OwnSet.prototype, ...made]);
  const hasIterable = iterables.has.bind(iterables);
  // Promises of the other realm are never settled: it runs no tasks.
  const RealPromise = Promise;
  const promises = RealPromise.prototype;
  const then = promises.then as Method;
  const isInstance = Function.prototype[Symbol.hasInstance] as Method;

  const each = (values: unknown): unknown => {
    if (typeof values !== 'object' || values === null)
      return typeof values === 'string' ? apply(from, Own, [values]) : values;
    if (hasIterable(getPrototypeOf(values))) return values;
    const found = apply(of, Own, []) as unknown[];
    const { length } = values as ArrayLike<unknown>;
    // To see nothing in it would be a quiet mistake.
    if (typeof length !== 'number') throw new TypeError('What is iterated over has no length.');
    for (let index = 0; index < length; index++) found[index] = (values as ArrayLike<unknown>)[index];
    return found;
  };
  const call = (name: string): Call => {
    const [ofTexts, ofNumbers, ofFunctions, ofArrays] = [own.String, own.Number, own.Function, Own].map(
      ({ prototype }) => (prototype as unknown as Methods)[name] as Method,
    ) as [Method, Method, Method, Method];
    return (self, ...values) => {
      if (typeof self === 'string') return apply(ofTexts, self, values);
      if (typeof self === 'number') return apply(ofNumbers, self, values);
      if (typeof self === 'function') return apply(ofFunctions, self, values);
      if (isArray(self)) return apply(ofArrays, each(self), values);
      return apply((self as Methods)[name] as Method, self, values);
    };
  };
  const calls: SafeLanguage['call'] = freeze({
    ...fromEntries(safeMethods.map(name => [name, call(name)])),
    // oxlint-disable-next-line no-thenable -- a method by its name
    then: (self, ...values) => apply(then, self, values),
    catch: (self, told) => apply(then, self, [undefined, told]),
  } satisfies SafeLanguage['call']);
  const unlessMissing =
    (run: Call): Call =>
    (self, ...values) =>
      self === undefined || self === null ? undefined : apply(run, undefined, [self, ...values]);
  const named = own as unknown as Record<string, unknown>;
  const built = [...safeHolders, ...safeCollections, ...safeFunctions].map(name => [name, named[name]] as const);
  return freeze({
    list: (...items: readonly unknown[]) => apply(of, Own, items) as unknown[],
    own(values: unknown[]) {
      setPrototypeOf(values, arrays);
      return values;
    },
    each,
    wait(value: unknown) {
      const isOurs = typeof value === 'object' && value !== null && getPrototypeOf(value) === promises;
      // Else the page is asked for the constructor of the promise, and so is handed the promise.
      if (isOurs && !hasOwn(value, 'constructor')) defineProperty(value, 'constructor', constructorOf);
      return value;
    },
    is: (value: unknown, kind: unknown) => apply(isInstance, kind, [value]) as boolean,
    pattern: (source: string, flags: string) => new OwnPattern(source, flags),
    call: calls,
    maybe: freeze(fromEntries(Object.entries(calls).map(([name, run]) => [name, unlessMissing(run)]))),
    built: freeze(fromEntries(built)),
  });
}

// With no member that is inherited from the page.
const constructorOf = Object.assign(Object.create(null) as object, { value: Promise, configurable: true });

/**
 * Called in the realm that is lent. Whoever gets hold of an object of this realm can change nothing in it, and make no function
 * in it.
 */
export function freezeRealm(): Realm {
  // oxlint-disable-next-line no-empty-function -- only their kinds are asked for
  const samples = [function () {}, function* () {}, async function () {}, async function* () {}];
  for (const sample of samples) Reflect.deleteProperty(Object.getPrototypeOf(sample) as object, 'constructor');
  const kinds = [Object, Function, Array, String, Number, Boolean, Symbol, BigInt, Map, Set, WeakMap, WeakSet, RegExp];
  const iterators = [[].values(), new Map().keys(), new Set().keys(), ''[Symbol.iterator](), 'a'.matchAll(/a/g)];
  const others = [Promise, Proxy, Error, TypeError, RangeError, Date, Reflect, JSON, Math, ArrayBuffer, Uint8Array];
  const inherited = [...samples, ...iterators].map(sample => Object.getPrototypeOf(sample) as object);
  const above = inherited.map(one => Object.getPrototypeOf(one) as object);
  for (const one of [...kinds, ...others, ...inherited, ...above]) {
    const { prototype } = one as { prototype?: object };
    for (const object of [one, prototype]) if (object !== undefined) Object.freeze(object);
  }
  return globalThis;
}
