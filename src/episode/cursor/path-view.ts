import type { Environment } from '../../core/contracts.ts';
import type { BranchStep, Segment } from '../../core/episode/agents.ts';
import type { Trail } from '../../core/episode/trail.ts';
import { pastStepOf, picturesBefore, type PastStep, type SeenStep, type View } from '../../core/episode/view.ts';
import type { Observation, Verdict } from '../../core/records.ts';
import type { TreeNode } from '../../core/tree.ts';

export interface ReviewRequest {
  /** How many of the steps before the branch the reviewer is shown. */
  readonly context: number;
  /** What the verifier says of a finish at the end of the branch. */
  readonly verdict: Verdict | null;
  /** The review could be left out; it is asked for to measure what is missed. */
  readonly audit?: boolean;
}

/** A step that was taken, and the screen that it was taken on. */
export interface TakenStep {
  readonly node: TreeNode;
  readonly screen: string;
}

/** Where a cursor stands, and what agents can see from there. */
export interface PathView {
  at(): number;
  /** Steps on the path to here. */
  depth(): number;
  /** How the step to here ended the episode, if it did. */
  ended(): 'terminated' | 'truncated' | null;
  look(): Promise<Observation>;
  /** The steps to here that this request took, when it took the last ones. */
  takenFor(request: string): readonly TakenStep[];
  /** The request that took the last step to here; null when the client named none. */
  lastRequest(): string | null;
  view(): Promise<Omit<View, 'random'>>;
  segment(branch: readonly TreeNode[], request: ReviewRequest): Promise<Omit<Segment, 'random'>>;
  /** A step led to a new node. */
  advance(node: number, line: SeenStep): void;
  /** A rollback led to a known one. */
  settle(node: number): void;
  /** The same node, seen through another trail of the same tree. */
  fork(trail: Trail): PathView;
}

export interface PathViewOptions {
  readonly trail: Trail;
  readonly environment: Pick<Environment, 'tools' | 'hasScreen'>;
  /** What was seen at each node; shared by the cursors of an episode. */
  readonly lines?: Map<number, SeenStep>;
}

export function createPathView({ trail, environment, lines = new Map() }: PathViewOptions): PathView {
  const { tree } = trail;
  const { tools, hasScreen } = environment;
  const offered = { tools, ...(hasScreen === undefined ? {} : { hasScreen }) };
  const { instruction } = trail.session().task;
  let seen: Observation | null = null;

  const line = (node: number): SeenStep => lines.get(node) as SeenStep;
  const look = async (): Promise<Observation> => (seen ??= await trail.session().observe());
  const pastStep = (node: TreeNode): PastStep => pastStepOf(node, line(node.id));
  const pathTo = (node: number): PastStep[] => tree.path(node).map(pastStep).map(withoutOldPicture);
  let at = trail.at();
  let depth = tree.path(at).length;
  /** Made when an agent asks for it: clients of a server never do. */
  let pathHere: readonly PastStep[] | null = null;
  const path = (): readonly PastStep[] => (pathHere ??= pathTo(at));
  const stand = (node: number, steps: number): void => {
    [at, depth] = [node, steps];
    [pathHere, seen] = [null, null];
  };
  const branchStep = (node: TreeNode): BranchStep => ({ ...pastStep(node), before: node.before });
  return {
    look,
    takenFor: request => takenBy(request, tree.path(at), lines),
    lastRequest: () => lines.get(at)?.request ?? null,
    fork: other => createPathView({ trail: other, environment, lines }),
    at: () => at,
    depth: () => depth,
    ended: () => (at === 0 ? null : (tree.node(at).outcome.end ?? null)),
    view: async () => ({
      instruction,
      observation: await look(),
      history: textsOf(path()),
      path: path(),
      ...offered,
      ...(await turnIn(trail)),
    }),
    async segment(branch, { context, verdict }) {
      const start = branch[0]?.parent ?? at;
      const before = pathTo(start);
      return {
        instruction,
        context: textsOf(before.slice(Math.max(0, before.length - context))),
        path: before,
        visited: [tree.root, ...tree.path(start).map(({ after }) => after)],
        steps: branch.map(branchStep),
        after: await look(),
        end: tree.digest(at),
        verdict,
      };
    },
    advance(node, told) {
      lines.set(node, told);
      stand(node, tree.node(node).parent === at ? depth + 1 : tree.path(node).length);
    },
    settle: node => stand(node, tree.path(node).length),
  };
}

async function turnIn(trail: Trail): Promise<Pick<View, 'role'>> {
  const role = await trail.session().role?.();
  return role === undefined ? {} : { role };
}

/** The last steps of a path that this request took. */
function takenBy(
  request: string,
  path: readonly TreeNode[],
  lines: ReadonlyMap<number, SeenStep>,
): readonly TakenStep[] {
  const before = path.findLastIndex(({ id }) => lines.get(id)?.request !== request);
  return path.slice(before + 1).map(node => ({ node, screen: (lines.get(node.id) as SeenStep).screen }));
}

function textsOf(steps: readonly PastStep[]): string[] {
  return steps.map(({ text }) => text);
}

function withoutOldPicture(step: PastStep, index: number, path: readonly PastStep[]): PastStep {
  if (step.image === undefined || index >= path.length - picturesBefore) return step;
  const { image: _image, ...rest } = step;
  return rest;
}
