import type { Timers } from '../../core/clock.ts';
import type { Environment, TemplateInfo } from '../../core/contracts.ts';
import { EspalierError } from '../../core/errors.ts';
import { hash32 } from '../../core/random.ts';
import { isSealed, parseRecord, sealTask, taskSchema, type Task } from '../../core/records.ts';
import type { Deadlines, ServerPlace } from './connection.ts';
import { createToolSession } from './session.ts';
import { createLiveSource, createRecordedSource, type ToolSource } from './source.ts';
import { readToolTasks, type ToolTask } from './tasks.ts';

export interface McpEnvironmentOptions {
  /** Somebody's server; null to answer from what is recorded of it. */
  readonly server: ServerPlace | null;
  /** File of the calls: written with a server, read without. */
  readonly recording: string;
  /** What the module of tasks exports, as `ToolTasks` has it. */
  readonly tasks: unknown;
  readonly timers: Timers;
  /** Half a minute to connect and the same for a call, unless told. */
  readonly deadlines?: Partial<Deadlines>;
}

/** Less than an episode waits for its world: a call that is late is an outcome, not the end. */
const usualDeadlines: Deadlines = { connect: 30_000, call: 30_000 };

/** Somebody's MCP server, with tasks and verifiers of a user's own: agents call its tools, and every call is recorded. */
export async function createMcpEnvironment(options: McpEnvironmentOptions): Promise<Environment> {
  const { server, recording, timers } = options;
  const deadlines = { ...usualDeadlines, ...options.deadlines };
  const tasks = new Map(readToolTasks(options.tasks).map(task => [task.id, task]));
  const source: ToolSource =
    server === null ? createRecordedSource(recording) : await createLiveSource({ server, recording, deadlines });
  const { name, title, tools } = source.server;
  // The same with a server and without: what was recorded stays the same task.
  const id = ['mcp', ...(name.toLowerCase().match(/[a-z0-9]+/g) ?? [])].join('-');
  const find = (template: string): ToolTask => {
    const task = tasks.get(template);
    if (task === undefined) throw unknownTemplate(id, template, [...tasks.keys()]);
    return task;
  };
  return {
    id,
    title,
    tools,
    templates: [...tasks.values()].map(({ id: template, instruction }): TemplateInfo => {
      return { id: template, about: instruction, kind: 'feasible', split: splitOf(template) };
    }),
    task: (template, seed) => makeTask(id, find(template), seed),
    async open(given) {
      const task = parseRecord(taskSchema, given, { what: 'task', code: 'invalid-task' });
      const definition = find(task.template);
      if (task.environment !== id || !isSealed(task)) throw foreignTask(id, task);
      const link = await source.open(task.id);
      return createToolSession({ task, definition, link, title, tools, timers }).catch(async (cause: unknown) => {
        await link.close();
        throw cause;
      });
    },
    close: source.close,
  };
}

/** One template in so many is held out. */
const heldOut = 5;

/** By the name of the template alone, so that it stays what it is when others come or go. */
function splitOf(template: string): 'train' | 'test' {
  return hash32(template) % heldOut === 0 ? 'test' : 'train';
}

function makeTask(environment: string, { id, instruction, steps }: ToolTask, seed: number): Task {
  return sealTask({
    id: `${environment}/${id}/${seed}`,
    environment,
    template: id,
    seed,
    split: splitOf(id),
    kind: 'feasible',
    instruction,
    parameters: {},
    world: String(seed),
    patch: [],
    budget: { steps },
  });
}

function unknownTemplate(id: string, template: string, known: readonly string[]): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unknown-template',
    message: `"${id}" has no task "${template}".`,
    expected: `Expected one of: ${known.slice(0, 8).join(', ')}${known.length > 8 ? ', …' : ''}.`,
  });
}

function foreignTask(id: string, task: Task): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-task',
    message: `Task ${task.id} is of "${task.environment}", or was altered.`,
    expected: `Expected a task of "${id}" as it was made.`,
  });
}
