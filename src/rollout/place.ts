import type { ToolInfo } from '../core/contracts.ts';
import type { BranchStep, Segment } from '../core/episode/agents.ts';
import type { Trail } from '../core/episode/trail.ts';
import type { View } from '../core/episode/view.ts';
import type { Observation, Verdict } from '../core/records.ts';
import type { TreeNode } from '../core/tree.ts';

export interface ReviewRequest {
  /** How many of the steps before the branch the reviewer is shown. */
  readonly context: number;
  /** What the verifier says of a finish at the end of the branch. */
  readonly verdict: Verdict | null;
}

interface Line {
  readonly screen: string;
  readonly text: string;
}

/** Where an episode stands, and what can be seen from there. */
export interface Place {
  at(): number;
  /** Steps on the path to here. */
  depth(): number;
  /** How the step to here ended the episode, if it did. */
  ended(): 'terminated' | 'truncated' | null;
  look(): Promise<Observation>;
  view(): Promise<Omit<View, 'random'>>;
  segment(branch: readonly TreeNode[], request: ReviewRequest): Promise<Omit<Segment, 'random'>>;
  /** A step led to a new node. */
  advance(node: number, line: Line): void;
  /** A rollback led to a known one. */
  settle(node: number): void;
}

export interface PlaceOptions {
  readonly trail: Trail;
  readonly tools: readonly ToolInfo[];
}

export function createPlace({ trail, tools }: PlaceOptions): Place {
  const { tree } = trail;
  const { instruction } = trail.session().task;
  const lines = new Map<number, Line>();
  let at = 0;
  let history: readonly string[] = [];
  let seen: Observation | null = null;

  const line = (node: number): Line => lines.get(node) as Line;
  const historyTo = (node: number): string[] => tree.path(node).map(({ id }) => line(id).text);
  const look = async (): Promise<Observation> => (seen ??= await trail.session().observe());
  const branchStep = ({ id, action, thought, before, outcome }: TreeNode): BranchStep => ({
    action,
    text: line(id).text,
    ...(thought === undefined ? {} : { thought }),
    screen: line(id).screen,
    before,
    applied: outcome.applied,
  });
  return {
    look,
    at: () => at,
    depth: () => history.length,
    ended: () => (at === 0 ? null : (tree.node(at).outcome.end ?? null)),
    view: async () => ({ instruction, observation: await look(), history, tools }),
    async segment(branch, { context, verdict }) {
      const start = branch[0]?.parent ?? at;
      const before = historyTo(start);
      return {
        instruction,
        context: before.slice(Math.max(0, before.length - context)),
        visited: [tree.root, ...tree.path(start).map(({ after }) => after)],
        steps: branch.map(branchStep),
        after: await look(),
        end: tree.digest(at),
        verdict,
      };
    },
    advance(node, told) {
      lines.set(node, told);
      history = [...history, told.text];
      at = node;
      seen = null;
    },
    settle(node) {
      history = historyTo(node);
      at = node;
      seen = null;
    },
  };
}
