import { causeText, EspalierError, invalidModule, invalidOption } from '../../core/errors.ts';
import type { ModuleShape } from '../../core/naming/registry.ts';
import { importModule } from '../../modules/load-module.ts';

/** What a module gives in the place of a name. */
export interface Plugin<T> {
  /** Makes it: what the module exports, or what its function returns for these options. */
  create(options?: Readonly<Record<string, unknown>>): T;
  /** The schema of its options, where the module exports one as `options`. */
  readonly options: OptionsSchema | null;
}

/** As much of a zod schema as is used of a user's: the module may have a zod of its own. */
interface OptionsSchema {
  safeParse(value: unknown): {
    readonly success: boolean;
    readonly data?: unknown;
    readonly error?: {
      readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
    };
  };
}

/** Loads a module of the user's that stands where a name could. Made once at once, so that a wrong shape is told now. */
export async function loadPlugin<T>(file: string, shape: ModuleShape, given = {}): Promise<Plugin<T>> {
  const { member, powers } = shape;
  const { [member]: exported, options: schema } = await importModule(file);
  const options = isSchema(schema) ? schema : null;
  const create = (chosen: Readonly<Record<string, unknown>> = {}): T => {
    const parsed = options === null ? chosen : parseOptions(options, chosen, file);
    try {
      return typeof exported === 'function' ? (exported as (options: unknown) => T)(parsed) : (exported as T);
    } catch (cause) {
      throw new EspalierError({
        boundary: 'input',
        code: 'invalid-module',
        message: `\`${member}\` of ${file} threw: ${causeText(cause)}.`,
        expected: `Expected a function that makes a ${member} for each episode.`,
        cause,
      });
    }
  };
  if (hasPowers(create(given), powers)) return { create, options };
  throw invalidModule(
    `The module ${file} exports no \`${member}\` with ${powers.join(', ')}.`,
    `Expected a ${member} of that shape, or a function that makes one for each episode.`,
  );
}

function hasPowers(value: unknown, powers: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && powers.every(power => power in value);
}

function isSchema(value: unknown): value is OptionsSchema {
  return typeof value === 'object' && value !== null && 'safeParse' in value && typeof value.safeParse === 'function';
}

function parseOptions(schema: OptionsSchema, given: unknown, file: string): unknown {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error?.issues[0];
  const at = issue === undefined || issue.path.length === 0 ? 'its options' : `the option "${issue.path.join('.')}"`;
  throw invalidOption(
    `The module ${file} does not take ${at}: ${issue?.message ?? 'they do not fit its schema'}.`,
    'Expected options as the `options` of that module describe them.',
  );
}
