import { describeAction, type Action } from '../../core/action.ts';
import type { StateEnvironment, StateSession } from '../../core/contracts.ts';
import type { Task } from '../../core/records.ts';
import type { GoalCall } from './goal.ts';
import type { ToolGraph } from './graph.ts';
import { isLookup } from './state.ts';
import { readToolTask } from './tool-environment.ts';

/** How a task is done. `mixed` looks values up by a program and changes things on the screen. */
export const ways = ['screen', 'tools', 'mixed', 'plan', 'code'] as const;
export type Way = (typeof ways)[number];

/** What a way costs: steps, characters that the agent writes, and characters that it reads. */
export interface WayCost {
  readonly way: Way;
  readonly pass: boolean;
  readonly steps: number;
  readonly written: number;
  readonly read: number;
}

/** Does a task in one way and counts. The screen is read before each action on it; a call shows its result alone. */
export function costOfWay(
  environment: StateEnvironment,
  graph: ToolGraph,
  { task, way }: { task: Task; way: Way },
): WayCost {
  const session = environment.open(task);
  const { goal } = readToolTask(graph, task);
  let [steps, written, read] = [0, 0, 0];
  for (
    let action = nextBy(way, { session, goal, graph });
    action !== null;
    action = nextBy(way, { session, goal, graph })
  ) {
    if (action.kind !== 'call') read += session.observe().text?.length ?? 0;
    const { result } = session.step(action);
    if (result !== undefined) read += JSON.stringify(result).length;
    written += describeAction(action).length;
    steps++;
  }
  session.step({ kind: 'finish' });
  return { way, pass: session.verify().pass, steps: steps + 1, written: written + 'finish'.length, read };
}

interface Progress {
  readonly session: StateSession;
  readonly goal: readonly GoalCall[];
  readonly graph: ToolGraph;
}

function nextBy(way: Way, { session, goal, graph }: Progress): Action | null {
  const { next = null, nextOnScreen = null } = session.guide();
  const isNew = JSON.stringify((session.state() as { reads: object }).reads) === '{}';
  if (way === 'tools' || next === null) return next;
  if (way === 'screen' || (way === 'mixed' && !isNew)) return nextOnScreen;
  if (way === 'plan') return { kind: 'call', tool: 'plan', input: { calls: planFor(goal) } };
  const wanted = way === 'code' ? goal : goal.filter(({ tool }) => isLookup(graph.tools.get(tool) ?? never(tool)));
  return { kind: 'call', tool: 'run', input: { program: programFor(goal, wanted) } };
}

function never(tool: string): never {
  throw new RangeError(`There is no tool "${tool}".`);
}

/** The goal as the input of the tool `plan`. */
export function planFor(goal: readonly GoalCall[]): { tool: string; input: { [kind: string]: string } }[] {
  return goal.map(({ tool, inputs }) => ({
    tool,
    input: Object.fromEntries(
      Object.entries(inputs).map(([kind, from]) => [kind, typeof from === 'number' ? `$${from + 1}` : from]),
    ),
  }));
}

/** The goal as a program; of its calls only those that are wanted. It returns what they returned. */
export function programFor(goal: readonly GoalCall[], wanted: readonly GoalCall[] = goal): string {
  const lines = goal.flatMap((call, at) => {
    if (!wanted.includes(call)) return [];
    const inputs = Object.entries(call.inputs).map(
      ([kind, from]) => `${kind}: ${typeof from === 'number' ? `v${from}` : JSON.stringify(from)}`,
    );
    return [`const v${at} = ${call.tool}({ ${inputs.join(', ')} });`];
  });
  const names = goal.flatMap((call, at) => (wanted.includes(call) ? [`v${at}`] : []));
  return [...lines, `return [${names.join(', ')}];`].join('\n');
}
