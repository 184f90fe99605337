import type { PagePromises } from '../parts.ts';
import { type Capability, createCombinators, wait } from './promise-combinators.ts';

// Taken before they are watched.
const { apply, construct, getPrototypeOf } = Reflect;
const { defineProperty, freeze, hasOwn } = Object;
const sourceOf = Function.prototype.toString;

type Callback = (value: unknown) => unknown;
type Settle = (value: unknown) => void;

/**
 * What a promise of the page is: an ordinary object that a snapshot reads and writes as any other. These objects inherit
 * nothing, so that scripts of the page cannot be in them.
 */
interface State {
  kind: 'open' | 'kept' | 'broken';
  value: unknown;
  isHandled: boolean;
  /** What waits for it, last one first. */
  last: Reaction | null;
}

interface Reaction {
  readonly before: Reaction | null;
  readonly onKept: unknown;
  readonly onBroken: unknown;
  readonly derived: Capability;
}

type Constructor = new (executor: (resolve: unknown, reject: unknown) => void) => object;

const nativeCode = /\{\s*\[native code\]\s*\}$/;
const isNativeText = nativeCode.test.bind(nativeCode);
const isObject = (value: unknown): value is object =>
  typeof value === 'function' || (typeof value === 'object' && value !== null);

/**
 * Gives the page promises of ours, whose state a snapshot can keep and restore. Those of async functions and of the browser
 * stay as they are: a snapshot only learns what became of them.
 */
