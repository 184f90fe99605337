import type { PageListeners, PageShadowRoots } from './parts.ts';
import type { TellRealClock } from './real-sources.ts';

/** Parts of the page that the browser skips until somebody scrolls there. */
export interface SkippedParts {
  /** Whether there may be one. */
  canBe(): boolean;
  /** Looks whether there may be one in a new document. */
  look(): boolean;
  /** From then on it is told when one shows. */
  begin(): void;
}

/**
 * Tells of what the browser does by its own clock: how often it reports a drag, and when it lays out what it has skipped so far.
 * In a new document it may skip everything at first, and reports that or not as it sees fit.
 */
export function watchChances(listeners: PageListeners, roots: PageShadowRoots, tell: TellRealClock): SkippedParts {
  const skipped = new Set<EventTarget>();
  let [isNew, canBe] = [true, false];
  const { getComputedStyle } = globalThis;
  listeners.hear('dragstart', ({ isTrusted }) => {
    if (isTrusted && listeners.hears('drag', 'dragover')) tell('a drag: how often scripts are told of it is chance');
  });
  // Taken before it is watched.
  const { get: isSkipped } = Object.getOwnPropertyDescriptor(
    ContentVisibilityAutoStateChangeEvent.prototype,
    'skipped',
  ) as { get: () => boolean };
  listeners.onSkip(event => {
    const target = event.target as EventTarget;
    if (isSkipped.call(event)) {
      skipped.add(target);
      canBe = true;
    } else if (isNew) skipped.delete(target);
    else if (skipped.has(target))
      tell('a part of the page that the browser had skipped (content-visibility): when it shows is chance');
  });
  return {
    canBe: () => canBe,
    look() {
      canBe ||= roots.find('*').some(element => getComputedStyle(element).contentVisibility === 'auto');
      return canBe;
    },
    begin() {
      isNew = false;
    },
  };
}
