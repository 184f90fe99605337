import type { Action } from '../../core/action.ts';
import { ownChecks } from '../../core/check-ids.ts';
import type { Candidate, Guide, ToolInfo } from '../../core/contracts.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { CheckResult, Ending, Verdict } from '../../core/records.ts';
import { refusal, type Move, type Rules } from '../../worlds/rules/rule-session.ts';
import { screenCandidates } from '../../worlds/screen.ts';
import { toolInfo, type GraphTool, type ToolGraph } from './graph.ts';
import { readPlan, runPlan } from './plan.ts';
import { runProgram } from './program/run-program.ts';
import { programLimits, ProgramError } from './program/values.ts';
import {
  callTool,
  cancelChange,
  initialState,
  isLookup,
  knownValues,
  openCall,
  type ToolState,
  type ToolTask,
} from './state.ts';
import { pressOnScreen, stepOnScreen, toolScreen } from './tool-screen.ts';

const ownTools: readonly ToolInfo[] = [
  {
    name: 'cancel',
    description: 'Takes a change back, such as approve_order(order-7kq2).',
    input: {
      type: 'object',
      properties: { change: { type: 'string', maxLength: 120 } },
      required: ['change'],
      additionalProperties: false,
    },
  },
  {
    name: 'run',
    description:
      'Runs a program in a small part of JavaScript: let, const, if, for, while, functions, texts, arrays and objects. Every other tool but plan is a function that takes one object with its parameters. The result is what the program returns. When it fails nothing is changed.',
    input: {
      type: 'object',
      properties: { program: { type: 'string', minLength: 1, maxLength: programLimits.source } },
      required: ['program'],
      additionalProperties: false,
    },
  },
  {
    name: 'plan',
    description:
      'Carries out several calls. A parameter is a value, or $1 for what the first call returns. When one call is refused nothing is changed.',
    input: {
      type: 'object',
      properties: {
        calls: {
          type: 'array',
          minItems: 1,
          maxItems: 60,
          items: {
            type: 'object',
            properties: { tool: { type: 'string' }, input: { type: 'object' } },
            required: ['tool', 'input'],
            additionalProperties: false,
          },
        },
      },
      required: ['calls'],
      additionalProperties: false,
    },
  },
];

export function toolsOf(graph: ToolGraph): readonly ToolInfo[] {
  return [...[...graph.tools.values()].map(toolInfo), ...ownTools];
}

/** The rules of one task: the same graph by calls, by a plan, by a program and by forms on a screen. */
export function toolRules(task: ToolTask): Omit<Rules<ToolState>, 'task' | 'digest'> {
  return {
    initial: initialState,
    call: (state, tool, input) => carriedOut(task, state, { tool, input }),
    press(state, intent) {
      const done = pressOnScreen(task, state, intent);
      return typeof done === 'string'
        ? { state, outcome: refusal('not-allowed', done) }
        : { state: done.state, outcome: { applied: true } };
    },
    screen: state => toolScreen(task, state),
    candidates: state => candidatesIn(task, state),
    verdict: (state, ending) => verdictOf(task, state, ending),
    guide: state => guideOf(task, state),
  };
}

interface Call {
  readonly tool: string;
  readonly input: JsonObject;
}

function carriedOut(task: ToolTask, state: ToolState, call: Call): Move<ToolState> {
  if (call.tool === 'run') return runMove(task, state, call.input);
  if (call.tool === 'plan') return planMove(task, state, call.input);
  const isKnown = call.tool === 'cancel' || task.graph.tools.has(call.tool);
  const done = callOrCancel(task.graph, state, call);
  return typeof done === 'string' ? refused(state, isKnown ? 'not-allowed' : 'unknown-command', done) : moved(done);
}

function callOrCancel(graph: ToolGraph, state: ToolState, { tool, input }: Call): ReturnType<typeof callTool> {
  if (tool !== 'cancel') return callTool(graph, state, { tool, input });
  const { change, ...more } = input;
  const next = Object.keys(more).length > 0 ? 'Expected a change and nothing else.' : cancelChange(state, change);
  return typeof next === 'string' ? next : { state: next, result: true };
}

function refused(state: ToolState, code: string, message: string): Move<ToolState> {
  return { state, outcome: refusal(code, message) };
}

function moved({ state, result }: { readonly state: ToolState; readonly result: Json }): Move<ToolState> {
  return { state, outcome: { applied: true, result } };
}

function planMove({ graph }: ToolTask, state: ToolState, input: JsonObject): Move<ToolState> {
  const calls = readPlan(input);
  const done = typeof calls === 'string' ? calls : runPlan(graph, state, calls);
  if (typeof done === 'string') return refused(state, 'not-allowed', done);
  return moved({ state: done.state, result: done.results });
}

