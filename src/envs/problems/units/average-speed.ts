import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list, pair } from '../types/collections.ts';
import { over, plus, ratio, type Rational } from '../types/fraction.ts';
import { integer, rational } from '../types/numbers.ts';

export const averageSpeed = defineProblem({
  name: 'average-speed',
  subject: 'units',
  about: 'The average speed of a trip with several parts.',
  input: list(pair(integer({ low: 1, high: 1000 }), integer({ low: 1, high: 1000 })), { shortest: 1, longest: 3 }),
  output: rational({ unit: { name: 'km/h', aliases: ['kmh', 'kph'] } }),
  canonical: inAnyOrder,
  sample: (random, level) =>
    Array.from({ length: parts[level] }, () => [random.between(1, 12) * 10, random.between(3, 12) * 10] as const),
  wordings: [
    x =>
      `A trip has these parts: ${x}. The first number is the distance in km, the second the speed in km/h. What is the average speed of the whole trip in km/h? Do not round.`,
    x =>
      `Somebody drives the distances and speeds ${x} (km, km/h), one after the other. Divide the whole distance by the whole time: what is the exact average speed in km/h?`,
  ],
  solve(trip) {
    const distance = trip.reduce((sum, [length]) => sum + length, 0);
    return over(
      distance,
      trip.reduce<Rational>((sum, [length, speed]) => plus(sum, ratio(length, speed)), 0),
    );
  },
  // With all speeds as a common denominator.
  bruteForce(trip) {
    const product = trip.reduce((all, [, speed]) => all * BigInt(speed), 1n);
    const distance = trip.reduce((sum, [length]) => sum + BigInt(length), 0n);
    return ratio(
      distance * product,
      trip.reduce((sum, [length, speed]) => sum + (BigInt(length) * product) / BigInt(speed), 0n),
    );
  },
});

const parts = byLevel(1, 2, 3);
