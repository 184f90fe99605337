import { z } from 'zod';
import { createDigest } from '../core/digest.ts';
import type { Json } from '../core/json.ts';

/** Where an item comes from: nothing is kept that cannot be traced back. */
const provenanceSchema = z.strictObject({
  /** The memory that made it. */
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
const lines = z.array(z.string()).readonly();

/** A step where it was taken: the heading of the screen, and what was done. */
const placedStepSchema = z.strictObject({ heading: z.string(), line: z.string() });
export type PlacedStep = z.infer<typeof placedStepSchema>;

/** What an agent remembers between episodes. */
const contentSchema = z.discriminatedUnion('kind', [
  /** Something to be told, from a success or a failure; a program reads the steps that it speaks for and against. */
  z.strictObject({ kind: z.literal('note'), ...shared, prefer: lines, avoid: lines }),
  /** A step that was right, where it was taken; `before` is the step before it, null at the start. */
  z.strictObject({ kind: z.literal('exemplar'), ...shared, ...placedStepSchema.shape, before: z.string().nullable() }),
  /** A whole way that passed. */
  z.strictObject({
    kind: z.literal('trajectory'),
    ...shared,
    pattern: z.string(),
    steps: z.array(placedStepSchema).min(1).readonly(),
  }),
  /** A program of steps with slots for the texts of the task. Each step is taken only on a screen with its heading. */
  z.strictObject({
    kind: z.literal('skill'),
    ...shared,
    pattern: z.string(),
    steps: z.array(placedStepSchema).min(1).readonly(),
  }),
  /** A step that is not taken on screens with this heading. */
  z.strictObject({ kind: z.literal('guardrail'), ...shared, ...placedStepSchema.shape }),
  /** What a step led to in recorded episodes, and what that is worth: a part of an experience model. */
  z.strictObject({
    kind: z.literal('transition'),
    ...shared,
    pattern: z.string(),
    ...placedStepSchema.shape,
    before: z.string().nullable(),
    /** Heading of the screen that it most often led to; null where the episode ended. */
    next: z.string().nullable(),
    count: z.int().positive(),
    value: z.number().min(0).max(1),
  }),
  /** Code: an action that was written as a program (`call`), or a solution to be shown (`show`). */
  z.strictObject({
    kind: z.literal('program'),
    ...shared,
    pattern: z.string(),
    code: z.string(),
    use: z.enum(['call', 'show']),
  }),
  /** How an agent edits what it knows inside an episode. */
  z.strictObject({ kind: z.literal('harness'), ...shared, every: z.int().positive() }),
]);
export type NewItem = z.infer<typeof contentSchema>;
export type ItemKind = NewItem['kind'];
export type ContentOf<K extends ItemKind> = Extract<NewItem, { kind: K }>;

/** How often an item was used, in how many episodes that passed, and how often the screen did not offer its step. */
const useSchema = z.strictObject({
  uses: z.int().nonnegative(),
  wins: z.int().nonnegative(),
  broken: z.int().nonnegative(),
});

export const memoryItemSchema = z.strictObject({
  /** Digest of its content: the same thing is remembered once. */
  id: z.string(),
  content: contentSchema,
  use: useSchema,
  /** Why it is not read any more; null while it is. */
  retired: z.string().nullable(),
  /** The version of the memory that it came with. */
  since: z.int().positive().optional(),
});
export type MemoryItem<C extends NewItem = NewItem> = Omit<z.infer<typeof memoryItemSchema>, 'content'> & {
  readonly content: C;
};

const digest = createDigest();

export function itemOf(content: NewItem): MemoryItem {
  const { provenance, ...what } = content;
  const id = digest({ ...lastingPart(what), environment: provenance.environment } as unknown as Json);
  return { id, content, use: { uses: 0, wins: 0, broken: 0 }, retired: null };
}

/** What was counted, and the code for a pattern, may change: it is the same item, and the newer takes its place. */
function lastingPart(what: object & { readonly kind: ItemKind }): object {
  if (what.kind === 'transition') return { ...what, text: '', next: '', count: 0, value: 0 };
  return 'use' in what && what.use === 'call' ? { ...what, text: '', code: '' } : what;
}

/** Mean success of the episodes that used an item; one that nobody used is trusted as if its first use had passed. */
export function utilityOf({ use: { uses, wins } }: Pick<MemoryItem, 'use'>): number {
  return (wins + 1) / (uses + 1);
}

/** Tokens of a text, about: four characters each. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
