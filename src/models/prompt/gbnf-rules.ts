import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';

/** The rules of a grammar in GBNF while it is written. */
export interface Rules {
  /** A text in quotes, as in JSON. */
  string(longest?: number): string;
  /** A JSON value of this schema; any JSON value where the schema says what this cannot. */
  value(schema: JsonObject): string;
  /** The whole grammar: one of these forms. */
  grammar(forms: readonly string[]): string;
}

/** A weak model would write on until its tokens are spent. */
const longestText = 400;
const mostItems = 20;

/** A text that stands there as it is. */
export function literal(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

export function oneOf(texts: readonly string[]): string {
  return `( ${texts.map(literal).join(' | ')} )`;
}

export function createRules(): Rules {
  const rules = new Map<string, string>();
  const named = (name: string, body: string): string => {
    rules.set(name, body);
    return name;
  };
  const string = (longest = longestText): string => {
    named('char', '[^"\\\\\\x00-\\x1F] | "\\\\" ["\\\\/bfnrt]');
    const most = Math.min(longest, longestText);
    // A rule of its own: llama.cpp refuses a repetition inside another one that it has to write out.
    return named(`text${most}`, `"\\"" char{0,${most}} "\\""`);
  };
  const number = (): string => named('number', '"-"? ( "0" | [1-9] [0-9]{0,14} ) ( "." [0-9]{1,6} )?');
  const integer = (): string => named('integer', '"-"? ( "0" | [1-9] [0-9]{0,14} )');
  /** JSON of any kind, so deep and so long that it ends. */
  const anything = (): string => {
    named('scalar', `${string()} | ${number()} | "true" | "false" | "null"`);
    named('nested', `scalar | ${listOf('scalar')} | ${mapOf('scalar', string())}`);
    return named('anything', `scalar | ${listOf('nested')} | ${mapOf('nested', string())}`);
  };
  const ofType = (type: Json | undefined, schema: JsonObject): string => {
    if (type === 'string') return string(typeof schema['maxLength'] === 'number' ? schema['maxLength'] : undefined);
    if (type === 'boolean') return '( "true" | "false" )';
    if (type === 'integer') return integer();
    if (type === 'number') return number();
    if (type === 'null') return '"null"';
    if (type === 'object' && isJsonObject(schema['properties'] ?? {})) return objectOf(schema, value);
    if (type === 'array' && isJsonObject(schema['items'])) return listOf(value(schema['items']));
    return anything();
  };
  const value = (schema: JsonObject): string => {
    const choices = schema['enum'] ?? (schema['const'] === undefined ? undefined : [schema['const']]);
    if (Array.isArray(choices)) return oneOf(choices.map(choice => JSON.stringify(choice)));
    const { type } = schema;
    if (Array.isArray(type)) return `( ${type.map(one => ofType(one, schema)).join(' | ')} )`;
    return ofType(type, schema);
  };
  return {
    string,
    value,
    grammar: forms =>
      [
        `root ::= ${forms.map((_, at) => `step${at}`).join(' | ')}`,
        ...forms.map((form, at) => `step${at} ::= ${form}`),
        ...[...rules].map(([name, body]) => `${name} ::= ${body}`),
      ].join('\n'),
  };
}

function listOf(item: string): string {
  return `"[" ( ${item} ( ", " ${item} ){0,${mostItems}} )? "]"`;
}

function mapOf(item: string, key: string): string {
  return `"{" ( ${key} ": " ${item} ( ", " ${key} ": " ${item} ){0,${mostItems}} )? "}"`;
}

/** Members in their order; those that may be left out may be left out one by one. */
function objectOf({ properties, required }: JsonObject, value: (schema: JsonObject) => string): string {
  const needed: readonly Json[] = Array.isArray(required) ? required : [];
  const members = Object.entries((properties ?? {}) as JsonObject);
  const pair = ([name, schema]: [string, Json]): string =>
    `${literal(`${JSON.stringify(name)}: `)} ${value(isJsonObject(schema) ? schema : {})}`;
  const must = members.filter(([name]) => needed.includes(name)).map(pair);
  const may = members.filter(([name]) => !needed.includes(name)).map(pair);
  const rest = may.map(member => `( ", " ${member} )?`);
  if (must.length > 0) return `"{" ${must.join(' ", " ')} ${rest.join(' ')} "}"`;
  // Without a first member that is always there, each of the others may come first.
  const firsts = may.map((member, at) => `${member} ${rest.slice(at + 1).join(' ')}`);
  return firsts.length === 0 ? '"{}"' : `"{" ( ${firsts.join(' | ')} )? "}"`;
}
