import type { Action } from '../action.ts';
import type { Awaitable, Session } from '../contracts.ts';
import type { Task } from '../records.ts';
import type { Actor, Tree, TreeNode } from '../tree.ts';

/** What an actor said and what it cost. */
export type Remarks = Pick<
  TreeNode,
  'thought' | 'cost' | 'tokens' | 'prior' | 'value' | 'confidence' | 'logprob' | 'entropy' | 'memory'
>;

export interface Rollback {
  /** How the state was reached: a snapshot put back, or the path replayed from the start. */
  readonly method: 'restore' | 'replay';
  /** The digest that was compared with the recorded one. */
  readonly digest: string;
  /** Why the path was replayed: there was no snapshot, it could not be put back, or it gave another state; null when it did. */
  readonly divergence: string | null;
}

/** A session that records what it does as a tree, and can go back to any node of it. */
export interface Trail<S extends Session = Session> {
  readonly tree: Tree;
  /** The node the session stands at; 0 is the initial state. */
  at(): number;
  /** The open session. A rollback by replay opens another one. */
  session(): S;
  step(action: Action, actor: Actor, remarks?: Remarks): Promise<TreeNode>;
  /** Adds a recorded step to the tree and takes it again from its parent. Throws a DivergenceError when it leads elsewhere. */
  repeat(recorded: TreeNode): Promise<void>;
  /** Compared: the state reached has the recorded digest, or this throws a DivergenceError. */
  rollback(node: number): Promise<Rollback>;
  /** Another session that stands at the same node and adds to the same tree: forked, else replayed; and compared. */
  fork(): Promise<Forked<S>>;
}

export interface Forked<S extends Session> {
  readonly trail: Trail<S>;
  readonly method: 'fork' | 'replay';
}

export interface TrailOptions {
  /** Why no snapshot may be put back: every rollback replays the path then. */
  readonly distrust?: string;
}

/** Whatever opens tasks: an environment, or a pool of them. */
export interface Opener<S extends Session> {
  open(task: Task): Awaitable<S>;
  /** Puts a session that was forked under the same deadlines. */
  watch?(session: S): S;
}
