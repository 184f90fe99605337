import { defineProblem, byLevel } from '../problem.ts';
import { pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const counterexample = defineProblem({
  name: 'counterexample',
  subject: 'proofs',
  about: 'An input on which a wrong program breaks its specification.',
  input: pair(integer({ low: 2, high: 60 }), integer({ low: 2, high: 60 })),
  output: integer({ low: 0, high: 3600 }),
  sample: (random, level) => [random.between(2, most[level]), random.between(2, most[level])] as const,
  parameters: ([by, other]) => (by % other === 0 || other % by === 0 ? null : { limit: by * other }),
  wordings: [
    (x, { limit }) =>
      `Let a and b be the two numbers in ${x}. Somebody claims: every whole number from 1 to ${limit} that is divisible by a is divisible by b. Give a number for which that is wrong.`,
    (x, { limit }) =>
      `A program should return yes exactly for multiples of b, but returns yes exactly for multiples of a; (a, b) is ${x}. Find an input from 1 to ${limit} for which it wrongly says yes.`,
  ],
  solve: ([by]) => by,
  bruteForce([by, other], { limit }) {
    for (let number = limit; number > 0; number--) if (number % by === 0 && number % other !== 0) return number;
    return 0;
  },
  check: (number, [by, other], { limit }) =>
    number >= 1 && number <= limit && number % by === 0 && number % other !== 0,
});

const most = byLevel(12, 30, 60);
