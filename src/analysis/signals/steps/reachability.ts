import type { ForkWorld } from '../signal.ts';

/** How far a state is from a passing finish. */
export type Reach =
  | { readonly kind: 'reachable'; readonly cost: number }
  /** The search tried everything on offer. */
  | { readonly kind: 'unreachable' }
  /** The search was cut short: nothing is known. */
  | { readonly kind: 'unknown' };

/** Asks the planner from the state after a step, 0 for the start. */
function reachFrom({ planner, at }: ForkWorld, node: number): Reach {
  const session = at(node);
  const cost = planner.costToGo(session);
  if (cost !== null) return { kind: 'reachable', cost };
  return { kind: planner.plan(session).outcome === 'goal-unreachable' ? 'unreachable' : 'unknown' };
}

/** The same for every state on a path, the start first. What follows a state without a way has none either. */
export function reachAlong(world: ForkWorld, nodes: readonly number[]): readonly Reach[] {
  const found: Reach[] = [reachFrom(world, 0)];
  for (const node of nodes) {
    const last = found.at(-1) as Reach;
    found.push(last.kind === 'unreachable' ? last : reachFrom(world, node));
  }
  return found;
}
