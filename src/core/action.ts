import { z } from 'zod';
import { jsonObjectSchema } from './json.ts';

const ref = z.string().regex(/^e[1-9]\d*$/, 'an element reference such as e12');

export const actionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('click'), ref }),
  z.strictObject({ kind: z.literal('fill'), ref, text: z.string() }),
  z.strictObject({ kind: z.literal('select'), ref, option: z.string() }),
  z.strictObject({ kind: z.literal('call'), tool: z.string(), input: jsonObjectSchema }),
  z.strictObject({ kind: z.literal('finish'), answer: z.string().optional(), infeasible: z.literal(true).optional() }),
]);

export type Action = z.infer<typeof actionSchema>;
export type ActionKind = Action['kind'];

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
