import { forPage } from '../traps.ts';
import type { PageListeners, PageObservers, Watch } from '../parts.ts';

/**
 * Knows what the observers of the page watch, and keeps from them what we do. `turn` lets a task pass: those that the browser
 * tells of crossings in one task hear of it in the order they were made, not in that of their addresses in memory.
 */
export function createObservers(listeners: PageListeners, turn: () => Promise<void>): PageObservers {
  type Observer = MutationObserver | ResizeObserver | IntersectionObserver;
  type Observe = (this: Observer, target: Element, options?: unknown) => void;
  /** Those that watch something; the same array as long as nothing changed. */
  const watching = new Map<Observer, Watch>();
  const callbacks = new WeakMap<Observer, object>();
  const real = new WeakMap<Observer, { observe: Observe; disconnect(): void }>();
  const numbers = new WeakMap<Observer, number>();
  type Entry = IntersectionObserverEntry | ResizeObserverEntry;
  /** What observers were not told yet. */
  const untold = new Map<Observer, Entry[]>();
  let [made, callCount] = [0, 0];
  let isHeard = false;
  let telling = 0;

  const call = (observer: Observer, values: readonly unknown[]): void => {
    callCount++;
    telling++;
    try {
      (callbacks.get(observer) as (...values: unknown[]) => unknown).apply(observer, [...values]);
    } catch (cause) {
      reportError(cause);
    } finally {
      telling--;
    }
  };
  const tellAll = async (): Promise<void> => {
    await turn();
    const waiting = [...untold].toSorted(([one], [other]) => (numbers.get(one) ?? 0) - (numbers.get(other) ?? 0));
    for (const [observer] of waiting) {
      const entries = untold.get(observer) ?? [];
      untold.delete(observer);
      if (entries.length > 0) call(observer, [forPage(entries), observer]);
      // Promises that it settled go on first.
      await new Promise<void>(resolve => resolve());
    }
  };
  const tellLater = (observer: Observer, entries: readonly Entry[]): void => {
    if (isHeard && untold.size === 0) void tellAll();
    const before = untold.get(observer) ?? [];
    // Of a document that is being loaded, the last frame counts.
    const kept = isHeard ? before : before.filter(({ target }) => !entries.some(entry => entry.target === target));
    untold.set(observer, [...kept, ...entries]);
  };
  const dropUntold = (observer: Observer, target: Element): void => {
    const left = untold.get(observer)?.filter(entry => entry.target !== target);
    if (left !== undefined) untold.set(observer, left);
  };

  function replace(name: 'MutationObserver' | 'ResizeObserver' | 'IntersectionObserver'): void {
    const Real = globalThis[name] as unknown as new (callback: unknown, options?: unknown) => Observer;
    const { observe, disconnect, unobserve, takeRecords } = Real.prototype as unknown as Record<string, Observe>;
    const [isOfCrossings, isOfSizes] = [name === 'IntersectionObserver', name === 'ResizeObserver'];
    class PageObserver extends (Real as unknown as new (callback: unknown, options?: unknown) => object) {
      constructor(callback: (...values: unknown[]) => unknown, options?: unknown) {
        super((...values: unknown[]) => {
          if (listeners.isMuted()) return;
          const self = this as unknown as Observer;
          if (isOfCrossings || (isOfSizes && !isHeard)) tellLater(self, values[0] as readonly Entry[]);
          else call(self, values);
        }, options);
        numbers.set(this as unknown as Observer, ++made);
        callbacks.set(this as unknown as Observer, callback);
        real.set(this as unknown as Observer, { observe, disconnect } as { observe: Observe; disconnect(): void });
      }
    }
    const members: Record<string, Observe> = {
      observe(target, options) {
        const calls = watching.get(this)?.calls ?? [];
        (observe as Observe).call(this, target, options);
        const others = calls.filter(([other]) => other !== target);
        watching.set(this, { callback: callbacks.get(this) as object, calls: [...others, [target, options]] });
      },
      unobserve(target) {
        unobserve?.call(this, target);
        dropUntold(this, target);
        note(this, watching.get(this)?.calls.filter(([other]) => other !== target) ?? []);
      },
      disconnect() {
        (disconnect as () => void).call(this);
        if (untold.has(this)) untold.set(this, []);
        note(this, []);
      },
    };
    if (isOfCrossings)
      members['takeRecords'] = function () {
        const waiting = untold.get(this) ?? [];
        if (untold.has(this)) untold.set(this, []);
        const taken = (takeRecords as Observe).call(this, undefined as never) as unknown as object[];
        return forPage([...waiting, ...taken]) as never;
      };
    if (unobserve === undefined) delete members['unobserve'];
    Object.defineProperty(PageObserver, 'name', { value: name });
    for (const [member, value] of Object.entries(members))
      Object.defineProperty(PageObserver.prototype, member, { value, writable: true, configurable: true });
    globalThis[name] = PageObserver as never;
  }

  function note(observer: Observer, calls: Watch['calls']): void {
    if (calls.length === 0) watching.delete(observer);
    else watching.set(observer, { callback: callbacks.get(observer) as object, calls });
  }

  replace('MutationObserver');
  replace('ResizeObserver');
  replace('IntersectionObserver');
  return {
    capture: () => new Map(watching),
    restore(record) {
      for (const observer of new Set([...watching.keys(), ...record.keys()]) as Set<Observer>) {
        const [wanted, known] = [record.get(observer), watching.get(observer)];
        if (wanted === known) continue;
        real.get(observer)?.disconnect.call(observer);
        for (const [target, options] of wanted?.calls ?? [])
          real.get(observer)?.observe.call(observer, target as Element, options);
        note(observer, wanted?.calls ?? []);
        if (wanted !== undefined) watching.set(observer, wanted);
      }
    },
    needFrame: () => [...watching.keys()].some(observer => 'unobserve' in observer),
    hear() {
      if (isHeard) return;
      isHeard = true;
      if (untold.size > 0) void tellAll();
    },
    calls: () => callCount,
    isTelling: () => telling > 0,
    drain() {
      for (const observer of untold.keys()) untold.set(observer, []);
      for (const observer of watching.keys()) if ('takeRecords' in observer) observer.takeRecords();
    },
  };
}
