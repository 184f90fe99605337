import type { RestoreAttempt, Restored } from './page-records.ts';
import type { PageState } from './state/page-state.ts';
import { motionEvents } from './settle.ts';
import type { PageBase, PageListeners, PageObservers, PageSettle, PageTime } from './parts.ts';

export interface RestoringOptions {
  readonly state: PageState;
  readonly time: PageTime;
  readonly base: PageBase;
  readonly listeners: PageListeners;
  readonly observers: PageObservers;
  readonly settling: PageSettle;
  quietly<T>(work: () => T): T;
}

export interface PageRestoring {
  /**
   * Puts a snapshot back, or says why it cannot be. Between this and `confirm` the pointer can be moved and a text typed:
   * nobody hears of it.
   */
  put(id: number, unchecked: boolean): RestoreAttempt;
  /** Looks at what was put back and compares it with the snapshot; unchecked, it does neither. */
  confirm(id: number, unchecked: boolean): Promise<Restored>;
  /** Both at once, where nothing has to be typed; else what has to be. */
  restore(id: number, unchecked: boolean): Promise<Restored | RestoreAttempt>;
}

/** Puts snapshots back in a page whose scripts must not hear of it. */
export function createRestoring(options: RestoringOptions): PageRestoring {
  const { state, time, base, listeners, observers, settling, quietly } = options;

  /** What a page is told of what was put back reaches it late; nobody may hear of it until then. */
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
        state.snapshots.putFocus(id);
        state.focus.forgetTabStart();
      });
    } finally {
      observers.drain();
      listeners.mute(false);
    }
  }

  async function confirm(id: number, isDrawn: boolean, unchecked: boolean): Promise<Restored> {
    await passUnheard(id, isDrawn);
    return unchecked ? { unseen: true } : quietly(() => state.snapshots.compare(id));
  }

  const put = (id: number, unchecked: boolean): RestoreAttempt => quietly(() => state.snapshots.put(id, unchecked));
  return {
    put,
    confirm: (id, unchecked) => confirm(id, true, unchecked),
    async restore(id, unchecked) {
      const done = put(id, unchecked);
      return 'typing' in done && done.typing === null ? confirm(id, false, unchecked) : done;
    },
  };
}
