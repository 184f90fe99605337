import type { PageListeners } from '../page/parts.ts';

const selector = 'input[type=image i][src]';
/** One that has not loaded after so many frames is not waited for any more. */
const mostFrames = 40;
/** Chromium may load one twice; the second time comes within so many frames. */
const quietFrames = 4;

/** Tells whether an image of an input is still being loaded: inputs have no `complete` as images do. */
export function watchImageInputs(listeners: PageListeners): () => boolean {
  const { querySelectorAll } = Document.prototype;
  const loaded = new WeakMap<EventTarget, string>();
  const waited = new WeakMap<Element, number>();
  let quiet = 0;
  const note = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    loaded.set(target, target.src);
    quiet = quietFrames;
  };
  listeners.hear('load', note);
  listeners.hear('error', note);
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
