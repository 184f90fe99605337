import { actionSchema, isAction, isBrowserAction, type Action, type BrowserAction } from '../core/action.ts';
import { EspalierError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { describeIssues, type Problem } from '../core/records.ts';
import { elementAt, type Intent, type Screen, type UiNode } from '../core/ui.ts';
import type { AppCommand } from './app/command.ts';

type WorldAction = Exclude<Action, { kind: 'finish' }>;
type ScreenAction = Exclude<WorldAction, { kind: 'call' } | BrowserAction>;

export interface Resolved<S extends JsonObject> {
  readonly command: AppCommand<S>;
  readonly input: JsonObject;
  /** Done at the screen, not by a tool call. */
  readonly byHand: boolean;
}

export type Resolution<S extends JsonObject> = Resolved<S> | { readonly problem: Problem };

export interface Surroundings<S extends JsonObject> {
  readonly app: string;
  readonly commands: ReadonlyMap<string, AppCommand<S>>;
  screen(): Screen;
}

/** Finds the command that an action stands for, and its input. */
export function resolve<S extends JsonObject>(action: WorldAction, around: Surroundings<S>): Resolution<S> {
  if (action.kind === 'call') return resolveCall(action, around);
  if (isBrowserAction(action)) return { problem: needsBrowser(action) };
  const intent = intentAt(action, around.screen());
  if ('problem' in intent) return intent;
  const command = around.commands.get(intent.command);
  if (command === undefined) throw unknownIntent(intent, around);
  return { command, input: intent.input, byHand: true };
}

/** What an action on a screen dispatches, with what was entered; else what is wrong with the action. */
export function intentAt(action: ScreenAction, screen: Screen): Intent | { readonly problem: Problem } {
  const element = elementAt(screen, action.ref);
  if (element === undefined) return { problem: unknownElement(action.ref, screen) };
  const intent = intentOf(action, element);
  if (intent === undefined) return { problem: wrongGesture(action, element) };
  if (action.kind === 'click') return intent;
  const value = action.kind === 'fill' ? action.text : action.option;
  if (element.options?.includes(value) === false) return { problem: wrongOption(value, element) };
  return { ...intent, input: { ...intent.input, value } };
}

function intentOf(action: ScreenAction, element: UiNode): Intent | undefined {
  if (action.kind === 'click') return element.press;
  return (action.kind === 'select') === (element.options !== undefined) ? element.enter : undefined;
}

function resolveCall<S extends JsonObject>(action: Action & { kind: 'call' }, around: Surroundings<S>): Resolution<S> {
  const command = around.commands.get(action.tool);
  if (command !== undefined && command.kind !== 'gesture') return { command, input: action.input, byHand: false };
  const tools = [...around.commands.values()].filter(({ kind }) => kind !== 'gesture').map(({ name }) => name);
  const message = `There is no tool "${action.tool}". Tools: ${tools.join(', ')}.`;
  return { problem: { code: 'unknown-command', message } };
}

/** Why a value that came from outside is no action at all; null when it is one. */
export function malformation(action: unknown): Problem | null {
  if (isAction(action)) return null;
  const parsed = actionSchema.safeParse(action);
  const why = parsed.success ? 'it has members of its own' : describeIssues(parsed.error);
  return { code: 'invalid-action', message: `That is not an action: ${why}.` };
}

function needsBrowser({ kind }: BrowserAction): Problem {
  return { code: 'invalid-action', message: `"${kind}" needs a browser: this session has no pixels and no keyboard.` };
}

function unknownElement(ref: string, { elements }: Screen): Problem {
  const there = elements.length === 0 ? 'nothing to act on' : `e1 to e${elements.length}`;
  return { code: 'unknown-element', message: `There is no element ${ref}: this screen has ${there}.` };
}

function wrongGesture({ ref, kind }: ScreenAction, { role, name = '', press, options }: UiNode): Problem {
  const takes = press === undefined ? (options === undefined ? 'fill' : 'select') : 'click';
  return { code: 'invalid-action', message: `${ref} is a ${role} "${name}": it takes ${takes}, not ${kind}.` };
}

function wrongOption(option: string, { name = '', options = [] }: UiNode): Problem {
  return { code: 'invalid-action', message: `"${option}" is not offered by "${name}": ${options.join(', ')}.` };
}

function unknownIntent<S extends JsonObject>({ command }: Intent, { app, commands }: Surroundings<S>): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unknown-command',
    message: `The view of app "${app}" dispatches "${command}", which is not one of its commands.`,
    expected: `Add it to the app's commands: [${[...commands.keys()].join(', ')}].`,
  });
}
