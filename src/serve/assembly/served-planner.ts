import type { Action } from '../../core/action.ts';
import type { Clock } from '../../core/clock.ts';
import type { Plan, StateSession } from '../../core/contracts.ts';
import type { Task } from '../../core/records.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import type { Desk } from '../openenv/desk.ts';

/** Where to plan from: a task and the path taken in it. */
export interface PlanRequest {
  readonly task: Task;
  readonly actions: readonly Action[];
  /** Of the state that the path leads to. */
  readonly digest: string;
}

export type PlanInThread = (request: PlanRequest) => Promise<Plan>;

const mostPlanned = 2000;

/** Plans from a state, within the bounds of a server. */
export function planServed(clock: Clock): (session: StateSession) => Plan {
  return session => createPlanner({ clock, maxNodes: mostPlanned }).plan(session);
}

export interface ServedPlannerOptions {
  readonly clock: Clock;
  /** Plans in another thread; in this one when left out. */
  readonly plan?: PlanInThread | undefined;
}

/** Plans for the sessions of clients. */
export function createServedPlanner({ clock, plan }: ServedPlannerOptions): NonNullable<Desk['plan']> {
  return async episode => {
    // Also says whether the world shows its state at all.
    const state = await episode.state();
    try {
      if (plan === undefined) return planServed(clock)(state);
      const { task, tree } = episode;
      const actions = tree.path(episode.at()).map(({ action }) => action);
      return await plan({ task, actions, digest: tree.digest(episode.at()) });
    } finally {
      state.close();
    }
  };
}
