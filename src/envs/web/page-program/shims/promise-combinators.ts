import { forPage } from '../traps.ts';

// Taken before they are watched.
const { apply } = Reflect;
const { defineProperty } = Object;
const Aggregate = AggregateError;

type Settle = (value: unknown) => void;
type Method = (...values: unknown[]) => unknown;

/** Calls the `then` that an object has: scripts may have written it. */
export function wait(promise: object, ...callbacks: unknown[]): unknown {
  return apply((promise as { then: Method }).then, promise, callbacks);
}

/** Iterates as the language does: how is up to the page. */
function visitEach(iterable: unknown, visit: (value: unknown) => void): void {
  const iterator = apply((iterable as Record<symbol, Method>)[Symbol.iterator] as Method, iterable, []) as {
    next: Method;
    return?: Method;
  };
  const { next } = iterator;
  for (;;) {
    const step = apply(next, iterator, []) as { done?: boolean; value: unknown };
    if (step.done) return;
    const { value } = step;
    try {
      visit(value);
    } catch (cause) {
      const end = iterator.return;
      if (end !== undefined) apply(end, iterator, []);
      throw cause;
    }
  }
}

/** A promise, and the functions that settle it. */
export interface Capability {
  readonly promise: object;
  readonly resolve: Settle;
  readonly reject: Settle;
}

export interface CombinatorOptions {
  capabilityOf(made: unknown): Capability;
  /** Says what a function that waits for a promise leads to. */
  setLink(run: object, link: object): unknown;
}

/** What several promises have come to so far: an ordinary object, which a snapshot keeps. */
interface Gathered {
  readonly values: unknown[];
  left: number;
  readonly capability: Capability;
}

interface Slot {
  readonly gathered: Gathered;
  readonly index: number;
  isCalled: boolean;
}

interface Gathering {
  /** What stands for a promise that was kept or broken; without it, the first one decides. */
  readonly kept?: (value: unknown) => unknown;
  readonly broken?: (value: unknown) => unknown;
  /** All are settled. */
  end(gathered: Gathered): void;
}

const gatherings: Readonly<Record<string, Gathering>> = {
  all: { kept: value => value, end: ({ values, capability }) => capability.resolve(values) },
  allSettled: {
    kept: value => forPage({ status: 'fulfilled', value }),
    broken: reason => forPage({ status: 'rejected', reason }),
    end: ({ values, capability }) => capability.resolve(values),
  },
  any: {
    broken: reason => reason,
    end: ({ values, capability }) => capability.reject(new Aggregate([...values], 'All promises were rejected')),
  },
  race: { end: () => undefined },
};

/** `Promise.all` and the like, whose state lies in objects that a snapshot reads: that of the browser's own shows to nobody. */
export function createCombinators({ capabilityOf, setLink }: CombinatorOptions): Readonly<Record<string, object>> {
  const usual = { writable: true, enumerable: true, configurable: true };

  function element(slot: Slot, as: (value: unknown) => unknown, { end }: Gathering): Settle {
    const run: Settle = value => {
      if (slot.isCalled) return;
      slot.isCalled = true;
      const { gathered, index } = slot;
      defineProperty(gathered.values, index, { value: as(value), ...usual });
      if (--gathered.left === 0) end(gathered);
    };
    setLink(run, slot);
    return run;
  }

  interface Wait {
    readonly made: object;
    readonly gathering: Gathering;
    readonly capability: Capability;
  }

  function waitFor(iterable: unknown, { made, gathering, capability }: Wait): void {
    const { resolve: wrap } = made as { resolve?: unknown };
    if (typeof wrap !== 'function') throw new TypeError('Promise resolve or reject function is not callable');
    const { kept, broken, end } = gathering;
    const gathered = { __proto__: null, values: forPage([]), left: 1, capability } as Gathered;
    let count = 0;
    visitEach(iterable, one => {
      const slot = { __proto__: null, gathered, index: count++, isCalled: false } as Slot;
      defineProperty(gathered.values, slot.index, { value: undefined, ...usual });
      gathered.left++;
      wait(
        apply(wrap as Method, made, [one]) as object,
        kept === undefined ? capability.resolve : element(slot, kept, gathering),
        broken === undefined ? capability.reject : element(slot, broken, gathering),
      );
    });
    if (--gathered.left === 0) end(gathered);
  }

  const combine = (name: string, gathering: Gathering): object => {
    const methods = {
      [name](this: object, iterable: unknown): object {
        const capability = capabilityOf(this);
        try {
          waitFor(iterable, { made: this, gathering, capability });
        } catch (cause) {
          capability.reject(cause);
        }
        return capability.promise;
      },
    };
    return methods[name] as object;
  };
  return Object.fromEntries(Object.entries(gatherings).map(([name, gathering]) => [name, combine(name, gathering)]));
}
