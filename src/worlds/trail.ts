import type { Action } from '../core/action.ts';
import type { Awaitable, Session, Snapshot } from '../core/contracts.ts';
import type { Forked, Opener, Rollback, Trail, TrailOptions } from '../core/episode/trail.ts';
import { causeText, DivergenceError, EspalierError } from '../core/errors.ts';
import type { StepOutcome, Task } from '../core/records.ts';
import { createTree, type Tree, type TreeNode } from '../core/tree.ts';

/** Opens a task and keeps a trail of it. */
export async function createTrail<S extends Session>(
  environment: Opener<S>,
  task: Task,
  options: TrailOptions = {},
): Promise<Trail<S>> {
  const session = await environment.open(task);
  const tree = createTree(await orClose(session, () => session.digest()));
  const snapshots: Snapshots = new Map();
  await orClose(session, () => keep(session, snapshots, 0));
  return trailFrom({ environment, task, tree, session, snapshots, node: 0, distrust: options.distrust ?? null });
}

interface TrailStart<S extends Session> {
  readonly environment: Opener<S>;
  readonly task: Task;
  readonly tree: Tree;
  readonly session: S;
  readonly snapshots: Snapshots;
  readonly node: number;
  readonly distrust: string | null;
}

function trailFrom<S extends Session>(start: TrailStart<S>): Trail<S> {
  const { environment, task, tree } = start;
  /** Null when a rollback failed: the session is then in no state that the tree knows. */
  let position: number | null = start.node;
  let [current, snapshots, isRestored] = [start.session, start.snapshots, false];
  /** Why no snapshot is put back any more; why the session before was left, and its snapshots with it. */
  let [distrust, left]: [string | null, string | null] = [start.distrust, null];
  const standing = (): number => position ?? lost(task.id);
  const walk = async (node: number, why: string): Promise<void> => {
    // Snapshots belong to the session that took them.
    const taken: Snapshots = new Map();
    const fresh = await replay(environment, { task, tree, node, snapshots: taken });
    await current.close();
    [current, snapshots, position, isRestored, left] = [fresh, taken, node, false, why];
  };
  /** Takes a step. A snapshot that only looked right shows when a step that is on record leads elsewhere after it. */
  const taken = async (parent: number, action: Action): Promise<Pick<TreeNode, 'outcome' | 'before' | 'after'>> => {
    const before = await current.digest();
    const outcome = await current.step(action);
    const after = await current.digest();
    const known = childBy(tree, parent, action);
    if (known === undefined || isAgain(known, outcome, after)) return { outcome, before, after };
    position = null;
    if (!isRestored) throw new DivergenceError(tree.path(known.id).length, known.after, after);
    distrust = `after a snapshot, step ${known.id} led to another state than it did before`;
    await walk(parent, distrust);
    return taken(parent, action);
  };
  const arrive = async (node: TreeNode): Promise<TreeNode> => {
    position = node.id;
    await keep(current, snapshots, node.id);
    return node;
  };
  const rollback = async (node: number): Promise<Rollback> => {
    const digest = tree.digest(node);
    position = null;
    const divergence = await putBack(current, snapshots.get(node), { digest, distrust, left });
    if (divergence === null) [position, isRestored] = [node, true];
    else await walk(node, divergence);
    return { method: divergence === null ? 'restore' : 'replay', digest, divergence };
  };
  return {
    tree,
    at: standing,
    session: () => current,
    rollback,
    async step(action, actor, remarks) {
      const parent = standing();
      return arrive(tree.append({ parent, actor, action, ...(await taken(parent, action)), ...remarks }));
    },
    async repeat({ id: _id, ...recorded }) {
      const { parent, action } = recorded;
      const node = tree.append(recorded);
      if (position !== parent) await rollback(parent);
      await taken(parent, action);
      await arrive(node);
    },
    fork: async () => forkTrail({ ...start, session: current, snapshots, node: standing(), distrust }),
  };
}

