import type { RestoreAttempt, RestoreCall, Restored } from './page-records.ts';
import { motionEvents } from './shims/motion-events.ts';
import type { PageState } from './state/page-state.ts';
import type { PageBase, PageDatabases, PageListeners, PageObservers, PageSettle, PageTime } from './parts.ts';

export interface RestoringOptions {
  readonly state: PageState;
  readonly time: PageTime;
  readonly base: PageBase;
  readonly listeners: PageListeners;
  readonly observers: PageObservers;
  readonly settling: PageSettle;
  readonly databases: PageDatabases;
  quietly<T>(work: () => T): T;
}

export interface PageRestoring {
  /** Restores a snapshot and compares the page with it, or says why it cannot be. */
  restore(id: number, call: RestoreCall): RestoreAttempt | Promise<Restored>;
}

/** Restores snapshots in a page whose scripts must not hear of it. */
export function createRestoring(options: RestoringOptions): PageRestoring {
  const { state, time, base, listeners, observers, settling, databases, quietly } = options;

  /** What a page is told of what was restored reaches it late; nobody may hear of it until then. */
  async function passUnheard(id: number, isDrawn: boolean): Promise<void> {
    try {
      settling.endAnimations();
      await time.turn();
      if (isDrawn || settling.needsFrame() || listeners.hears('toggle', 'close', 'selectionchange', ...motionEvents)) {
        await base.drawn();
        await base.drawn();
      }
      await time.turn();
      quietly(() => {
        state.snapshots.restoreFocus(id);
        state.focus.forgetTabStart();
      });
      // A caret that was placed is told with the next frame.
      if (listeners.hears('select')) await base.drawn().then(base.drawn);
    } finally {
      observers.drain();
      // What was selected or moved since belongs to the page that was left.
      listeners.forgetOwed();
      listeners.mute(false);
    }
  }

  async function finish(id: number, isDrawn: boolean, unchecked: boolean): Promise<Restored> {
    await databases.finish();
    await passUnheard(id, isDrawn);
    const limit = databases.limit();
    if (limit !== null) return { refused: `it has ${limit}` };
    return unchecked ? { unseen: true } : quietly(() => state.snapshots.compare(id));
  }

  return {
    restore(id, { unchecked, phase }) {
      if (phase === 'finish') return finish(id, true, unchecked);
      const attempt = quietly(() => state.snapshots.restore(id, unchecked));
      const isRestored = 'typing' in attempt && attempt.typing === null;
      return isRestored && phase !== 'begin' ? finish(id, false, unchecked) : attempt;
    },
  };
}
