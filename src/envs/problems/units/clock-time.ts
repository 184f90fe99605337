import { defineProblem, byLevel } from '../problem.ts';
import { list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const clockTime = defineProblem({
  name: 'clock-time',
  subject: 'units',
  about: 'Seconds as hours, minutes and seconds.',
  input: integer({ low: 0, high: 359_999 }),
  output: list(integer({ low: 0, high: 100 }), { shortest: 3, longest: 3 }),
  sample: (random, level) => random.between(61, largest[level]),
  wordings: [
    x =>
      `Write ${x} seconds as hours, minutes and seconds, with minutes and seconds below 60. Answer with a list of the three numbers.`,
    x => `How many whole hours, minutes and seconds are ${x} seconds? List the three numbers in this order.`,
  ],
  solve: seconds => [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60],
  bruteForce(seconds) {
    let [hours, minutes, rest] = [0, 0, seconds];
    for (; rest >= 3600; rest -= 3600) hours++;
    for (; rest >= 60; rest -= 60) minutes++;
    return [hours, minutes, rest];
  },
});

const largest = byLevel(3599, 20_000, 300_000);
