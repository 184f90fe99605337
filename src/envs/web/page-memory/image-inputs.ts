import type { PageListeners } from '../page/parts.ts';
import type { TellRealClock } from '../page/real-sources.ts';

const selector = 'input[type=image i][src]';
/** One that has not loaded after so many frames is not waited for any more. */
const mostFrames = 40;
/** Chromium may load one twice; the second time comes within so many frames. */
const quietFrames = 4;

/**
 * Says whether an image of an input is still being loaded: inputs have no `complete` as images do. The browser reports a load
 * once or twice, by chance; `tell` is told when a script hears it.
 */
export function watchImageInputs(listeners: PageListeners, tell: TellRealClock): () => boolean {
  const { querySelectorAll } = Document.prototype;
  const loaded = new WeakMap<EventTarget, string>();
  const waited = new WeakMap<Element, number>();
  let quiet = 0;
  const note = ({ target, type }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    loaded.set(target, target.src);
    quiet = quietFrames;
    if (isHeard(listeners, target, type)) tell('an image input: the browser reports its load once or twice');
  };
  // The load of an element never reaches the window.
  for (const type of ['load', 'error']) listeners.hearBelow(document, type, note);
  return () => {
    let isLoading = quiet-- > 0;
    for (const input of querySelectorAll.call(document, selector) as NodeListOf<HTMLInputElement>) {
      if (loaded.get(input) === input.src) continue;
      const frames = (waited.get(input) ?? 0) + 1;
      waited.set(input, frames % mostFrames);
      if (frames < mostFrames) isLoading = true;
      else loaded.set(input, input.src);
    }
    return isLoading;
  };
}

/** Whether a script hears an event of an input that does not bubble: in the input, or around it in the capture phase. */
function isHeard(listeners: PageListeners, input: Element, type: string): boolean {
  const names = new Set([type, `on${type}`]);
  const hears = (target: EventTarget, isAbove: boolean): boolean =>
    listeners.of(target).some(one => names.has(one.type) && (one.capture || !isAbove));
  if (input.hasAttribute(`on${type}`) || hears(input, false)) return true;
  for (let at = input.parentNode; at !== null; at = at.parentNode) if (hears(at, true)) return true;
  return type === 'error' && hears(globalThis, true);
}
