import { resolve } from 'node:path';
import { z } from 'zod';
import { EspalierError } from '../../core/errors.ts';
import { suggestion } from '../../core/naming/closest.ts';

/** A described member of a schema. What has no description is chosen by an option, or written by the run itself. */
export interface Setting {
  /** `strategy.width`; `strategy.options.*` where any name goes. */
  readonly path: string;
  readonly schema: z.ZodType;
  readonly about: string;
  /** The kind of agent or strategy that has it; null where there is one kind only. */
  readonly kind: string | null;
}

/** A value for a setting: text as a person types it, or what a file says. */
export interface Assignment {
  readonly path: string;
  readonly value: unknown;
}

export function settingsIn(schema: z.ZodType, path = '', kind: string | null = null): Setting[] {
  const bare = unwrapped(schema);
  if (bare instanceof z.ZodDiscriminatedUnion)
    return bare.options.flatMap(option => settingsIn(option as z.ZodObject, path, kindOf(option as z.ZodObject)));
  if (bare instanceof z.ZodObject)
    return Object.entries(bare.shape).flatMap(([key, member]) =>
      settingsIn(member as z.ZodType, path === '' ? key : `${path}.${key}`, kind),
    );
  const about = schema.description;
  if (about === undefined) return [];
  const isOpen = bare instanceof z.ZodRecord;
  return [{ path: isOpen ? `${path}.*` : path, schema: isOpen ? z.json() : schema, about, kind }];
}

function unwrapped(schema: z.ZodType): z.ZodType {
  let bare = schema;
  while (
    bare instanceof z.ZodDefault ||
    bare instanceof z.ZodPrefault ||
    bare instanceof z.ZodNullable ||
    bare instanceof z.ZodOptional ||
    bare instanceof z.ZodReadonly
  )
    bare = bare.unwrap() as z.ZodType;
  return bare;
}

function kindOf({ shape }: z.ZodObject): string {
  return String((shape['kind'] as z.ZodLiteral).value);
}

/** `strategy.width=4`. */
export function readAssignment(text: string): Assignment {
  const at = text.indexOf('=');
  if (at > 0) return { path: text.slice(0, at).trim(), value: text.slice(at + 1) };
  throw invalidSetting(`--set was given "${text}".`, 'Expected a name and a value, such as strategy.width=4.');
}

/** No setting has a longer path. */
const mostParts = 16;

