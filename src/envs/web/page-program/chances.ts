import type { PageListeners } from './parts.ts';
import type { TellRealClock } from './real-sources.ts';

/**
 * Tells of what the browser does by its own clock: how often it reports a drag, and when it lays out what it has skipped so far.
 * Says whether it skips something.
 */
export function watchChances(listeners: PageListeners, tell: TellRealClock): () => boolean {
  const skipped = new WeakSet<EventTarget>();
  let hasSkipped = false;
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
      hasSkipped = true;
    } else if (skipped.has(target))
      tell('a part of the page that the browser had skipped (content-visibility): when it shows is chance');
  });
  return () => hasSkipped;
}
