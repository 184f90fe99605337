import { closedTraps } from '../page/traps.ts';

import type { PageTransitions } from '../page/parts.ts';

interface ViewTransition {
  readonly finished: Promise<void>;
}
type Start = (this: unknown, ...values: unknown[]) => ViewTransition;

/** Counts view transitions that are not over: while one runs, its picture covers the page and takes the clicks. */
export function watchTransitions(): PageTransitions {
  let running = 0;
  const { apply } = Reflect;
  const then = Promise.prototype.then as (this: unknown, ...values: unknown[]) => unknown;
  const over = (): void => {
    running--;
  };
  for (const holder of [Document.prototype, Element.prototype] as unknown as { startViewTransition?: Start }[]) {
    const start = Object.hasOwn(holder, 'startViewTransition') ? holder.startViewTransition : undefined;
    if (start === undefined) continue;
    holder.startViewTransition = new Proxy(
      start,
      closedTraps({
        apply(target, self, values) {
          const transition = apply(target, self, values) as ViewTransition;
          running++;
          apply(then, transition.finished, [over, over]);
          return transition;
        },
      }),
    );
  }
  return { running: () => running };
}