/** The members of a file as assignments: `{ "strategy": { "width": 4 } }` is `strategy.width=4`. */
export function assignmentsIn(value: object, path: readonly string[] = []): Assignment[] {
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const at = [...path, key];
    const isNested = isRecord(member) && at.length < mostParts;
    return isNested ? assignmentsIn(member, at) : [{ path: at.join('.'), value: member }];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Puts values into a draft, in the order of the settings. The draft has the kinds of its agents and its strategy. */
export function assign(
  draft: Readonly<Record<string, unknown>>,
  given: readonly Assignment[],
  known: readonly Setting[],
): Record<string, unknown> {
  const found = given.map(({ path, value }) => ({ path, value, setting: settingAt(path, draft, known) }));
  const result = structuredClone(draft) as Record<string, unknown>;
  for (const { path, value, setting } of found.toSorted(
    (a, b) => known.indexOf(a.setting) - known.indexOf(b.setting),
  )) {
    const parts = path.split('.');
    placeFor(result, parts, path)[parts.at(-1) ?? ''] = readValue(path, value, setting.schema);
  }
  return result;
}

/** The object that holds the last part of a path; made where it is missing. */
function placeFor(target: Record<string, unknown>, parts: readonly string[], path: string): Record<string, unknown> {
  let place: unknown = target;
  for (const part of parts.slice(0, -1)) {
    place = isRecord(place) ? (place[part] ??= {}) : null;
    if (!isRecord(place))
      throw invalidSetting(`${path} lies in "${part}", which has another value.`, 'Set the one or the other.');
  }
  return place as Record<string, unknown>;
}

function settingAt(path: string, draft: Readonly<Record<string, unknown>>, known: readonly Setting[]): Setting {
  const named = known.filter(setting => isAt(setting, path));
  if (named.length === 0) throw noSetting(path, known);
  const [root = ''] = path.split('.');
  const kind = (draft[root] as { kind?: string } | undefined)?.kind ?? 'none';
  const fitting = named.find(setting => setting.kind === null || setting.kind === kind);
  if (fitting !== undefined) return fitting;
  const owners = [...new Set(named.map(setting => setting.kind ?? ''))];
  throw invalidSetting(
    `${path} is a setting of ${owners.map(nameOfKind).join(' and ')}, and the ${root} is ${nameOfKind(kind)}.`,
    `Expected --${root} ${owners.map(nameOfKind).join(' or ')}, or leave ${path} out.${moduleAdvice(path, kind)}`,
  );
}

function isAt({ path: known }: Setting, path: string): boolean {
  if (!known.endsWith('.*')) return known === path;
  const parts = path.slice(known.length - 1).split('.');
  return path.startsWith(known.slice(0, -1)) && parts.every(part => part !== '' && part !== '__proto__');
}

function nameOfKind(kind: string): string {
  return kind === 'module' ? 'a module of yours' : kind === 'model' ? 'a model' : kind;
}

function moduleAdvice(path: string, kind: string): string {
  const [root, ...rest] = path.split('.');
  return kind === 'module' && root === 'strategy'
    ? ` Options of your strategy: --set strategy.options.${rest.join('.')}=<value>.`
    : '';
}

function noSetting(path: string, known: readonly Setting[]): Error {
  const names = [...new Set(known.map(setting => setting.path))];
  return invalidSetting(
    `There is no setting "${path}".${suggestion(path, names)}`,
    'espalier help settings lists them. What has an option, such as --seed, is set by its option.',
  );
}

/** Text is read as JSON, as a number, as it stands or as a list: the first that the schema takes. */
function readValue(path: string, value: unknown, schema: z.ZodType): unknown {
  const readings = typeof value === 'string' ? readingsOf(value) : [value];
  const fitting = readings.map(reading => schema.safeParse(reading)).find(({ success }) => success);
  if (fitting?.success === true) return isPath(schema) ? resolvedPath(fitting.data) : fitting.data;
  throw invalidSetting(
    `${path} was given ${typeof value === 'string' ? `"${value}"` : JSON.stringify(value)}.`,
    `Expected ${typeText(schema)}.`,
  );
}

function readingsOf(text: string): unknown[] {
  const number = text.trim() === '' ? [] : [Number(text)];
  return [...jsonOf(text), ...number, text, text.split(',').map(word => word.trim())];
}

function jsonOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

/** Whether relative paths are meant from the folder that the program was started in. */
function isPath(schema: z.ZodType): boolean {
  return (schema.meta() as { isPath?: boolean } | undefined)?.isPath === true;
}

function resolvedPath(value: unknown): unknown {
  return typeof value === 'string' ? resolve(value) : value;
}

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

export function invalidSetting(message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'input', code: 'invalid-option', message, expected });
}

/** `whole number from 1`, `png, jpeg or none`. */
export function typeText(schema: z.ZodType): string {
  const words = wordsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema);
  return words.length < 2 ? (words[0] ?? 'any value') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function wordsOf(json: JsonSchema): string[] {
  if (json.anyOf?.some(({ type }) => type === 'object') === true) return [];
  if (json.anyOf !== undefined) return [...new Set(json.anyOf.flatMap(wordsOf))];
  if (json.enum !== undefined) return json.enum.map(String);
  if (json.const !== undefined) return [String(json.const)];
  if (json.items !== undefined && json.items.type !== 'string' && json.items.enum === undefined)
    return ['list in JSON'];
  const names: Readonly<Record<string, string>> = { string: 'text', array: 'a,b' };
  return [json.type ?? []]
    .flat()
    .flatMap(type => (type === 'boolean' ? ['true', 'false'] : [type]))
    .map(type => (/^(integer|number)$/.test(type) ? numberText(json) : (names[type] ?? type)));
}

function numberText({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const isWhole = type === 'integer';
  const noun = isWhole ? 'whole number' : 'number';
  const least = exclusiveMinimum !== undefined && isWhole ? exclusiveMinimum + 1 : minimum;
  const from = least === undefined || least <= Number.MIN_SAFE_INTEGER ? null : least;
  const to = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? null : maximum;
  if (from === null) return exclusiveMinimum === undefined ? noun : `${noun} above ${exclusiveMinimum}`;
  return to === null ? `${noun} from ${from}` : `${noun} from ${from} to ${to}`;
}
