import { describeAction, isBrowserAction, type Action } from '../../core/action.ts';
import type { ServedQuestion } from '../../core/chat/served.ts';
import type { StateEnvironment } from '../../core/contracts.ts';
import type { BranchStates, Segment } from '../../core/episode/agents.ts';
import type { View } from '../../core/episode/view.ts';
import { EspalierError } from '../../core/errors.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { Cursor } from '../../episode/cursor/cursor.ts';
import { createLifecycle, type Lifecycle, type LifecycleOptions } from '../../episode/cursor/lifecycle.ts';
import { noLog } from '../../episode/cursor/log.ts';
import { createStates, type States } from '../../episode/cursor/states.ts';
import { RefusedError } from './served-policy.ts';

/** The situation in which a question is asked, with the states that a privileged agent may read. */
export interface QuestionContext {
  /** What an agent sees there. */
  readonly view: Omit<View, 'random'>;
  /** What a reviewer of the steps from there on sees. */
  readonly segment: Omit<Segment, 'random'>;
  /** From there on. */
  readonly states: BranchStates;
}

export type EpisodeRuntime = Pick<LifecycleOptions, 'clock' | 'timers' | 'createTrail'>;

/** Opens the task and takes the steps of the path, then those of the branch. Nothing of it is recorded. */
export async function contextOf(
  environment: StateEnvironment,
  question: ServedQuestion,
  runtime: EpisodeRuntime,
): Promise<QuestionContext> {
  const { task, path } = question;
  const { signal } = new AbortController();
  // The budget of the task holds: a run may have set a smaller one, and never sends more.
  const limits = { steps: Infinity };
  const lifecycle = createLifecycle({ ...runtime, environment, task, limits, log: noLog, signal });
  try {
    const cursor = await opened(lifecycle);
    const states = await createStates(cursor.trail, { wanted: true, guard: lifecycle.guard });
    await walk({ cursor, states }, path);
    const [start, view] = [cursor.at(), await cursor.view()];
    const branch = await walk({ cursor, states }, question.question === 'review' ? question.branch : []);
    const verdict = cursor.ended() === 'terminated' ? await cursor.verify() : null;
    const segment = await cursor.segment(branch, { context: path.length, verdict });
    const nodes = [start, ...branch.map(({ id }) => id)];
    const last = cursor.at();
    return { view, segment, states: { at: index => states.fork(nodes[index] ?? last) } };
  } finally {
    await lifecycle.close();
  }
}

async function opened(lifecycle: Lifecycle): Promise<Cursor> {
  try {
    return await lifecycle.open();
  } catch (cause) {
    const first = cause instanceof Error ? cause.cause : null;
    if (first instanceof EspalierError && first.boundary === 'input') throw new RefusedError(first.message);
    throw cause;
  }
}

interface Walker {
  readonly cursor: Cursor;
  readonly states: States;
}

/** Who took each step is not known here, and a planner does not need it. */
const actor = { role: 'student', name: '' } as const;

/** Steps that were refused are refused again. */
async function walk({ cursor, states }: Walker, actions: readonly Action[]): Promise<TreeNode[]> {
  const nodes: TreeNode[] = [];
  for (const action of actions) {
    if (isBrowserAction(action)) throw noBrowser(action);
    if (cursor.ended() !== null) throw afterTheEnd(action);
    if (cursor.left('steps') <= 0) throw tooManySteps(cursor);
    nodes.push(await cursor.step({ action }, { actor }));
    await states.keep(cursor.at());
  }
  return nodes;
}

function noBrowser(action: Action): RefusedError {
  return new RefusedError(
    `The step "${describeAction(action)}" needs a browser, and the planner takes the steps again in a world without one. ` +
      'Expected steps by element: run the app without a browser.',
  );
}

function afterTheEnd(action: Action): RefusedError {
  return new RefusedError(
    `The step "${describeAction(action)}" comes after the end of the episode. Expected steps that could be taken.`,
  );
}

function tooManySteps({ tree, at }: Cursor): RefusedError {
  return new RefusedError(
    `The path has more than ${tree.path(at()).length} steps. Expected no more than the budget of the task.`,
  );
}
