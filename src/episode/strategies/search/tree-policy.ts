import type { Proposal, ValueScale } from '../proposals.ts';

/** An action of a state in a Monte Carlo tree, and what is known of it. */
export interface Edge {
  readonly decision: Proposal;
  /** The node that it led to; null while it is untried. */
  node: number | null;
  visits: number;
  /** Sum of the rewards of ends below it, and their number. */
  reward: number;
  rewards: number;
  /** Sum of what the student expected of states below it, in its own unit, and their number. */
  critic: number;
  critics: number;
}

export function edgeOf(decision: Proposal): Edge {
  return { decision, node: null, visits: 0, reward: 0, rewards: 0, critic: 0, critics: 0 };
}

export interface Mixing {
  /** Weight of rewards beside what the student expects. */
  readonly alpha: number;
  readonly scale: ValueScale;
}

/** α·(mean reward) + (1 − α)·(mean of what the student expects, as a share); the one alone where the other is not known. */
export function qualityOf({ reward, rewards, critic, critics }: Edge, { alpha, scale }: Mixing): number {
  const expected = critics === 0 ? null : scale.share(critic / critics);
  const earned = rewards === 0 ? null : reward / rewards;
  if (earned === null) return expected ?? 0.5;
  return expected === null ? earned : alpha * earned + (1 - alpha) * expected;
}

/** PUCT: Q + c·P·√N / (1 + n). */
export function puctScore(
  edge: Edge,
  visits: number,
  { explore, ...mixing }: Mixing & { readonly explore: number },
): number {
  return qualityOf(edge, mixing) + (explore * edge.decision.prior * Math.sqrt(visits)) / (1 + edge.visits);
}

export interface Outcome {
  readonly reward: number | null;
  readonly value: number | null;
}

/** Counts an outcome for every action on the way to it. */
export function backUp(path: readonly Edge[], { reward, value }: Outcome): void {
  for (const edge of path) {
    edge.visits++;
    if (reward !== null) {
      edge.reward += reward;
      edge.rewards++;
    }
    if (value !== null) {
      edge.critic += value;
      edge.critics++;
    }
  }
}

/** The action that was tried most; of equals the better, then the likelier. Null when nothing was tried. */
export function mostVisited(edges: readonly Edge[], mixing: Mixing): Edge | null {
  const tried = edges.filter(({ node }) => node !== null);
  const order = (a: Edge, b: Edge): number =>
    b.visits - a.visits || qualityOf(b, mixing) - qualityOf(a, mixing) || b.decision.prior - a.decision.prior;
  return tried.toSorted(order)[0] ?? null;
}
