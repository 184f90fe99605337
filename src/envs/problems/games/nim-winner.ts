import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';
import { choice } from '../types/words.ts';

export const nimWinner = defineProblem({
  name: 'nim-winner',
  subject: 'games',
  about: 'Who wins a game of Nim.',
  input: list(integer({ low: 0, high: 31 }), { shortest: 1, longest: 6 }),
  output: choice(['first', 'second']),
  canonical: inAnyOrder,
  sample(random, level) {
    const heaps = Array.from({ length: count[level] }, () => random.between(1, largest[level]));
    const nim = heaps.reduce((sum, heap) => sum ^ heap, 0);
    return random.chance(0.5) && nim > 0 ? [...heaps, nim] : [...heaps, random.between(1, largest[level])];
  },
  wordings: [
    x =>
      `In Nim the heaps have ${x} stones. Two players take turns; each takes one or more stones from one heap. Who takes the last stone wins. Does the first or the second player win, if both play perfectly? With no stones at all, the second wins.`,
    x =>
      `Two players take stones from the heaps ${x} in turn, any number above 0 from one heap at a time. Whoever cannot move loses. Which player, first or second, can force a win?`,
  ],
  solve: heaps => (heaps.reduce((sum, heap) => sum ^ heap, 0) === 0 ? 'second' : 'first'),
  // Tries every move.
  bruteForce(heaps) {
    const known = new Map<string, boolean>();
    const wins = (state: readonly number[]): boolean => {
      const key = state.toSorted((one, other) => one - other).join(' ');
      const found = known.get(key);
      if (found !== undefined) return found;
      const result = state.some((heap, index) =>
        Array.from({ length: heap }, (_, left) => state.with(index, left)).some(next => !wins(next)),
      );
      known.set(key, result);
      return result;
    };
    return wins(heaps) ? 'first' : 'second';
  },
  bruteForceUpTo: 'easy',
});

const count = byLevel(2, 2, 4);
const largest = byLevel(4, 9, 25);
