import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list, pair } from '../types/collections.ts';
import { plus, ratio, type Rational } from '../types/fraction.ts';
import { integer, rational } from '../types/numbers.ts';

export const expectedValue = defineProblem({
  name: 'expected-value',
  subject: 'probability',
  about: 'The expected gain of a lottery.',
  input: list(pair(integer({ low: 0, high: 1000 }), integer({ low: 1, high: 100 })), { shortest: 1, longest: 8 }),
  output: rational(),
  canonical: inAnyOrder,
  sample: (random, level) =>
    Array.from({ length: prizes[level] }, () => [random.between(0, 50), random.between(1, 9)] as const),
  wordings: [
    x =>
      `An urn has tickets: ${x} lists the prize in dollars and the number of tickets with it. One ticket is drawn. What is the expected prize in dollars?`,
    x =>
      `Each pair of ${x} is a prize and how many tickets win it; there are no other tickets. How many dollars does a ticket win on average? Give the exact number without the unit.`,
  ],
  solve: tickets =>
    ratio(
      tickets.reduce((sum, [prize, number]) => sum + prize * number, 0),
      tickets.reduce((sum, [, number]) => sum + number, 0),
    ),
  bruteForce(tickets) {
    const all = tickets.flatMap(([prize, number]) => Array.from({ length: number }, () => prize));
    return all.reduce<Rational>((mean, prize) => plus(mean, ratio(prize, all.length)), 0);
  },
});

const prizes = byLevel(2, 3, 5);
