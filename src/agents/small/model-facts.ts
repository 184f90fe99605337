import { z } from 'zod';

const count = z.int().positive();
const place = z.int().nonnegative();

export const stepKinds = ['click', 'fill', 'select', 'finish', 'answer', 'infeasible'] as const;
export type StepKind = (typeof stepKinds)[number];

/** The version of the files that this code reads: another one is taught on other prompts. */
export const factsVersion = 2;

/** `model.json`: what a runtime must know of a model and its tokenizer. */
export const modelFactsSchema = z.object({
  format: z.literal('espalier-small'),
  version: z.literal(factsVersion),
  /** In the order of the rows of its scores. */
  kinds: z.tuple(stepKinds.map(kind => z.literal(kind)) as [z.ZodLiteral<StepKind>, ...z.ZodLiteral<StepKind>[]]),
  /** Ids of the tokens that part a prompt. */
  special: z.object({ '<done>': place, '<note>': place, '<screen>': place, '<act>': place }),
  /** The tokens `<e1>`, `<e2>`, …: one id after the other. */
  references: z.object({ first: place, count }),
  /** Tokens of a prompt. */
  longest: count,
  vocabulary: count,
  layers: count,
  /** `canon`: the same number for tokens that say the same word; negative for what is no word. */
  marks: z.object({ kinds: count, canon: z.array(z.int()) }),
  sha256: z.object({ 'model.onnx': z.string(), 'tokenizer.json': z.string() }),
});
export type ModelFacts = z.infer<typeof modelFactsSchema>;
