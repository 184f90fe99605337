import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { AppCommand } from '../../worlds/app/command.ts';
import { inWords } from '../data/tables.ts';

/** One member of the input of a command, as its schema tells. */
export interface InputMember {
  readonly key: string;
  /** The member of records that it is about: its key, or what the name of the command ends with when it is only called a value. */
  readonly field: string;
  readonly kind: 'boolean' | 'number' | 'choice' | 'text' | 'list' | 'other';
  /** May be left out. */
  readonly optional: boolean;
  readonly choices: readonly Json[];
  readonly least: number | null;
  readonly most: number | null;
  readonly about: string;
  /** Whether the schema takes this value. */
  accepts(value: Json): boolean;
}

interface Parser {
  safeParse(value: unknown): { readonly success: boolean };
}

/** The members of the input of a command; null when its schema is no plain object. */
export function inputMembers<S extends JsonObject>(command: AppCommand<S>): readonly InputMember[] | null {
  const schema = command.schema as unknown as Parser & { shape?: Record<string, Parser> };
  const parsers = schema.shape;
  if (parsers === undefined) return null;
  const output = jsonSchema(command, 'output');
  const input = jsonSchema(command, 'input');
  if (output === null || input === null) return null;
  const required = Array.isArray(input['required']) ? (input['required'] as readonly Json[]) : [];
  return Object.entries(parsers).map(([key, parser]) => {
    const { main, about } = mainSchema(memberOf(output, key), memberOf(input, key));
    return {
      key,
      field: key === 'value' ? inWords(command.name).replace(/^\w+ /, '') : key,
      ...shapeOf(main),
      about,
      optional: !required.includes(key) && parser.safeParse(undefined).success,
      accepts: value => parser.safeParse(value).success,
    };
  });
}

function jsonSchema<S extends JsonObject>(command: AppCommand<S>, io: 'input' | 'output'): JsonObject | null {
  try {
    return command.schema.toJSONSchema({ target: 'draft-7', io, unrepresentable: 'any' }) as unknown as JsonObject;
  } catch {
    return null;
  }
}

function memberOf(schema: JsonObject, key: string): JsonObject {
  const members = schema['properties'];
  const member = isJsonObject(members) ? members[key] : undefined;
  return isJsonObject(member) ? member : {};
}

/** Of alternatives, the first that is not null: what a nullable member usually holds. */
function mainSchema(output: JsonObject, input: JsonObject): { main: JsonObject; about: string } {
  const about = [output['description'], input['description']].find(text => typeof text === 'string') ?? '';
  const options = output['anyOf'] ?? output['oneOf'];
  if (!Array.isArray(options)) return { main: output, about: about as string };
  const usable = (options as readonly Json[]).filter(isJsonObject).filter(option => option['type'] !== 'null');
  const main = usable.find(option => option['const'] === undefined) ?? usable[0] ?? {};
  return { main, about: about as string };
}

function shapeOf(schema: JsonObject): Pick<InputMember, 'kind' | 'choices' | 'least' | 'most'> {
  const number = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null);
  const [least, most] = [number(schema['minimum']), number(schema['maximum'])];
  if (Array.isArray(schema['enum'])) return { kind: 'choice', choices: schema['enum'] as Json[], least, most };
  const kinds = {
    boolean: 'boolean',
    integer: 'number',
    number: 'number',
    array: 'list',
    object: 'other',
    string: 'text',
  } as const;
  const type = String(schema['type']);
  return { kind: type in kinds ? kinds[type as keyof typeof kinds] : 'text', choices: [], least, most };
}
