import { after, type Awaitable } from '../../core/contracts.ts';

/** Keeps the most recent results by key; a memory of none makes everything anew. */
export function createMemory<T>(most: number): (key: string, make: () => T) => T {
  const kept = new Map<string, T>();
  return (key, make) => {
    const known = kept.get(key);
    const value = known ?? make();
    kept.delete(key);
    kept.set(key, value);
    const oldest = kept.size > most ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
    return value;
  };
}

/** The same for work that may be promised. Only results are kept, so a failure is tried again. */
export function createAwaitableMemory<T>(most: number): (key: string, make: () => Awaitable<T>) => Awaitable<T> {
  const kept = new Map<string, T>();
  return (key, make) => {
    const known = kept.get(key);
    return after(known ?? make(), value => {
      kept.delete(key);
      kept.set(key, value);
      const oldest = kept.size > most ? kept.keys().next().value : undefined;
      if (oldest !== undefined) kept.delete(oldest);
      return value;
    });
  };
}
