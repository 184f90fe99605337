import type { PageListeners, PageObservers, Watch } from '../page/parts.ts';

/** Knows what the observers of the page watch, and keeps from them what we do. */
// oxlint-disable-next-line max-lines-per-function -- one closure over the state of the part
export function createObservers(listeners: PageListeners): PageObservers {
  type Observer = MutationObserver | ResizeObserver | IntersectionObserver;
  type Observe = (this: Observer, target: Element, options?: unknown) => void;
  /** Those that watch something; the same array as long as nothing changed. */
  const watching = new Map<Observer, Watch>();
  const callbacks = new WeakMap<Observer, object>();
  const real = new WeakMap<Observer, { observe: Observe; disconnect(): void }>();

  function replace(name: 'MutationObserver' | 'ResizeObserver' | 'IntersectionObserver'): void {
    const Real = globalThis[name] as unknown as new (callback: unknown, options?: unknown) => Observer;
    const { observe, disconnect, unobserve } = Real.prototype as unknown as Record<string, Observe>;
    class PageObserver extends (Real as unknown as new (callback: unknown, options?: unknown) => object) {
      constructor(callback: (...values: unknown[]) => unknown, options?: unknown) {
        super((...values: unknown[]) => {
          if (!listeners.isMuted()) callback.apply(this, values);
        }, options);
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
        note(this, watching.get(this)?.calls.filter(([other]) => other !== target) ?? []);
      },
      disconnect() {
        (disconnect as () => void).call(this);
        note(this, []);
      },
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
    drain() {
      for (const observer of watching.keys()) if ('takeRecords' in observer) observer.takeRecords();
    },
  };
}
