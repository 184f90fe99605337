import type { Action } from '../../core/action.ts';
import type { Environment } from '../../core/contracts.ts';
import { createDigest } from '../../core/digest.ts';
import { EspalierError } from '../../core/errors.ts';
import { suggestion } from '../../core/naming/closest.ts';
import { createRandom } from '../../core/random.ts';
import { isSealed, parseRecord, sealTask, taskSchema, type Task } from '../../core/records.ts';
import { invalidTask } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { drawForSeed } from '../../worlds/app/task-split.ts';
import type { TerminalTemplate } from './domains/template.ts';
import { domainOf } from './domains/catalog.ts';
import type { Sandboxes } from './sandbox/sandbox.ts';
import type { PinnedClock } from './world/clock.ts';
import type { TerminalTask } from './world/definition.ts';
import { createWorldShelf } from './world/shelf.ts';
import { judge } from './world/judge.ts';
import { createTerminalSession, type PlayedWorld } from './world/session.ts';
import { terminalTools } from './world/tools.ts';
import { createWorld } from './world/world.ts';

export interface TerminalEnvironmentOptions {
  readonly id: string;
  readonly templates: readonly TerminalTemplate[];
  /** Makes the sandboxes when the first task is opened. */
  sandboxes(): Promise<Sandboxes>;
  /** Pins times and random numbers; the machine's own when left out. */
  readonly clock?: PinnedClock | undefined;
}

/** An agent may look around three times for every step that it must take. */
const stepsPerCommand = 4;
const leastSteps = 10;

/** Terminal worlds: tasks by template and seed, each in a sandbox that forks. */
export function createTerminalEnvironment(options: TerminalEnvironmentOptions): Environment {
  const { id, templates } = options;
  const find = (name: string): TerminalTemplate =>
    templates.find(template => template.id === name) ?? unknownTemplate(id, name, templates);
  const shelf = createWorldShelf(options.sandboxes);
  return {
    id,
    title: 'Terminal',
    tools: terminalTools,
    hasScreen: false,
    lightForks: true,
    templates: templates.map(({ id: template, split, about, tasks }) => ({
      id: template,
      split,
      about,
      kind: 'feasible',
      ...(tasks === undefined ? {} : { tasks }),
    })),
    task: (name, seed) => taskOf(id, find(name), seed),
    async open(given) {
      const task = readTask(id, given);
      const definition = drawTask(find(task.template), task.seed);
      const open = await shelf.take(task, sandboxes => playedWorld(sandboxes, definition, options.clock));
      return createTerminalSession(open, open.world.start);
    },
    close: () => shelf.close(),
  };
}

async function playedWorld(
  sandboxes: Sandboxes,
  definition: TerminalTask,
  clock: PinnedClock | undefined,
): Promise<PlayedWorld> {
  const world = await createWorld(sandboxes, definition, clock);
  const { oracle, answer } = definition;
  const commands = oracle.map((command): Action => ({ kind: 'call', tool: 'run', input: { command } }));
  const finish: Action = { kind: 'finish', ...(answer === undefined ? {} : { answer }) };
  return { world, judge: state => judge(world, definition, state), solution: [...commands, finish] };
}

/** The task of a template and a seed. Evaluation and training never share one. */
export function drawTask(template: TerminalTemplate, seed: number): TerminalTask {
  if (template.tasks === 1) return template.draw(createRandom(`terminal ${template.id}`));
  const random = createRandom(`terminal ${template.id} ${seed}`);
  const drawn = drawForSeed({
    seed,
    what: `tasks of ${template.id}`,
    draw: attempt => template.draw(random.fork(String(attempt))),
    contentOf: ({ files, checks }) => JSON.stringify([files, checks]),
  });
  if (drawn === null) throw invalidTask(`There is no task of ${template.id} for seed ${seed}.`, 'Choose another seed.');
  return drawn;
}

function taskOf(environment: string, template: TerminalTemplate, seed: number): Task {
  const { instruction, oracle, conflict, files, checks, facts } = drawTask(template, seed);
  const parameters: JsonObject = {
    domain: domainOf(template),
    /** Commands that the solution takes. */
    difficulty: oracle.length,
    conflict: conflict ?? null,
    content: createDigest()(JSON.stringify([files, checks])),
    ...facts,
  };
  return sealTask({
    id: `${environment}/${template.id}/${seed}`,
    environment,
    template: template.id,
    seed,
    split: template.split,
    kind: 'feasible',
    instruction,
    parameters,
    world: String(seed),
    patch: [],
    budget: { steps: Math.max(leastSteps, stepsPerCommand * (oracle.length + 1)) },
  });
}

function readTask(environment: string, given: unknown): Task {
  const task = parseRecord(taskSchema, given, { what: 'task', code: 'invalid-task' });
  if (task.environment === environment && isSealed(task)) return task;
  throw invalidTask(
    `Task ${task.id} is for environment "${task.environment}", or was altered.`,
    `Expected a task of "${environment}" as it was made.`,
  );
}

function unknownTemplate(environment: string, name: string, templates: readonly TerminalTemplate[]): never {
  const known = templates.map(({ id }) => id);
  throw new EspalierError({
    boundary: 'input',
    code: 'unknown-template',
    message: `Environment "${environment}" has no template "${name}".${suggestion(name, known)}`,
    expected: `Expected one of: ${known.join(', ')}.`,
  });
}
