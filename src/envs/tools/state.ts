import type { JsonObject } from '../../core/json.ts';
import { givenValues, type GoalCall, type ResolvedCall } from './goal.ts';
import { callKey, lookUp, readInput, type GraphTool, type ToolGraph } from './graph.ts';

export type ToolState = {
  /** What lookups returned, by call. */
  readonly reads: { readonly [call: string]: string };
  /** Changes that were made, by call, in the order of their names. */
  readonly changes: readonly string[];
  /** The form on the screen. */
  readonly form: { readonly tool: string | null; readonly fields: { readonly [kind: string]: string } };
};

export interface ToolTask {
  readonly graph: ToolGraph;
  readonly goal: readonly GoalCall[];
  /** The calls of the goal with their values. */
  readonly needed: readonly ResolvedCall[];
}

export const initialState: ToolState = { reads: {}, changes: [], form: { tool: null, fields: {} } };

/** A call that was carried out. */
export interface Called {
  readonly state: ToolState;
  /** What the tool returned; true for a change. */
  readonly result: string | true;
}

/** Carries out one call of the graph, or says why not. */
export function callTool(
  graph: ToolGraph,
  state: ToolState,
  call: { tool: string; input: JsonObject },
): Called | string {
  const tool = graph.tools.get(call.tool);
  if (tool === undefined) return `There is no tool "${call.tool.slice(0, 60)}".`;
  const input = readInput(graph, tool, call.input);
  if (typeof input === 'string') return input;
  const key = callKey(tool, input);
  if (tool.output !== null) {
    const result = lookUp(graph, tool, input);
    return {
      state: Object.hasOwn(state.reads, key) ? state : { ...state, reads: { ...state.reads, [key]: result } },
      result,
    };
  }
  if (state.changes.includes(key)) return `${key} was done already.`;
  return { state: { ...state, changes: [...state.changes, key].toSorted() }, result: true };
}

/** Takes a change back, or says why not. */
export function cancelChange(state: ToolState, change: unknown): ToolState | string {
  if (typeof change !== 'string' || !state.changes.includes(change))
    return `Expected a change that was made: ${state.changes.join('; ') || 'there is none'}.`;
  return { ...state, changes: state.changes.filter(made => made !== change) };
}

/** Values of a kind that the agent knows: from the instruction, or returned by a tool. */
export function knownValues({ graph, goal }: ToolTask, { reads }: ToolState, kind: string): string[] {
  const all = graph.values.get(kind) ?? [];
  const seen = new Set([...givenValues(goal), ...Object.values(reads)]);
  return all.filter(value => seen.has(value));
}

/** The next call of the goal that was not made; undefined when all were. */
export function openCall({ needed }: ToolTask, { reads, changes }: ToolState): ResolvedCall | undefined {
  return needed.find(({ tool, key }) => !(isLookup(tool) ? Object.hasOwn(reads, key) : changes.includes(key)));
}

export function isLookup({ output }: GraphTool): boolean {
  return output !== null;
}
