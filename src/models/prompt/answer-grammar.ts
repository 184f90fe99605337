import type { ChatTool } from '../../core/chat/chat.ts';
import { screenTools } from '../../core/episode/action-tools.ts';
import { readScreen, type ScreenLine } from '../../core/episode/screen-text.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { createRules, literal, oneOf, type Rules } from './gbnf-rules.ts';

/** The answers that can be used at one point, in the two languages that servers read. */
export interface AnswerGrammar {
  /** Lines such as `click e7`, in the notation of llama.cpp, which vLLM and SGLang read as well. */
  readonly gbnf: string;
  /** The same steps as JSON objects, for servers that take a JSON Schema. */
  readonly schema: JsonObject;
}

/** What the newest screen offers, by reference. */
interface Targets {
  readonly click: readonly string[];
  readonly fill: readonly string[];
  readonly select: readonly { readonly ref: string; readonly options: readonly string[] }[];
}

const textRoles: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'spinbutton', 'textarea']);
const ownForms: ReadonlySet<string> = new Set([...screenTools.map(({ name }) => name), 'give-up']);

/** The grammar of the steps that these tools and the newest screen allow. */
export function createAnswerGrammar(tools: readonly ChatTool[], screen: string): AnswerGrammar {
  const targets = targetsOf(readScreen(screen));
  const forms = tools.flatMap(tool =>
    tool.name === 'click' || tool.name === 'fill' || tool.name === 'select' ? [] : [tool],
  );
  const shown = new Set(tools.map(({ name }) => name));
  const kept: Targets = {
    click: shown.has('click') ? targets.click : [],
    fill: shown.has('fill') ? targets.fill : [],
    select: shown.has('select') ? targets.select : [],
  };
  return { gbnf: writeGbnf(kept, forms), schema: writeSchema(kept, forms) };
}

function targetsOf(lines: readonly ScreenLine[]): Targets {
  const usable = lines.filter(({ ref, states }) => ref !== null && !states.includes('disabled'));
  const refs = (wanted: (line: ScreenLine) => boolean): string[] =>
    usable.filter(wanted).map(({ ref }) => ref as string);
  const hasOptions = ({ options }: ScreenLine): boolean => options.length > 0;
  return {
    // Nobody gains from a click on what is typed into or chosen from.
    click: refs(line => !textRoles.has(line.role) && !hasOptions(line)),
    fill: refs(({ role }) => textRoles.has(role)),
    select: usable.filter(hasOptions).map(({ ref, options }) => ({ ref: ref as string, options })),
  };
}

function writeGbnf({ click, fill, select }: Targets, tools: readonly ChatTool[]): string {
  const rules = createRules();
  const steps: string[] = [];
  if (click.length > 0) steps.push(`${literal('click ')} ${oneOf(click)}`);
  if (fill.length > 0) steps.push(`${literal('fill ')} ${oneOf(fill)} ${literal(' ')} ${rules.string()}`);
  for (const { ref, options } of select)
    steps.push(`${literal(`select ${ref} `)} ${oneOf(options.map(option => JSON.stringify(option)))}`);
  for (const tool of tools) steps.push(toolForm(tool, rules));
  return rules.grammar(steps);
}

function toolForm({ name, input }: ChatTool, rules: Rules): string {
  if (name === 'finish')
    return `${literal('finish')} ( ${literal(' infeasible')} | ${literal(' ')} ${rules.string()} )?`;
  if (name === 'give-up') return literal('give-up');
  return `${literal(`call ${name} `)} ${rules.value(input)}`;
}

/** One object with one member: OpenAI takes no alternatives at the root of a schema. */
function writeSchema({ click, fill, select }: Targets, tools: readonly ChatTool[]): JsonObject {
  const ref = (names: readonly string[]): JsonObject => ({ type: 'string', enum: [...names] });
  const text: JsonObject = { type: 'string' };
  const forms: JsonObject[] = [
    ...(click.length === 0 ? [] : [callSchema('click', { ref: ref(click) })]),
    ...(fill.length === 0 ? [] : [callSchema('fill', { ref: ref(fill), text })]),
    ...select.map(target => callSchema('select', { ref: ref([target.ref]), option: ref(target.options) })),
    ...tools.map(({ name, input }) =>
      ownForms.has(name)
        ? callSchema(name, propertiesOf(input), [])
        : objectSchema({ name: constant(name), arguments: input }),
    ),
  ];
  return objectSchema({ step: { anyOf: forms } });
}

function propertiesOf({ properties = {} }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {};
}

function callSchema(name: string, properties: JsonObject, required = Object.keys(properties)): JsonObject {
  return objectSchema({ name: constant(name), arguments: { ...objectSchema(properties), required } });
}

function constant(value: string): Json {
  return { type: 'string', enum: [value] };
}

function objectSchema(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
