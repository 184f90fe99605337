import type { Action } from '../core/action.ts';
import type { Environment, Session, Snapshot } from '../core/contracts.ts';
import { DivergenceError } from '../core/errors.ts';
import { createTree, type Actor, type Tree, type TreeNode } from '../core/tree.ts';

export interface Rollback {
  /** How the state was reached: a snapshot put back, or the path replayed from the start. */
  readonly method: 'restore' | 'replay';
  /** The digest that was compared with the recorded one. */
  readonly digest: string;
  /** A snapshot was put back and gave another state than the one it was taken in. */
  readonly snapshotFailed: boolean;
}

/** A session that records what it does as a tree, and can go back to any node of it. */
export interface Trail {
  readonly tree: Tree;
  /** The node the session stands at; 0 is the initial state. */
  at(): number;
  session(): Session;
  step(action: Action, actor: Actor): Promise<TreeNode>;
  /** Certified: the state reached has the recorded digest, or this throws a DivergenceError. */
  rollback(node: number): Promise<Rollback>;
}

export async function createTrail(environment: Environment, session: Session): Promise<Trail> {
  const tree = createTree(await session.digest());
  const snapshots = new Map<number, Snapshot>();
  let current = session;
  let position = 0;

  const keep = async (): Promise<void> => {
    if (current.restore === undefined) return;
    const snapshot = await current.snapshot?.();
    if (snapshot !== undefined) snapshots.set(position, snapshot);
  };
  const restore = async (node: number): Promise<string | null> => {
    const snapshot = snapshots.get(node);
    if (snapshot === undefined || current.restore === undefined) return null;
    await current.restore(snapshot);
    return current.digest();
  };
  await keep();

  return {
    tree,
    at: () => position,
    session: () => current,
    async step(action, actor) {
      const before = await current.digest();
      const outcome = await current.step(action);
      const after = await current.digest();
      const node = tree.append({ parent: position, actor, action, outcome, before, after });
      position = node.id;
      await keep();
      return node;
    },
    async rollback(node) {
      const recorded = tree.digest(node);
      const restored = await restore(node);
      if (restored === recorded) {
        position = node;
        return { method: 'restore', digest: restored, snapshotFailed: false };
      }
      const fresh = await replay(environment, tree, { task: current.task, node });
      await current.close();
      current = fresh;
      position = node;
      await keep();
      return { method: 'replay', digest: recorded, snapshotFailed: restored !== null };
    },
  };
}

interface ReplayGoal {
  readonly task: Session['task'];
  readonly node: number;
}

/** Opens the task anew and walks the recorded path, comparing digests at every step. */
async function replay(environment: Environment, tree: Tree, { task, node }: ReplayGoal): Promise<Session> {
  const session = await environment.open(task);
  const compare = async (step: number, recorded: string): Promise<void> => {
    const reached = await session.digest();
    if (reached === recorded) return;
    await session.close();
    throw new DivergenceError(step, recorded, reached);
  };
  await compare(0, tree.root);
  for (const [index, step] of tree.path(node).entries()) {
    await session.step(step.action);
    await compare(index + 1, step.after);
  }
  return session;
}