export function createPromises(): PagePromises {
  const Real = Promise;
  const { then: realThen } = Real.prototype;
  const later = globalThis.queueMicrotask.bind(globalThis);
  const states = new WeakMap<object, State>();
  const [stateOf, setState] = [states.get.bind(states), states.set.bind(states)];
  /** What functions of ours that scripts are given lead to. */
  const links = new WeakMap<object, object>();
  const [linkOf, setLink] = [links.get.bind(links), links.set.bind(links)];
  /** Callbacks of the browser: an async function goes on by them, once. */
  const opaque = new WeakMap<object, readonly [onKept: unknown, onBroken: unknown]>();
  const [opaqueOf, setOpaque] = [opaque.get.bind(opaque), opaque.set.bind(opaque)];
  const spent = new WeakMap<object, { readonly reason: string; readonly at: number }>();
  const [spentBy, setSpent] = [spent.get.bind(spent), spent.set.bind(spent)];
  let spentCount = 0;
  const spend = (object: object, reason: string): void => {
    spentCount++;
    setSpent(object, { reason, at: spentCount });
  };
  /** Promises of the browser's own that nobody has caught the error of. */
  const twins = new WeakMap<object, Promise<never>>();
  const [twinOf, setTwin] = [twins.get.bind(twins), twins.set.bind(twins)];
  const nothing = (): void => undefined;

  function settle(state: State, kind: 'kept' | 'broken', value: unknown): void {
    let waiting: { readonly reaction: Reaction; readonly next: unknown } | null = null;
    for (let at = state.last; at !== null; at = at.before) waiting = { reaction: at, next: waiting };
    [state.kind, state.value, state.last] = [kind, value, null];
    // The browser tells of it in its own way.
    if (kind === 'broken' && !state.isHandled) setTwin(state, Real.reject(value));
    for (let at = waiting; at !== null; at = at.next as typeof waiting) react(at.reaction, kind, value);
  }

  function react(reaction: Reaction, kind: 'kept' | 'broken', value: unknown): void {
    const hidden = opaqueOf(reaction);
    if (hidden !== undefined) spend(reaction, goneOn);
    const [onKept, onBroken] = hidden ?? [reaction.onKept, reaction.onBroken];
    const { resolve, reject } = reaction.derived;
    const run = kind === 'kept' ? onKept : onBroken;
    later(() => {
      if (run === undefined) return kind === 'kept' ? resolve(value) : reject(value);
      let result: unknown;
      try {
        result = apply(run as Callback, undefined, [value]);
      } catch (cause) {
        return reject(cause);
      }
      resolve(result);
    });
  }

  /** The two functions that settle a promise; whichever is called first counts. */
  function resolversOf(promise: object, state: State): Capability {
    const pair = { __proto__: null, promise, isCalled: false };
    const resolve: Settle = value => {
      if (pair.isCalled) return;
      pair.isCalled = true;
      if (value === promise)
        return settle(state, 'broken', new TypeError('Chaining cycle detected for promise #<Promise>'));
      if (!isObject(value)) return settle(state, 'kept', value);
      let then: unknown;
      try {
        ({ then } = value as { then?: unknown });
      } catch (cause) {
        return settle(state, 'broken', cause);
      }
      if (typeof then !== 'function') return settle(state, 'kept', value);
      later(() => follow(value, then as Callback, resolversOf(promise, state)));
    };
    const reject: Settle = value => {
      if (pair.isCalled) return;
      pair.isCalled = true;
      settle(state, 'broken', value);
    };
    setLink(resolve, pair);
    setLink(reject, pair);
    return { __proto__: null, promise, resolve, reject } as Capability;
  }

  function follow(value: object, then: Callback, { resolve, reject }: Capability): void {
    try {
      apply(then, value, [resolve, reject]);
    } catch (cause) {
      reject(cause);
    }
  }

  function begin(promise: object): Capability {
    const state = { __proto__: null, kind: 'open', value: undefined, isHandled: false, last: null } as unknown as State;
    setState(promise, state);
    return resolversOf(promise, state);
  }

  function PagePromise(this: unknown, executor: unknown): object {
    if (new.target === undefined) throw new TypeError("Promise constructor cannot be invoked without 'new'");
    if (typeof executor !== 'function') throw new TypeError(`Promise resolver ${String(executor)} is not a function`);
    const { promise, resolve, reject } = begin(construct(Object, [], new.target) as object);
    try {
      apply(executor, undefined, [resolve, reject]);
    } catch (cause) {
      reject(cause);
    }
    return promise;
  }
  const prototype = PagePromise.prototype as object;

  function capabilityOf(made: unknown): Capability {
    if (made === PagePromise) return begin(construct(Object, [], PagePromise) as object);
    let [resolve, reject]: unknown[] = [];
    const promise = new (made as Constructor)((one, other) => {
      if (resolve !== undefined || reject !== undefined)
        throw new TypeError('Promise executor has already been invoked');
      [resolve, reject] = [one, other];
    });
    if (typeof resolve !== 'function' || typeof reject !== 'function')
      throw new TypeError('Promise resolve or reject function is not callable');
    return { __proto__: null, promise, resolve, reject } as unknown as Capability;
  }

  /** The class that promises which come of this one have. */
  function speciesOf(promise: object): unknown {
    const { constructor: made } = promise as { constructor?: unknown };
    if (made === undefined || made === PagePromise) return PagePromise;
    if (!isObject(made)) throw new TypeError('The constructor of a promise is not an object');
    const species = (made as unknown as Record<symbol, unknown>)[Symbol.species];
    return species === undefined || species === null ? PagePromise : species;
  }

  function resolved(made: unknown, value: unknown): object {
    if (isObject(value) && (stateOf(value) !== undefined || isReal(value)) && value.constructor === made) return value;
    const { promise, resolve } = capabilityOf(made);
    resolve(value);
    return promise;
  }

  const isReal = (value: object): boolean => getPrototypeOf(value) === Real.prototype && !hasOwn(value, 'constructor');
  const callable = (value: unknown): unknown => (typeof value === 'function' ? value : undefined);
  const isOfBrowser = (value: unknown): boolean =>
    typeof value === 'function' && isNativeText(apply(sourceOf, value, []) as string);

  const methods = {
    // oxlint-disable-next-line no-thenable -- this is what makes a promise one
    then(this: object, ...callbacks: unknown[]): unknown {
      const state = isObject(this) ? stateOf(this) : undefined;
      if (state === undefined) return apply(realThen, this, callbacks);
      const derived = capabilityOf(speciesOf(this));
      const [onKept, onBroken] = [callable(callbacks[0]), callable(callbacks[1])];
      const isHidden = isOfBrowser(onKept) || isOfBrowser(onBroken);
      const shown = isHidden ? { onKept: 'hidden', onBroken: 'hidden' } : { onKept, onBroken };
      const reaction = { __proto__: null, before: state.last, ...shown, derived } as Reaction;
      if (isHidden) setOpaque(reaction, [onKept, onBroken]);
      if (state.kind === 'open') state.last = reaction;
      else {
        const twin = state.isHandled ? undefined : twinOf(state);
        if (twin !== undefined) {
          apply(realThen, twin, [undefined, nothing]);
          spend(state, caught);
        }
        react(reaction, state.kind, state.value);
      }
      state.isHandled = true;
      return derived.promise;
    },
    catch(this: object, onBroken: unknown): unknown {
      return wait(this, undefined, onBroken);
    },
    finally(this: object, onFinally: unknown): unknown {
      if (!isObject(this)) throw new TypeError('Promise.prototype.finally called on a non-object');
      const made = speciesOf(this);
      if (typeof onFinally !== 'function') return wait(this, onFinally, onFinally);
      const after = (end: () => unknown): unknown => {
        return wait(resolved(made, apply(onFinally as () => unknown, undefined, [])), end);
      };
      const onKept = (value: unknown): unknown => {
        const end = (): unknown => value;
        setLink(end, { __proto__: null, value } as object);
        return after(end);
      };
      const onBroken = (cause: unknown): unknown => {
        const end = (): never => {
          throw cause;
        };
        setLink(end, { __proto__: null, cause } as object);
        return after(end);
      };
      for (const run of [onKept, onBroken]) setLink(run, { __proto__: null, onFinally, made } as object);
      return wait(this, onKept, onBroken);
    },
  };

  function replace(): void {
    const hidden = { writable: true, configurable: true } as const;
    for (const [name, value] of Object.entries(methods)) defineProperty(prototype, name, { value, ...hidden });
    defineProperty(prototype, Symbol.toStringTag, { value: 'Promise', configurable: true });
    defineProperty(prototype, 'constructor', { value: PagePromise, ...hidden });
    for (const name of Object.getOwnPropertyNames(Real)) {
      const member = Object.getOwnPropertyDescriptor(Real, name) as PropertyDescriptor;
      // They make what they are called on.
      if (typeof member.value === 'function') defineProperty(PagePromise, name, member);
    }
    for (const [name, value] of Object.entries(createCombinators({ capabilityOf, setLink })))
      defineProperty(PagePromise, name, { value, ...hidden });
    const resolve = {
      resolve(this: unknown, value: unknown): object {
        if (!isObject(this)) throw new TypeError('PromiseResolve called on non-object');
        return resolved(this, value);
      },
    };
    defineProperty(PagePromise, 'resolve', { value: resolve.resolve, ...hidden });
    defineProperty(PagePromise, Symbol.species, { get: speciesGetter, configurable: true });
    defineProperty(PagePromise, 'name', { value: 'Promise', configurable: true });
    defineProperty(PagePromise, 'prototype', { writable: false });
    defineProperty(globalThis, 'Promise', { value: PagePromise, ...hidden });
    // Those of async functions are promises as well. No script can put itself between them and us.
    Object.setPrototypeOf(Real.prototype, prototype);
    freeze(Real);
    freeze(Real.prototype);
  }

  /** What became of promises that are not ours. */
  const others = new WeakMap<object, { kind: State['kind']; value: unknown }>();
  const [otherOf, setOther] = [others.get.bind(others), others.set.bind(others)];
  let looks = 0;

  function lookAt(promise: object): { readonly kind: State['kind']; readonly value: unknown } | null {
    const known = otherOf(promise);
    if (known !== undefined) return known;
    if (!isReal(promise)) return null;
    const found = { kind: 'open' as State['kind'], value: undefined as unknown };
    const note = (kind: State['kind']) => (value: unknown) => {
      [found.kind, found.value] = [kind, value];
    };
    try {
      apply(realThen, promise, [note('kept'), note('broken')]);
    } catch {
      // An object that only looks like one.
      return null;
    }
    setOther(promise, found);
    looks++;
    return found;
  }

  replace();
  return {
    stateOf(promise) {
      const own = stateOf(promise);
      if (own !== undefined) return { entries: [own], isOpaque: false };
      const other = lookAt(promise);
      return other && { entries: [other.kind, other.value], isOpaque: other.kind === 'open' };
    },
    linkOf: run => linkOf(run) ?? null,
    takeLooks() {
      const count = looks;
      looks = 0;
      return count;
    },
    mark: () => spentCount,
    spentSince(mark, objects) {
      if (spentCount === mark) return null;
      const found = objects.find(object => (spentBy(object)?.at ?? 0) > mark);
      return found === undefined ? null : (spentBy(found)?.reason ?? null);
    },
  };
}

const goneOn = 'an async function that waited for a promise has gone on since';
const caught = 'the error of a promise that nobody had caught was caught since';

const speciesGetter = Object.getOwnPropertyDescriptor(
  {
    get species(): unknown {
      return this;
    },
  },
  'species',
)?.get as () => unknown;
