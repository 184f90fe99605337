import type { Random } from '../../../core/random.ts';
import { defineProblem, type Level } from '../problem.ts';
import { minus, plus, ratio, times, type Rational } from '../types/fraction.ts';
import { rational } from '../types/numbers.ts';

export const toFahrenheit = defineProblem({
  name: 'to-fahrenheit',
  subject: 'units',
  about: 'A temperature in Celsius, in Fahrenheit.',
  input: rational(),
  output: rational({
    unit: {
      name: 'degrees Fahrenheit',
      aliases: ['degrees', '°', '°f', 'f', 'fahrenheit', 'degrees f', '° fahrenheit'],
    },
  }),
  sample: drawTemperature,
  wordings: [
    x => `What are ${x} degrees Celsius in Fahrenheit (multiply by 9/5, add 32)? Do not round.`,
    x => `Convert a temperature of ${x} from Celsius to Fahrenheit. Give the exact number.`,
  ],
  solve: value => plus(times(value, ratio(9, 5)), 32),
  // -40 is the same in both scales.
  bruteForce: value => minus(times(plus(value, 40), ratio(9, 5)), 40),
});

/** A whole number of degrees; a fraction at the hardest level. */
export function drawTemperature(random: Random, level: Level): Rational {
  if (level === 'hard') return ratio(random.between(-80, 400), random.pick([2, 3, 5]));
  return random.between(-20, level === 'easy' ? 60 : 220);
}
