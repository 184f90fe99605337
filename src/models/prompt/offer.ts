import type { Action } from '../../core/action.ts';
import type { ChatTool } from '../../core/chat/chat.ts';
import type { ToolInfo } from '../../core/contracts.ts';
import {
  actionOf,
  browserTools,
  ownToolNames,
  refDescription,
  screenTools,
  toolCallOf,
} from '../../core/episode/action-tools.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { newestEdition, type Edition } from './prompts.ts';
import type { RequestedCall } from './text-actions.ts';

/** The tool by which a teacher says that it knows no way from here. */
const giveUpTool: ToolInfo = {
  name: 'give-up',
  description: 'Say that no step from here leads to the goal. The episode is given up.',
  input: { type: 'object', properties: {}, required: [], additionalProperties: false },
};

export interface OfferOptions {
  /** Tools of the environment. */
  readonly tools: readonly ToolInfo[];
  /** Whether there is a page with pixels and a keyboard. */
  readonly browses: boolean;
  /** Whether the model sees references of elements. */
  readonly readsScreen: boolean;
  readonly mayGiveUp: boolean;
  /** Of the prompts; the newest unless given. */
  readonly edition?: Edition | undefined;
}

type ReadCall = { readonly action: Action | null } | { readonly problem: string };

/** What a model may do, as tools. */
export interface Offer {
  readonly tools: readonly ChatTool[];
  /** The action that a call means; null for giving up. */
  read(wanted: RequestedCall): ReadCall;
  /** The call that an action is, as a model would make it. */
  write(action: Action): RequestedCall;
}

/** Servers take no others. */
const foreign = /[^a-zA-Z0-9_-]/g;
const longestName = 64;
const shown = 80;

/** Makes offers, and gives the last one again as long as the same is asked for. */
export function createOffers(): (options: OfferOptions) => Offer {
  let last: { readonly options: OfferOptions; readonly offer: Offer } | null = null;
  return options => {
    const names = Object.keys(options) as (keyof OfferOptions)[];
    if (last === null || names.some(name => last?.options[name] !== options[name]))
      last = { options, offer: createOffer(options) };
    return last.offer;
  };
}

/** Tools of the screen first, then those of the environment: the list stays the same through an episode. */
export function createOffer(options: OfferOptions): Offer {
  const { tools, browses, readsScreen, mayGiveUp, edition = newestEdition } = options;
  const own = [
    ...screenTools.filter(({ name }) => readsScreen || name === 'finish'),
    ...(browses ? browserTools : []),
    ...(mayGiveUp ? [giveUpTool] : []),
  ];
  const reserved = new Set([...ownToolNames, giveUpTool.name]);
  const originals = new Map<string, string>();
  const offered = new Map<string, string>();
  for (const { name } of tools) {
    const given = freeName(name, new Set([...reserved, ...originals.keys()]));
    originals.set(given, name);
    offered.set(name, given);
  }
  const theirs = tools.map(tool => ({ ...tool, name: offered.get(tool.name) ?? tool.name }));
  const all = [...own, ...theirs].map(tool => chatTool(tool, edition));
  const ownNames = new Set(own.map(({ name }) => name));
  return {
    tools: all,
    read({ name, input }) {
      if (name === giveUpTool.name && mayGiveUp) return { action: null };
      const original = originals.get(name);
      if (original === undefined && !ownNames.has(name)) {
        return { problem: `There is no tool ${quoted(name)}. Call one of: ${all.map(tool => tool.name).join(', ')}.` };
      }
      if (!isJsonObject(input)) return { problem: `The input of ${name} is not a JSON object.` };
      if (original !== undefined) return { action: { kind: 'call', tool: original, input } };
      const action = actionOf(name, withoutIdle(input));
      return action === null ? { problem: inputProblem(name, all) } : { action };
    },
    write(action) {
      const { name, input } = toolCallOf(action);
      return { name: action.kind === 'call' ? (offered.get(name) ?? name) : name, input };
    },
  };
}

/** A name that servers take and no other tool has. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replaceAll(foreign, '_').slice(0, longestName) || '_';
  if (!taken.has(plain)) return plain;
  for (let number = 2; ; number++) {
    const suffix = `_${number}`;
    const other = plain.slice(0, longestName - suffix.length) + suffix;
    if (!taken.has(other)) return other;
  }
}

function chatTool({ name, description, input }: ToolInfo, edition: Edition): ChatTool {
  const { $schema: _schema, ...schema } = input;
  if (edition === 2) return { name, description, input: brief(schema) as JsonObject };
  return { name, description, input: schema['properties'] === undefined ? schema : withFirstExample(schema) };
}

/** Limits that a world states when they are broken, and members that say nothing: they cost a third of the tokens. */
const idleKeys: ReadonlySet<string> = new Set([
  'additionalProperties',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
]);

function brief(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(brief);
  if (!isJsonObject(schema)) return schema;
  const { properties, ...rest } = schema;
  const kept = Object.entries(rest).filter(([key, value]) => {
    if (idleKeys.has(key) || (key === 'required' && Array.isArray(value) && value.length === 0)) return false;
    return !(key === 'default' && (value === '' || value === null || value === false));
  });
  const short = Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'items' || key === 'anyOf' ? brief(value) : value]),
  );
  if (!isJsonObject(properties)) return short;
  // Names of members are no words of the schema.
  const members = Object.entries(properties).map(([name, member]) => [name, brief(member)] as const);
  const { type, ...others } = short;
  return { ...(type === undefined ? {} : { type }), properties: Object.fromEntries(members), ...others };
}

/** The first edition gave an example. */
function withFirstExample(schema: JsonObject): JsonObject {
  const { ref, ...rest } = schema['properties'] as JsonObject;
  if (!isJsonObject(ref) || ref['description'] !== refDescription) return schema;
  const first = { ...ref, description: 'Reference of the element, such as e12.' };
  return { ...schema, properties: { ref: first, ...rest } };
}

/** Models fill in what may be left out: `"infeasible": false`, `"answer": ""`, `"button": "left"`. That says nothing. */
function withoutIdle(input: JsonObject): JsonObject {
  const told = Object.entries(input).filter(([key, value]) => {
    if (value === null || value === false) return false;
    return !(key === 'answer' && value === '') && !(key === 'button' && value === 'left');
  });
  return Object.fromEntries(told.map(([key, value]) => [key, key === 'ref' ? bareRef(value) : value]));
}

/** Screens show references in brackets. */
function bareRef(value: Json): Json {
  return typeof value === 'string' ? value.trim().replace(/^\[(e\d+)\]$/, '$1') : value;
}

function inputProblem(name: string, tools: readonly ChatTool[]): string {
  const schema = tools.find(tool => tool.name === name)?.input['properties'] ?? {};
  return `The input of ${name} is not valid. Its members are: ${JSON.stringify(schema)}.`;
}

function quoted(name: string): string {
  return JSON.stringify(name.length > shown ? `${name.slice(0, shown)}…` : name);
}
