import type { Action } from '../../core/action.ts';

/** The way on from a state, as far as it was found. */
export interface KnownPlan {
  readonly cost: number;
  /** Null when the episode has ended. */
  readonly action: Action | null;
}

/** Ways by state; null where none was found. The oldest are forgotten. */
export interface PlanCache {
  get(state: string): KnownPlan | null | undefined;
  set(state: string, way: KnownPlan | null): void;
}

const mostPlans = 100_000;

export function createPlanCache(): PlanCache {
  const ways = new Map<string, KnownPlan | null>();
  return {
    get: state => ways.get(state),
    set(state, way) {
      ways.set(state, way);
      const oldest = ways.size > mostPlans ? ways.keys().next().value : undefined;
      if (oldest !== undefined) ways.delete(oldest);
    },
  };
}
