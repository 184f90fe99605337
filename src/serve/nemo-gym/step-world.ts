import { isDeepStrictEqual } from 'node:util';
import { seenBy, worldOf, type CalledWorld } from '../sessions/tool-call.ts';
import type { ServedSession } from '../sessions/served-session.ts';
import { isOtherTry, otherCalls } from './step-request.ts';

/** The world that the calls of one `/step` are done in. */
export interface StepWorld extends CalledWorld {
  /** Whether the next action was taken already, by an earlier try of the same request. */
  isBehind(): boolean;
}

/**
 * Does each action of a request once. A client sends a request again when its connection broke, and the server may have been
 * killed at any action of it: those that are in the journal are answered from there, and the others are done.
 */
export function createStepWorld(session: ServedSession, request: string | null): StepWorld {
  const { episode } = session;
  const last = episode.lastRequest();
  if (request !== null && last !== null && isOtherTry(last, request)) throw otherCalls();
  const live = worldOf(session);
  const taken = request === null ? [] : episode.takenFor(request);
  let next = 0;
  return {
    isBehind: () => next < taken.length,
    async step(action) {
      const earlier = taken[next];
      if (earlier === undefined)
        return episode.step(action, { ...seenBy(session), ...(request === null ? {} : { request }) });
      // Through JSON, as the journal has it: members without a value are not there.
      if (!isDeepStrictEqual(earlier.node.action, JSON.parse(JSON.stringify(action)))) throw otherCalls();
      next++;
      return earlier.node;
    },
    // Each step was recorded with the screen before it.
    look: async () => taken[next]?.screen ?? live.look(),
  };
}
