import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../core/random.ts';
import { createTrainer, forward, randomNetwork, type Facts, type Network } from './network.ts';

const facts: Facts = {
  shared: Int32Array.of(7, 300),
  places: Int32Array.of(1, 2, 3, 4, 2, 5),
  ends: Int32Array.of(2, 4, 6),
};
const right = 1;

function chancesOf(network: Network): Float64Array {
  const scores = new Float64Array(3);
  forward(network, facts, scores);
  const total = scores.reduce((sum, score) => sum + Math.exp(score), 0);
  return scores.map(score => Math.exp(score) / total);
}

const lossOf = (network: Network): number => -Math.log(chancesOf(network)[right] as number);

/** The slope that one step of the trainer went down, at each weight: the step is the rate in its direction. */
function directionsOf(network: Network): Network {
  const before = structuredClone(network);
  const scores = new Float64Array(3);
  const pass = forward(network, facts, scores);
  const gradients = chancesOf(network);
  gradients[right] = (gradients[right] as number) - 1;
  createTrainer(network, { rate: 0.01, decay: 0 }).step(facts, pass, gradients);
  const moved = (layer: keyof Network) => network[layer].map((value, at) => (before[layer][at] as number) - value);
  return { first: moved('first'), second: moved('second'), last: moved('last') };
}

describe('network', () => {
  it('[LRN-8] steps against the slope of the loss at every weight, as differences tell', () => {
    const network = randomNetwork(createRandom(5));
    const directions = directionsOf(structuredClone(network));
    for (const layer of ['second', 'last'] as const) {
      let compared = 0;
      for (let at = 0; at < network[layer].length; at++) {
        const slope = slopeAt(network, layer, at);
        // A step with Adagrad is the rate times the sign of the slope, where the slope is not tiny.
        if (Math.abs(slope) < 0.01) continue;
        compared++;
        expect(Math.sign(directions[layer][at] as number)).toBe(Math.sign(slope));
      }
      expect(compared).toBeGreaterThan(2);
    }
  });

  it('[LRN-8] learns what no sum of its facts can tell', () => {
    // Two facts of the moment decide together which of two choices is right.
    const moments = [0, 1, 2, 3].map(index => ({
      facts: {
        shared: Int32Array.of(10, 20 + (index & 1), 30 + (index >> 1)),
        places: Int32Array.of(40, 41),
        ends: Int32Array.of(1, 2),
      },
      right: (index & 1) ^ (index >> 1),
    }));
    const network = randomNetwork(createRandom('xor'));
    const trainer = createTrainer(network, { rate: 0.05, decay: 0 });
    const chanceOfRight = ({ facts: seen, right: wanted }: (typeof moments)[number], learn: boolean): number => {
      const scores = new Float64Array(2);
      const pass = forward(network, seen, scores);
      const chance = 1 / (1 + Math.exp((scores[1 - wanted] as number) - (scores[wanted] as number)));
      const gradients = new Float64Array(2);
      gradients[wanted] = chance - 1;
      gradients[1 - wanted] = 1 - chance;
      if (learn) trainer.step(seen, pass, gradients);
      return chance;
    };
    for (let round = 0; round < 300; round++) for (const moment of moments) chanceOfRight(moment, true);
    for (const moment of moments) expect(chanceOfRight(moment, false)).toBeGreaterThan(0.9);
  });

  it('[LRN-8] clears what was never learned, so that new facts do not disturb', () => {
    const network = randomNetwork(createRandom(1));
    const trainer = createTrainer(network, { rate: 0.01, decay: 0 });
    trainer.step(facts, forward(network, facts, new Float64Array(3)), Float64Array.of(0.5, -1, 0.5));
    trainer.clearUntouched(network);
    const scores = (shared: Int32Array): Float64Array => {
      const given = new Float64Array(3);
      forward(network, { ...facts, shared }, given);
      return given;
    };
    expect(scores(Int32Array.of(7, 300, 999))).toEqual(scores(Int32Array.of(7, 300)));
  });
});

function slopeAt(network: Network, layer: keyof Network, at: number): number {
  const width = 1e-2;
  const shifted = (by: number): number => {
    const other = structuredClone(network);
    other[layer][at] = (other[layer][at] as number) + by;
    return lossOf(other);
  };
  return (shifted(width) - shifted(-width)) / (2 * width);
}
