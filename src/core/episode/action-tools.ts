import { actionSchema, type Action } from '../action.ts';
import type { ToolInfo } from '../contracts.ts';
import type { Json, JsonObject } from '../json.ts';

/** No example: most screens have it, and weak models repeat it. */
export const refDescription = 'Reference of the element on the newest screen: the letter e and a number.';
const reference = { type: 'string', description: refDescription };

/** What can be done on any screen. */
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

/** Tools of an environment need other names. */
export const ownToolNames: ReadonlySet<string> = new Set([...screenTools, ...browserTools].map(({ name }) => name));

/** The action that a tool call means; null when it means none. */
export function actionOf(name: string, input: Json): Action | null {
  const action = ownToolNames.has(name)
    ? { ...(input as JsonObject), kind: name }
    : { kind: 'call', tool: name, input };
  const parsed = actionSchema.safeParse(action);
  return parsed.success ? parsed.data : null;
}

/** The tool call that an action is. */
export function toolCallOf(action: Action): { readonly name: string; readonly input: JsonObject } {
  if (action.kind === 'call') return { name: action.tool, input: action.input };
  const { kind, ...members } = action;
  // A member that may be missing may also be there without a value.
  const input = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
  return { name: kind, input };
}
