import { first } from './base.ts';
import type {
  PageBase,
  PageListeners,
  PageObservers,
  PageSettle,
  PageShadowRoots,
  PageTime,
  PageTransitions,
} from './parts.ts';
import { snapEvents } from './shims/listeners.ts';
import { motionEvents } from './shims/motion-events.ts';
import { calmTurns, type PageTraffic } from './shims/traffic.ts';
import type { SkippedParts } from './chances.ts';
import type { TellRealClock } from './real-sources.ts';

export interface SettleOptions {
  readonly time: PageTime;
  readonly traffic: PageTraffic;
  readonly listeners: PageListeners;
  readonly roots: PageShadowRoots;
  readonly observers: PageObservers;
  readonly transitions: PageTransitions;
  readonly base: PageBase;
  /** Whether images are being loaded that nobody else waits for. */
  areImagesLoading(): boolean;
  /** Grows with every change of the document and with everything that scripts scroll. */
  changes(): number;
  readonly skipped: SkippedParts;
  /** Lets the Tab key start anew where nothing has the focus. */
  forgetTabStart(): void;
  /** Does something that is not the page's doing. */
  quietly<T>(work: () => T): T;
  /** Hears of answers that took so long that the time of the page went on without them. */
  readonly tell: TellRealClock;
  /** From then on no snapshot of the page is trusted. */
  trip(what: string): void;
}

/** What scripts are told when a frame is drawn. */
const frameEvents = ['scroll', 'scrollend', 'resize', 'select', ...snapEvents];

/** Others follow the time. */
function isByScrolling({ timeline }: Animation): boolean {
  return timeline !== null && timeline !== document.timeline;
}

/** A timer that is due so soon belongs to what was just done. */
const soon = 50;
const frames = 32;
const mostRounds = 40;

// Taken before they are watched: what scripts ask for is noted.
const { getAnimations } = Document.prototype;
const { getAnimations: getAnimationsIn } = ShadowRoot.prototype;
const { apply } = Reflect;

/** The document does not tell of those in shadow roots. */
const allAnimations = (roots: PageShadowRoots): readonly Animation[] => [
  ...(apply(getAnimations, document, []) as readonly Animation[]),
  ...roots.shown().flatMap(root => apply(getAnimationsIn, root, []) as readonly Animation[]),
];

/** What moves by itself is brought to its end: nobody waits for it. Says whether somebody is told. */
const createEndAll =
  ({ listeners, roots }: SettleOptions) =>
  (): boolean => {
    let ended = false;
    for (const animation of allAnimations(roots)) {
      if (isByScrolling(animation)) continue;
      const { endTime } = animation.effect?.getComputedTiming() ?? {};
      if (animation.playState !== 'running' && animation.playState !== 'paused') continue;
      if (typeof endTime === 'number' && Number.isFinite(endTime)) {
        listeners.motions.note(animation);
        animation.finish();
        ended = true;
      } else if (animation.playState === 'running') {
        listeners.motions.note(animation);
        animation.pause();
        animation.currentTime = 0;
      }
    }
    return ended && listeners.hears('finish');
  };

/** Lets the page come to rest after something was done in it. */
export function createSettle(options: SettleOptions): PageSettle {
  const { time, traffic, listeners, observers, transitions, base, forgetTabStart, quietly } = options;
  const { areImagesLoading, skipped } = options;
  // Where the browser takes the pointer to be in a new document is chance.
  listeners.blind(true);

  const endAll = createEndAll(options);
  const followsScrolling = (): boolean => quietly(() => allAnimations(options.roots).some(isByScrolling));
  const endAnimations = (): boolean => quietly(endAll);
  const tellMotions = (): boolean => listeners.motions.tell() && listeners.hears(...motionEvents);
  /** Whether scripts of the page wait to be told what only a drawn frame tells. */
  const needsFrame = (): boolean => listeners.hears(...frameEvents) || observers.needFrame() || skipped.canBe();
  const draw = createTold(options);
  const passFirstLook = createFirstLook(options, draw);
  const quiet = createQuiet(options, draw);
  const messages = createMessages(options);

  /** The browser tells it a task later. Says whether anybody was told. */
  const tellSelection = async (): Promise<boolean> => {
    if (!listeners.hears('selectionchange')) return false;
    await draw();
    return listeners.tellSelection();
  };

  const settle = async (milliseconds: number, meet?: () => void): Promise<string | null> => {
    traffic.release();
    await messages.delivered();
    await passFirstLook();
    observers.hear();
    const answers = createAnswered(options);
    // They move the selection and what lies under the pointer, too: how soon they come must not show.
    await answers();
    meet?.();
    await messages.delivered();
    await tellSelection();
    const tellChanges = createTellChanges(options, { needsFrame, quiet });
    const answered = async (): Promise<void> => {
      await messages.delivered();
      await answers();
      if (await tellChanges()) await answers();
    };
    let busy = (await messages.end()) ?? (await time.advance(milliseconds, answered));
    for (let round = 0, isAtRest = false; busy === null && !isAtRest; round++) {
      busy = await messages.end();
      if (busy !== null) break;
      if (traffic.pending() > 0) await traffic.idle();
      else if (areImagesLoading()) {
        await answered();
        await base.drawn();
      } else if (time.next() <= soon) busy = await time.advance(soon, answered);
      else if (endAnimations() || transitions.running() > 0) await base.drawn();
      else if (!tellMotions() && !(await tellChanges())) {
        // Two frames with nothing going on.
        busy = await time.advance(frames, answered);
        isAtRest = !(await tellSelection()) && !tellMotions();
      }
      if (round >= mostRounds && !isAtRest) busy ??= `it was not at rest after ${mostRounds} rounds`;
    }
    quietly(forgetTabStart);
    return busy;
  };
  const told = async (): Promise<void> => {
    await quiet();
    await createAnswered(options)();
  };
  return { settle, delivered: messages.delivered, endAnimations, needsFrame, told, followsScrolling };
}

