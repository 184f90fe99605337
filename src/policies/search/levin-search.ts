import TinyQueue from 'tinyqueue';
import { actionKey, type Action } from '../../core/action.ts';
import type { Session } from '../../core/contracts.ts';
import { describeStep } from '../../core/episode/view.ts';
import { EspalierError } from '../../core/errors.ts';
import type { Prior, WeighedAction } from './prior.ts';

export interface SearchOptions {
  readonly prior: Prior;
  /** Actions that may be tried: the budget, which does not depend on the machine. */
  readonly maxNodes: number;
  /** Longest path. */
  readonly maxSteps: number;
  /** Each restart weighs the known states with another temperature, and has an equal share of the nodes. */
  readonly temperatures: readonly number[];
}

/** A step of a path that was found. */
export interface FoundStep {
  readonly action: Action;
  /** As a line of history. */
  readonly text: string;
  /** The screen that it is taken on. */
  readonly screen: string;
}

/** Steps to a state that passes, the finish left out. */
export interface FoundPath {
  readonly steps: readonly FoundStep[];
  /** What the verifier reads at the end of it; null where the session does not say. */
  readonly state: string | null;
}

export interface SearchResult {
  /** From where the search began to a state that passes; null when none was found. */
  readonly path: FoundPath | null;
  readonly nodes: number;
  /** States that differ. */
  readonly states: number;
  readonly verifierCalls: number;
  /** Pages that were lost or could not be restored: their states were reached again by walking. */
  readonly walked: number;
}

/** A state that was reached, and everything that is known of it. */
interface SearchNode {
  readonly session: Session;
  readonly parent: SearchNode | null;
  readonly step: FoundStep | null;
  readonly history: readonly string[];
  readonly screen: string;
  /** Null when the page itself has ended the episode. */
  readonly isOver: boolean;
  /** Where each tried action led; null for one that changed nothing or was refused. */
  readonly tried: Map<string, SearchNode | null>;
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
  const { temperatures, maxNodes } = options;
  try {
    let goal = explorer.goal();
    for (const [index, temperature] of temperatures.entries()) {
      if (goal !== null) break;
      const limit = Math.ceil((maxNodes * (index + 1)) / temperatures.length);
      goal = await runQueue(explorer, { ...options, temperature, limit });
    }
    return { path: goal === null ? null : await pathTo(goal), ...explorer.counts() };
  } finally {
    await explorer.close();
  }
}

interface QueueOptions extends SearchOptions {
  readonly temperature: number;
  readonly limit: number;
}

async function runQueue(explorer: Explorer, options: QueueOptions): Promise<SearchNode | null> {
  const { limit, maxSteps } = options;
  const queue = new TinyQueue<Candidate>([], (left, right) => left.cost - right.cost);
  const opened = new Set<SearchNode>();
  const open = (node: SearchNode, depth: number, pathLogprob: number): void => {
    if (opened.has(node) || node.isOver || depth >= maxSteps) return;
    opened.add(node);
    for (const candidate of candidatesOf(explorer.task.instruction, node, options)) {
      const total = pathLogprob + candidate.logprob;
      queue.push({ ...candidate, node, depth: depth + 1, pathLogprob: total, cost: Math.log(depth + 1) - total });
    }
  };
  open(explorer.root, 0, 0);
  for (let next = queue.pop(); next !== undefined && explorer.counts().nodes < limit; next = queue.pop()) {
    const { node, action, depth, pathLogprob } = next;
    const reached = await explorer.tryAction(node, action);
    const goal = explorer.goal();
    if (goal !== null) return goal;
    if (reached !== null) open(reached, depth, pathLogprob);
  }
  return null;
}

function candidatesOf(
  instruction: string,
  { history, screen, step }: SearchNode,
  { prior, temperature }: QueueOptions,
): readonly WeighedAction[] {
  return prior({ instruction, history, screen, screenBefore: step?.screen ?? null }, temperature);
}

async function pathTo(goal: SearchNode): Promise<FoundPath> {
  const steps: FoundStep[] = [];
  for (let node = goal; node.step !== null && node.parent !== null; node = node.parent) steps.push(node.step);
  return { steps: steps.toReversed(), state: (await goal.session.judgedState?.()) ?? null };
}

/** Takes steps, recognises states that are known, and finds out which of them pass. */
interface Explorer {
  readonly task: Session['task'];
  readonly root: SearchNode;
  /** The first state that passed. */
  goal(): SearchNode | null;
  /** Where an action leads; null when it leads nowhere new. A known one costs no node. */
  tryAction(node: SearchNode, action: Action): Promise<SearchNode | null>;
  counts(): Omit<SearchResult, 'path'>;
  close(): Promise<void>;
}

async function createExplorer(session: Session): Promise<Explorer> {
  const counts = { nodes: 0, states: 1, verifierCalls: 0, walked: 0 };
  const known = new Set<string>();
  const judged = new Map<string, boolean>();
  const sessions: Session[] = [];
  let goal: SearchNode | null = null;

  const passes = async (at: Session): Promise<boolean> => {
    const state = (await at.judgedState?.()) ?? null;
    const before = state === null ? undefined : judged.get(state);
    if (before !== undefined) return before;
    counts.verifierCalls++;
    const { pass } = await at.verify();
    if (state !== null) judged.set(state, pass);
    return pass;
  };
  const nodeAt = async (at: Session, from: Pick<SearchNode, 'parent' | 'step' | 'history'>): Promise<SearchNode> => {
    const isOver = ((await at.ended?.()) ?? null) !== null;
    const node = { ...from, session: at, screen: (await at.observe()).text, isOver, tried: new Map() };
    if (await passes(at)) goal = node;
    return node;
  };
  const rootSession = await forkOf(session);
  sessions.push(rootSession);
  known.add(await stateKey(rootSession));
  const root = await nodeAt(rootSession, { parent: null, step: null, history: [] });

  const takeStep = async (node: SearchNode, action: Action): Promise<SearchNode | null> => {
    counts.nodes++;
    const forked = await forkOf(node.session);
    const { applied, incidents = [] } = await forked.step(action);
    if (incidents.some(({ kind }) => kind === 'lost')) counts.walked++;
    const key = applied ? await stateKey(forked) : '';
    if (!applied || known.has(key)) {
      await forked.close();
      return null;
    }
    known.add(key);
    counts.states++;
    sessions.push(forked);
    const text = describeStep(action, node.screen);
    const step = { action, text, screen: node.screen };
    return nodeAt(forked, { parent: node, step, history: [...node.history, text] });
  };
  return {
    task: session.task,
    root,
    goal: () => goal,
    async tryAction(node, action) {
      const key = actionKey(action);
      const before = node.tried.get(key);
      if (before !== undefined) return before;
      const reached = await takeStep(node, action);
      node.tried.set(key, reached);
      return reached;
    },
    counts: () => ({ ...counts }),
    close: async () => void (await Promise.all(sessions.map(one => one.close()))),
  };
}

/** Two states that look alike and that the verifier reads alike are one. */
async function stateKey(session: Session): Promise<string> {
  const state = await session.judgedState?.();
  return state === undefined ? session.digest() : `${(await session.observe()).text}\n${state}`;
}

async function forkOf(session: Session): Promise<Session> {
  if (session.fork !== undefined) return session.fork();
  throw new EspalierError({
    boundary: 'environment',
    code: 'unsupported',
    message: `The search tries steps in forks of a session, and task ${session.task.id} does not fork.`,
    expected: 'Expected an app made with defineApp, or pages: wai:, miniwob: or page:.',
  });
}
