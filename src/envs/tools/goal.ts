import { z } from 'zod';
import type { Random } from '../../core/random.ts';
import { callKey, lookUp, type GraphTool, type ToolGraph, type ToolInput } from './graph.ts';

/** A call that the task needs. Inputs are values that the user gives, or numbers of earlier calls. */
export interface GoalCall {
  readonly tool: string;
  readonly inputs: { readonly [kind: string]: string | number };
}

export const goalSchema = z
  .array(
    z.strictObject({
      tool: z.string().max(60),
      inputs: z.record(z.string().max(30), z.union([z.string().max(40), z.int().min(0).max(60)])),
    }),
  )
  .min(1)
  .max(60);

export interface GoalSize {
  /** Fewest and most calls. */
  readonly calls: readonly [number, number];
  /** Calls that change something. */
  readonly changes: number;
}

const attempts = 400;
const reuse = 0.3;
const givenInstead = 0.15;

/**
 * Draws a graph of calls backwards from its changes: each parameter takes a value that is there already, one that the user
 * gives, or the output of another tool (the sampler of EnvFactory). Calls come in an order in which they can be made.
 */
export function drawGoal(graph: ToolGraph, size: GoalSize, random: Random): readonly GoalCall[] | null {
  const changing = [...graph.tools.values()].filter(({ output }) => output === null);
  const [fewest, most] = size.calls;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const calls: GoalCall[] = [];
    for (const tool of random.sample(changing, size.changes)) addCall({ graph, random, calls }, tool);
    const keys = new Set(resolveGoal(graph, calls).map(({ key }) => key));
    if (calls.length >= fewest && calls.length <= most && keys.size === calls.length) return calls;
  }
  return null;
}

interface Drawing {
  readonly graph: ToolGraph;
  readonly random: Random;
  readonly calls: GoalCall[];
}

function addCall(drawing: Drawing, { name, inputs: kinds }: GraphTool): number {
  const inputs = Object.fromEntries(kinds.map(kind => [kind, drawInput(drawing, kind)]));
  return drawing.calls.push({ tool: name, inputs }) - 1;
}

function drawInput(drawing: Drawing, kind: string): string | number {
  const { graph, random, calls } = drawing;
  const made = calls.flatMap(({ tool }, at) => (graph.tools.get(tool)?.output === kind ? [at] : []));
  if (made.length > 0 && random.chance(reuse)) return random.pick(made);
  const producers = [...graph.tools.values()].filter(({ output }) => output === kind);
  if (producers.length === 0 || random.chance(givenInstead)) return random.pick(graph.values.get(kind) ?? []);
  return addCall(drawing, random.pick(producers));
}

/** A needed call with its values, and what it returns. */
export interface ResolvedCall {
  readonly tool: GraphTool;
  readonly input: ToolInput;
  readonly key: string;
  readonly output: string | null;
}

/** Works out every call. Throws when the goal does not fit the graph. */
export function resolveGoal(graph: ToolGraph, goal: readonly GoalCall[]): readonly ResolvedCall[] {
  const done: ResolvedCall[] = [];
  for (const { tool: name, inputs } of goal) {
    const tool = graph.tools.get(name);
    if (tool === undefined) throw new RangeError(`there is no tool "${name}"`);
    const input = Object.fromEntries(
      tool.inputs.map(kind => [kind, resolveInput(graph, done, { kind, from: inputs[kind] })]),
    );
    done.push({
      tool,
      input,
      key: callKey(tool, input),
      output: tool.output === null ? null : lookUp(graph, tool, input),
    });
  }
  return done;
}

interface InputSource {
  readonly kind: string;
  readonly from: string | number | undefined;
}

function resolveInput(graph: ToolGraph, done: readonly ResolvedCall[], { kind, from }: InputSource): string {
  const value = typeof from === 'number' ? done[from]?.output : from;
  if (value === undefined || value === null || graph.values.get(kind)?.includes(value) !== true)
    throw new RangeError(`no ${kind} comes from ${JSON.stringify(from ?? null)}`);
  return value;
}

/** The values that the user gives. */
export function givenValues(goal: readonly GoalCall[]): string[] {
  const given = goal.flatMap(({ inputs }) => Object.values(inputs).filter(from => typeof from === 'string'));
  return [...new Set(given)];
}

/** The goal in words: one sentence for each change. Brackets show what belongs together. */
export function goalSentences(graph: ToolGraph, goal: readonly GoalCall[]): string[] {
  const phrase = (from: string | number): string => {
    if (typeof from === 'string') return from;
    const { tool, inputs } = goal[from] as GoalCall;
    const { words, inputs: kinds } = graph.tools.get(tool) as GraphTool;
    return `[the ${words} of ${kinds.map(kind => phrase(inputs[kind] as string | number)).join(' and ')}]`;
  };
  return goal.flatMap(({ tool, inputs }) => {
    const { words, inputs: kinds, output } = graph.tools.get(tool) as GraphTool;
    if (output !== null) return [];
    const said = `${words} ${kinds.map(kind => phrase(inputs[kind] as string | number)).join(' with ')}`;
    return [`${said[0]?.toUpperCase()}${said.slice(1)}.`];
  });
}
