import type { Learning } from '../../runs/rl/update.ts';

/** The flags of a policy gradient. */
export interface LearningFlags {
  readonly temperature: number;
  readonly rate: number;
  readonly epochs: number;
  readonly batch: number;
  readonly clip: number;
  readonly clipHigh: number;
  readonly kl: number;
  readonly entropy: number;
}

/** Gradients longer than this are scaled down: one odd batch does not spoil a student. */
const longest = 1;

export function learningOf(flags: LearningFlags): Learning {
  const { temperature, rate, epochs, batch, clip: clipLow, clipHigh, kl, entropy } = flags;
  return { temperature, rate, epochs, batch, longest, clipLow, clipHigh, kl, entropy };
}
