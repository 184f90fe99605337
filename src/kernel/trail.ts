import type { Awaitable, Session, Snapshot } from '../core/contracts.ts';
import type { Opener, Trail } from '../core/episode/trail.ts';
import { DivergenceError, EspalierError } from '../core/errors.ts';
import type { Task } from '../core/records.ts';
import { createTree, type Tree } from '../core/tree.ts';

/** Opens a task and keeps a trail of it. */
export async function createTrail<S extends Session>(environment: Opener<S>, task: Task): Promise<Trail<S>> {
  let current = await environment.open(task);
  const tree = createTree(await orClose(current, () => current.digest()));
  const snapshots = new Map<number, Snapshot>();
  /** Null when a rollback failed: the session is then in no state that the tree knows. */
  let position: number | null = 0;

  const keep = async (node: number): Promise<void> => {
    const snapshot = current.restore === undefined ? undefined : await current.snapshot?.();
    if (snapshot !== undefined) snapshots.set(node, snapshot);
  };
  const standing = (): number => {
    if (position === null) throw lost(task.id);
    return position;
  };
  await orClose(current, () => keep(0));

  return {
    tree,
    at: standing,
    session: () => current,
    async step(action, actor, remarks) {
      const parent = standing();
      const before = await current.digest();
      const outcome = await current.step(action);
      const after = await current.digest();
      const node = tree.append({ parent, actor, action, outcome, before, after, ...remarks });
      position = node.id;
      await keep(node.id);
      return node;
    },
    async rollback(node) {
      const recorded = tree.digest(node);
      const snapshot = snapshots.get(node);
      position = null;
      if (snapshot !== undefined && (await restored(current, snapshot)) === recorded) {
        position = node;
        return { method: 'restore', digest: recorded, snapshotFailed: false };
      }
      const fresh = await replay(environment, tree, { task, node });
      await current.close();
      current = fresh;
      // Snapshots belong to the session that took them.
      snapshots.clear();
      position = node;
      await keep(node);
      return { method: 'replay', digest: recorded, snapshotFailed: snapshot !== undefined };
    },
  };
}

/** The digest after putting a snapshot back; null when it cannot be put back, which replay makes good. */
async function restored(session: Session, snapshot: Snapshot): Promise<string | null> {
  try {
    await session.restore?.(snapshot);
    return await session.digest();
  } catch {
    return null;
  }
}

interface ReplayGoal {
  readonly task: Task;
  readonly node: number;
}

/** Opens the task anew and walks the recorded path, comparing digests at every step. */
async function replay<S extends Session>(environment: Opener<S>, tree: Tree, { task, node }: ReplayGoal): Promise<S> {
  const session = await environment.open(task);
  const compare = async (step: number, recorded: string): Promise<void> => {
    const reached = await session.digest();
    if (reached !== recorded) throw new DivergenceError(step, recorded, reached);
  };
  return orClose(session, async () => {
    await compare(0, tree.root);
    for (const [index, step] of tree.path(node).entries()) {
      await session.step(step.action);
      await compare(index + 1, step.after);
    }
    return session;
  });
}

/** Closes a session that nobody else knows of yet when it fails, and tells what it failed with. */
async function orClose<T>(session: Session, work: () => Awaitable<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    try {
      await session.close();
    } catch {
      // What broke first is what is told.
    }
    throw cause;
  }
}

function lost(task: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'diverged',
    message: `The trail of task ${task} is lost: its last rollback failed.`,
    expected: 'Roll back to a node that can be reached, such as 0, before going on.',
  });
}
