import type {
  PageBase,
  PageListeners,
  PageObservers,
  PageSettle,
  PageTime,
  PageTraffic,
  PageTransitions,
} from './parts.ts';

export interface SettleOptions {
  readonly time: PageTime;
  readonly traffic: PageTraffic;
  readonly listeners: PageListeners;
  readonly observers: PageObservers;
  readonly transitions: PageTransitions;
  readonly base: PageBase;
  /** Whether images are being loaded that nobody else waits for. */
  areImagesLoading(): boolean;
  /** Lets the Tab key start anew where nothing has the focus. */
  forgetTabStart(): void;
  /** Does something that is not the page's doing. */
  quietly<T>(work: () => T): T;
}

/** What scripts are told of transitions and animations, one frame later. */
export const motionEvents =
  'transitionrun transitionstart transitionend transitioncancel animationstart animationiteration animationend animationcancel'.split(
    ' ',
  );

/** What scripts are told when a frame is drawn. */
const frameEvents = ['scroll', 'scrollend', 'resize', 'scrollsnapchange', 'scrollsnapchanging'];

/** Lets the page come to rest after something was done in it. */
export function createSettle(options: SettleOptions): PageSettle {
  const { time, traffic, listeners, observers, transitions, base, forgetTabStart, quietly } = options;
  const { areImagesLoading } = options;
  // Where the browser takes the pointer to be in a new document is chance.
  listeners.blind(true);
  /** A timer that is due so soon belongs to what was just done. */
  const soon = 50;
  const frames = 32;
  const mostRounds = 40;

  /** What moves by itself is brought to its end: nobody waits for it. */
  const endAll = (): boolean => {
    let ended = false;
    for (const animation of document.getAnimations()) {
      // Others follow the scrolling, not the time.
      if (animation.timeline !== null && animation.timeline !== document.timeline) continue;
      const { endTime } = animation.effect?.getComputedTiming() ?? {};
      if (animation.playState !== 'running' && animation.playState !== 'paused') continue;
      if (typeof endTime === 'number' && Number.isFinite(endTime)) {
        animation.finish();
        ended = true;
      } else if (animation.playState === 'running') {
        animation.pause();
        animation.currentTime = 0;
      }
    }
    return ended && listeners.hears(...motionEvents, 'finish');
  };
  const endAnimations = (): boolean => quietly(endAll);
  /** Whether scripts of the page wait to be told what only a drawn frame tells. */
  const needsFrame = (): boolean => listeners.hears(...frameEvents) || observers.needFrame();

  const settle = async (milliseconds: number): Promise<string | null> => {
    await time.turn();
    let busy = await time.advance(milliseconds);
    let isDrawn = false;
    for (let round = 0; busy === null; round++) {
      await time.turn();
      if (traffic.pending() > 0) await traffic.idle();
      else if (areImagesLoading()) await base.drawn();
      else if (time.next() <= soon) busy = await time.advance(soon);
      else if (endAnimations() || transitions.running() > 0) await base.drawn();
      else if (!isDrawn && needsFrame()) {
        isDrawn = true;
        await base.drawn();
        await base.drawn();
      } else break;
      if (round >= mostRounds) busy = `it was not at rest after ${mostRounds} rounds`;
    }
    // Two frames with nothing going on.
    busy ??= await time.advance(frames);
    quietly(forgetTabStart);
    return busy;
  };
  return { settle, endAnimations, needsFrame };
}
