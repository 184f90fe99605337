import { actionKey } from '../../../core/action.ts';
import type { TreeNode } from '../../../core/tree.ts';

export interface StuckRule {
  /** Identical actions in a row. */
  readonly same: number;
  /** Times that a state comes back. */
  readonly returns: number;
  /** Steps without a state that is new. */
  readonly idle: number;
}

/** Why a path is stuck at its end; null when it is not. */
export function stuckAt(path: readonly TreeNode[], root: string, { same, returns, idle }: StuckRule): string | null {
  const last = path.at(-1);
  if (last === undefined) return null;
  const key = actionKey(last.action);
  const repeated = path.length - 1 - path.findLastIndex(({ action }) => actionKey(action) !== key);
  if (repeated >= same) return `the same action ${repeated} times`;
  const states = [root, ...path.map(({ after }) => after)];
  const came = states.filter(state => state === last.after).length - 1;
  if (came >= returns) return `the same state ${came + 1} times`;
  const known = new Set(states.slice(0, Math.max(1, states.length - idle)));
  const isIdle = path.length >= idle && states.slice(-idle).every(state => known.has(state));
  return isIdle ? `no new state in ${idle} steps` : null;
}

/** Tiers of a loop: 1 the same action changed nothing twice, 2 the same screen for three steps, 3 a state for the third time. */
export function loopTier(path: readonly TreeNode[], root: string): 0 | 1 | 2 | 3 {
  const last = path.at(-1);
  if (last === undefined || last.outcome.end !== undefined) return 0;
  const states = [root, ...path.map(({ after }) => after)];
  const visits = states.filter((state, at) => state === last.after && state !== states[at - 1]).length;
  if (visits >= 3) return 3;
  const still = path.slice(-3);
  if (still.length === 3 && still.every(({ before, after }) => before === after)) return 2;
  const twice = path.slice(-2);
  const isSame = twice.length === 2 && twice.every(step => actionKey(step.action) === actionKey(last.action));
  return isSame && twice.every(({ before, after }) => before === after) ? 1 : 0;
}
