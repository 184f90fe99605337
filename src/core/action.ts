import { z } from 'zod';
import { isJson, isJsonObject, jsonObjectSchema, type Json } from './json.ts';

const refPattern = /^e[1-9]\d*$/;
const ref = z.string().regex(refPattern, 'an element reference such as e12');

export const actionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('click'), ref }),
  z.strictObject({ kind: z.literal('fill'), ref, text: z.string() }),
  z.strictObject({ kind: z.literal('select'), ref, option: z.string() }),
  z.strictObject({ kind: z.literal('call'), tool: z.string(), input: jsonObjectSchema }),
  z.strictObject({ kind: z.literal('finish'), answer: z.string().optional(), infeasible: z.literal(true).optional() }),
]);

export type Action = z.infer<typeof actionSchema>;

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
  }
}
