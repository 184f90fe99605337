import { actionSchema, isBrowserAction, type Action } from '../../core/action.ts';
import type { ToolInfo } from '../../core/contracts.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { EspalierError } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { ToolsOf } from './chat.ts';

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

const across = { type: 'integer', description: 'Pixels from the left edge of the screen.' };
const down = { type: 'integer', description: 'Pixels from the upper edge of the screen.' };
const point = parameters({ x: across, y: down }, ['x', 'y']);

/** What only a browser can do. */
export const browserTools: readonly ToolInfo[] = [
  {
    name: 'click-at',
    description: 'Click a point of the screen.',
    input: parameters(
      {
        x: across,
        y: down,
        button: { type: 'string', enum: ['right'], description: 'The right button instead of the left one.' },
        double: { type: 'boolean', description: 'True for a double click.' },
      },
      ['x', 'y'],
    ),
  },
  { name: 'hover-at', description: 'Move the pointer to a point of the screen.', input: point },
  {
    name: 'drag',
    description: 'Drag from one point of the screen to another.',
    input: parameters({ from: point, to: point }, ['from', 'to']),
  },
  {
    name: 'scroll',
    description: 'Turn the wheel with the pointer at a point of the screen.',
    input: parameters(
      {
        x: across,
        y: down,
        dx: { type: 'integer', description: 'Pixels to the right.' },
        dy: { type: 'integer', description: 'Pixels downwards.' },
      },
      ['x', 'y', 'dx', 'dy'],
    ),
  },
  {
    name: 'type',
    description: 'Type where the focus is.',
    input: parameters({ text: { type: 'string', description: 'What to type.' } }, ['text']),
  },
  {
    name: 'press',
    description: 'Press a key.',
    input: parameters({ key: { type: 'string', description: 'The key, modifiers first: Enter, Control+a.' } }, ['key']),
  },
  {
    name: 'wait',
    description: 'Let time pass.',
    input: parameters({ milliseconds: { type: 'integer', description: 'How long.' } }, ['milliseconds']),
  },
  { name: 'back', description: 'Go back to the page before.', input: parameters({}, []) },
];

function parameters(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

const ownNames: ReadonlySet<string> = new Set([...screenTools, ...browserTools].map(({ name }) => name));

/** The action that a tool call means; null when it means none. */
export function actionOf(name: string, input: Json): Action | null {
  const action = ownNames.has(name) ? { ...(input as JsonObject), kind: name } : { kind: 'call', tool: name, input };
  const parsed = actionSchema.safeParse(action);
  return parsed.success ? parsed.data : null;
}

/** The `tools` column of an episode: those of the screen, those of a browser and of its environment when it used any. */
export function createToolsColumn(toolsOf?: ToolsOf): (record: EpisodeRecord) => string {
  const texts = new Map<string, string>();
  return record => {
    const { environment } = record.head.task;
    const { calls, browses } = useOf(record);
    const name = JSON.stringify([calls ? environment : null, browses]);
    const known = texts.get(name);
    if (known !== undefined) return known;
    const own = browses ? [...screenTools, ...browserTools] : screenTools;
    const text = toolsText(calls ? [...own, ...environmentTools(environment, toolsOf)] : own);
    texts.set(name, text);
    return text;
  };
}

/** A text of JSON: trainers decode it, and a table would fill members that tools do not share with nulls. */
function toolsText(tools: readonly ToolInfo[]): string {
  const functions = tools.map(({ name, description, input }) => ({
    type: 'function',
    function: { name, description, parameters: input },
  }));
  return JSON.stringify(functions);
}

function useOf({ tree }: EpisodeRecord): { readonly calls: boolean; readonly browses: boolean } {
  let [calls, browses] = [false, false];
  const open = [...tree.children(0)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    calls ||= node.action.kind === 'call';
    browses ||= isBrowserAction(node.action);
    open.push(...tree.children(node.id));
  }
  return { calls, browses };
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
  const taken = tools.find(({ name }) => ownNames.has(name));
  if (taken === undefined) return tools;
  throw new EspalierError({
    boundary: 'environment',
    code: 'invalid-app',
    message: `"${environment}" has a tool "${taken.name}", as the screen has.`,
    expected: `Expected names other than ${[...ownNames].join(', ')}.`,
  });
}