function runMove({ graph }: ToolTask, start: ToolState, { program, ...more }: JsonObject): Move<ToolState> {
  if (typeof program !== 'string' || Object.keys(more).length > 0)
    return refused(start, 'not-allowed', 'Expected a program, and nothing else.');
  let state = start;
  const call = (tool: string, input: Json): string | boolean => {
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      throw new ProgramError(`${tool} takes one object, with its parameters as members.`);
    const done = callOrCancel(graph, state, { tool, input: input as JsonObject });
    if (typeof done === 'string') throw new ProgramError(done);
    state = done.state;
    return done.result;
  };
  try {
    const result = runProgram(program, { tools: [...graph.tools.keys(), 'cancel'], call });
    return moved({ state, result });
  } catch (cause) {
    if (cause instanceof ProgramError) return refused(start, 'not-allowed', cause.message);
    throw cause;
  }
}

const mostCandidates = 6;

function candidatesIn(task: ToolTask, state: ToolState): Candidate[] {
  const kinds = task.graph.tools.get(state.form.tool ?? '')?.inputs ?? [];
  const texts = kinds.flatMap(kind => knownValues(task, state, kind));
  const calls = [...task.graph.tools.values()].flatMap(tool => callsOf(task, state, tool));
  const cancels = state.changes.map(
    (change): Candidate => ({ action: { kind: 'call', tool: 'cancel', input: { change } } }),
  );
  return [...screenCandidates(toolScreen(task, state), texts), ...calls, ...cancels];
}

/** The calls of a tool with values that the agent knows, the latest first. */
function callsOf(task: ToolTask, state: ToolState, { name, inputs }: GraphTool): Candidate[] {
  let rows: JsonObject[] = [{}];
  for (const kind of inputs) {
    const values = knownValues(task, state, kind);
    rows = rows.flatMap(row => values.map(value => ({ ...row, [kind]: value })));
  }
  return rows.slice(0, mostCandidates).map(input => ({ action: { kind: 'call', tool: name, input } }));
}

function verdictOf(task: ToolTask, state: ToolState, ending: Ending | null): Verdict {
  const wanted = task.needed.filter(({ tool }) => !isLookup(tool));
  const lookups = task.needed.filter(({ tool }) => isLookup(tool));
  const checks: CheckResult[] = wanted.map(({ tool, key }, at) => ({
    id: `change-${at + 1}`,
    name: `${tool.name} was done on the right values`,
    pass: state.changes.includes(key),
  }));
  const read = lookups.every(({ key }) => Object.hasOwn(state.reads, key));
  if (lookups.length > 0) checks.push({ id: 'looked-up', name: 'every value was looked up', pass: read });
  checks.push({ ...ownChecks.agentFinished, pass: ending !== null });
  if (ending?.infeasible === true) checks.push({ ...ownChecks.notGivenUp, pass: false });
  const unwanted = unwantedChanges(task, state);
  const held = checks.filter(({ pass }) => pass).length;
  return {
    pass: held === checks.length && unwanted.length === 0,
    checks,
    progress: held / checks.length,
    clean: unwanted.length === 0,
    evidence: { sideEffects: unwanted.map(change => `/changes/${change}`), answer: ending?.answer ?? null },
  };
}

function unwantedChanges({ needed }: ToolTask, { changes }: ToolState): string[] {
  return changes.filter(change => needed.every(({ key }) => key !== change));
}

/** Takes wrong changes back, then makes the calls of the goal in their order. */
function guideOf(task: ToolTask, state: ToolState): Guide {
  const unwanted = unwantedChanges(task, state);
  const isMade = ({ tool, key }: ToolTask['needed'][number]): boolean =>
    isLookup(tool) ? Object.hasOwn(state.reads, key) : state.changes.includes(key);
  const unmet = unwanted.length + task.needed.filter(call => !isMade(call)).length;
  const guide = { unmet, unmetChecks: unmet, clean: unwanted.length === 0, finish: { kind: 'finish' } as const };
  const call = nextCall(task, state, unwanted);
  if (call === null) return guide;
  const next: Action = { kind: 'call', ...call };
  return { ...guide, next, nextOnScreen: stepOnScreen(task, state, call) };
}

function nextCall(task: ToolTask, state: ToolState, [wrong]: readonly string[]): Call | null {
  if (wrong !== undefined) return { tool: 'cancel', input: { change: wrong } };
  const open = openCall(task, state);
  return open === undefined ? null : { tool: open.tool.name, input: open.input };
}
