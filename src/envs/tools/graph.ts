import type { ToolInfo } from '../../core/contracts.ts';
import type { JsonObject } from '../../core/json.ts';
import { createRandom, hash32, type Random } from '../../core/random.ts';

/** A tool of the graph: its parameters are named after the kinds of values that they take. */
export interface GraphTool {
  readonly name: string;
  /** Words for people: `latest order`, or `approve`. */
  readonly words: string;
  readonly inputs: readonly string[];
  /** The kind of value that a lookup returns; null for a tool that changes something. */
  readonly output: string | null;
}

/** Tools whose outputs are inputs of other tools. Kinds are in order: lookups lead from earlier kinds to later ones. */
export interface ToolGraph {
  readonly seed: number;
  readonly kinds: readonly string[];
  /** All values that exist, by kind. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly tools: ReadonlyMap<string, GraphTool>;
}

const nouns = [
  'customer',
  'city',
  'order',
  'parcel',
  'route',
  'driver',
  'depot',
  'ticket',
  'contract',
  'supplier',
  'product',
  'claim',
  'account',
  'meeting',
];
const adjectives = ['latest', 'first', 'main', 'preferred', 'largest', 'oldest'];
const verbs = ['approve', 'archive', 'audit', 'renew', 'escalate', 'block'];
const letters = 'bcdfghjkmnpqrstvwxz23456789';

const kindCount = 9;
/** Kinds that no tool returns: the user gives their values. */
const givenKinds = 2;
const valuesOfKind = 8;
const changingTools = 5;

/** The tools and the values of a seed. */
export function createToolGraph(seed: number): ToolGraph {
  const random = createRandom(`tool graph ${seed}`);
  const kinds = random.sample(nouns, kindCount);
  const values = new Map(kinds.map(kind => [kind, drawValues(kind, random.fork(kind))]));
  const tools = [...drawLookups(kinds, random), ...drawChanges(kinds, random)];
  return { seed, kinds, values, tools: new Map(tools.map(tool => [tool.name, tool])) };
}

function drawValues(kind: string, random: Random): string[] {
  const values = new Set<string>();
  while (values.size < valuesOfKind)
    values.add(`${kind}-${Array.from({ length: 4 }, () => random.pick([...letters])).join('')}`);
  return [...values];
}

/** Two lookups for each kind: one takes one value, the other two. */
function drawLookups(kinds: readonly string[], random: Random): GraphTool[] {
  return kinds.slice(givenKinds).flatMap((output, at) => {
    const earlier = kinds.slice(0, at + givenKinds);
    const [one, two] = random.sample(adjectives, 2);
    // The first input is a late kind, so that long chains exist.
    const near = random.pick(earlier.slice(-2));
    const others = earlier.filter(kind => kind !== near);
    return [
      lookup(`${one} ${output}`, [near], output),
      lookup(`${two} ${output}`, [random.pick(others), near], output),
    ];
  });
}

function lookup(words: string, inputs: readonly string[], output: string): GraphTool {
  return { name: `find_${words.replaceAll(' ', '_')}`, words, inputs, output };
}

function drawChanges(kinds: readonly string[], random: Random): GraphTool[] {
  const late = kinds.slice(-changingTools);
  const chosen = random.sample(verbs, changingTools);
  return late.map((kind, at) => {
    const words = chosen[at] as string;
    const partner = random.pick(kinds.slice(givenKinds).filter(other => other !== kind));
    return { name: `${words}_${kind}`, words, inputs: at % 2 === 0 ? [kind] : [kind, partner], output: null };
  });
}

export type ToolInput = { readonly [kind: string]: string };

/** What a lookup returns: fixed by the seed, and unknown to anyone who does not call it. */
export function lookUp(graph: ToolGraph, tool: GraphTool, input: ToolInput): string {
  const values = graph.values.get(tool.output ?? '') ?? [];
  return values[hash32(`${graph.seed} ${callKey(tool, input)}`) % values.length] as string;
}

/** A call as text: `find_latest_order(customer-7kq2)`. */
export function callKey({ name, inputs }: GraphTool, input: ToolInput): string {
  return `${name}(${inputs.map(kind => input[kind]).join(', ')})`;
}

/** The input when it fits the tool, else what is wrong with it. */
export function readInput({ values }: ToolGraph, tool: GraphTool, input: JsonObject): ToolInput | string {
  const unknown = Object.keys(input).find(name => !tool.inputs.includes(name));
  if (unknown !== undefined) return `${tool.name} has no parameter "${unknown}". Expected: ${tool.inputs.join(', ')}.`;
  for (const kind of tool.inputs) {
    const value = Object.hasOwn(input, kind) ? input[kind] : undefined;
    if (typeof value !== 'string') return `${tool.name} needs the parameter "${kind}", a text.`;
    if (values.get(kind)?.includes(value) !== true) return `There is no ${kind} ${JSON.stringify(value.slice(0, 40))}.`;
  }
  return input as ToolInput;
}

export function toolInfo(tool: GraphTool): ToolInfo {
  const { name, words, inputs, output } = tool;
  const properties = Object.fromEntries(
    inputs.map(kind => [kind, { type: 'string', maxLength: 40, description: `The id of a ${kind}.` }]),
  );
  const of = inputs.map(kind => `a ${kind}`).join(' and ');
  const description =
    output === null
      ? `Changes something: ${words} a ${inputs[0]}${inputs.length > 1 ? ` with a ${inputs[1]}` : ''}.`
      : `Returns the id of the ${words} of ${of}.`;
  return {
    name,
    description,
    input: { type: 'object', properties, required: [...inputs], additionalProperties: false },
  };
}
