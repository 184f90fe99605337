import type { PageListeners } from '../parts.ts';
import type { TellRealClock } from '../real-sources.ts';

const selector = 'input[type=image i][src]';
/** One that has not loaded after so many frames is not waited for any more. */
const mostFrames = 40;

export interface ImageInputOptions {
  readonly listeners: PageListeners;
  /** Told when a script hears a load: how often the browser reports one is chance. */
  readonly tell: TellRealClock;
  /** Told when a load that a script hears was not waited for: no snapshot knows of it. */
  trip(what: string): void;
}

/**
 * Says whether an image of an input is still being loaded: inputs have no `complete` as images do. The browser reports a load
 * once or twice, by chance, and again when it draws the input anew or when we restore it, at times before the script that
 * listens has run. So its reports are held: scripts hear of one load, when the page settles and all images are there, in the order
 * of the document. Called before scripts can replace observers.
 */
export function watchImageInputs({ listeners, tell, trip }: ImageInputOptions): () => boolean {
  const { querySelectorAll } = Document.prototype;
  const below = Element.prototype.querySelectorAll;
  const dispatch = EventTarget.prototype.dispatchEvent;
  const RealEvent = Event;
  /** Those whose load was reported, or is not to be. */
  const reported = new WeakSet<EventTarget>();
  const waited = new WeakMap<EventTarget, number>();
  const begin = (input: Node): void => {
    waited.delete(input);
    // What we restore begins nothing.
    if (listeners.isMuted()) reported.add(input);
    else reported.delete(input);
  };
  const beginIn = (changes: readonly MutationRecord[]): void => {
    for (const { type, target, addedNodes } of changes)
      if (type === 'attributes') begin(target);
      else
        for (const node of addedNodes)
          if (node instanceof Element) [node, ...below.call(node, selector)].forEach(begin);
  };
  const observer = new MutationObserver(beginIn);
  observer.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['src', 'type'] });
  const takeRecords = observer.takeRecords.bind(observer);

  const held = new Map<EventTarget, string>();
  let isDelivering = false;
  const note = (event: Event): void => {
    const { target, type } = event;
    if (isDelivering || !(target instanceof HTMLInputElement)) return;
    event.stopImmediatePropagation();
    beginIn(takeRecords());
    if (reported.has(target) || listeners.isMuted()) return;
    reported.add(target);
    held.set(target, type);
  };
  const deliver = (input: HTMLInputElement): void => {
    const type = held.get(input);
    if (type === undefined) return;
    held.delete(input);
    if (isHeard(listeners, input, type)) tell('an image input: the browser reports its load once or twice');
    isDelivering = true;
    dispatch.call(input, new RealEvent(type));
    isDelivering = false;
  };
  // The load of an element never reaches the window.
  for (const type of ['load', 'error']) listeners.hearBelow(type, note);

  const giveUp = (input: Element): void => {
    if (!isHeard(listeners, input, 'load') && !isHeard(listeners, input, 'error')) return;
    const late = 'an image input that did not load in time';
    tell(late);
    trip(late);
  };
  return () => {
    beginIn(takeRecords());
    let isLoading = false;
    const inputs = [...(querySelectorAll.call(document, selector) as NodeListOf<HTMLInputElement>)];
    for (const input of inputs) {
      const frames = waited.get(input) ?? 0;
      if (reported.has(input) || frames >= mostFrames) continue;
      waited.set(input, frames + 1);
      if (frames + 1 < mostFrames) isLoading = true;
      else giveUp(input);
    }
    if (isLoading || held.size === 0) return isLoading;
    // Those that left the document meanwhile come last.
    for (const input of [...inputs, ...held.keys()]) deliver(input as HTMLInputElement);
    // Whoever heard of it may have begun another one.
    return true;
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
