import type { Clock, Timers } from '../../core/clock.ts';
import { createQueueDetector, type AnswerTiming } from './queue-detector.ts';
import { createQueue } from './queue.ts';

/** How it went with a request that was let in. */
export type RequestOutcome =
  /** It was answered; how long until the first token. */
  | { readonly kind: 'fine'; readonly milliseconds: number }
  /** The server said that it is too much, or was too late. */
  | { readonly kind: 'busy' }
  /** Anything else: says nothing about load. */
  | { readonly kind: 'other' };

/** A place among the requests in flight. Left once. */
export interface Permit {
  leave(passage: RequestOutcome): void;
}

/** How many requests one endpoint gets at once: more while it bears them, half when it says that it is too much. */
export interface Throttle {
  /** Waits for a place, in the order of coming; who comes again stands before who comes first. */
  enter(options?: { readonly signal?: AbortSignal | undefined; readonly isAgain?: boolean }): Promise<Permit>;
  /** Lets nobody in for a while. */
  hold(milliseconds: number): void;
  /** Turns away who waits, and who comes. */
  close(reason: Error): void;
  counts(): { readonly limit: number; readonly inFlight: number; readonly waiting: number };
}

export interface ThrottleOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly start: number;
  readonly most: number;
  /** A wait for the first token that makes one ask whether the server has a queue. */
  readonly patience: number;
}

export function createThrottle({ clock, timers, ...options }: ThrottleOptions): Throttle {
  const queue = createQueue<Permit>();
  const limit = createLimit({ clock, ...options });
  let inFlight = 0;
  let heldUntil = -Infinity;
  let endHold: (() => void) | null = null;
  let closed: Error | null = null;

  const isFree = (): boolean => inFlight < limit.current() && clock.now() >= heldUntil;
  const admit = (): void => {
    while (isFree() && queue.serve(createPermit));
  };

  function createPermit(): Permit {
    const era = limit.era();
    const began = clock.now();
    let isIn = true;
    inFlight++;
    return {
      leave(passage) {
        if (!isIn) return;
        isIn = false;
        inFlight--;
        // What was sent before the last cut says nothing about what holds since.
        if (passage.kind === 'busy' && era === limit.era()) limit.cut(inFlight + 1);
        if (passage.kind === 'fine') limit.answered({ began, wait: passage.milliseconds, inFlight });
        admit();
      },
    };
  }

  return {
    async enter({ signal, isAgain = false } = {}) {
      if (closed !== null) throw closed;
      signal?.throwIfAborted();
      if (queue.size() === 0 && isFree()) return createPermit();
      const place = queue.wait({ isAgain, signal });
      admit();
      return place;
    },
    hold(milliseconds) {
      const until = clock.now() + milliseconds;
      if (until <= heldUntil) return;
      heldUntil = until;
      endHold?.();
      endHold = timers.after(milliseconds, () => {
        // A timer may be a little early by the clock.
        heldUntil = -Infinity;
        admit();
      });
    },
    close(reason) {
      closed = reason;
      endHold?.();
      queue.clear(reason);
    },
    counts: () => ({ limit: limit.current(), inFlight, waiting: queue.size() }),
  };
}

interface Limit {
  current(): number;
  /** Raised with each cut. */
  era(): number;
  cut(inFlight: number): void;
  answered(answer: AnswerTiming): void;
}

/** By how much the limit grows in the time of an answer, beside one. */
const growth = 1 / 32;
/** Of the limit that was too much: from here on it is approached with care. */
const closeTo = 0.9;
/** Rounds without trouble after which an old limit is forgotten. */
const calmRounds = 2;

function createLimit({ clock, start, most, patience }: Omit<ThrottleOptions, 'timers'>): Limit {
  const pace = createQueueDetector({ clock, patience });
  let limit = start;
  let era = 0;
  /** A server with a queue answers no sooner for more: then it grows slowly for good. */
  let isQueued = false;
  /** Where it was last too much. Below, it doubles in the time of an answer; from there on it grows slowly. */
  let tooMuch = Infinity;
  /** Answers that went well at that limit or beyond. */
  let calm = 0;
  const set = (wanted: number): void => {
    limit = Math.min(most, Math.max(1, wanted));
  };
  return {
    current: () => Math.floor(limit),
    era: () => era,
    cut(inFlight) {
      tooMuch = Math.min(limit, inFlight);
      calm = 0;
      set(tooMuch / 2);
      era++;
      pace.restart();
    },
    answered(answer) {
      const wasFull = answer.inFlight + 1 >= Math.floor(limit);
      if (wasFull && !pace.isTrying()) {
        const isNearTrouble = limit >= closeTo * tooMuch;
        set(limit + (isQueued || isNearTrouble ? 1 / limit + growth : 1));
        // What was too much once, while a server warmed up, need not stay so.
        if (isNearTrouble && limit >= tooMuch && ++calm > calmRounds * limit) tooMuch = Infinity;
      }
      const wanted = pace.observe(answer);
      if (wanted === null) return;
      set(wanted);
      isQueued = true;
    },
  };
}
