import type { FoundStep, SearchNode } from './explorer.ts';

/** Steps to a state that passes, the finish left out. */
export interface FoundPath {
  readonly steps: readonly FoundStep[];
  /** What the verifier reads at the end of it; null where the session does not say. */
  readonly state: string | null;
}

/** A path may be so much longer than the first one. */
const mostExtraSteps = 2;
/** Ways back that are followed: states may be reached in very many orders. */
const mostWays = 500;

/** Different paths to states that pass, the way in which each was found first before others. */
export function solutionPaths(goals: readonly SearchNode[], most: number): readonly FoundPath[] {
  const [first] = goals;
  if (first === undefined) return [];
  const longest = first.history.length + mostExtraSteps;
  const found = new Map<string, FoundPath>();
  let ways = 0;
  const follow = (goal: SearchNode, node: SearchNode, after: readonly FoundStep[]): void => {
    if (found.size >= most || ways++ >= mostWays || after.length > longest) return;
    if (node.parent === null || node.step === null) return add(goal, after);
    follow(goal, node.parent, [node.step, ...after]);
    for (const { from, step } of node.others) follow(goal, from, [step, ...after]);
  };
  const add = (goal: SearchNode, steps: readonly FoundStep[]): void => {
    const key = JSON.stringify(steps.map(({ text }) => text));
    if (!found.has(key)) found.set(key, { steps, state: goal.judged });
  };
  // Each goal by its first way before any by another.
  for (const goal of goals) if (found.size < most) add(goal, firstWay(goal));
  for (const goal of goals) follow(goal, goal, []);
  return [...found.values()];
}

function firstWay(goal: SearchNode): readonly FoundStep[] {
  const steps: FoundStep[] = [];
  for (let node = goal; node.step !== null && node.parent !== null; node = node.parent) steps.push(node.step);
  return steps.toReversed();
}
