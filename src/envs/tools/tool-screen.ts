import type { Action } from '../../core/action.ts';
import type { JsonObject } from '../../core/json.ts';
import { createScreen, type Intent, type UiNode } from '../../core/ui.ts';
import { button, form, link, list, navigation, page, text, textbox } from '../../worlds/app/elements.ts';
import type { GraphTool } from './graph.ts';
import { callTool, cancelChange, knownValues, type Called, type ToolState, type ToolTask } from './state.ts';

const intent = (command: string, input: JsonObject): Intent => ({ command, input });

/** A form for each tool, what is known, and the changes that were made. */
export function toolScreen(task: ToolTask, state: ToolState): UiNode {
  const { graph } = task;
  const links = [...graph.tools.values()].map(({ name }) =>
    link(labelOf(name), intent('open', { tool: name }), name === state.form.tool ? ['current'] : undefined),
  );
  const known = graph.kinds.flatMap(kind => knownValues(task, state, kind));
  const results = Object.entries(state.reads).map(([call, result]) => text(`${call} = ${result}`));
  const changes = state.changes.map(change => button(`Cancel ${change}`, intent('cancel', { change })));
  return page('Tools', [
    navigation('Forms', links),
    openForm(graph.tools.get(state.form.tool ?? ''), state),
    list('Known values', known.map(text)),
    results.length > 0 && list('Results', results),
    changes.length > 0 && list('Changes', changes),
  ]);
}

function labelOf(tool: string): string {
  const words = tool.replaceAll('_', ' ');
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

function openForm(tool: GraphTool | undefined, { form: { fields } }: ToolState): UiNode | null {
  if (tool === undefined) return null;
  return form(labelOf(tool.name), [
    ...tool.inputs.map(kind => textbox(kind, fields[kind] ?? '', { enter: intent('enter', { field: kind }) })),
    button('Run', intent('submit', {})),
  ]);
}

const longestField = 60;

/** What an element of the screen does, or why it is refused. */
export function pressOnScreen({ graph }: ToolTask, state: ToolState, { command, input }: Intent): Called | string {
  const { form: shown } = state;
  if (command === 'open')
    return { state: { ...state, form: { tool: input['tool'] as string, fields: {} } }, result: true };
  if (command === 'enter') {
    const value = String(input['value']);
    if (value.length > longestField) return `Expected at most ${longestField} characters.`;
    const fields = { ...shown.fields, [input['field'] as string]: value };
    return { state: { ...state, form: { ...shown, fields } }, result: true };
  }
  if (command === 'cancel') {
    const next = cancelChange(state, input['change']);
    return typeof next === 'string' ? next : { state: next, result: true };
  }
  const called = callTool(graph, state, { tool: shown.tool ?? '', input: shown.fields });
  if (typeof called === 'string') return called;
  return { ...called, state: { ...called.state, form: { ...shown, fields: {} } } };
}

/** The next step on the screen towards a call. */
export function stepOnScreen(task: ToolTask, state: ToolState, call: { tool: string; input: JsonObject }): Action {
  const { elements } = createScreen(toolScreen(task, state));
  const refOf = (fits: (node: UiNode) => boolean): string => `e${elements.findIndex(fits) + 1}`;
  if (call.tool === 'cancel')
    return { kind: 'click', ref: refOf(({ press }) => press?.input['change'] === call.input['change']) };
  if (state.form.tool !== call.tool)
    return { kind: 'click', ref: refOf(({ press }) => press?.input['tool'] === call.tool) };
  for (const [kind, value] of Object.entries(call.input))
    if (state.form.fields[kind] !== value)
      return { kind: 'fill', ref: refOf(({ enter }) => enter?.input['field'] === kind), text: String(value) };
  return { kind: 'click', ref: refOf(({ press }) => press?.command === 'submit') };
}
