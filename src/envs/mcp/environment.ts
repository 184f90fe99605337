import type { Timers } from '../../core/clock.ts';
import type { Environment } from '../../core/contracts.ts';
import { createImportedTasks } from '../imported-tasks.ts';
import type { Deadlines, ServerAddress } from './connection.ts';
import { createToolSession } from './session.ts';
import { createLiveSource, createRecordedSource, type ToolSource } from './source.ts';
import { readToolTasks } from './tasks.ts';

export interface McpEnvironmentOptions {
  /** Somebody's server; null to answer from what is recorded of it. */
  readonly server: ServerAddress | null;
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
  const { find, info, make, read } = createImportedTasks(id, tasks);
  return {
    id,
    title,
    tools,
    hasScreen: false,
    templates: [...tasks.values()].map(({ id: template, instruction }) => info(template, instruction)),
    task(template, seed) {
      const { instruction, steps } = find(template);
      return make({ template, seed, instruction, steps });
    },
    async open(given) {
      const task = read(given);
      const definition = find(task.template);
      const link = await source.open(task.id);
      return createToolSession({ task, definition, link, title, tools, timers }).catch(async (cause: unknown) => {
        await link.close();
        throw cause;
      });
    },
    close: source.close,
  };
}
