import { z } from 'zod';
import type { Awaitable } from '../../../../core/contracts.ts';
import { invalidModule } from '../../../../core/errors.ts';
import { describeIssues } from '../../../../core/records.ts';
import { serverSchema } from '../../servers/declaration.ts';
import type { Http } from '../../servers/http-pair.ts';
import type { Sql } from '../../servers/store.ts';
import type { StorageSource } from './login.ts';

/** A page that is open, for those who prepare it. */
export interface OpenPage {
  /** The value of an expression in the page; a promise is waited for. */
  ask(expression: string): Promise<unknown>;
  /** Where the page is now. */
  readonly url: string;
  /** Asks the server of the session, by path, beside the page. */
  readonly http: Http;
  /** Rows of a query in the database of the session. */
  readonly sql: Sql;
}

/** A page as the agent left it, for those who judge it. */
export interface EndedPage extends OpenPage {
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
  /** A script that runs in each document before any script of the page. */
  init: z.string().min(1).optional(),
  /** Done when the page has been loaded: an expression in the page, or a function. */
  setup: z.union([z.string().min(1), functionSchema<(page: OpenPage) => Awaitable<unknown>>()]).optional(),
  verify: functionSchema<(page: EndedPage) => Awaitable<Judgement>>(),
});

const tasksSchema = z
  .array(urlTaskSchema)
  .min(1, 'expected at least one task')
  .superRefine((tasks, context) => {
    const ids = tasks.map(({ id }) => id);
    for (const id of new Set(ids.filter((one, index) => ids.indexOf(one) !== index)))
      context.addIssue({ code: 'custom', message: `two tasks are called "${id}"` });
  });

/** What modules of pages export beside their tasks. */
const pageShape = {
  tasks: tasksSchema,
  /** Sent with every request to the server of the page. */
  headers: z.record(z.string(), z.string()).default({}),
  /** Who is signed in: a file of Playwright's, the state itself, or a function that signs in. */
  storageState: z
    .custom<StorageSource>(
      value => ['string', 'function', 'object'].includes(typeof value),
      'expected a file or a state',
    )
    .optional(),
  /** An expression in the page that holds while somebody is signed in: asked whenever the page is at rest. */
  signedIn: z.string().min(1).optional(),
  /** Further origins that the page may reach, also beyond this machine. */
  allow: z.array(z.url({ protocol: /^https?$/ }).transform(text => new URL(text).origin)).default([]),
  /** A recording of what servers answer: made with `record`, else all that the page gets. */
  har: z.strictObject({ file: z.string().min(1), record: z.boolean().default(false) }).optional(),
};
const pageSchema = z.object(pageShape);
export type PageModule = z.infer<typeof pageSchema>;

/** What the module of a page exports that somebody serves. */
const urlModuleSchema = z.object({
  ...pageShape,
  /** `none`: the server keeps nothing, whatever it is sent. */
  server: z.strictObject({ state: z.literal('none') }, 'a server with a command is one of app:<module>').optional(),
});
/** As an author writes it. */
export type UrlTasks = z.input<typeof urlModuleSchema>;
export type UrlModule = z.infer<typeof urlModuleSchema>;
export type UrlTask = z.infer<typeof urlTaskSchema>;

/** What the module of an app exports, whose server we start. */
const appModuleSchema = z.object({ ...pageShape, server: serverSchema });
/** As an author writes it. */
export type AppTasks = z.input<typeof appModuleSchema>;
export type AppModule = z.infer<typeof appModuleSchema>;

/** Reads what a module of tasks exports: a clear error names what is wrong with it. */
export function readUrlModule(module: unknown): UrlModule {
  return read(urlModuleSchema, module, 'tasks: [{ id, instruction, verify({ ask, url, answer }) }]');
}

export function readAppModule(module: unknown): AppModule {
  return read(appModuleSchema, module, 'server: { command, state } and tasks: [{ id, instruction, verify({ sql }) }]');
}

function read<T>(schema: z.ZodType<T>, module: unknown, expected: string): T {
  const parsed = schema.safeParse(module);
  if (parsed.success) return parsed.data;
  throw invalidModule(
    `The verifier module is not valid: ${describeIssues(parsed.error)}.`,
    `Expected it to export ${expected}.`,
  );
}
