import type { Action } from '../../../core/action.ts';
import type { StateEnvironment, StateSession } from '../../../core/contracts.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { Task } from '../../../core/records.ts';
import { createScreen, elementAt, type Intent } from '../../../core/ui.ts';

/** A solution to vary: calls may be put before, between and after its own, or only after the fixed ones. */
export interface Solution {
  readonly actions: readonly Action[];
  /** Leading actions that depend on the screen, so nothing can be put between them. */
  readonly fixed: number;
  readonly finish: Action;
}

/** Turns a planned run into tool calls where that passes as well: what the screen shows then no longer matters. */
export function solutionOf(environment: StateEnvironment, task: Task, actions: readonly Action[]): Solution {
  const finish = actions.at(-1)?.kind === 'finish' ? (actions.at(-1) as Action) : ({ kind: 'finish' } as const);
  const steps = actions.filter(({ kind }) => kind !== 'finish');
  const calls = toolCallsOf(environment, task, steps);
  const session = environment.open(task);
  for (const action of [...calls, finish]) session.step(action);
  if (session.verify().pass) return { actions: calls, fixed: 0, finish };
  return { actions: steps, fixed: steps.length, finish };
}

export type ToolCall = Extract<Action, { kind: 'call' }>;

/** The tools that the steps of a run dispatch; what is no tool only moves around on the screen. */
export function toolCallsOf(environment: StateEnvironment, task: Task, steps: readonly Action[]): ToolCall[] {
  const tools = new Set(environment.tools.map(({ name }) => name));
  const session = environment.open(task);
  const calls: ToolCall[] = [];
  for (const step of steps) {
    const intent = step.kind === 'call' ? { command: step.tool, input: step.input } : intentOf(session, step);
    const before = session.state() as JsonObject;
    session.step(step);
    const isCall = intent !== null && tools.has(intent.command);
    // What was lost on the way, or refused, is no part of the solution.
    if (isCall && hasNewData(before, session.state() as JsonObject)) {
      calls.push({ kind: 'call', tool: intent.command, input: intent.input });
    }
  }
  return calls;
}

function hasNewData(before: JsonObject, after: JsonObject): boolean {
  return Object.keys(after).some(key => key !== 'ui' && before[key] !== after[key]);
}

function intentOf(session: StateSession, step: Action): Intent | null {
  if (!('ref' in step)) return null;
  const element = elementAt(createScreen(session.screen()), step.ref);
  if (step.kind === 'click') return element?.press ?? null;
  if (step.kind !== 'fill' && step.kind !== 'select') return null;
  const value = step.kind === 'fill' ? step.text : step.option;
  return element?.enter === undefined ? null : { ...element.enter, input: { ...element.enter.input, value } };
}
