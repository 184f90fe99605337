import { actionKey } from '../../core/action.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { textsTold } from '../../core/records.ts';
import type { Tree, TreeNode } from '../../core/tree.ts';

/** What many signals ask of an episode, found out once. */
export interface Trace {
  /** All steps, in the order in which they were taken. */
  readonly steps: readonly TreeNode[];
  /** The steps from the start to where the episode ended. */
  readonly main: readonly TreeNode[];
  /** The verdict at the end; null when the episode was not verified. */
  readonly passed: boolean | null;
  /** What the task told the agent, in lower case. */
  readonly told: string;
  /** What the step does, the same in every episode of the task: its text where there is one. */
  description(step: TreeNode): string;
  /** The text of the screen that the step was taken on, in lower case. */
  screen(step: TreeNode): string;
  /** What was worked out for this episode and several signals ask for, by name. */
  readonly shared: Map<string, unknown>;
}

export function createTrace(episode: EpisodeRecord): Trace {
  const { tree, end, head } = episode;
  const descriptions = new Map<number, string>();
  const screens = new Map<number, string>();
  return {
    steps: stepsOf(tree),
    main: tree.path(end.leaf),
    passed: end.verdict?.pass ?? null,
    told: textsTold(head.task).join('\n').toLowerCase(),
    description(step) {
      const known = descriptions.get(step.id);
      if (known !== undefined) return known;
      const description = episode.text(step.id).replace(refusal, '') || actionKey(step.action);
      descriptions.set(step.id, description);
      return description;
    },
    screen({ id }) {
      const known = screens.get(id) ?? episode.screen(id).toLowerCase();
      screens.set(id, known);
      return known;
    },
    shared: new Map(),
  };
}

/** How a line of history says that the step was refused. */
const refusal = / \(refused: .*\)$/;

/** All steps of a tree in the order in which they were taken: they are numbered so. */
function stepsOf(tree: Tree): readonly TreeNode[] {
  return Array.from({ length: stepCount(tree) }, (_, index) => tree.node(index + 1));
}

export function stepCount(tree: Tree): number {
  let last = 0;
  for (const open = [0]; open.length > 0; ) {
    const below = tree.children(open.pop() as number);
    for (const { id } of below) {
      last = Math.max(last, id);
      open.push(id);
    }
  }
  return last;
}

/** Whether a step changed nothing. The end of an episode and what a tool returned are no stalls. */
export function isStall({ before, after, outcome }: TreeNode): boolean {
  return before === after && outcome.end === undefined && outcome.result === undefined;
}

/** Whether a step looked at something: a tool returned a result and the state stayed as it was. */
export function isLook({ before, after, outcome, action }: TreeNode): boolean {
  return (action.kind === 'call' && before === after && outcome.result !== undefined) || passive.has(action.kind);
}

const passive: ReadonlySet<string> = new Set(['scroll', 'hover-at', 'wait', 'back']);
