import { highEntropySteps } from './group-mixing.ts';
import type { VersionedTokens } from './token-versions.ts';

interface Step {
  readonly start: number;
  readonly end: number;
}

/**
 * The row with the loss mask of its surest steps cleared. The entropy of a step is estimated by the mean of the negative
 * log probabilities of its sampled tokens.
 */
export function keepUncertainSteps<R extends VersionedTokens>(row: R, share: number): R {
  const { loss_mask: mask, response_logprobs: logprobs } = row;
  if (share >= 1 || logprobs === null) return row;
  const steps = stepsOf(mask);
  const entropies = steps.map(({ start, end }) => {
    const own = logprobs.slice(start, end);
    return -own.reduce((sum, value) => sum + value, 0) / own.length;
  });
  const kept = new Set(highEntropySteps(entropies, share));
  const cleared = [...mask];
  for (const [index, { start, end }] of steps.entries()) if (!kept.has(index)) cleared.fill(0, start, end);
  return { ...row, loss_mask: cleared };
}

/** Sampled tokens that stand next to each other are one step. */
function stepsOf(mask: readonly number[]): Step[] {
  const steps: Step[] = [];
  let start = -1;
  for (let at = 0; at <= mask.length; at++) {
    if (mask[at] === 1 && start < 0) start = at;
    if (mask[at] === 1 || start < 0) continue;
    steps.push({ start, end: at });
    start = -1;
  }
  return steps;
}
