import type { PageLinks } from '../parts.ts';
import { closedTraps } from '../traps.ts';
import { replaceMethod } from './clock-sources.ts';

// Taken before they are watched.
const { apply, construct } = Reflect;
const { prototype } = TextDecoder;
const { decode } = prototype;
/** A class of the page may have members of the same names. */
const form = ['encoding', 'fatal', 'ignoreBOM'].map(
  name => Object.getOwnPropertyDescriptor(prototype, name)?.get as () => unknown,
);

/** Knows which decoders of texts wait for the rest of a letter: what they have of it, no script can read. */
export function createTextDecoders(): PageLinks {
  const states = new WeakMap<object, { isWaiting: boolean }>();
  const [stateOf, setState] = [states.get.bind(states), states.set.bind(states)];
  const Real = TextDecoder;
  const traps = closedTraps<typeof TextDecoder>({
    construct(target, values: unknown[], as) {
      const decoder = construct(target, values, as as typeof Real) as object;
      setState(decoder, { isWaiting: false });
      return decoder;
    },
  });
  const value = new Proxy(Real, traps);
  Object.defineProperty(prototype, 'constructor', { value, writable: true, configurable: true });
  Object.defineProperty(globalThis, 'TextDecoder', { value, writable: true, configurable: true });
  replaceMethod(prototype, 'decode', (real, self, [input, options]) => {
    const state = stateOf(self as object);
    const isGiven = (typeof options === 'object' && options !== null) || typeof options === 'function';
    const stream = isGiven && Boolean((options as TextDecodeOptions).stream);
    // One that throws may have taken something.
    if (state !== undefined && stream) state.isWaiting = true;
    const text = apply(real, self, [input, isGiven ? { __proto__: null, stream } : options]);
    if (state !== undefined) state.isWaiting = stream;
    return text;
  });
  return {
    entriesOf(decoder) {
      const state = stateOf(decoder);
      if (state === undefined) return null;
      return [...form.map(read => apply(read, decoder, []) as unknown), state.isWaiting];
    },
    refusalOf: decoder => (stateOf(decoder)?.isWaiting === true ? 'a text decoder in the middle of a text' : null),
    giveBack(decoder) {
      const state = stateOf(decoder);
      if (state?.isWaiting !== true) return;
      state.isWaiting = false;
      try {
        apply(decode, decoder, []);
      } catch {
        // It had half a letter; it begins anew all the same.
      }
    },
  };
}
