import type { Natives } from './natives.ts';

/** Most functions never make anything: what they have for that is as the browser made it, and is not kept. */
export interface Pristine {
  /** Whether the object that a function has for what it makes is as the browser made it. */
  isPristine(run: object): boolean;
  makePristine(run: object): void;
}

export function createPristine(natives: Pick<Natives, 'nameOf'>): Pristine {
  return {
    isPristine(run) {
      const { prototype } = run as { prototype?: unknown };
      if (typeof prototype !== 'object' || prototype === null || !Object.isExtensible(prototype)) return false;
      const keys = Reflect.ownKeys(prototype);
      const above = natives.nameOf(Object.getPrototypeOf(prototype) as object);
      // That of a generator has nothing at all.
      if (keys.length === 0) return above !== null;
      if (keys.length !== 1 || keys[0] !== 'constructor' || above !== 'Object.prototype') return false;
      const member = Object.getOwnPropertyDescriptor(prototype, 'constructor') as PropertyDescriptor;
      return member.value === run && member.writable === true && !member.enumerable && member.configurable === true;
    },
    makePristine(run) {
      const { prototype } = run as { prototype: object };
      for (const key of Reflect.ownKeys(prototype)) if (key !== 'constructor') Reflect.deleteProperty(prototype, key);
      if (Object.hasOwn(prototype, 'constructor'))
        Reflect.defineProperty(prototype, 'constructor', { value: run, writable: true, enumerable: false });
    },
  };
}
