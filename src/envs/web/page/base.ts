import type { Hasher } from './keeper.ts';

/** What the other parts stand on. Runs in the page, first of all. */
export function installBase(): void {
  const keeper = globalThis.espalierKeeper;
  const frame = globalThis.requestAnimationFrame.bind(globalThis);
  const Real = Promise;
  const listen = globalThis.addEventListener.bind(globalThis);
  /** The port differs from session to session: it tells nothing of the state. */
  const origin = location.origin.startsWith('http') ? location.origin : null;

  keeper.drawn = () => new Real(resolve => frame(() => resolve()));
  let leaving: (() => void)[] = [];
  keeper.loaded = () =>
    document.readyState === 'complete'
      ? Real.resolve()
      : new Real(resolve => listen('load', () => resolve(), { once: true }));
  keeper.stay = () => new Real(resolve => leaving.push(resolve));
  keeper.letGo = () => {
    const told = leaving;
    leaving = [];
    for (const go of told) go();
  };
  // Not cryptographic: enough to tell states apart that nobody forged.
  keeper.hasher = (): Hasher => {
    let [left, right] = [0x3c6ef372, 0x2545f491];
    const number = (value: number): void => {
      left = Math.imul(left ^ value, 0x9e3779b1);
      right = Math.imul((right ^ value) + 0x7f4a7c15, 0x5bd1e995);
      left ^= right >>> 15;
      right ^= left >>> 13;
    };
    const text = (given: string): void => {
      const words = origin !== null && given.includes(origin) ? given.replaceAll(origin, '') : given;
      for (let index = 0; index < words.length; index++) {
        const code = words.charCodeAt(index);
        left = Math.imul(left ^ code, 0x9e3779b1);
        right = Math.imul(right ^ code, 0x5bd1e995);
      }
      number(words.length);
    };
    return {
      number,
      text,
      add({ left: one, right: other }) {
        number(one);
        number(other);
      },
      value: () => ({ left, right }),
      word: () => [left, right].map(lane => (lane >>> 0).toString(16).padStart(8, '0')).join(''),
    };
  };
}
