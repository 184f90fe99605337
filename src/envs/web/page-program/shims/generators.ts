import { closedTraps } from '../traps.ts';

type Step = (this: unknown, ...values: unknown[]) => unknown;

export interface Generators {
  /** Whether an object has its methods from generators, as each that is made by one has at first. */
  isBelow(value: unknown): boolean;
}

/**
 * What stands where in a generator, no script can read: it is known by what it inherits from. One that inherits from something
 * else (`make.prototype = Object.prototype`) is found when a script lets it go on.
 */
export function watchGenerators(trip: (what: string) => void, isProxy: (value: object) => boolean): Generators {
  const { apply, getPrototypeOf } = Reflect;
  // oxlint-disable-next-line no-empty-function -- only what they make is asked for
  const kinds = [function* () {}, async function* () {}].map(
    make => getPrototypeOf(make.prototype as object) as object,
  );

  function isBelow(value: unknown): boolean {
    for (let at = value; typeof at === 'object' && at !== null && !isProxy(at); at = getPrototypeOf(at))
      if (at === kinds[0] || at === kinds[1]) return true;
    return false;
  }

  for (const kind of kinds)
    for (const name of ['next', 'return', 'throw']) {
      const member = Object.getOwnPropertyDescriptor(kind, name);
      if (member === undefined) continue;
      const traps = closedTraps<Step>({
        apply(target, self, values: unknown[]) {
          if (!isBelow(self)) trip('a generator that inherits from something else');
          return apply(target, self, values) as unknown;
        },
      });
      Object.defineProperty(kind, name, { ...member, value: new Proxy(member.value as Step, traps) });
    }
  return { isBelow };
}
