import type { PageListeners, PageShadowRoots } from '../parts.ts';
import type { TellRealClock } from '../real-sources.ts';
import { replaceMethod } from '../shims/clock-sources.ts';

/** About a second. */
const mostFrames = 60;
/** For an image that may never say anything: it was there already, or waits until somebody scrolls to it. */
const fewFrames = 4;

export interface ImageOptions {
  readonly listeners: PageListeners;
  readonly roots: PageShadowRoots;
  /** Told when an image took longer than timers wait. */
  readonly tell: TellRealClock;
  /** Told as well: no snapshot knows of a load that is still to come. */
  trip(what: string): void;
  /** Whether an observer of the page is being told something. */
  isTelling(): boolean;
}

interface Waited {
  frames: number;
  /** Those in which it may have had nothing left to say. */
  idle: number;
}

const sources = /^(src|srcset)$/i;
// Taken before they are watched.
const { apply } = Reflect;

/**
 * Says whether images are being loaded, in the document or outside of it. Timers wait for them: else chance would decide whether
 * a script hears of a load before or after a timer. What a restore loads again is told to nobody. Called before scripts can
 * replace observers.
 */
export function watchImages({ listeners, roots, tell, trip, isTelling }: ImageOptions): () => boolean {
  const { prototype } = HTMLImageElement;
  const { querySelectorAll, hasAttribute, getAttribute } = Element.prototype;
  const completeOf = Object.getOwnPropertyDescriptor(prototype, 'complete')?.get as () => boolean;
  const open = new Map<HTMLImageElement, Waited>();
  const [known, quiet] = [new WeakSet<EventTarget>(), new WeakSet<EventTarget>()];
  const has = (image: Element, name: string): boolean => apply(hasAttribute, image, [name]);
  const end = ({ currentTarget }: Event): void => void open.delete(currentTarget as HTMLImageElement);

  const begin = (node: unknown): void => {
    if (!(node instanceof HTMLImageElement) || node.ownerDocument !== document) return;
    if (!has(node, 'src') && !has(node, 'srcset') && node.parentNode?.nodeName !== 'PICTURE') return;
    if (isTelling()) tell('an image that an observer asked for: what it hears before the image has come is chance');
    open.set(node, { frames: 0, idle: 0 });
    if (listeners.isMuted()) quiet.add(node);
    else quiet.delete(node);
    if (known.has(node)) return;
    known.add(node);
    for (const type of ['load', 'error']) listeners.hearOn(node, type, end);
  };
  const beginIn = (changes: readonly MutationRecord[]): void => {
    for (const { type, target, addedNodes } of changes)
      if (type === 'attributes') begin(target);
      else
        for (const node of addedNodes)
          if (node instanceof Element) [node, ...apply(querySelectorAll, node, ['img'])].forEach(begin);
  };
  const observer = new MutationObserver(beginIn);
  const watched = { subtree: true, childList: true, attributes: true, attributeFilter: ['src', 'srcset'] };
  observer.observe(document, watched);
  const observe = observer.observe.bind(observer);
  roots.onNew(root => observe(root, watched));
  const takeRecords = observer.takeRecords.bind(observer);
  watchWrites(begin);
  for (const type of ['load', 'error'])
    listeners.hearBelow(type, event => {
      if (event.target === null || !quiet.delete(event.target)) return;
      open.delete(event.target as HTMLImageElement);
      event.stopImmediatePropagation();
    });

  const isWaitedFor = (image: HTMLImageElement, waited: Waited): boolean => {
    // Its load is told a moment after it is complete.
    if (apply(completeOf, image, []) || apply(getAttribute, image, ['loading']) === 'lazy')
      return waited.idle++ < fewFrames;
    if (waited.frames++ < mostFrames) return true;
    const late = 'an image that took longer than a second';
    tell(late);
    trip(late);
    return false;
  };
  return () => {
    beginIn(takeRecords());
    for (const [image, waited] of open) if (!isWaitedFor(image, waited)) open.delete(image);
    return open.size > 0;
  };
}

/** Images outside of the document are given their source by scripts. */
function watchWrites(begin: (image: unknown) => void): void {
  const { prototype } = HTMLImageElement;
  for (const name of ['src', 'srcset']) {
    const member = Object.getOwnPropertyDescriptor(prototype, name);
    const set = member?.set;
    if (member === undefined || set === undefined) continue;
    Object.defineProperty(prototype, name, {
      ...member,
      set(this: unknown, value: unknown) {
        apply(set, this, [value]);
        begin(this);
      },
    });
  }
  replaceMethod(Element.prototype, 'setAttribute', (real, self, values) => {
    apply(real, self, values);
    if (self instanceof HTMLImageElement && sources.test(String(values[0]))) begin(self);
  });
}
