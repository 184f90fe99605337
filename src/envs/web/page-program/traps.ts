// Taken before it is watched.
const { setPrototypeOf } = Reflect;

/**
 * Traps of a proxy that inherit nothing. Otherwise a script that writes `Object.prototype.get` adds a trap to every proxy of
 * ours, and is handed the function that the proxy stands for.
 */
export function closedTraps<T extends object>(traps: ProxyHandler<T>): ProxyHandler<T> {
  setPrototypeOf(traps, null);
  return traps;
}
