import { defineProblem } from '../problem.ts';
import { minus, plus, ratio, times } from '../types/fraction.ts';
import { rational } from '../types/numbers.ts';
import { drawTemperature } from './to-fahrenheit.ts';

export const toCelsius = defineProblem({
  name: 'to-celsius',
  subject: 'units',
  about: 'A temperature in Fahrenheit, in Celsius.',
  input: rational(),
  output: rational({
    unit: { name: 'degrees Celsius', aliases: ['degrees', '°', '°c', 'c', 'celsius', 'degrees c', '° celsius'] },
  }),
  sample: drawTemperature,
  wordings: [
    x => `What are ${x} degrees Fahrenheit in Celsius (subtract 32, multiply by 5/9)? Do not round.`,
    x => `Convert a temperature of ${x} from Fahrenheit to Celsius. Give the exact number.`,
  ],
  solve: value => times(minus(value, 32), ratio(5, 9)),
  // -40 is the same in both scales.
  bruteForce: value => minus(times(plus(value, 40), ratio(5, 9)), 40),
});
