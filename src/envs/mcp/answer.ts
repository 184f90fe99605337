import { z } from 'zod';
import type { Json, JsonObject } from '../../core/json.ts';
import { jsonObjectSchema, jsonSchema } from '../../core/json.ts';
import type { StepOutcome } from '../../core/records.ts';

/** A call of a tool. */
export interface ToolCall {
  readonly tool: string;
  readonly input: JsonObject;
}

/** What came of a call, as it is recorded. */
export const answerSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('result'),
    /** The blocks of content, as the server sent them. */
    content: z.array(jsonObjectSchema).readonly(),
    structured: jsonSchema.optional(),
    /** The tool ran, and says that it failed. */
    isError: z.literal(true).optional(),
  }),
  /** The server did not take the call: nothing was done. */
  z.strictObject({ kind: z.literal('rejected'), code: z.int(), message: z.string() }),
  /** The server took the call and broke, was too late, or sent what is no answer: what was done is not known. */
  z.strictObject({ kind: z.enum(['failed', 'late', 'garbled']), message: z.string() }),
  /** The server is gone. */
  z.strictObject({ kind: z.literal('lost'), message: z.string() }),
]);
export type Answer = z.infer<typeof answerSchema>;

/** An answer after which a session can go on. */
export type LivingAnswer = Exclude<Answer, { kind: 'lost' }>;

/** How a step with this answer ended. A call that the server did not take has changed nothing. */
export function outcomeOf(answer: LivingAnswer): StepOutcome {
  if (answer.kind === 'result') {
    if (answer.isError) return { applied: true, problem: { code: 'tool-error', message: textOf(answer) } };
    return { applied: true, result: resultOf(answer) };
  }
  const { message } = answer;
  if (answer.kind === 'rejected') return { applied: false, problem: { code: 'invalid-action', message } };
  const code = answer.kind === 'late' ? 'deadline' : answer.kind;
  return { applied: true, problem: { code, message } };
}

/** What an agent reads of an answer. */
export function textOf(answer: Answer): string {
  if (answer.kind !== 'result') return answer.message;
  const { content, structured } = answer;
  if (content.length === 0) return structured === undefined ? '(nothing)' : JSON.stringify(structured);
  return content.map(blockText).join('\n');
}

/** What a tool returned: data where it gave data, else text. */
export function resultOf(answer: Extract<Answer, { kind: 'result' }>): Json {
  return answer.structured ?? textOf(answer);
}

/** Pictures and sounds are named, not shown. */
function blockText(block: JsonObject): string {
  const { type, text, mimeType, data, uri, resource } = block;
  if (type === 'text' && typeof text === 'string') return text;
  if (typeof data === 'string') return `(${String(type)} ${String(mimeType)}, ${data.length} characters of base64)`;
  if (type === 'resource_link') return `(link to ${String(uri)})`;
  if (type === 'resource') {
    const embedded = resource as JsonObject;
    return typeof embedded['text'] === 'string' ? embedded['text'] : `(resource ${String(embedded['uri'])})`;
  }
  return JSON.stringify(block);
}
