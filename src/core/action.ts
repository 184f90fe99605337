import { z } from 'zod';
import { inOrder, isJson, isJsonObject, jsonObjectSchema, type Json } from './json.ts';

const refPattern = /^e[1-9]\d*$/;
const ref = z.string().regex(refPattern, 'an element reference such as e12');

/** In CSS pixels of the viewport, from its upper left corner. */
const pixel = z.int().nonnegative();
const pointSchema = z.strictObject({ x: pixel, y: pixel });

export const actionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('click'), ref }),
  z.strictObject({ kind: z.literal('fill'), ref, text: z.string() }),
  z.strictObject({ kind: z.literal('select'), ref, option: z.string() }),
  z.strictObject({ kind: z.literal('call'), tool: z.string(), input: jsonObjectSchema }),
  z.strictObject({
    kind: z.literal('click-at'),
    x: pixel,
    y: pixel,
    button: z.literal('right').optional(),
    double: z.literal(true).optional(),
  }),
  z.strictObject({ kind: z.literal('hover-at'), x: pixel, y: pixel }),
  z.strictObject({ kind: z.literal('drag'), from: pointSchema, to: pointSchema }),
  /** Turns the wheel with the pointer at (x, y). */
  z.strictObject({ kind: z.literal('scroll'), x: pixel, y: pixel, dx: z.int(), dy: z.int() }),
  /** Types where the focus is. */
  z.strictObject({ kind: z.literal('type'), text: z.string().min(1) }),
  /** `Enter`, `Control+a`: modifiers first. */
  z.strictObject({ kind: z.literal('press'), key: z.string().min(1) }),
  /** Lets the time of the page pass. */
  z.strictObject({ kind: z.literal('wait'), milliseconds: z.int().positive().max(60_000) }),
  z.strictObject({ kind: z.literal('back') }),
  z.strictObject({ kind: z.literal('finish'), answer: z.string().optional(), infeasible: z.literal(true).optional() }),
]);

export type Action = z.infer<typeof actionSchema>;

/** Kinds that need pixels, a keyboard or a page: only a browser can do them. */
export type BrowserAction = Extract<
  Action,
  { kind: 'click-at' | 'hover-at' | 'drag' | 'scroll' | 'type' | 'press' | 'wait' | 'back' }
>;

const browserKinds: ReadonlySet<string> = new Set<BrowserAction['kind']>([
  'click-at',
  'hover-at',
  'drag',
  'scroll',
  'type',
  'press',
  'wait',
  'back',
]);

export function isBrowserAction(action: Action): action is BrowserAction {
  return browserKinds.has(action.kind);
}

/** The same as the schema says, fast enough for every step. */
export function isAction(value: unknown): value is Action {
  if (typeof value !== 'object' || value === null) return false;
  const action = value as Record<string, unknown>;
  switch (action['kind']) {
    case 'click':
      return isRef(action['ref']) && hasMembers(action, 2);
    case 'fill':
      return isRef(action['ref']) && typeof action['text'] === 'string' && hasMembers(action, 3);
    case 'select':
      return isRef(action['ref']) && typeof action['option'] === 'string' && hasMembers(action, 3);
    case 'call':
      return typeof action['tool'] === 'string' && isInput(action['input']) && hasMembers(action, 3);
    default:
      return actionSchema.safeParse(value).success;
  }
}

function isRef(value: unknown): boolean {
  return typeof value === 'string' && refPattern.test(value);
}

function isInput(value: unknown): boolean {
  return isJson(value) && isJsonObject(value as Json);
}

function hasMembers(action: object, count: number): boolean {
  return Object.keys(action).length === count;
}

export function describeAction(action: Action): string {
  switch (action.kind) {
    case 'click':
      return `click ${action.ref}`;
    case 'fill':
      return `fill ${action.ref} ${JSON.stringify(action.text)}`;
    case 'select':
      return `select ${action.ref} ${JSON.stringify(action.option)}`;
    case 'call':
      return `call ${action.tool} ${JSON.stringify(action.input)}`;
    case 'finish':
      if (action.infeasible) return 'finish infeasible';
      return action.answer === undefined ? 'finish' : `finish ${JSON.stringify(action.answer)}`;
    default:
      return describeBrowserAction(action);
  }
}

/** The same for actions that do the same: the order of the members of an input says nothing. */
export function actionKey(action: Action): string {
  return action.kind === 'call'
    ? `call ${action.tool} ${JSON.stringify(inOrder(action.input))}`
    : describeAction(action);
}

/** What is done by pixels and keys says all of itself: no element is named. */
export function describeBrowserAction(action: BrowserAction): string {
  switch (action.kind) {
    case 'click-at':
      return `${action.double ? 'double-' : ''}${action.button === 'right' ? 'right-' : ''}click at ${pointText(action)}`;
    case 'hover-at':
      return `hover at ${pointText(action)}`;
    case 'drag':
      return `drag from ${pointText(action.from)} to ${pointText(action.to)}`;
    case 'scroll':
      return `scroll by ${pointText({ x: action.dx, y: action.dy })} at ${pointText(action)}`;
    case 'type':
      return `type ${JSON.stringify(action.text)}`;
    case 'press':
      return `press ${action.key}`;
    case 'wait':
      return `wait ${action.milliseconds} ms`;
    case 'back':
      return 'go back';
  }
}

function pointText({ x, y }: { readonly x: number; readonly y: number }): string {
  return `(${x}, ${y})`;
}
