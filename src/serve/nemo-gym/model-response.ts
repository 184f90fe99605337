import { createHash } from 'node:crypto';
import { z } from 'zod';
import { jsonObjectSchema, type JsonObject } from '../../core/json.ts';

/** Items in a response. That of a whole rollout has a few for each step. */
const mostItems = 2 ** 14;
const items = z.custom<unknown[]>(
  value => Array.isArray(value) && value.length <= mostItems,
  `a list of at most ${mostItems} items`,
);

/** What an agent says in a response of the OpenAI Responses API; other members are not looked at. */
export const modelResponseSchema = z.looseObject({
  // The length first: each item costs more than its bytes.
  output: items.pipe(z.array(z.looseObject({ type: z.string().optional() }))),
});
export type ModelResponse = z.infer<typeof modelResponseSchema>;

export interface FunctionCall {
  readonly id: string;
  readonly name: string;
  /** Null when the arguments are not the text of a JSON object. */
  readonly input: JsonObject | null;
}

/** The calls of a response that have no output in it yet, in their order. */
export function openCalls({ output }: ModelResponse): FunctionCall[] {
  const answered = new Set(output.filter(isType('function_call_output')).map(item => item['call_id']));
  return output
    .filter(isType('function_call'))
    .filter(item => !answered.has(item['call_id']))
    .map(item => ({
      id: textOf(item['call_id']),
      name: textOf(item['name']),
      input: readArguments(item['arguments']),
    }));
}

/** The text of the message that a response ends with: the agent is done then. Null when it ends with something else. */
export function closingText({ output }: ModelResponse): string | null {
  const last = output.findLast(({ type }) => type !== 'reasoning');
  if (last === undefined || last.type !== 'message') return null;
  const { content } = last;
  if (typeof content === 'string') return content.trim();
  if (!Array.isArray(content)) return '';
  const parts = content.map((part: unknown) => textOf((part as { readonly text?: unknown } | null)?.text));
  return parts.join('').trim();
}

type OutputItem = ModelResponse['output'][number];

function isType(type: string): (item: OutputItem) => boolean {
  return item => item.type === type;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function readArguments(text: unknown): JsonObject | null {
  if (typeof text !== 'string') return null;
  try {
    const parsed = jsonObjectSchema.safeParse(JSON.parse(text.trim() === '' ? '{}' : text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** What a response asks for: two that ask for the same have the same. */
export function digestOf(response: ModelResponse): string {
  const asked = JSON.stringify([openCalls(response), closingText(response)]);
  return createHash('sha256').update(asked).digest('hex').slice(0, 32);
}