/** Observers hear in a task of their own after the frame: on a slow machine the next frame comes first. */
const createTold =
  ({ base, time }: SettleOptions) =>
  async (): Promise<void> => {
    await base.drawn();
    await base.drawn();
    await time.turn();
  };

/** Observers that are told of what they do themselves are told so many times. */
const mostTold = 20;

/** Waits until nobody is told anything more. */
function createQuiet({ observers, listeners, tell }: SettleOptions, draw: () => Promise<void>): () => Promise<void> {
  let heard = 0;
  let isEndless = false;
  for (const type of frameEvents) listeners.hear(type, () => void heard++);
  return async () => {
    for (let round = 0; round < mostTold; round++) {
      const before = heard + observers.calls();
      await draw();
      if (isEndless || heard + observers.calls() === before) return;
    }
    isEndless = true;
    tell('observers that are told of what they do themselves: how often is chance');
  };
}

/** In one rest, scripts are told so many times between timers. */
const mostBetween = 60;

interface Telling {
  needsFrame(): boolean;
  quiet(): Promise<void>;
}

/**
 * Tells what changed, at the beginning and whenever something has changed since: else chance would decide whether a frame or
 * a timer is first. Says whether it did.
 */
function createTellChanges({ changes, tell }: SettleOptions, { needsFrame, quiet }: Telling): () => Promise<boolean> {
  let [told, times] = [-1, 0];
  return async () => {
    if (told === changes() || !needsFrame()) return false;
    if (times++ >= mostBetween) {
      if (times === mostBetween + 1) tell('observers beside timers without an end: which of them is first is chance');
      return false;
    }
    told = changes();
    await quiet();
    return true;
  };
}

/** Lets pass unheard what boxes of a new document snap to, and which parts of it the browser skips at first. */
function createFirstLook(
  { listeners, skipped, quietly }: SettleOptions,
  told: () => Promise<void>,
): () => Promise<void> {
  let isNew = true;
  return async () => {
    if (!isNew) return;
    isNew = false;
    if (quietly(skipped.look) || listeners.hears(...snapEvents)) await told();
    listeners.hearSnaps();
    skipped.begin();
  };
}

/** Timers wait for an answer so many frames at most, about a second. */
const answerFrames = 60;
/** A handler may give an image its next source, or ask again when it is answered: a chain of them ends after so many frames. */
const chainFrames = 240;

/**
 * Waits for answers and for images before a timer runs: else chance would decide which is first. An answer may ask for
 * the next one, as headers do for their body. Once one is too late, it waits no more, and no snapshot is trusted.
 */
function createAnswered(options: SettleOptions): () => Promise<void> {
  const { traffic, base, time, tell, trip, transitions, areImagesLoading } = options;
  let isLate = false;
  const beLate = (what: string): void => {
    isLate = true;
    tell(what);
    trip(what);
  };
  return async () => {
    if (isLate) return;
    for (let frame = 0; areImagesLoading() || transitions.needFrame(); frame++) {
      if (frame >= chainFrames) return beLate('images that load or views that change without an end');
      await base.drawn();
    }
    if (traffic.pending() === 0) return;
    const wait = { frames: answerFrames };
    const drawFrames = async (): Promise<void> => {
      for (let frame = 0, given = traffic.answered(); wait.frames > 0; frame++, wait.frames--) {
        if (traffic.answered() > given && frame < chainFrames - answerFrames) wait.frames = answerFrames;
        given = traffic.answered();
        await base.drawn();
      }
    };
    const spent = drawFrames();
    while (traffic.pending() > 0 && wait.frames > 0) {
      await first([traffic.idle(), spent]);
      await time.turn();
    }
    wait.frames = 0;
    if (traffic.pending() > 0) beLate('an answer that took longer than a second');
  };
}

/** Scripts that answer each message with another one do not come to rest. */
const mostMessages = 2000;

interface Messages {
  /** Lets messages arrive until no script posts another one; says if they do not end. */
  end(): Promise<string | null>;
  /** Lets those arrive that were posted since; where they do not end, there is nothing to wait for. */
  delivered(): Promise<void>;
}

function createMessages({ traffic, time, tell }: SettleOptions): Messages {
  let [arrived, isEndless] = [0, false];
  const end = async (): Promise<string | null> => {
    for (let turn = 0, calm = 0; turn < mostMessages; turn++) {
      const before = traffic.posted();
      await time.turn();
      calm = traffic.posted() === before ? calm + 1 : 0;
      if (calm < (before === 0 ? 1 : calmTurns)) continue;
      arrived = before;
      return null;
    }
    isEndless = true;
    tell('messages without an end: how many arrive is chance');
    return `its scripts posted messages in ${mostMessages} turns`;
  };
  return {
    end,
    async delivered() {
      if (!isEndless && traffic.posted() !== arrived) await end();
    },
  };
}
