import { z } from 'zod';
import { promptForms } from '../../models/prompt/step-request.ts';
import { speeches } from '../../models/prompt/transcript.ts';

const screenFormats = ['text', 'image', 'both'] as const;

/** A model as an agent. Where it is served is no part of what a run is. */
export const modelSchema = z.strictObject({
  kind: z.literal('model'),
  /** `openai:qwen3`: how it is spoken to, and its name there. */
  model: z.string(),
  /** Null for the place where models of that kind are served by default. */
  url: z.string().nullable().default(null),
  temperature: z.number().nonnegative().nullable().default(null).describe('null leaves it to the server'),
  maxTokens: z.int().positive().nullable().default(null).describe('tokens of one answer; null leaves it to the server'),
  observe: z.enum(screenFormats).default('text').describe('what it is shown of a screen'),
  window: z
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe('characters of a prompt; older screens are left out beyond it'),
  form: z
    .enum(promptForms)
    .optional()
    .describe('how a request is written; compact is for small models: the newest screen alone, and notes'),
  speech: z.enum(speeches).default('tools').describe('how it answers; text is for models that cannot call tools'),
  deadline: z.number().positive().nullable().default(null).describe('seconds that one answer may take; null for 600'),
  tokens: z
    .boolean()
    .nullable()
    .default(null)
    .describe('ask for token ids and log probabilities; null asks local servers only'),
  grammar: z
    .boolean()
    .nullable()
    .optional()
    .describe('hold answers to the steps that the screen allows; null holds local servers only'),
  prompts: z
    .string()
    .nullable()
    .default(null)
    .meta({ description: 'folder of your own prompts, as espalier prompts writes them', isPath: true }),
  /** Hashes of the prompts that the run began with, by name. */
  promptHashes: z.record(z.string(), z.string()).nullable().default(null),
});
export type ModelConfig = z.infer<typeof modelSchema>;

/** What a whole run may spend on models; null means no limit. A resumed run may be given more. */
export const spendingSchema = z.strictObject({
  dollars: z.number().nonnegative().nullable().default(null).describe('the most the run may spend, in US dollars'),
  tokens: z.int().nonnegative().nullable().default(null).describe('the most the run may spend, in tokens'),
  prices: z
    .string()
    .nullable()
    .default(null)
    .meta({ description: 'file with prices of yours, in US dollars for a million tokens', isPath: true }),
});
export type SpendingConfig = z.infer<typeof spendingSchema>;

/** Where and for how much, not what: these may differ between two starts of a run. */
export const irrelevantKeys: readonly string[] = [
  'student.url',
  'student.deadline',
  'teacher.url',
  'teacher.deadline',
  'spending.dollars',
  'spending.tokens',
  'spending.prices',
];
