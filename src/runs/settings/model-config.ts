import { z } from 'zod';

export const screenFormats = ['text', 'image', 'both'] as const;
export const speeches = ['tools', 'text'] as const;

/** A model as an agent. Where it is served is no part of what a run is. */
export const modelSchema = z.strictObject({
  kind: z.literal('model'),
  /** `openai:qwen3`: how it is spoken to, and its name there. */
  model: z.string(),
  /** Null for the place where models of that kind are served by default. */
  url: z.string().nullable().default(null),
  temperature: z.number().nonnegative().nullable().default(null),
  /** Of an answer. */
  maxTokens: z.int().positive().nullable().default(null),
  /** What it is shown of a screen. */
  observe: z.enum(screenFormats).default('text'),
  /** Characters of a prompt before old screens are folded away; null for what the policy thinks best. */
  window: z.int().positive().nullable().default(null),
  /** `text` is for models that cannot call tools. */
  speech: z.enum(speeches).default('tools'),
  /** Seconds that one answer may take; null for what is usual. */
  deadline: z.number().positive().nullable().default(null),
  /** Whether its server is asked for tokens and how likely they were; null asks servers nearby. */
  tokens: z.boolean().nullable().default(null),
  /** Folder with prompts of the user's; null for the built-in ones. */
  prompts: z.string().nullable().default(null),
  /** Hashes of the prompts that the run began with, by name. */
  promptHashes: z.record(z.string(), z.string()).nullable().default(null),
});
export type ModelConfig = z.infer<typeof modelSchema>;

/** What a whole run may spend on models; null means no limit. A resumed run may be given more. */
export const spendingSchema = z.strictObject({
  /** US dollars. */
  dollars: z.number().nonnegative().nullable().default(null),
  tokens: z.int().nonnegative().nullable().default(null),
  /** File with prices of the user's, which win over the built-in ones. */
  prices: z.string().nullable().default(null),
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
