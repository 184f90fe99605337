import { z } from 'zod';
import type { StateEnvironment, StateSession, TemplateInfo } from '../../core/contracts.ts';
import { causeText, EspalierError, invalidTask } from '../../core/errors.ts';
import { createRandom } from '../../core/random.ts';
import { describeIssues, type Task } from '../../core/records.ts';
import { createRuleEnvironment } from '../../worlds/rules/rule-environment.ts';
import { drawGoal, givenValues, goalSchema, goalSentences, resolveGoal, type GoalCall, type GoalSize } from './goal.ts';
import { drawForSeed } from '../../worlds/app/task-split.ts';
import { createToolGraph, type ToolGraph } from './graph.ts';
import type { ToolTask } from './state.ts';
import { toolRules, toolsOf } from './tool-rules.ts';

interface ToolTemplate extends TemplateInfo, GoalSize {}

function template(id: string, size: GoalSize, split: 'train' | 'test'): ToolTemplate {
  const [fewest, most] = size.calls;
  const about = `${fewest} to ${most} calls, ${size.changes} of which change something; the others look values up.`;
  return { id, ...size, split, kind: 'feasible', about };
}

/** The largest tasks are held out. */
export const toolTemplates: readonly ToolTemplate[] = [
  template('short', { calls: [3, 4], changes: 1 }, 'train'),
  template('medium', { calls: [5, 8], changes: 2 }, 'train'),
  template('long', { calls: [9, 14], changes: 3 }, 'test'),
];

const parametersSchema = z.strictObject({ goal: goalSchema, values: z.array(z.string()) });

const spareSteps = 10;
/** On the screen a call takes a click on its form, its fields, and a click on Run. */
const stepsForCall = 6;

/** A graph of tools by its seed. Tasks need several calls, where the output of one is the input of the next. */
export function createToolEnvironment(seed: number, graph: ToolGraph = createToolGraph(seed)): StateEnvironment {
  const id = `tools-${seed}`;
  return createRuleEnvironment({
    id,
    title: `Tool graph ${seed}`,
    templates: toolTemplates.map(({ id: name, split, kind, about }) => ({ id: name, split, kind, about })),
    tools: toolsOf(graph),
    hasScreen: true,
    draw(name, taskSeed) {
      const size = toolTemplates.find(known => known.id === name) as ToolTemplate;
      const random = createRandom(`${id} ${name} ${taskSeed}`);
      const goal = drawForSeed({
        seed: taskSeed,
        what: `tasks of ${id}/${name}`,
        draw: () => drawGoal(graph, size, random),
        // Changes can be made in any order.
        contentOf: drawn => goalSentences(graph, drawn).toSorted().join(' '),
      });
      if (goal === null) throw noGoal(id, name);
      const parameters = {
        goal: goal.map(({ tool, inputs }) => ({ tool, inputs: { ...inputs } })),
        values: givenValues(goal),
      };
      const instruction = `${goalSentences(graph, goal).join(' ')} Look every value up with the tools, change nothing else, then finish.`;
      return { instruction, parameters, steps: spareSteps + stepsForCall * goal.length };
    },
    rules: task => toolRules(readToolTask(graph, task)),
  });
}

/** The goal of a task. Throws where it does not fit the graph. */
export function readToolTask(graph: ToolGraph, { id, parameters }: Task): ToolTask {
  const parsed = parametersSchema.safeParse(parameters);
  if (!parsed.success) throw invalidTask(`Task ${id} has no goal.`, `${describeIssues(parsed.error)}.`);
  const goal: readonly GoalCall[] = parsed.data.goal;
  try {
    return { graph, goal, needed: resolveGoal(graph, goal) };
  } catch (cause) {
    throw invalidTask(`The goal of task ${id} does not fit: ${causeText(cause)}.`, 'Expected a task as it was made.');
  }
}

function noGoal(environment: string, name: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'template-failed',
    message: `Environment "${environment}" has no task of the size "${name}".`,
    expected: 'Expected another seed.',
  });
}

/** What is wrong with a task: every parameter must be given in words, or be returned by an earlier call. */
export function toolFault(graph: ToolGraph, task: Task): string | null {
  const { goal, needed } = readToolTask(graph, task);
  const missing = givenValues(goal).find(value => !task.instruction.includes(value));
  if (missing !== undefined) return `the instruction does not give ${missing}`;
  const unused = goal.findIndex(
    ({ tool }, at) =>
      graph.tools.get(tool)?.output !== null && !goal.some(({ inputs }) => Object.values(inputs).includes(at)),
  );
  if (unused >= 0) return `nothing needs what ${needed[unused]?.key} returns`;
  return null;
}

/** Agents that do not read the instruction. */
export const toolBaselines = [
  { name: 'random', play: (session: StateSession) => playBy(session, 'random') },
  { name: 'first tool', play: (session: StateSession) => playBy(session, 'first') },
  { name: 'one fixed chain', play: playFixedChain },
];

function playBy(session: StateSession, how: 'random' | 'first'): void {
  const random = createRandom(`plays ${session.task.id}`);
  const steps = session.task.budget.steps - 1;
  for (let step = 0; step < steps; step++) {
    const calls = session.candidates().filter(({ action }) => action.kind === 'call');
    const chosen = how === 'first' ? calls[0] : calls.length === 0 ? undefined : random.pick(calls);
    if (chosen !== undefined) session.step(chosen.action);
  }
  session.step({ kind: 'finish' });
}

/** Calls every tool once in the same order, with the first values that fit. */
function playFixedChain(session: StateSession): void {
  const tried = new Set<string>();
  for (let step = 0; step < session.task.budget.steps - 1; step++) {
    const next = session.candidates().find(({ action }) => action.kind === 'call' && !tried.has(action.tool));
    if (next?.action.kind !== 'call' || next.action.tool === 'cancel') break;
    tried.add(next.action.tool);
    session.step(next.action);
  }
  session.step({ kind: 'finish' });
}
