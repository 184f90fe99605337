import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';

export const roundToMultiple = defineProblem({
  name: 'round-to-multiple',
  subject: 'arithmetic',
  about: 'A number rounded to the nearest multiple of another.',
  input: integer({ low: 0, high: 10 ** 6 }),
  output: integer({ low: 0, high: 10 ** 6 + 100 }),
  sample: (random, level) => random.between(10, largest[level]),
  parameters: (_, random, level) => ({ unit: random.pick(units[level]) }),
  wordings: [
    (x, { unit }) => `Round ${x} to the nearest multiple of ${unit}. Where two are equally near, take the greater one.`,
    (x, { unit }) => `Which multiple of ${unit} is nearest to ${x}? If there are two, give the greater one.`,
  ],
  solve: (number, { unit }) => Math.floor((2 * number + unit) / (2 * unit)) * unit,
  bruteForce(number, { unit }) {
    let [down, up] = [number, number];
    while (down % unit !== 0) down--;
    while (up % unit !== 0) up++;
    return up - number <= number - down ? up : down;
  },
});

const largest = byLevel(99, 999, 99_999);
const units = byLevel([5, 10], [4, 6, 25], [7, 13, 64]);
