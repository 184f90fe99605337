import { z } from 'zod';
import { createDigest } from '../core/digest.ts';
import type { Json } from '../core/json.ts';

/** Where an item comes from: nothing is kept that cannot be traced back. */
const provenanceSchema = z.strictObject({
  /** The writer that made it. */
  writer: z.string(),
  environment: z.string(),
  /** Ids of the tasks whose episodes it was made from. */
  tasks: z.array(z.string()).min(1).readonly(),
});

const shared = {
  title: z.string(),
  /** What an agent is told: one to three sentences. Texts of tasks are slots in it, such as `{{0}}`. */
  text: z.string(),
  provenance: provenanceSchema,
};

/** What an agent remembers between episodes. */
const contentSchema = z.discriminatedUnion('kind', [
  /** Something to be told, from a success or a failure. */
  z.strictObject({ kind: z.literal('note'), ...shared }),
  /** A step that was right, where it was taken, with its neighbours. */
  z.strictObject({ kind: z.literal('exemplar'), ...shared, heading: z.string(), line: z.string() }),
  /** A program of steps with slots for the texts of the task. */
  z.strictObject({
    kind: z.literal('skill'),
    ...shared,
    pattern: z.string(),
    lines: z.array(z.string()).min(1).readonly(),
  }),
  /** A step that is not taken on screens with this heading. */
  z.strictObject({ kind: z.literal('guardrail'), ...shared, heading: z.string(), line: z.string() }),
]);
export type NewItem = z.infer<typeof contentSchema>;

/** How often an item was used, and in how many episodes that passed. */
const useSchema = z.strictObject({ uses: z.int().nonnegative(), wins: z.int().nonnegative() });

export const memoryItemSchema = z.strictObject({
  /** Digest of its content: the same thing is remembered once. */
  id: z.string(),
  content: contentSchema,
  use: useSchema,
  /** Why it is not read any more; null while it is. */
  retired: z.string().nullable(),
});
export type MemoryItem = z.infer<typeof memoryItemSchema>;

const digest = createDigest();

export function itemOf(content: NewItem): MemoryItem {
  const { provenance: _provenance, ...what } = content;
  const id = digest(JSON.parse(JSON.stringify(what)) as Json);
  return { id, content, use: { uses: 0, wins: 0 }, retired: null };
}

/** Tokens of a text, about: four characters each. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
