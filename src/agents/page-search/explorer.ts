import { actionKey, type Action } from '../../core/action.ts';
import type { Session } from '../../core/contracts.ts';
import { createDigest } from '../../core/digest.ts';
import { describeStep } from '../../core/episode/view.ts';
import { EspalierError } from '../../core/errors.ts';
import { createReachedStates, type ReachedState, type ReachedStates } from './reached-states.ts';

/** A step of a path that was found. */
export interface FoundStep {
  readonly action: Action;
  /** As a line of history. */
  readonly text: string;
  /** The screen that it is taken on. */
  readonly screen: string;
}

/** A state that was reached, and everything that is known of it. */
export interface SearchNode {
  readonly at: ReachedState;
  /** Of the whole state, so that a step that changes nothing is seen. */
  readonly digest: string;
  readonly parent: SearchNode | null;
  readonly step: FoundStep | null;
  readonly history: readonly string[];
  readonly screen: string;
  /** Whether the page itself has ended the episode. */
  readonly isOver: boolean;
  readonly passes: boolean;
  /** What the verifier reads here; null unless it passes, and where the session does not say. */
  readonly judged: string | null;
  /** Where each tried action led; null for one that changed nothing or was refused. */
  readonly tried: Map<string, SearchNode | null>;
  /** Other ways here, from states that differ. */
  readonly others: { readonly from: SearchNode; readonly step: FoundStep }[];
}

/** What a search has done so far. */
export interface SearchCounts {
  readonly nodes: number;
  /** States that differ. */
  readonly states: number;
  readonly verifierCalls: number;
  /** Pages that were lost or could not be restored: their states were reached again by walking. */
  readonly walked: number;
  /** Steps and verdicts that ended with an error; each counts as one that leads nowhere. */
  readonly failures: number;
}

/** A session in a state that is new, and how it came there. */
type Arrival = Pick<SearchNode, 'at' | 'parent' | 'step' | 'history'>;

/** Takes steps, recognises states that are known, and finds out which of them pass. */
export interface Explorer {
  readonly root: SearchNode;
  /** States that pass, in the order in which they were found. */
  readonly goals: readonly SearchNode[];
  /** Where an action leads; null when it leads nowhere new. A known one costs no node. */
  tryAction(node: SearchNode, action: Action): Promise<SearchNode | null>;
  counts(): SearchCounts;
  /** Nodes until the first state that passes; null when there is none. */
  nodesToGoal(): number | null;
  close(): Promise<void>;
}

/** So many errors one after the other are not of single steps: the search ends with the last one. */
const mostFailures = 4;

export async function createExplorer(session: Session): Promise<Explorer> {
  const counts: Counts = { nodes: 0, states: 0, verifierCalls: 0, walked: 0, failures: 0 };
  const states = await createReachedStates(session);
  const table = createStateTable(states, counts);
  let failuresInARow = 0;

  const takeStep = async (node: SearchNode, action: Action): Promise<SearchNode | null> => {
    const reached = await states.open(node.at);
    try {
      const { applied, incidents = [] } = await reached.step(action);
      if (incidents.some(({ kind }) => kind === 'lost')) counts.walked++;
      const text = describeStep(action, node.screen);
      if (applied) return await table.arrive(node, { action, text, screen: node.screen }, reached);
      await reached.close();
      return null;
    } catch (cause) {
      await Promise.resolve(reached.close()).catch(() => null);
      throw cause;
    }
  };
  /** A step that breaks leads nowhere. */
  const takeStepSafely = async (node: SearchNode, action: Action): Promise<SearchNode | null> => {
    counts.nodes++;
    try {
      const reached = await takeStep(node, action);
      failuresInARow = 0;
      return reached;
    } catch (cause) {
      counts.failures++;
      if (++failuresInARow >= mostFailures || !(cause instanceof EspalierError)) throw cause;
      return null;
    }
  };
  return {
    root: await table.addRoot(session),
    goals: table.goals,
    async tryAction(node, action) {
      const key = actionKey(action);
      const before = node.tried.get(key);
      if (before !== undefined) return before;
      const reached = await takeStepSafely(node, action);
      node.tried.set(key, reached);
      return reached;
    },
    counts: () => ({ ...counts }),
    nodesToGoal: table.nodesToGoal,
    close: () => states.close(),
  };
}

type Counts = { -readonly [name in keyof SearchCounts]: number };

/** The states of a search, each once. */
interface StateTable {
  readonly goals: readonly SearchNode[];
  nodesToGoal(): number | null;
  addRoot(session: Session): Promise<SearchNode>;
  /** The node of a state that is new; null for a known one. The session is kept or closed. */
  arrive(from: SearchNode, step: FoundStep, reached: Session): Promise<SearchNode | null>;
}

function createStateTable(states: ReachedStates, counts: Counts): StateTable {
  const known = new Map<string, SearchNode>();
  const goals: SearchNode[] = [];
  const { passes, keyOf } = createJudge(counts);
  let nodesToGoal: number | null = null;

  const add = async (at: Session, key: string, arrival: Arrival): Promise<SearchNode> => {
    counts.states++;
    const isGoal = await passes(at);
    const node: SearchNode = {
      ...arrival,
      screen: (await at.observe()).text,
      digest: await at.digest(),
      isOver: ((await at.ended?.()) ?? null) !== null,
      passes: isGoal,
      judged: isGoal ? ((await at.judgedState?.()) ?? null) : null,
      tried: new Map(),
      others: [],
    };
    known.set(key, node);
    if (isGoal) {
      goals.push(node);
      nodesToGoal ??= counts.nodes;
    }
    return node;
  };
  return {
    goals,
    nodesToGoal: () => nodesToGoal,
    addRoot: async session =>
      add(session, await keyOf(session), { at: states.start, parent: null, step: null, history: [] }),
    async arrive(from, step, reached) {
      const key = await keyOf(reached);
      const before = known.get(key);
      if (before === undefined) {
        const at = states.keep(reached, [...from.at.path, step.action]);
        return add(reached, key, { at, parent: from, step, history: [...from.history, step.text] });
      }
      // Nothing but the clock has moved: the next step from here needs no restore.
      if (before === from && (await reached.digest()) === from.digest) await states.replace(from.at, reached);
      else await reached.close();
      if (before !== from) before.others.push({ from, step });
      return null;
    },
  };
}

interface Judge {
  /** Asks the verifier, once for states that it reads alike. */
  passes(session: Session): Promise<boolean>;
  /** Two states that look alike and that the verifier reads alike have the same key. */
  keyOf(session: Session): Promise<string>;
}

function createJudge(counts: { verifierCalls: number; failures: number }): Judge {
  const digest = createDigest();
  const verdicts = new Map<string, boolean>();
  const ask = async (session: Session): Promise<boolean> => {
    counts.verifierCalls++;
    try {
      return (await session.verify()).pass;
    } catch (cause) {
      // Verifiers are written for the states that their authors thought of: one that breaks does not pass.
      if (!(cause instanceof EspalierError) || cause.boundary !== 'verifier') throw cause;
      counts.failures++;
      return false;
    }
  };
  return {
    async passes(session) {
      const judged = await session.judgedState?.();
      if (judged === undefined) return ask(session);
      const state = digest([judged]);
      const pass = verdicts.get(state) ?? (await ask(session));
      verdicts.set(state, pass);
      return pass;
    },
    async keyOf(session) {
      const judged = await session.judgedState?.();
      return judged === undefined ? session.digest() : digest([(await session.observe()).text, judged]);
    },
  };
}
