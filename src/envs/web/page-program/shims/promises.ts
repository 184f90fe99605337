import type { PagePromises } from '../parts.ts';
import { forPage } from '../traps.ts';

/** Notes promises of the page that are kept or broken: that cannot be taken back. */
export function createPromises(): PagePromises {
  const Real = Promise;
  // Taken before it is watched.
  const { construct } = Reflect;
  let mark = 0;
  /** Between which marks a promise was open. */
  const settled: { readonly made: number; readonly at: number }[] = [];

  type Executor = ConstructorParameters<typeof Promise<unknown>>[0];

  function watched(executor: Executor): Executor {
    const made = mark;
    let isOpen = true;
    const noted = <T>(settle: (value: T) => void): ((value: T) => void) => {
      return value => {
        if (isOpen && made < mark) settled.push({ made, at: mark });
        isOpen = false;
        settle(value);
      };
    };
    return (resolve, reject) => executor(noted(resolve), noted(reject));
  }

  function PagePromise(this: unknown, executor: Executor): unknown {
    if (new.target === undefined) throw new TypeError("Promise constructor cannot be invoked without 'new'");
    const given = typeof executor === 'function' ? watched(executor) : executor;
    return construct(Real, [given], new.target === PagePromise ? Real : new.target);
  }

  const statics = Real as unknown as Record<string, (this: unknown, ...values: unknown[]) => unknown>;
  for (const name of ['resolve', 'reject', 'all', 'allSettled', 'any', 'race', 'try']) {
    const run = statics[name];
    if (run === undefined) continue;
    Object.defineProperty(PagePromise, name, {
      value(this: unknown, ...values: unknown[]) {
        return run.apply(this === PagePromise ? Real : this, values);
      },
      writable: true,
      configurable: true,
    });
  }
  Object.defineProperty(PagePromise, 'withResolvers', {
    value(this: PromiseConstructor) {
      let [resolve, reject]: unknown[] = [];
      const promise = new this((...given) => {
        [resolve, reject] = given;
      });
      return forPage({ promise, resolve, reject });
    },
    writable: true,
    configurable: true,
  });
  Object.defineProperty(PagePromise, Symbol.species, { get: () => Real, configurable: true });
  Object.defineProperty(PagePromise, 'name', { value: 'Promise' });
  PagePromise.prototype = Real.prototype;
  // Else any promise would lead to the one that is not watched.
  Object.defineProperty(Real.prototype, 'constructor', { value: PagePromise, writable: true, configurable: true });
  globalThis.Promise = PagePromise as unknown as PromiseConstructor;

  return {
    mark: () => ++mark,
    hasSettledSince: since => settled.some(({ made, at }) => made < since && since <= at),
  };
}
