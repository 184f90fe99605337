import { actionSchema, type Action } from '../../core/action.ts';
import type { ToolInfo } from '../../core/contracts.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { writePrompt } from '../../core/episode/view.ts';
import { EspalierError } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';

/** The tools of an environment, by its id. */
export type ToolsOf = (environment: string) => readonly ToolInfo[];

export type Message = {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  readonly tool_calls?: readonly ToolCall[];
};

/** Arguments are an object: chat templates take them so, and write a text of JSON as a quoted string. */
export type ToolCall = {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: JsonObject };
};

// One object for all rows, so that writers can tell at a glance that it is the same.
const systemMessage: Message = {
  role: 'system',
  content:
    'You operate an application. Each time you are told the task, the steps taken so far and what is on the screen. ' +
    'What can be acted on has a reference in brackets, such as [e12]. Answer with one call of one tool: ' +
    'the next step towards the task. Call finish when the task is done, or when it cannot be done.',
};

const reference = { type: 'string', description: 'Reference of the element, such as e12.' };

export const screenTools: readonly ToolInfo[] = [
  {
    name: 'click',
    description: 'Click an element.',
    input: parameters({ ref: reference }, ['ref']),
  },
  {
    name: 'fill',
    description: 'Replace the text of an element.',
    input: parameters({ ref: reference, text: { type: 'string', description: 'The whole new text.' } }, [
      'ref',
      'text',
    ]),
  },
  {
    name: 'select',
    description: 'Choose one of the options of an element.',
    input: parameters(
      { ref: reference, option: { type: 'string', description: 'The option as the screen shows it.' } },
      ['ref', 'option'],
    ),
  },
  {
    name: 'finish',
    description: 'End the episode.',
    input: parameters(
      {
        answer: { type: 'string', description: 'The answer, when the task asks for one.' },
        infeasible: { type: 'boolean', description: 'True when the task cannot be done.' },
      },
      [],
    ),
  },
];

function parameters(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

const screenToolNames: ReadonlySet<string> = new Set(screenTools.map(({ name }) => name));
const screenToolsText = toolsText(screenTools);

/** A text of JSON: trainers decode it, and a table would fill members that tools do not share with nulls. */
function toolsText(tools: readonly ToolInfo[]): string {
  const functions = tools.map(({ name, description, input }) => ({
    type: 'function',
    function: { name, description, parameters: input },
  }));
  return JSON.stringify(functions);
}

/** What the actor of a step was told: the chat up to its answer. */
export function promptOf(record: EpisodeRecord, node: number): readonly Message[] {
  return [systemMessage, { role: 'user', content: writePrompt(record.situation(node)) }];
}

/** A step as the answer to that. */
export function answerOf(action: Action, thought = ''): Message {
  const { name, input } = toolCallOf(action);
  return {
    role: 'assistant',
    content: thought,
    tool_calls: [{ type: 'function', function: { name, arguments: input } }],
  };
}

function toolCallOf(action: Action): { name: string; input: JsonObject } {
  if (action.kind === 'call') return { name: action.tool, input: action.input };
  const { kind, ...members } = action;
  // A member that may be missing may also be there without a value.
  const input = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
  return { name: kind, input };
}

/** The action that a tool call means; null when it means none. */
export function actionOf(name: string, input: Json): Action | null {
  const action = screenToolNames.has(name)
    ? { ...(input as JsonObject), kind: name }
    : { kind: 'call', tool: name, input };
  const parsed = actionSchema.safeParse(action);
  return parsed.success ? parsed.data : null;
}

/** The `tools` column of an episode: those of the screen, and those of its environment when it called any. */
export function createToolsColumn(toolsOf?: ToolsOf): (record: EpisodeRecord) => string {
  const texts = new Map<string, string>();
  return record => {
    const { environment } = record.head.task;
    if (!callsTools(record)) return screenToolsText;
    const known = texts.get(environment);
    if (known !== undefined) return known;
    const text = toolsText([...screenTools, ...environmentTools(environment, toolsOf)]);
    texts.set(environment, text);
    return text;
  };
}

function callsTools({ tree }: EpisodeRecord): boolean {
  const open = [...tree.children(0)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.action.kind === 'call') return true;
    open.push(...tree.children(node.id));
  }
  return false;
}

function environmentTools(environment: string, toolsOf: ToolsOf | undefined): readonly ToolInfo[] {
  if (toolsOf === undefined) {
    throw new EspalierError({
      boundary: 'input',
      code: 'invalid-option',
      message: `Episodes of "${environment}" call its tools, and nobody says what they are.`,
      expected: 'Pass toolsOf, which gives the tools of an environment by its id.',
    });
  }
  const tools = toolsOf(environment);
  const taken = tools.find(({ name }) => screenToolNames.has(name));
  if (taken === undefined) return tools;
  throw new EspalierError({
    boundary: 'environment',
    code: 'invalid-app',
    message: `"${environment}" has a tool "${taken.name}", as the screen has.`,
    expected: `Expected names other than ${[...screenToolNames].join(', ')}.`,
  });
}
