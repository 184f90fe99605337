// Taken before scripts of the page can replace them.
const { setPrototypeOf } = Reflect;
const { isArray, prototype: arrays } = Array;
const { prototype: objects } = Object;

/** A list or an object that scripts of the page are given: with the methods of their realm. */
export function forPage<T extends object>(value: T): T {
  setPrototypeOf(value, isArray(value) ? arrays : objects);
  return value;
}

/**
 * Traps of a proxy that inherit nothing. Otherwise a script that writes `Object.prototype.get` adds a trap to every proxy of
 * ours, and is handed the function that the proxy stands for.
 */
export function closedTraps<T extends object>(traps: ProxyHandler<T>): ProxyHandler<T> {
  setPrototypeOf(traps, null);
  return traps;
}
