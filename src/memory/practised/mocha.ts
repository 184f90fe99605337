import { createRandom } from '../../core/random.ts';
import { tokensOf, type NewItem } from '../item.ts';
import type { Memory } from '../memory.ts';
import { shareOf, type PracticeOptions, type Practised } from '../practice.ts';
import { guardrailsOf } from '../writers/steve-evolving.ts';
import { skillsOf } from '../writers/web-x-skill.ts';
import type { MemoryMethod } from '../writers/writer.ts';

const rounds = 10;
const [warmest, cooling] = [0.1, 0.8];
/** Of the sum beside the largest, so that a point is not as good as one that is better in another objective. */
const beside = 0.01;

/** How far a point is from the ideal, by its worst weighted objective: max wᵢ·(z*ᵢ − fᵢ), and a little of the sum. */
export function chebyshev(point: readonly number[], weights: readonly number[], ideal: readonly number[]): number {
  const gaps = point.map((value, at) => (weights[at] as number) * ((ideal[at] as number) - value));
  return Math.max(...gaps) + beside * gaps.reduce((sum, gap) => sum + gap, 0);
}

/** Chance to accept something that is worse by so much: exp(−Δ/T), T = T₀·βᵗ. */
export function acceptance(worse: number, round: number): number {
  return worse <= 0 ? 1 : Math.exp(-worse / (warmest * cooling ** round));
}

interface Point {
  readonly memory: Memory;
  readonly values: readonly number[];
}

/**
 * Which skills and guardrails a memory has, weighed by three objectives (MOCHA): practice tasks that pass, tokens of the memory, steps
 * of an episode. Random changes are accepted by the Chebyshev distance to the ideal under random weights, worse ones ever less.
 */
export const mocha: MemoryMethod = {
  name: 'mocha',
  about:
    'Skills and guardrails chosen by passes, tokens and steps together: Chebyshev distance, with annealing (MOCHA).',
  write: episodes => [...skillsOf('mocha', episodes, 1), ...guardrailsOf('mocha', episodes)],
  async practise({ before, candidates, gate, practice }: PracticeOptions) {
    const random = createRandom('mocha');
    const all = Math.max(1, lengthOf(candidates));
    const evaluated = async (chosen: readonly NewItem[]): Promise<Point> => {
      const memory = before.write(chosen, gate);
      return { memory, values: valuesOf(await practice(memory), lengthOf(chosen) / all) };
    };
    let chosen = [...candidates];
    let current = await evaluated(chosen);
    const archive = [current, await evaluated([])];
    for (let round = 0; round < rounds && candidates.length > 0; round++) {
      const flipped = random.pick(candidates);
      const next = chosen.includes(flipped) ? chosen.filter(item => item !== flipped) : [...chosen, flipped];
      const point = await evaluated(next);
      archive.push(point);
      const weights = onSimplex([random.next(), random.next(), random.next()]);
      const ideal = idealOf(archive);
      const worse = chebyshev(point.values, weights, ideal) - chebyshev(current.values, weights, ideal);
      if (random.next() < acceptance(worse, round)) [chosen, current] = [next, point];
    }
    return bestOf(archive).memory;
  },
};

/** Passes, tokens and steps, each from 0 to 1, more is better. */
function valuesOf(results: readonly Practised[], length: number): number[] {
  const steps = results.reduce((sum, one) => sum + one.steps, 0) / Math.max(1, results.length);
  return [shareOf(results), 1 - length, 1 / (1 + steps / 10)];
}

function lengthOf(items: readonly NewItem[]): number {
  return items.reduce((sum, { text }) => sum + tokensOf(text), 0);
}

function onSimplex(draws: readonly number[]): number[] {
  const logs = draws.map(draw => -Math.log(1 - draw));
  const sum = logs.reduce((total, value) => total + value, 0);
  return logs.map(value => value / sum);
}

function idealOf(archive: readonly Point[]): number[] {
  return [0, 1, 2].map(at => Math.max(...archive.map(({ values }) => values[at] as number)));
}

/** The nearest to the ideal with nine tenths of the weight on passing. No other dominates it: the sum in the distance sees to that. */
function bestOf(archive: readonly Point[]): Point {
  const ideal = idealOf(archive);
  const distance = ({ values }: Point): number => chebyshev(values, [0.9, 0.05, 0.05], ideal);
  return archive.reduce((best, point) => (distance(point) < distance(best) ? point : best));
}
