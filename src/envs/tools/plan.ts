import { z } from 'zod';
import type { JsonObject } from '../../core/json.ts';
import { describeIssues } from '../../core/records.ts';
import type { GoalCall } from './goal.ts';
import type { ToolGraph } from './graph.ts';
import { callTool, type ToolState } from './state.ts';

/** A plan as a graph: calls of tools, and which call feeds which. Edges are pairs of places in `tools`. */
export interface PlanGraph {
  readonly tools: readonly string[];
  readonly edges: readonly (readonly [number, number])[];
}

export interface PlanGrade {
  /** F1 of the tools that are called, each as often as it is. */
  readonly nodeF1: number;
  /** F1 of the pairs of tools where one feeds the other. */
  readonly edgeF1: number;
  /** 1 minus the edit distance of the two sequences of tools, divided by the longer length. */
  readonly order: number;
}

/** Grades the structure of a plan against a reference, as m&m's and TaskBench do. */
export function gradePlan(plan: PlanGraph, reference: PlanGraph): PlanGrade {
  return {
    nodeF1: f1(plan.tools, reference.tools),
    edgeF1: f1(edgeNames(plan), edgeNames(reference)),
    order: 1 - editDistance(plan.tools, reference.tools) / Math.max(1, plan.tools.length, reference.tools.length),
  };
}

function edgeNames({ tools, edges }: PlanGraph): string[] {
  return edges.map(([from, to]) => `${tools[from]} > ${tools[to]}`);
}

/** Of two multisets; two empty ones agree. */
function f1(found: readonly string[], wanted: readonly string[]): number {
  const left = [...wanted];
  let shared = 0;
  for (const item of found) {
    const at = left.indexOf(item);
    if (at < 0) continue;
    left.splice(at, 1);
    shared++;
  }
  const total = found.length + wanted.length;
  return total === 0 ? 1 : (2 * shared) / total;
}

function editDistance(one: readonly string[], other: readonly string[]): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, item] of one.entries()) {
    const next = [index + 1];
    for (const [at, wanted] of other.entries())
      next.push(
        Math.min(
          (next[at] as number) + 1,
          (row[at + 1] as number) + 1,
          (row[at] as number) + (item === wanted ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[other.length] as number;
}

/** The goal of a task as a plan. */
export function planOfGoal(goal: readonly GoalCall[]): PlanGraph {
  const edges = goal.flatMap(({ inputs }, to) =>
    Object.values(inputs).flatMap(from => (typeof from === 'number' ? [[from, to] as const] : [])),
  );
  return { tools: goal.map(({ tool }) => tool), edges };
}

/** The calls that a state remembers, as a plan: a call feeds those that take what it returned. */
export function planOfState({ reads, changes }: ToolState): PlanGraph {
  const calls = [...Object.keys(reads), ...changes];
  const edges = calls.flatMap((call, to) =>
    calls.flatMap((other, from) => {
      const result = reads[other];
      return from !== to && result !== undefined && valuesIn(call).includes(result) ? [[from, to] as const] : [];
    }),
  );
  return { tools: calls.map(call => call.slice(0, call.indexOf('('))), edges };
}

function valuesIn(call: string): string[] {
  return call.slice(call.indexOf('(') + 1, -1).split(', ');
}

const planSchema = z.strictObject({
  calls: z
    .array(z.strictObject({ tool: z.string().max(60), input: z.record(z.string().max(30), z.string().max(60)) }))
    .min(1)
    .max(60),
});

/** A call of a plan that was submitted: `$1` stands for what the first call returns. */
export interface PlannedCall {
  readonly tool: string;
  readonly input: { readonly [kind: string]: string };
}

const reference = /^\$([1-9]\d?)$/;

/** Reads a submitted plan, or says what is wrong with it. */
export function readPlan(input: JsonObject): readonly PlannedCall[] | string {
  const parsed = planSchema.safeParse(input);
  if (!parsed.success) return `That is no plan: ${describeIssues(parsed.error)}.`;
  for (const [at, call] of parsed.data.calls.entries())
    for (const from of Object.values(call.input)) {
      const number = Number(reference.exec(from)?.[1] ?? 0);
      if (number > at) return `Call ${at + 1} takes ${from}, which is not made before it.`;
    }
  return parsed.data.calls;
}

export function planOfCalls(calls: readonly PlannedCall[]): PlanGraph {
  const edges = calls.flatMap(({ input }, to) =>
    Object.values(input).flatMap(from => {
      const number = Number(reference.exec(from)?.[1] ?? 0);
      return number === 0 ? [] : [[number - 1, to] as const];
    }),
  );
  return { tools: calls.map(({ tool }) => tool), edges };
}

/** Carries out a plan as a whole: when one call is refused, nothing is changed. */
export function runPlan(
  graph: ToolGraph,
  start: ToolState,
  calls: readonly PlannedCall[],
): { readonly state: ToolState; readonly results: readonly (string | true)[] } | string {
  let state = start;
  const results: (string | true)[] = [];
  for (const [at, { tool, input }] of calls.entries()) {
    const filled = Object.fromEntries(
      Object.entries(input).map(([kind, from]) => {
        const number = reference.exec(from)?.[1];
        return [kind, number === undefined ? from : (results[Number(number) - 1] as string | true)];
      }),
    );
    const called = callTool(graph, state, { tool, input: filled });
    if (typeof called === 'string') return `Call ${at + 1}: ${called}`;
    state = called.state;
    results.push(called.result);
  }
  return { state, results };
}
