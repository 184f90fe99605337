import type { StateEnvironment, StateSession } from '../../core/contracts.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { stateMutants } from '../../core/mutate.ts';
import { createRandom } from '../../core/random.ts';
import type { Ending, Task } from '../../core/records.ts';
import { differences } from '../admission/wrong-pass/difference.ts';

/** The calls that a forged task was made from, read back from its template and its parameters. */
export function callsOf(task: Task): { tool: string; input: JsonObject }[] | null {
  const { calls, input } = task.parameters;
  if (Array.isArray(calls)) {
    return (calls as readonly { command: string; input: JsonObject }[]).map(call => ({
      tool: call.command,
      input: call.input,
    }));
  }
  const tool = /^([a-z0-9-]+)\.forged$/.exec(task.template)?.[1]?.replaceAll('-', '_');
  return tool === undefined || input === undefined ? null : [{ tool, input: input as JsonObject }];
}

const done: Ending = { answer: null, infeasible: false };

/**
 * A second verifier, made from the calls alone, which shares no code with the goal of the task: it makes the calls as an
 * agent with tools would, and compares whole states. Both must say the same of the start, of the golden state, and of
 * every mutant of it. Null when they agree, or when the task is not made from calls.
 */
export function disagreement(environment: StateEnvironment, task: Task): string | null {
  const calls = callsOf(task);
  if (calls === null || task.kind !== 'feasible') return null;
  const golden = goldenState(environment, task, calls);
  if (golden === null) return 'the calls of the task are refused';
  const { verify, initial, allow, incidental } = environment.verifier(task);
  const second = (state: Json): boolean =>
    differences({ initial, gold: golden, allow: [], incidental: [] }, state).length === 0;
  const random = createRandom(`second opinion ${task.id}`);
  const mutants = stateMutants({ initial, final: golden, allow, incidental, parameters: task.parameters, random });
  const states = [
    { what: 'the start', state: initial, right: false },
    { what: 'the golden state', state: golden, right: true },
    ...mutants.map(({ what, state }) => ({ what: `the golden state with ${what}`, state, right: false })),
  ];
  for (const { what, state, right } of states) {
    const [first, other] = [verify(state, done).pass, second(state)];
    if (first !== other) return `of ${what} the verifier says ${said(first)}, a second one ${said(other)}`;
    if (first !== right) return `both verifiers say ${said(first)} of ${what}`;
  }
  return null;
}

function said(pass: boolean): string {
  return pass ? 'that it passes' : 'that it fails';
}

function goldenState(
  environment: StateEnvironment,
  task: Task,
  calls: readonly { tool: string; input: JsonObject }[],
): Json | null {
  const session = environment.open(task);
  for (const call of calls) if (!callUntilDone(session, call)) return null;
  return session.state();
}

/** Makes a call, and once more when it was lost on the way; false when it is refused. */
export function callUntilDone(session: StateSession, { tool, input }: { tool: string; input: JsonObject }): boolean {
  const action = { kind: 'call', tool, input } as const;
  const before = session.state() as JsonObject;
  if (!session.step(action).applied) return false;
  const after = session.state() as JsonObject;
  const isDone = Object.keys(after).some(key => key !== 'ui' && after[key] !== before[key]);
  return isDone || session.step(action).applied;
}
