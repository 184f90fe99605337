import type { PageBase } from './parts.ts';

/** What the other parts stand on. */
export function createBase(): PageBase {
  const frame = globalThis.requestAnimationFrame.bind(globalThis);
  const later = globalThis.setTimeout.bind(globalThis);
  const Real = Promise;
  const listen = globalThis.addEventListener.bind(globalThis);
  const { get: countFrames } = Object.getOwnPropertyDescriptor(globalThis, 'length') ?? {};
  const count = countFrames?.bind(globalThis) as (() => number) | undefined;
  let leaving: (() => void)[] = [];
  return {
    drawn: () => new Real(resolve => frame(() => resolve())),
    pause: milliseconds => new Real(resolve => later(resolve, milliseconds)),
    loaded: () =>
      document.readyState === 'complete'
        ? Real.resolve()
        : new Real(resolve => listen('load', () => resolve(), { once: true })),
    hasFrames: () => count?.() !== 0,
    stay: () => new Real(resolve => leaving.push(resolve)),
    letGo() {
      const told = leaving;
      leaving = [];
      for (const go of told) go();
    },
  };
}
