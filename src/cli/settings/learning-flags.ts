import { z } from 'zod';
import type { Learning } from '../../runs/rl/update.ts';

const weight = z.number().nonnegative();

/** The settings of a policy gradient. */
export const learningSettings = z.strictObject({
  temperature: z.number().positive().default(1).describe('of the student when it collects'),
  rate: z.number().positive().default(1).describe('size of a step against the gradient'),
  epochs: z.int().positive().default(2).describe('times that every step is used'),
  batch: z.int().positive().default(256).describe('steps of the student for each update'),
  clip: z.number().min(0).max(1).default(0.2).describe('the probability ratio counts from 1 - clip …'),
  clipHigh: weight.default(0.28).describe('… to 1 + clipHigh'),
  kl: weight.default(0.01).describe('weight of the KL divergence to the student to begin with'),
  entropy: weight.default(0).describe('weight of the entropy bonus'),
});
export type LearningFlags = z.infer<typeof learningSettings>;

/** Gradients longer than this are scaled down: one odd batch does not spoil a student. */
const longest = 1;

export function learningOf(flags: LearningFlags): Learning {
  const { temperature, rate, epochs, batch, clip: clipLow, clipHigh, kl, entropy } = flags;
  return { temperature, rate, epochs, batch, longest, clipLow, clipHigh, kl, entropy };
}
