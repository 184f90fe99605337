import { z } from 'zod';
import type { Awaitable } from '../../../core/contracts.ts';

/** What is known of the start of a server before it runs. */
export interface ServerStart {
  /** The folder of the session: a copy of the declared one. */
  readonly folder: string;
  /** The variables that the server will get. */
  readonly env: Readonly<Record<string, string>>;
}

const text = z.string().min(1);
const path = z.string().startsWith('/', 'expected a path that begins with /');
const commandSchema = z.array(text).min(1, 'expected a program and its arguments');

const storeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('sqlite'), file: text }),
  z.strictObject({ kind: z.literal('folder'), path: text.default('{folder}') }),
  z.strictObject({ kind: z.literal('postgres'), url: z.url({ protocol: /^postgres(ql)?$/ }) }),
  z.strictObject({ kind: z.literal('redis') }),
  z.strictObject({ kind: z.literal('http'), snapshot: path, restore: path }),
]);
export type StoreDeclaration = z.infer<typeof storeSchema>;

/** How the server of an app is started, brought to its start, and rolled back. Texts may hold {port}, {folder}, {seed} and {origin}. */
export const serverSchema = z.strictObject({
  command: commandSchema,
  /** Where it runs; the folder of the module when left out. */
  cwd: text.optional(),
  /** Beside PORT, HOST and TZ. */
  env: z.record(text, z.string()).default({}),
  /** Copied for each session: `{folder}` is the copy. */
  folder: text.optional(),
  /** Makes the data that each session starts with: a command, or a function. Done once; sessions get copies. */
  reset: z
    .union([
      commandSchema,
      z.custom<(start: ServerStart) => Awaitable<unknown>>(
        value => typeof value === 'function',
        'expected a command or a function',
      ),
    ])
    .optional(),
  /** Answers below 500 when the server can be used. */
  ready: path.default('/'),
  /** Where the page of a session begins. */
  start: path.default('/'),
  startSeconds: z.number().positive().default(30),
  /** Where the server keeps state; `none` where it keeps nothing. Requests are sent again to a new one when nothing is said. */
  state: z
    .union([z.literal('none'), z.literal('requests'), z.array(storeSchema).min(1), storeSchema])
    .default('requests'),
  /** Whether it is started anew after each restore: for servers that hold in memory what they once read. */
  restart: z.boolean().default(false),
  /** `pinned`: the clock of the server stands at the start of the page's (needs libfaketime). */
  clock: z.literal('pinned').optional(),
});
export type Declaration = z.infer<typeof serverSchema>;

/** Puts values in the place of `{folder}` and the like; other braces stay. */
export function fillIn(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
