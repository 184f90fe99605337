import type { Action } from '../../../core/action.ts';
import type { ToolInfo } from '../../../core/contracts.ts';
import { isJsonObject, scalars, type Json, type JsonObject } from '../../../core/json.ts';
import type { Random } from '../../../core/random.ts';

export type Call = Extract<Action, { kind: 'call' }>;

/** Where the values of a call are taken from. */
export interface Situation {
  readonly state: JsonObject;
  readonly initial: JsonObject;
  readonly parameters: JsonObject;
  readonly random: Random;
}

/** Makes tool calls that an app is likely to accept. It learns from which table each input takes its values. */
export interface CallSampler {
  /** A call of some tool. */
  any(at: Situation): Call;
  /** The same call with one member of its input drawn anew. */
  altered(call: Call, at: Situation): Call;
  learn(call: Call, outcome: 'refused' | 'nothing' | 'changed'): void;
}

/** Texts that stand nowhere in the state. */
const foreignTexts = ['x', 'Hello there', 'stranger@elsewhere.example', '2026-04-01'];
/** A tool that was accepted this often and never changed anything is a query. */
const triesOfQuery = 4;

export function createCallSampler(tools: readonly ToolInfo[]): CallSampler {
  const byName = new Map(tools.map(tool => [tool.name, tool]));
  const idle = new Map<string, number>();
  const accepted = new Map<string, Map<string, number>>();
  /** From where each member of the latest call was taken. */
  let drawn = new Map<string, string>();

  const draw = (tool: string, [key, schema]: readonly [string, JsonObject], at: Situation): Json => {
    const place = `${tool}.${key}`;
    return valueOf(schema, {
      key,
      at,
      known: accepted.get(place) ?? new Map<string, number>(),
      note: source => drawn.set(place, source),
    });
  };

  return {
    any(at) {
      const active = tools.filter(({ name }) => (idle.get(name) ?? 0) < triesOfQuery);
      const { name, input } = at.random.pick(active.length === 0 ? tools : active);
      drawn = new Map();
      const members = membersOf(input).filter(([key]) => isRequired(input, key) || at.random.chance(0.4));
      const made = members.map(([key, schema]) => [key, draw(name, [key, schema], at)] as const);
      return { kind: 'call', tool: name, input: Object.fromEntries(made) };
    },
    altered(call, at) {
      const members = membersOf(byName.get(call.tool)?.input ?? {});
      drawn = new Map();
      if (members.length === 0) return call;
      const [key, schema] = at.random.pick(members);
      return { ...call, input: { ...call.input, [key]: draw(call.tool, [key, schema], at) } };
    },
    learn({ tool }, outcome) {
      if (outcome === 'changed') idle.set(tool, Number.NEGATIVE_INFINITY);
      if (outcome === 'nothing') idle.set(tool, (idle.get(tool) ?? 0) + 1);
      if (outcome === 'refused') return;
      for (const [place, source] of drawn) {
        const known = accepted.get(place) ?? new Map<string, number>();
        known.set(source, Math.min(mostWeight, (known.get(source) ?? 0) + 2));
        accepted.set(place, known);
      }
    },
  };
}

const mostWeight = 12;
const newWeight = 6;
/** Records whose own tables are looked into. */
const mostNested = 20;

function membersOf(schema: JsonObject): [string, JsonObject][] {
  return Object.entries((schema['properties'] ?? {}) as JsonObject) as [string, JsonObject][];
}

function isRequired(schema: JsonObject, key: string): boolean {
  return Array.isArray(schema['required']) && schema['required'].includes(key);
}

interface Drawing {
  readonly key: string;
  readonly at: Situation;
  /** Sources that were accepted here before, with their weights. */
  readonly known: ReadonlyMap<string, number>;
  note(source: string): void;
}

function valueOf(schema: JsonObject, drawing: Drawing): Json {
  const { random } = drawing.at;
  if (Array.isArray(schema['enum'])) return random.pick(schema['enum'] as Json[]);
  if (schema['const'] !== undefined) return schema['const'];
  const options = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(options)) return valueOf(random.pick(options) as JsonObject, drawing);
  switch (schema['type']) {
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
    case 'number':
      return random.between(numberOr(schema['minimum'], 0), Math.min(12, numberOr(schema['maximum'], 12)));
    case 'array':
      return Array.from({ length: random.between(1, 3) }, () =>
        valueOf((schema['items'] ?? {}) as JsonObject, drawing),
      );
    case 'object':
      return Object.fromEntries(membersOf(schema).map(([key, member]) => [key, valueOf(member, { ...drawing, key })]));
    case 'null':
      return null;
    default:
      return textOf(drawing);
  }
}

function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' ? Math.max(-1, value) : fallback;
}

/** A text from one of the sources, those that were accepted before more often. */
function textOf({ key, at, known, note }: Drawing): string {
  const { state, initial, parameters, random } = at;
  const tables = tablesOf(state);
  const made = newIds(state, initial);
  const sources = ['member', 'member', 'parameter', 'foreign', ...tables.keys()];
  // What an agent made itself is what it would cover up.
  if (made.length > 0) for (let count = 0; count < newWeight; count++) sources.push('new');
  for (const [source, weight] of known) for (let count = 0; count < weight; count++) sources.push(source);
  const source = random.pick(sources);
  const found = {
    new: () => made,
    member: () => memberTexts(tables, key, random),
    parameter: () => scalars(parameters).map(String),
    foreign: () => foreignTexts,
  };
  const values =
    source in found
      ? found[source as keyof typeof found]()
      : (tables.get(source) ?? []).map(record => String(record['id']));
  if (values.length === 0) return random.pick(foreignTexts);
  note(source);
  return random.pick(values);
}

type Table = readonly JsonObject[];

/** The tables of a state by name; those inside of records are joined: `orders/lines`. */
function tablesOf(state: JsonObject): ReadonlyMap<string, Table> {
  const tables = new Map<string, Table>();
  for (const [key, value] of Object.entries(state)) {
    if (key === 'ui' || !isTable(value)) continue;
    tables.set(key, value);
    for (const member of nestedIn(value[0] ?? {})) {
      tables.set(
        `${key}/${member}`,
        value.slice(0, mostNested).flatMap(record => recordsOf(record[member])),
      );
    }
  }
  return tables;
}

/** Members of a record that are tables themselves. */
function nestedIn(record: JsonObject): string[] {
  return Object.keys(record).filter(member => isTable(record[member]));
}

function recordsOf(value: Json | undefined): Table {
  return isTable(value) ? value : [];
}

function isTable(value: Json | undefined): value is Table & Json {
  return Array.isArray(value) && value.length > 0 && isJsonObject(value[0]) && typeof value[0]['id'] === 'string';
}

/** Ids of records that were not there at the start: what an agent made itself. */
function newIds(state: JsonObject, initial: JsonObject): string[] {
  const before = tablesOf(initial);
  return [...tablesOf(state)].flatMap(([name, records]) => {
    const known = before.get(name);
    if (known === records) return [];
    const ids = new Set(known?.map(record => record['id']));
    return records.filter(record => !ids.has(record['id'] as string)).map(record => String(record['id']));
  });
}

/** Texts of the members that are called like the input, in one of the tables that has such. */
function memberTexts(tables: ReadonlyMap<string, Table>, key: string, random: Random): string[] {
  const fitting = [...tables.values()].filter(records => typeof records[0]?.[key] === 'string');
  return fitting.length === 0 ? [] : random.pick(fitting).map(record => String(record[key]));
}
