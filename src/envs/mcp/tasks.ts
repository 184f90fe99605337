import { z } from 'zod';
import type { Awaitable } from '../../core/contracts.ts';
import { invalidModule } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { describeIssues } from '../../core/records.ts';
import type { Judgement } from '../web/sites/url/tasks.ts';

/** What a tool answered, for those who prepare and judge. */
export interface ToolReply {
  readonly text: string;
  /** What it returned: data where it gave data, else its text. */
  readonly result: Json;
  /** The tool says that it failed. */
  readonly isError: boolean;
}

/** A server with nobody at it yet, for those who prepare it. */
export interface OpenTools {
  /** Calls a tool; throws when there is no answer. */
  call(tool: string, input?: JsonObject): Promise<ToolReply>;
}

/** A server as the agent left it, for those who judge it. They may look, and must change nothing. */
export interface EndedTools extends OpenTools {
  /** The calls of the agent that the server took, in their order. */
  readonly calls: readonly (ToolReply & { readonly tool: string; readonly input: JsonObject })[];
  /** What the agent answered when it finished; null when it gave no answer, or has not finished. */
  readonly answer: string | null;
}

const functionSchema = <T>() => z.custom<T>(value => typeof value === 'function', 'expected a function');

const toolTaskSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'expected lower-case letters, digits and single dashes'),
  instruction: z.string().trim().min(1, 'a task needs an instruction'),
  /** Steps that an agent may take. */
  steps: z.int().positive().default(30),
  /** Done before the agent comes. */
  setup: functionSchema<(tools: OpenTools) => Awaitable<unknown>>().optional(),
  verify: functionSchema<(tools: EndedTools) => Awaitable<Judgement>>(),
});

const toolTasksSchema = z.object({
  tasks: z
    .array(toolTaskSchema)
    .min(1, 'expected at least one task')
    .superRefine((tasks, context) => {
      const ids = tasks.map(({ id }) => id);
      for (const id of new Set(ids.filter((one, index) => ids.indexOf(one) !== index)))
        context.addIssue({ code: 'custom', message: `two tasks are called "${id}"` });
    }),
});
/** What a module of tasks exports, as an author writes it. */
export type ToolTasks = z.input<typeof toolTasksSchema>;
export type ToolTask = z.infer<typeof toolTaskSchema>;

/** Reads what a module of tasks exports: a clear error names what is wrong with it. */
export function readToolTasks(module: unknown): readonly ToolTask[] {
  const parsed = toolTasksSchema.safeParse(module);
  if (parsed.success) return parsed.data.tasks;
  throw invalidModule(
    `The module of tasks is not valid: ${describeIssues(parsed.error)}.`,
    'Expected it to export tasks: [{ id, instruction, verify({ call, calls, answer }) }].',
  );
}
