import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';

export const totient = defineProblem({
  name: 'totient',
  subject: 'number-theory',
  about: 'How many numbers up to a number have no divisor in common with it.',
  input: integer({ low: 1, high: 5000 }),
  output: integer({ low: 1, high: 5000 }),
  sample: (random, level) => random.between(4, largest[level]),
  wordings: [
    x => `How many whole numbers from 1 to ${x} have no common divisor with ${x} except 1?`,
    x => `What is Euler's totient of ${x}: the count of numbers from 1 to it that are coprime to it?`,
  ],
  solve(number) {
    let [result, rest] = [number, number];
    for (let prime = 2; prime * prime <= rest; prime++) {
      if (rest % prime !== 0) continue;
      result -= result / prime;
      while (rest % prime === 0) rest /= prime;
    }
    return rest > 1 ? result - result / rest : result;
  },
  bruteForce(number) {
    const common = (one: number, other: number): number => (other === 0 ? one : common(other, one % other));
    let count = 0;
    for (let candidate = 1; candidate <= number; candidate++) if (common(number, candidate) === 1) count++;
    return count;
  },
});

const largest = byLevel(20, 80, 500);
