import type { Plan } from './contracts.ts';

/** Told with the path of a record that was there in between only. */
export const cameAndWent = '(added and removed on the way)';
/** Told with the path of a record that was away in between. */
export const wentAndCame = '(removed and added again on the way)';

/** Why the planner found no way, and what to do about it. */
export function whyNoPlan(plan: Exclude<Plan, { outcome: 'solved' }>): string {
  const { outcome, expanded, sideEffects = [], midway = [] } = plan;
  const hidden = sideEffects.filter(path => path.endsWith(cameAndWent) || path.endsWith(wentAndCame));
  if (sideEffects.length > hidden.length)
    return `every goal can be met, but that changes ${sideEffects.join(' and ')}, which is not allowed; widen allow`;
  if (hidden.length > 0)
    return `every goal can be met, but only with ${hidden.join(' and ')}; list the table in undoable, or let the app keep the record`;
  if (midway.length > 0)
    return `every goal can be met, but the way there changes ${midway.join(' and ')} and puts it back, and the planner follows no such way; list it in allow or incidental`;
  if (outcome === 'goal-unreachable')
    return `goal-unreachable after ${expanded} states: no state that can be reached meets the goal`;
  return `infeasible-within-budget after ${expanded} states: none that is free of side effects meets the goal`;
}
