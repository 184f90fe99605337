import type { Action } from '../core/action.ts';

/** The way on from a state, as far as it was found. */
export interface Way {
  readonly cost: number;
  /** Null when the episode has ended. */
  readonly action: Action | null;
}

/** Ways by state; null where none was found. The oldest are forgotten. */
export interface Ways {
  get(state: string): Way | null | undefined;
  set(state: string, way: Way | null): void;
}

const mostWays = 100_000;

export function createWays(): Ways {
  const ways = new Map<string, Way | null>();
  return {
    get: state => ways.get(state),
    set(state, way) {
      ways.set(state, way);
      const oldest = ways.size > mostWays ? ways.keys().next().value : undefined;
      if (oldest !== undefined) ways.delete(oldest);
    },
  };
}
