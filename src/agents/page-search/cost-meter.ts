import type { Session } from '../../core/contracts.ts';
import { wrapSession } from '../../core/wrap-session.ts';

/** What agents may do in pages, all of their questions together. */
export interface CostLimit {
  /** Nodes of searches and all other steps. */
  readonly actions: number;
  readonly verifierCalls: number;
}

/** What was done in pages. */
export interface Cost {
  /** Actions that searches tried. */
  readonly nodes: number;
  /** All other steps: of episodes, to shorten paths, and to walk to a state again. */
  readonly steps: number;
  readonly verifierCalls: number;
}

/** Counts what the agents of one episode do, whoever does it and in whichever fork. */
export interface CostMeter {
  /** The same session. Its steps and verdicts count, and those of its forks. */
  count(session: Session): Session;
  /** Says that so many of the steps were nodes of a search. */
  addNodes(nodes: number): void;
  /** Counts a step that the episode itself takes on behalf of an agent; after a finish it asks the verifier. */
  addOwnStep(isFinish: boolean): void;
  /** In forks alone: what the episode does itself stands in its record. */
  inForks(): Cost;
  actionsLeft(): number;
  isSpent(): boolean;
}

export const noLimit: CostLimit = { actions: Infinity, verifierCalls: Infinity };

export function createCostMeter(limit: CostLimit = noLimit): CostMeter {
  const forks = { nodes: 0, taken: 0, verifierCalls: 0 };
  const own = { steps: 0, verifierCalls: 0 };
  const actionsLeft = (): number => Math.max(0, limit.actions - forks.taken - own.steps);
  const count = (session: Session): Session =>
    wrapSession(session, {
      step: take => action => {
        forks.taken++;
        return take(action);
      },
      verify: ask => () => {
        forks.verifierCalls++;
        return ask();
      },
      forked: count,
    });
  return {
    count,
    addNodes: nodes => void (forks.nodes += nodes),
    addOwnStep(isFinish) {
      own.steps++;
      if (isFinish) own.verifierCalls++;
    },
    inForks: () => ({
      nodes: forks.nodes,
      // A node whose step broke before it was taken is none of the steps.
      steps: Math.max(0, forks.taken - forks.nodes),
      verifierCalls: forks.verifierCalls,
    }),
    actionsLeft,
    isSpent: () => actionsLeft() === 0 || forks.verifierCalls + own.verifierCalls >= limit.verifierCalls,
  };
}
