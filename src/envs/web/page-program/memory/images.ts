import type { PageImages, PageListeners, PageShadowRoots } from '../parts.ts';
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

/** What decides which image is loaded; `href` in pictures of SVG. */
const deciding = ['src', 'srcset', 'sizes', 'crossorigin', 'referrerpolicy', 'media', 'type', 'href'] as const;
const sources = new RegExp(`^(${deciding.join('|')}|xlink:href)$`, 'i');
const written = ['src', 'srcset', 'sizes', 'crossOrigin', 'referrerPolicy'] as const;
const events = ['load', 'error'] as const;
// Taken before they are watched.
const { apply } = Reflect;

/**
 * Says whether images are being loaded, in the document or outside of it. Timers wait for them: else chance would decide whether
 * a script hears of a load before or after a timer. What a restore loads again is told to nobody. Called before scripts can
 * replace observers.
 */
export function watchImages({ listeners, roots, tell, trip, isTelling }: ImageOptions): PageImages {
  const { prototype } = HTMLImageElement;
  const { querySelectorAll, hasAttribute, getAttribute } = Element.prototype;
  const completeOf = Object.getOwnPropertyDescriptor(prototype, 'complete')?.get as () => boolean;
  const open = new Map<LoadingImage, Waited>();
  const [known, quiet] = [new WeakSet<EventTarget>(), new WeakSet<EventTarget>()];
  const has = (image: Element, name: string): boolean => apply(hasAttribute, image, [name]);
  const end = (event: Event): void => {
    const image = event.currentTarget as LoadingImage;
    open.delete(image);
    if (quiet.delete(image)) event.stopImmediatePropagation();
  };

  const begin = (node: unknown): void => {
    if (node instanceof HTMLSourceElement) return void [...(node.parentElement?.children ?? [])].forEach(beginImage);
    beginImage(node);
  };
  const beginImage = (node: unknown): void => {
    if (!isLoadingImage(node) || node.ownerDocument !== document) return;
    if (node instanceof SVGImageElement) {
      // The page waits for none of these; only what a restore loads again is not to be heard.
      if (!listeners.isMuted()) return void quiet.delete(node);
    } else if (!has(node, 'src') && !has(node, 'srcset') && node.parentNode?.nodeName !== 'PICTURE') return;
    if (isTelling()) tell('an image that an observer asked for: what it hears before the image has come is chance');
    open.set(node, { frames: 0, idle: 0 });
    if (listeners.isMuted()) quiet.add(node);
    else quiet.delete(node);
    if (known.has(node)) return;
    known.add(node);
    for (const type of events) listeners.hearFirstOn(node, type, end);
  };
  const beginIn = (changes: readonly MutationRecord[]): void => {
    for (const { type, target, addedNodes } of changes)
      if (type === 'attributes') begin(target);
      else
        for (const node of addedNodes)
          if (node instanceof Element) [node, ...apply(querySelectorAll, node, ['img'])].forEach(begin);
  };
  const observer = new MutationObserver(beginIn);
  const watched = { subtree: true, childList: true, attributes: true, attributeFilter: [...deciding] };
  observer.observe(document, watched);
  const observe = observer.observe.bind(observer);
  roots.onNew(root => observe(root, watched));
  const takeRecords = observer.takeRecords.bind(observer);
  watchWrites(begin);
  for (const type of events)
    listeners.hearBelow(type, event => {
      if (event.target === null || !quiet.delete(event.target)) return;
      open.delete(event.target as LoadingImage);
      event.stopImmediatePropagation();
    });

  const mayBeOver = (image: LoadingImage): boolean =>
    !(image instanceof HTMLImageElement) ||
    apply(completeOf, image, []) ||
    apply(getAttribute, image, ['loading']) === 'lazy';
  const isWaitedFor = (image: LoadingImage, waited: Waited): boolean => {
    // Its load is told a moment after it is complete.
    if (mayBeOver(image)) return waited.idle++ < fewFrames;
    if (waited.frames++ < mostFrames) return true;
    const late = 'an image that took longer than a second';
    tell(late);
    trip(late);
    return false;
  };
  const hearsEarlier = (node: Node): boolean =>
    listeners.of(node).some(({ type, capture }) => capture && (type === 'load' || type === 'error'));
  return {
    areLoading() {
      beginIn(takeRecords());
      for (const [image, waited] of open)
        if (!isWaitedFor(image, waited)) {
          open.delete(image);
          // What comes later was asked for later, as when somebody scrolls to it.
          quiet.delete(image);
        }
      return open.size > 0;
    },
    loadAgain(element, names) {
      if (!names.some(name => sources.test(name))) return null;
      begin(element);
      for (let node: Node | null = element; node !== null && node !== document; node = node.parentNode)
        if (isLoadingImage(element) && hearsEarlier(node))
          return 'an image that would have to be loaded again, and a script that would hear of it';
      return null;
    },
  };
}

type LoadingImage = HTMLImageElement | SVGImageElement;
const isLoadingImage = (node: unknown): node is LoadingImage =>
  node instanceof HTMLImageElement || node instanceof SVGImageElement;

/** Images outside of the document are given their source by scripts. */
function watchWrites(begin: (image: unknown) => void): void {
  const { prototype } = HTMLImageElement;
  for (const name of written) {
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
    if (isLoadingImage(self) && sources.test(String(values[0]))) begin(self);
  });
}
