import { closedTraps } from '../traps.ts';

import type { PageTransitions } from '../parts.ts';

interface ViewTransition {
  readonly updateCallbackDone: Promise<void>;
  readonly ready: Promise<void>;
  readonly finished: Promise<void>;
}
type Start = (this: unknown, ...values: unknown[]) => ViewTransition;
type Update = (this: unknown, ...values: unknown[]) => unknown;

/** Counts view transitions that are not over: while one runs, its picture covers the page and takes the clicks. */
export function watchTransitions(): PageTransitions {
  let running = 0;
  /** Those that go on with the next frame. One that updates the page may wait for a timer. */
  const due = new Set<object>();
  const { apply } = Reflect;
  const then = Promise.prototype.then as (this: unknown, ...values: unknown[]) => unknown;
  const over = (): void => {
    running--;
  };
  const whenSettled = (promise: Promise<void>, run: () => void): unknown => apply(then, promise, [run, run]);

  /** The same values, with an update that tells when it begins. */
  const telling = (values: readonly unknown[], begins: () => void): readonly unknown[] => {
    const [first, ...more] = values;
    const told = (update: Update): Update =>
      function (this: unknown, ...given) {
        begins();
        return apply(update, this, given);
      };
    if (typeof first === 'function') return [told(first as Update), ...more];
    const update = typeof first === 'object' && first !== null ? (first as { update?: unknown }).update : undefined;
    return typeof update === 'function' ? [{ ...(first as object), update: told(update as Update) }, ...more] : values;
  };

  for (const holder of [Document.prototype, Element.prototype] as unknown as { startViewTransition?: Start }[]) {
    const start = Object.hasOwn(holder, 'startViewTransition') ? holder.startViewTransition : undefined;
    if (start === undefined) continue;
    holder.startViewTransition = new Proxy(
      start,
      closedTraps({
        apply(target, self, values) {
          const key = {};
          const transition = apply(
            target,
            self,
            telling(values, () => void due.delete(key)),
          ) as ViewTransition;
          running++;
          due.add(key);
          let isReady = false;
          whenSettled(transition.updateCallbackDone, () => void (isReady || due.add(key)));
          whenSettled(transition.ready, () => {
            isReady = true;
            due.delete(key);
          });
          whenSettled(transition.finished, over);
          return transition;
        },
      }),
    );
  }
  return { running: () => running, needFrame: () => due.size > 0 };
}
