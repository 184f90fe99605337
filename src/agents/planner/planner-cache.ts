import type { Action } from '../../core/action.ts';

/** The way on from a state. */
export interface KnownPlan {
  readonly cost: number;
  /** Null when the episode has ended. */
  readonly action: Action | null;
}

/** What is known of states. The oldest are forgotten. */
export interface PlanCache<T> {
  get(state: string): T | undefined;
  set(state: string, known: T): void;
}

const mostStates = 100_000;

export function createPlanCache<T>(): PlanCache<T> {
  const known = new Map<string, T>();
  return {
    get: state => known.get(state),
    set(state, value) {
      known.set(state, value);
      const oldest = known.size > mostStates ? known.keys().next().value : undefined;
      if (oldest !== undefined) known.delete(oldest);
    },
  };
}
