import { z } from 'zod';
import type { Awaitable } from '../../../../core/contracts.ts';
import { invalidModule } from '../../../../core/errors.ts';
import { describeIssues } from '../../../../core/records.ts';

/** A page that is open, for those who prepare it. */
export interface OpenPage {
  /** The value of an expression in the page; a promise is waited for. */
  ask(expression: string): Promise<unknown>;
  /** Where the page is now. */
  readonly url: string;
}

/** A page as the agent left it, for those who judge it. */
interface EndedPage extends OpenPage {
  /** What the agent answered when it finished; null when it gave no answer, or has not finished. */
  readonly answer: string | null;
}

/** What a verifier says: whether the task is done, and why. */
export const judgementSchema = z.union([
  z.boolean(),
  z.strictObject({ pass: z.boolean(), message: z.string().optional() }),
]);
export type Judgement = z.infer<typeof judgementSchema>;

const functionSchema = <T>() => z.custom<T>(value => typeof value === 'function', 'expected a function');

const urlTaskSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'expected lower-case letters, digits and single dashes'),
  instruction: z.string().trim().min(1, 'a task needs an instruction'),
  /** Steps that an agent may take. */
  steps: z.int().positive().default(30),
  /** Done when the page has been loaded: an expression in the page, or a function. */
  setup: z.union([z.string().min(1), functionSchema<(page: OpenPage) => Awaitable<unknown>>()]).optional(),
  verify: functionSchema<(page: EndedPage) => Awaitable<Judgement>>(),
});

/** What a verifier module exports. */
const urlTasksSchema = z.object({
  tasks: z
    .array(urlTaskSchema)
    .min(1, 'expected at least one task')
    .superRefine((tasks, context) => {
      const ids = tasks.map(({ id }) => id);
      for (const id of new Set(ids.filter((one, index) => ids.indexOf(one) !== index)))
        context.addIssue({ code: 'custom', message: `two tasks are called "${id}"` });
    }),
});
/** As an author writes it. */
export type UrlTasks = z.input<typeof urlTasksSchema>;
export type UrlTask = z.infer<typeof urlTaskSchema>;

/** Reads what a verifier module exports: a clear error names what is wrong with it. */
export function readUrlTasks(module: unknown): readonly UrlTask[] {
  const parsed = urlTasksSchema.safeParse(module);
  if (parsed.success) return parsed.data.tasks;
  throw invalidModule(
    `The verifier module is not valid: ${describeIssues(parsed.error)}.`,
    'Expected it to export tasks: [{ id, instruction, verify({ ask, url, answer }) }].',
  );
}
