import { entropyOf, logSoftmax } from './ranker.ts';

export interface PolicyLossOptions {
  /** Of the softmax that the step was sampled from. */
  readonly temperature: number;
  /** The probability ratio counts within 1 - clipLow and 1 + clipHigh. */
  readonly clipLow: number;
  readonly clipHigh: number;
  /** Weight of the KL divergence to the reference. */
  readonly kl: number;
  /** Weight of the entropy bonus. */
  readonly entropy: number;
}

/** A step of the student, for the loss. */
export interface CreditedStep {
  /** Places of the action among the choices: its probability is their sum. */
  readonly taken: readonly number[];
  /** Log probability when it was sampled. */
  readonly logprob: number;
  readonly advantage: number;
}

export interface PolicyLoss {
  readonly loss: number;
  /** Slopes of the loss at the scores. */
  readonly slopes: Float64Array;
  /** New probability over that when the step was sampled. */
  readonly ratio: number;
  /** Whether the ratio left the clip range in the direction of the advantage: the step pulls no more. */
  readonly isClipped: boolean;
  /** Of the whole choice, beside the reference; 0 without one. */
  readonly kl: number;
  readonly entropy: number;
}

/**
 * The clipped policy loss of one step, with its exact slopes: -min(ρA, clip(ρ)A) + kl · KL(π‖reference) - entropy · H(π),
 * where π is the softmax of the scores over the temperature.
 */
export function policyLoss(
  { scores, reference }: { readonly scores: Float64Array; readonly reference: Float64Array | null },
  step: CreditedStep,
  options: PolicyLossOptions,
): PolicyLoss {
  const { temperature, clipLow, clipHigh } = options;
  const logprobs = logSoftmax(scores.map(score => score / temperature));
  const chances = logprobs.map(Math.exp);
  const chance = step.taken.reduce((sum, at) => sum + (chances[at] as number), 0);
  const ratio = chance / Math.exp(step.logprob);
  const clipped = Math.min(Math.max(ratio, 1 - clipLow), 1 + clipHigh);
  const isClipped = clipped * step.advantage < ratio * step.advantage;
  const entropy = entropyOf(logprobs);
  const towards = reference === null ? null : logSoftmax(reference.map(score => score / temperature));
  const kl = towards === null ? 0 : divergence(logprobs, towards);
  const taken = new Set(step.taken);
  // Slope of the first term at a score: -A ρ (share of the action - probability) / temperature.
  const pull = isClipped ? 0 : -step.advantage * ratio;
  const slopes = chances.map((own, at) => {
    const share = taken.has(at) && chance > 0 ? own / chance : 0;
    const logprob = logprobs[at] as number;
    const away = towards === null ? 0 : own * (logprob - (towards[at] as number) - kl);
    return (pull * (share - own) + options.kl * away + options.entropy * own * (logprob + entropy)) / temperature;
  });
  const gain = isClipped ? clipped * step.advantage : ratio * step.advantage;
  return { loss: -gain + options.kl * kl - options.entropy * entropy, slopes, ratio, isClipped, kl, entropy };
}

/** KL divergence of two distributions given as logarithms. */
function divergence(logprobs: Float64Array, reference: Float64Array): number {
  return logprobs.reduce((sum, logprob, at) => sum + Math.exp(logprob) * (logprob - (reference[at] as number)), 0);
}
