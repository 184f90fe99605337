import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { text } from '../types/words.ts';

export const arrangements = defineProblem({
  name: 'arrangements',
  subject: 'probability',
  about: 'How many different texts the letters of a text can form.',
  input: text({ longest: 12 }),
  output: integer({ low: 1, high: 479_001_600 }),
  sample: (random, level) => Array.from({ length: length[level] }, () => random.pick([...'abcd'])).join(''),
  wordings: [
    x => `In how many different orders can the letters of ${x} be written? Equal letters cannot be told apart.`,
    x => `How many different texts use exactly the letters of ${x}, each as often as it stands there?`,
  ],
  solve(word) {
    const factorial = (number: number): number => (number < 2 ? 1 : number * factorial(number - 1));
    return [...new Set(word)].reduce(
      (ways, letter) => ways / factorial(word.split(letter).length - 1),
      factorial(word.length),
    );
  },
  // Chooses the first letter, and goes on with the others.
  bruteForce(word) {
    const known = new Map<string, number>();
    const count = (rest: string): number => {
      if (rest.length < 2) return 1;
      const found = known.get(rest);
      if (found !== undefined) return found;
      const ways = [...new Set(rest)].reduce((sum, letter) => sum + count(rest.replace(letter, '')), 0);
      known.set(rest, ways);
      return ways;
    };
    return count([...word].toSorted().join(''));
  },
});

const length = byLevel(5, 7, 10);
