import type { PageListeners } from '../parts.ts';
import { prototypeOf, replaceGetter, replaceMethod } from './clock-sources.ts';

/** Lets scripts that a document loads run before messages that are posted meanwhile: which of them is first is chance. */
export interface HeldMessages {
  /** Posts it now, or once the document is loaded. */
  post(values: readonly unknown[], send: () => unknown): unknown;
  /** Posts what is held, in its order, and holds no more. */
  release(): void;
}

export function holdMessages(listeners: PageListeners): HeldMessages {
  let held: (() => unknown)[] | null = document.readyState === 'complete' ? null : [];
  const release = (): void => {
    const messages = held ?? [];
    held = null;
    for (let index = 0; index < messages.length; index++) (messages[index] as () => unknown)();
  };
  listeners.hearOn(globalThis, 'load', release);
  // What was posted before a port is closed, or goes elsewhere, still arrives.
  const releasing = (real: (...values: unknown[]) => unknown, self: unknown, values: unknown[]): unknown => {
    release();
    return Reflect.apply(real, self, values);
  };
  replaceMethod(MessagePort.prototype, 'close', releasing);
  replaceMethod(prototypeOf('Worker'), 'postMessage', releasing);
  replaceMethod(globalThis, 'structuredClone', releasing);
  replaceGetter(HTMLIFrameElement.prototype, 'contentWindow', frame => {
    release();
    return frame;
  });
  return {
    post(values, send) {
      // An object can change until then, a port can go elsewhere.
      if (
        values.length !== 1 ||
        (typeof values[0] === 'object' && values[0] !== null) ||
        typeof values[0] === 'function'
      )
        release();
      if (held === null) return send();
      held.push(send);
      return undefined;
    },
    release,
  };
}
