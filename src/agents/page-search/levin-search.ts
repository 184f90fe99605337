import TinyQueue from 'tinyqueue';
import type { Awaitable, Session } from '../../core/contracts.ts';
import { createExplorer, type Explorer, type SearchCounts, type SearchNode } from './explorer.ts';
import type { Prior, WeighedAction } from './prior.ts';
import { solutionPaths, type FoundPath } from './solution-paths.ts';

export interface SearchOptions {
  readonly prior: Prior;
  /** Actions that may be tried: the budget, which does not depend on the machine. */
  readonly maxNodes: number;
  /** Longest path. */
  readonly maxSteps: number;
  /** Each restart weighs the known states with another temperature, and has an equal share of the nodes. */
  readonly temperatures: readonly number[];
  /** Different paths to look for; 1 unless told. */
  readonly solutions?: number;
  /** Whether the time for the search is over; without it only the nodes count. */
  isOverdue?(): boolean;
}

export interface SearchResult extends SearchCounts {
  /** From where the search began to a state that passes; null when none was found. */
  readonly path: FoundPath | null;
  /** Nodes until the first path was found; null when none was. */
  readonly nodesToSolve: number | null;
  /** Other paths that pass. */
  readonly others: readonly FoundPath[];
  /** Whether it ended because its time was over. */
  readonly isOverdue: boolean;
}

interface Candidate extends WeighedAction {
  readonly node: SearchNode;
  readonly depth: number;
  /** Of the whole path. */
  readonly pathLogprob: number;
  readonly cost: number;
}

/**
 * Levin tree search: tries the path whose depth divided by its probability is lowest. It reads screens, takes steps in
 * forks of the session, and asks the verifier about states that it has not judged yet. The session is left as it is.
 */
export async function searchTree(session: Session, options: SearchOptions): Promise<SearchResult> {
  const explorer = await createExplorer(session);
  const { temperatures, maxNodes, solutions = 1, isOverdue = () => false } = options;
  const { instruction } = session.task;
  try {
    for (const [index, temperature] of temperatures.entries()) {
      if (explorer.goals.length > 0 || isOverdue()) break;
      const limit = Math.ceil((maxNodes * (index + 1)) / temperatures.length);
      await runQueue(explorer, { ...options, solutions, isOverdue, instruction, temperature, limit });
    }
    const [path = null, ...others] = solutionPaths(explorer.goals, solutions);
    const nodesToSolve = explorer.nodesToGoal();
    return { path, nodesToSolve, others, isOverdue: path === null && isOverdue(), ...explorer.counts() };
  } finally {
    await explorer.close();
  }
}

interface QueueOptions extends SearchOptions {
  readonly instruction: string;
  readonly temperature: number;
  readonly limit: number;
  readonly solutions: number;
  isOverdue(): boolean;
}

/** Until there are enough solutions, the limit or the end of time. */
async function runQueue(explorer: Explorer, options: QueueOptions): Promise<void> {
  const { maxSteps } = options;
  const queue = new TinyQueue<Candidate>([], (left, right) => left.cost - right.cost);
  const opened = new Set<SearchNode>();
  const open = async (node: SearchNode, depth: number, pathLogprob: number): Promise<void> => {
    if (opened.has(node) || node.isOver || node.passes || depth >= maxSteps) return;
    opened.add(node);
    for (const candidate of await candidatesOf(node, options)) {
      const total = pathLogprob + candidate.logprob;
      queue.push({ ...candidate, node, depth: depth + 1, pathLogprob: total, cost: Math.log(depth + 1) - total });
    }
  };
  const isDone = createStop(explorer, options);
  await open(explorer.root, 0, 0);
  for (let next = queue.pop(); next !== undefined && !isDone(); next = queue.pop()) {
    const { node, action, depth, pathLogprob } = next;
    const reached = await explorer.tryAction(node, action);
    if (reached !== null) await open(reached, depth, pathLogprob);
  }
}

/** Nodes that may go to further solutions: as many as the first one took, and a few. */
const furtherNodes = 8;

function createStop({ goals, counts }: Explorer, { limit, solutions, isOverdue }: QueueOptions): () => boolean {
  let last = limit;
  return () => {
    const { nodes } = counts();
    if (goals.length > 0) {
      if (solutionPaths(goals, solutions).length >= solutions) return true;
      last = Math.min(last, 2 * nodes + furtherNodes);
    }
    return nodes >= last || isOverdue();
  };
}

function candidatesOf(
  node: SearchNode,
  { instruction, prior, temperature }: QueueOptions,
): Awaitable<readonly WeighedAction[]> {
  const { history, screen, step } = node;
  const screenBefore = step?.screen ?? null;
  return prior({ instruction, history, screen, screenBefore, screens: screensTo(node) }, temperature);
}

function screensTo(node: SearchNode): readonly string[] {
  const screens = [node.screen];
  for (let at = node; at.step !== null && at.parent !== null; at = at.parent) screens.push(at.step.screen);
  return screens.toReversed();
}
