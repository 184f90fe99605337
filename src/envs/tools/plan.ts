import { z } from 'zod';
import type { JsonObject } from '../../core/json.ts';
import { describeIssues } from '../../core/records.ts';
import type { ToolGraph } from './graph.ts';
import { callTool, type ToolState } from './state.ts';

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
