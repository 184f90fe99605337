import { createPlanner } from '../../../src/agents/planner/planner.ts';
import { environments, families } from '../../../src/catalog.ts';
import type { Action } from '../../../src/core/action.ts';
import type { StateEnvironment, StateSession } from '../../../src/core/contracts.ts';
import { EspalierError } from '../../../src/core/errors.ts';
import type { Task } from '../../../src/core/records.ts';
import { createScreen, elementAt, type Intent } from '../../../src/core/ui.ts';
import { createSynthApp } from '../../../src/envs/synth/app/synth-app.ts';
import { synthSpec } from '../../../src/envs/synth/generate/synth-spec.ts';
import { forgeApp } from '../../../src/forge/forge-app.ts';
import { createWorld } from '../../../src/worlds/world.ts';

/** A passing run of an expert, at the screen or by tool calls. */
export interface ExpertRun {
  /** Where the task comes from, and how it is done: `mail`, `forged mail`, `synth 4`, `tools 7`; `by calls`. */
  readonly source: string;
  readonly byCalls: boolean;
  readonly environment: StateEnvironment;
  readonly task: Task;
  readonly actions: readonly Action[];
}

export interface ExpertWorlds {
  readonly synthSeeds: readonly number[];
  readonly toolSeeds: readonly number[];
  /** Seeds of the tasks of each template. */
  readonly taskSeeds: readonly number[];
  /** Only every so many-th template of an app. */
  readonly every: number;
}

/** Where the model of the record is fitted, and where it is judged: no world of one is in the other, but for the built-in apps. */
export const fittedWorlds: ExpertWorlds = { synthSeeds: [4, 5, 6], toolSeeds: [7, 8, 9], taskSeeds: [900], every: 3 };
export const judgedWorlds: ExpertWorlds = { synthSeeds: [11, 12, 13], toolSeeds: [17, 18], taskSeeds: [901], every: 3 };

/** In shorter runs most guesses are right by chance. */
const fewestSteps = { screen: 4, calls: 3 } as const;

const clock = { now: () => performance.now() };

/** Bounded by states, as `annotate --forks` is. */
export function createDiagnosisPlanner() {
  return createPlanner({ clock, maxNodes: 5000, maxMilliseconds: Infinity, patience: 4 });
}

/** Passing runs in built-in, forged and made-up apps and in tool graphs: at the screen, and by calls where those alone pass. */
export async function* expertRuns(worlds: ExpertWorlds): AsyncGenerator<ExpertRun> {
  for await (const [source, environment] of environmentsOf(worlds)) {
    const templates = environment.templates.filter(({ split }) => split === 'train');
    for (const { id } of templates.filter((_, index) => index % worlds.every === 0))
      for (const seed of worlds.taskSeeds) yield* expertsOf({ source, environment, template: id, seed });
  }
}

async function* environmentsOf(worlds: ExpertWorlds): AsyncGenerator<readonly [string, StateEnvironment]> {
  for (const { id, load } of environments) yield [id, await load()];
  for (const { id, app } of environments)
    yield [`forged ${id}`, createWorld(forgeApp(await app(), { kinds: ['commands', 'chains', 'questions'] }))];
  for (const seed of worlds.synthSeeds) yield [`synth ${seed}`, createWorld(createSynthApp(synthSpec(seed)))];
  const tools = families.find(({ name }) => name === 'tools:');
  for (const seed of worlds.toolSeeds) {
    const opened = await tools?.open(`tools:${seed}`, {} as never);
    if (opened !== undefined && 'environment' in opened)
      yield [`tools ${seed}`, opened.environment as StateEnvironment];
  }
}

interface Wanted {
  readonly source: string;
  readonly environment: StateEnvironment;
  readonly template: string;
  readonly seed: number;
}

/** The passing runs of one task. */
export function* expertsOf({ source, environment, template, seed }: Wanted): Generator<ExpertRun> {
  const task = taskOf(environment, template, seed);
  if (task === null) return;
  const plan = createDiagnosisPlanner().plan(environment.open(task));
  if (plan.outcome !== 'solved' || plan.actions.length > task.budget.steps) return;
  const run = { source, environment, task };
  const isByCalls = plan.actions.some(({ kind }) => kind === 'call');
  if (plan.actions.length >= fewestSteps[isByCalls ? 'calls' : 'screen'])
    yield { ...run, byCalls: isByCalls, actions: plan.actions };
  const calls = isByCalls ? null : asCalls(environment, task, plan.actions);
  if (calls !== null && calls.length >= fewestSteps.calls)
    yield { ...run, source: `${source}, calls`, byCalls: true, actions: calls };
}

function taskOf(environment: StateEnvironment, template: string, seed: number): Task | null {
  try {
    return environment.task(template, seed);
  } catch (cause) {
    // Not every template makes a task of every seed.
    if (cause instanceof EspalierError) return null;
    throw cause;
  }
}

/** The same run by tool calls: what each element dispatches, gestures left out; null where that does not pass. */
function asCalls(environment: StateEnvironment, task: Task, actions: readonly Action[]): readonly Action[] | null {
  const tools = new Set(environment.tools.map(({ name }) => name));
  const session = environment.open(task);
  const calls: Action[] = [];
  for (const action of actions) {
    const intent = intentOf(action, session);
    if (action.kind === 'finish') calls.push(action);
    else if (intent !== null && tools.has(intent.command))
      calls.push({ kind: 'call', tool: intent.command, input: intent.input });
    session.step(action);
  }
  const replayed = environment.open(task);
  for (const action of calls) replayed.step(action);
  return replayed.verify().pass ? calls : null;
}

function intentOf(action: Action, session: StateSession): Intent | null {
  if (!('ref' in action)) return null;
  const element = elementAt(createScreen(session.screen()), action.ref);
  if (action.kind === 'click') return element?.press ?? null;
  const value = action.kind === 'fill' ? action.text : action.option;
  return element?.enter === undefined ? null : { ...element.enter, input: { ...element.enter.input, value } };
}