/** A fork takes the snapshots of its parent; a session that is opened anew takes its own on the way. */
async function forkTrail<S extends Session>(from: TrailStart<S>): Promise<Forked<S>> {
  const { environment, task, tree, session, snapshots, node, distrust } = from;
  const forked = distrust === null ? await forkOf(environment, session, tree.digest(node)) : null;
  if (forked !== null) {
    const taken: Snapshots = new Map(snapshots);
    await orClose(forked, () => keep(forked, taken, node));
    return { trail: trailFrom({ ...from, session: forked, snapshots: taken }), method: 'fork' };
  }
  const taken: Snapshots = new Map();
  const fresh = await replay(environment, { task, tree, node, snapshots: taken });
  return { trail: trailFrom({ ...from, session: fresh, snapshots: taken }), method: 'replay' };
}

/** A fork in this state; null when the session cannot fork or says that its fork would differ, or the fork is in another state. */
async function forkOf<S extends Session>(environment: Opener<S>, session: S, wanted: string): Promise<S | null> {
  const bare = await bareFork(session);
  if (bare === null) return null;
  const forked = environment.watch?.(bare) ?? bare;
  if ((await orClose(forked, () => forked.digest())) === wanted) return forked;
  await forked.close();
  return null;
}

async function bareFork<S extends Session>(session: S): Promise<S | null> {
  try {
    return ((await session.fork?.()) as S | undefined) ?? null;
  } catch (cause) {
    if (cause instanceof EspalierError && cause.code === 'diverged') return null;
    throw cause;
  }
}

/** Whether a step came to what it did before. Only pages have fingerprints, and not in every session. */
function isAgain(known: TreeNode, { fingerprint }: StepOutcome, after: string): boolean {
  const before = known.outcome.fingerprint;
  return known.after === after && (before === undefined || fingerprint === undefined || before === fingerprint);
}

/** The step that was taken there before. */
function childBy(tree: Tree, parent: number, action: Action): TreeNode | undefined {
  const children = tree.children(parent);
  if (children.length === 0) return undefined;
  const text = JSON.stringify(action);
  return children.find(child => JSON.stringify(child.action) === text);
}

type Snapshots = Map<number, Snapshot>;

async function keep(session: Session, snapshots: Snapshots, node: number): Promise<void> {
  const snapshot = session.restore === undefined ? undefined : await session.snapshot?.();
  if (snapshot !== undefined) snapshots.set(node, snapshot);
}

interface PutBack {
  readonly digest: string;
  readonly distrust: string | null;
  readonly left: string | null;
}

/** Puts a snapshot back; says why that did not do, which replay makes good. Null when it did. */
async function putBack(
  session: Session,
  snapshot: Snapshot | undefined,
  { digest, distrust, left }: PutBack,
): Promise<string | null> {
  if (distrust !== null) return distrust;
  if (session.restore === undefined) return 'its sessions keep no snapshots';
  if (snapshot === undefined) return withoutSnapshot(left);
  try {
    await session.restore(snapshot);
    const reached = await session.digest();
    return reached === digest ? null : `the snapshot gave back ${reached}, not ${digest}`;
  } catch (cause) {
    return causeText(cause);
  }
}

const goneText = 'its snapshot went with the session that took it, which was left: ';

function withoutSnapshot(left: string | null): string {
  if (left === null) return 'no snapshot was kept of that state';
  return left.startsWith(goneText) ? left : `${goneText}${left}`;
}

interface ReplayGoal {
  readonly task: Task;
  readonly tree: Tree;
  readonly node: number;
  /** Filled on the way. */
  readonly snapshots: Snapshots;
}

/** Opens the task anew and walks the recorded path, comparing digests at every step. */
async function replay<S extends Session>(environment: Opener<S>, goal: ReplayGoal): Promise<S> {
  const { task, tree, node, snapshots } = goal;
  const session = await environment.open(task);
  const compare = async (step: number, recorded: string): Promise<void> => {
    const reached = await session.digest();
    if (reached !== recorded) throw new DivergenceError(step, recorded, reached);
  };
  return orClose(session, async () => {
    await compare(0, tree.root);
    await keep(session, snapshots, 0);
    for (const [index, step] of tree.path(node).entries()) {
      await session.step(step.action);
      await compare(index + 1, step.after);
      await keep(session, snapshots, step.id);
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

function lost(task: string): never {
  throw new EspalierError({
    boundary: 'environment',
    code: 'diverged',
    message: `The trail of task ${task} is lost: its last rollback failed.`,
    expected: 'Roll back to a node that can be reached, such as 0, before going on.',
  });
}
