import { defineProblem } from '../problem.ts';
import { minus, plus, ratio, times } from '../types/fraction.ts';
import { rational } from '../types/numbers.ts';

export const temperature = defineProblem({
  name: 'temperature',
  subject: 'units',
  about: 'A temperature in another scale.',
  input: rational(),
  output: rational({ unit: { name: 'degrees', aliases: ['°', '°c', '°f', 'c', 'f'] } }),
  sample: (random, level) =>
    level === 'hard'
      ? ratio(random.between(-80, 400), random.pick([2, 3, 5]))
      : random.between(-20, level === 'easy' ? 60 : 220),
  parameters: (value, random) =>
    Math.abs(typeof value === 'number' ? value : value.numerator) > 100_000
      ? null
      : { toFahrenheit: random.chance(0.5) },
  wordings: [
    (x, { toFahrenheit }) =>
      `What are ${x} degrees ${toFahrenheit ? 'Celsius in Fahrenheit (multiply by 9/5, add 32)' : 'Fahrenheit in Celsius (subtract 32, multiply by 5/9)'}? Do not round.`,
    (x, { toFahrenheit }) =>
      `Convert a temperature of ${x} from ${toFahrenheit ? 'Celsius to Fahrenheit' : 'Fahrenheit to Celsius'}. Give the exact number.`,
  ],
  solve: (value, { toFahrenheit }) =>
    toFahrenheit ? plus(times(value, ratio(9, 5)), 32) : times(minus(value, 32), ratio(5, 9)),
  // -40 is the same in both scales.
  bruteForce: (value, { toFahrenheit }) => minus(times(plus(value, 40), toFahrenheit ? ratio(9, 5) : ratio(5, 9)), 40),
});
