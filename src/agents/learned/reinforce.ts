import type { Action } from '../../core/action.ts';
import type { Situation } from '../../core/episode/view.ts';
import type { Random } from '../../core/random.ts';
import { copyFeatures, type Features } from './features/sink.ts';
import type { Weights } from './weights.ts';
import { createGradient } from './ranking/gradient.ts';
import { policyLoss, type CreditedStep, type PolicyLossOptions } from './ranking/policy-loss.ts';
import { scoresOf, type Ranker } from './ranking/ranker.ts';
import { createReader } from './reader.ts';
import { sameActions } from './student.ts';

/** A step that the student sampled, and what it was worth. */
export interface Experience {
  readonly situation: Situation;
  readonly action: Action;
  /** Log probability when it was sampled. */
  readonly logprob: number;
  readonly advantage: number;
}

export interface ReinforceOptions extends PolicyLossOptions {
  readonly random: Random;
  /** Size of a step against the gradient. */
  readonly rate: number;
  /** Times that every experience is used. */
  readonly epochs: number;
  /** Experiences for each step against the gradient. */
  readonly batch: number;
  /** Gradients are scaled down to this length. */
  readonly longest: number;
  /** The policy that the KL divergence is measured from. */
  readonly reference: Weights;
}

export interface Reinforced {
  readonly weights: Weights;
  readonly experiences: number;
  /** Experiences whose action is not among the choices of their screen: nothing was learned from them. */
  readonly unmatched: number;
  /** Means over the experiences of all epochs; null without any. */
  readonly loss: number | null;
  readonly kl: number | null;
  readonly entropy: number | null;
  /** Share of the experiences that were clipped. */
  readonly clipped: number | null;
  /** Largest distance of the log probability from the recorded one before the first step: 0 if both are the same policy. */
  readonly drift: number;
  /** Mean length of the gradients, before they were scaled down. */
  readonly length: number | null;
}

/** The network's layers multiply what a step does: it learns at a fifth of the rate, as in supervised training. */
const networkShare = 0.2;
/** Features of so many experiences are kept; those of others are read again in each epoch. */
const mostKept = 6000;

/** Improves a student by the policy gradient of its experiences. The same input gives the same student. */
export function reinforceStudent(
  weights: Weights,
  experiences: readonly Experience[],
  options: ReinforceOptions,
): Reinforced {
  const { random, rate, epochs, batch, longest, reference, kl } = options;
  const policy = copyOf(weights.policy);
  const gradient = createGradient(policy);
  const read = createStepReader(experiences, kl === 0 ? null : reference.policy);
  const drift = largestDrift(policy, experiences.keys(), { read, options });
  const sums = { used: 0, loss: 0, kl: 0, entropy: 0, clipped: 0, length: 0, descents: 0 };
  const order = [...experiences.keys()].filter(index => read(index) !== null);
  for (let epoch = 0; epoch < epochs; epoch++) {
    const shuffled = random.shuffle(order);
    for (let start = 0; start < shuffled.length; start += batch) {
      const part = shuffled.slice(start, start + batch);
      for (const index of part) {
        const { features, step, towards } = read(index) as ReadStep;
        const scored = gradient.scores(features);
        const found = policyLoss({ scores: scored.scores, reference: towards }, step, options);
        gradient.add(
          features,
          scored,
          found.slopes.map(slope => slope / part.length),
        );
        sums.used++;
        sums.loss += found.loss;
        sums.kl += found.kl;
        sums.entropy += found.entropy;
        sums.clipped += Number(found.isClipped);
      }
      sums.length += gradient.descend({ rate, networkRate: networkShare * rate, longest });
      sums.descents++;
    }
  }
  const mean = (sum: number, count = sums.used): number | null => (count === 0 ? null : sum / count);
  return {
    weights: { policy, critic: weights.critic },
    experiences: experiences.length,
    unmatched: experiences.length - order.length,
    loss: mean(sums.loss),
    kl: mean(sums.kl),
    entropy: mean(sums.entropy),
    clipped: mean(sums.clipped),
    drift,
    length: mean(sums.length, sums.descents),
  };
}

interface ReadStep {
  readonly features: Features;
  readonly step: CreditedStep;
  /** Scores of the reference. */
  readonly towards: Float64Array | null;
}

type StepReader = (index: number) => ReadStep | null;

/** Reads experiences by their place; null where the action is not among the choices. */
function createStepReader(experiences: readonly Experience[], reference: Ranker | null): StepReader {
  const readSituation = createReader();
  const kept = new Map<number, ReadStep | null>();
  const read = (index: number): ReadStep | null => {
    const { situation, action, logprob, advantage } = experiences[index] as Experience;
    const { choices, features } = readSituation(situation);
    const taken = sameActions(
      choices.map(choice => choice.action),
      action,
    );
    if (taken.length === 0) return null;
    const towards = reference === null ? null : scoresOf(reference, features);
    return { features: copyFeatures(features), step: { taken, logprob, advantage }, towards };
  };
  return index => {
    const known = kept.get(index);
    if (known !== undefined) return known;
    const found = read(index);
    if (kept.size < mostKept) kept.set(index, found);
    return found;
  };
}

interface DriftSetting {
  readonly read: StepReader;
  readonly options: PolicyLossOptions;
}

function largestDrift(policy: Ranker, places: Iterable<number>, { read, options }: DriftSetting): number {
  let largest = 0;
  for (const index of places) {
    const found = read(index);
    if (found === null) continue;
    const { ratio } = policyLoss({ scores: scoresOf(policy, found.features), reference: null }, found.step, options);
    largest = Math.max(largest, Math.abs(Math.log(ratio)));
  }
  return largest;
}

function copyOf({ weights, network }: Ranker): Ranker {
  const { first, second, last } = network;
  return { weights: weights.slice(), network: { first: first.slice(), second: second.slice(), last: last.slice() } };
}
