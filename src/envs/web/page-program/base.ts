import type { PageBase } from './parts.ts';

// Taken before scripts of the page can replace them.
const RealPromise = Promise;
const { defineProperty } = Object;

/** A promise of ours that nobody hears of who is asked for the constructor of promises. */
export function unheard<T>(promise: Promise<T>): Promise<T> {
  return defineProperty(promise, 'constructor', { value: RealPromise, configurable: true });
}

/** Settled as the first of these is. Other than `Promise.race`, it asks nothing of the page. */
export function first<T>(promises: readonly Promise<T>[]): Promise<T> {
  return new RealPromise((resolve, reject) => {
    for (const promise of promises) void unheard(promise).then(resolve, reject);
  });
}

/** What the other parts stand on. */
export function createBase(): PageBase {
  const frame = globalThis.requestAnimationFrame.bind(globalThis);
  const later = globalThis.setTimeout.bind(globalThis);
  const Real = Promise;
  const listen = globalThis.addEventListener.bind(globalThis);
  const { get: countFrames } = Object.getOwnPropertyDescriptor(globalThis, 'length') ?? {};
  const count = countFrames?.bind(globalThis) as (() => number) | undefined;
  let leaving: (() => void)[] = [];
  const drawn = (): Promise<void> => new Real(resolve => frame(() => resolve()));
  const stay = (): Promise<void> => new Real(resolve => leaving.push(resolve));
  const loaded = (): Promise<void> =>
    new Real(resolve => {
      if (document.readyState === 'complete') resolve();
      else listen('load', () => resolve(), { once: true });
    });
  return {
    drawn,
    pause: milliseconds => new Real(resolve => later(resolve, milliseconds)),
    loaded: () => first([loaded(), stay()]),
    hasFrames: () => count?.() !== 0,
    stay,
    letGo() {
      const told = leaving;
      leaving = [];
      for (const go of told) go();
    },
  };
}
