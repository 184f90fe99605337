import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../core/random.ts';
import type { Features } from '../features/sink.ts';
import { createGradient } from './gradient.ts';
import { randomNetwork } from './network.ts';
import { policyLoss, type CreditedStep, type PolicyLossOptions } from './policy-loss.ts';
import { blankRanker, scoresOf, type Ranker } from './ranker.ts';

const scores = Float64Array.of(0.3, -1.2, 0.9, 0.1);
const reference = Float64Array.of(0.1, 0.4, -0.6, 0);
const options: PolicyLossOptions = { temperature: 0.8, clipLow: 0.2, clipHigh: 0.3, kl: 0.7, entropy: 0.4 };

function differences(at: Float64Array, step: CreditedStep, given: PolicyLossOptions): number[] {
  const width = 1e-5;
  return Array.from(at, (_, place) => {
    const shifted = (by: number): number =>
      policyLoss({ scores: at.with(place, (at[place] as number) + by), reference }, step, given).loss;
    return (shifted(width) - shifted(-width)) / (2 * width);
  });
}

describe('policy loss', () => {
  it.each([
    { taken: [2], logprob: -0.8, advantage: 1.5 },
    { taken: [2], logprob: -0.6, advantage: -2 },
    // Two places of one action.
    { taken: [0, 3], logprob: -0.9, advantage: 0.7 },
    // Clipped above, and below: only the divergence and the entropy pull.
    { taken: [2], logprob: -3, advantage: 1 },
    { taken: [1], logprob: -0.1, advantage: -1 },
  ])('[RL-2] has the slopes that differences tell: %j', step => {
    const { slopes } = policyLoss({ scores, reference }, step, options);
    for (const [place, slope] of differences(scores, step, options).entries())
      expect(slopes[place]).toBeCloseTo(slope, 7);
  });

  it('[RL-2] clips a step that moved as far as it may, and only in the direction of its advantage', () => {
    const alone = { ...options, kl: 0, entropy: 0 };
    const at = (logprob: number, advantage: number) =>
      policyLoss({ scores, reference: null }, { taken: [2], logprob, advantage }, alone);
    expect(at(-3, 1)).toMatchObject({ isClipped: true, loss: -1.3 });
    expect(at(-3, 1).slopes.every(slope => slope === 0)).toBe(true);
    expect(at(-3, -1).isClipped).toBe(false);
    expect(at(-0.05, -1)).toMatchObject({ isClipped: true, loss: 0.8 });
    expect(at(-0.05, 1).isClipped).toBe(false);
  });

  it('[RL-2] has no divergence from itself, and the entropy of equal choices', () => {
    const equal = new Float64Array(4);
    const found = policyLoss({ scores: equal, reference: equal }, { taken: [0], logprob: 0, advantage: 0 }, options);
    expect(found.kl).toBeCloseTo(0, 12);
    expect(found.entropy).toBeCloseTo(Math.log(4), 12);
  });
});

const features: Features = {
  general: { places: Int32Array.of(1, 2, 3, 2, 4), ends: Int32Array.of(2, 3, 5) },
  worded: { places: Int32Array.of(9, 10, 9), ends: Int32Array.of(1, 2, 3) },
  facts: { shared: Int32Array.of(7, 300), places: Int32Array.of(1, 2, 3, 4, 2, 5), ends: Int32Array.of(2, 4, 6) },
};

function anyRanker(): Ranker {
  const { weights } = blankRanker();
  for (const place of [1, 2, 3, 4, 9, 10]) weights[place] = Math.sin(place);
  return { weights, network: randomNetwork(createRandom(5)) };
}

describe('gradient of a ranker', () => {
  const step: CreditedStep = { taken: [1], logprob: -1.1, advantage: 1.7 };
  const lossOf = (ranker: Ranker): number =>
    policyLoss({ scores: scoresOf(ranker, features), reference: reference.slice(0, 3) }, step, options).loss;

  it('[RL-2] has the slope that differences tell at every weight', () => {
    const ranker = anyRanker();
    const gradient = createGradient(ranker);
    const scored = gradient.scores(features);
    const { slopes } = policyLoss({ scores: scored.scores, reference: reference.slice(0, 3) }, step, options);
    gradient.add(features, scored, slopes);
    const { weights, first, second, last } = gradient.slopes;
    const layers = [
      [ranker.weights, weights, [1, 2, 3, 4, 9, 10, 11]],
      [ranker.network.first, first, [1, 2, 3, 4, 5, 7, 300, 301].flatMap(row => [32 * row, 32 * row + 17])],
      [ranker.network.second, second, [...second.keys()].filter(at => at % 7 === 0)],
      [ranker.network.last, last, [...last.keys()]],
    ] as const;
    let largest = 0;
    for (const [values, found, places] of layers)
      for (const place of places) {
        const before = values[place] as number;
        const shifted = (by: number): number => {
          values[place] = before + by;
          return lossOf(ranker);
        };
        // Weights have 32 bits: the steps that were really taken count.
        const [up, high, down, low] = [shifted(2e-3), values[place] as number, shifted(-2e-3), values[place] as number];
        values[place] = before;
        expect(found[place]).toBeCloseTo((up - down) / (high - low), 3);
        largest = Math.max(largest, Math.abs(found[place] as number));
      }
    expect(largest).toBeGreaterThan(0.1);
  });

  it('[RL-2] lowers the loss with a step against it, no longer than it may be', () => {
    const ranker = anyRanker();
    const before = structuredClone(ranker);
    const gradient = createGradient(ranker);
    const scored = gradient.scores(features);
    const { slopes } = policyLoss({ scores: scored.scores, reference: reference.slice(0, 3) }, step, options);
    const start = lossOf(ranker);
    gradient.add(features, scored, slopes);
    const length = gradient.descend({ rate: 0.05, networkRate: 0.05, longest: 0.5 });
    expect(length).toBeGreaterThan(0.5);
    expect(lossOf(ranker)).toBeLessThan(start);
    const moved = Math.hypot(
      ...Array.from(ranker.weights, (value, at) => value - (before.weights[at] as number)).filter(by => by !== 0),
    );
    expect(moved).toBeLessThanOrEqual(0.05 * 0.5 + 1e-6);
    expect(gradient.slopes.weights.every(slope => slope === 0)).toBe(true);
  });
});
