import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { text } from '../types/words.ts';

export const automaton = defineProblem({
  name: 'automaton',
  subject: 'machines',
  about: 'The state of a machine after reading a text.',
  input: text({ characters: 'ab', longest: 60, of: 'the letters a and b', example: 'abba' }),
  output: integer({ low: 0, high: 9 }),
  sample: (random, level) => Array.from({ length: length[level] }, () => random.pick(['a', 'b'])).join(''),
  parameters: (_, random, level) => ({
    table: Array.from({ length: states[level] }, () => ({
      a: random.between(0, states[level] - 1),
      b: random.between(0, states[level] - 1),
    })),
  }),
  wordings: [
    (x, { table }) =>
      `A machine begins in state 0. ${described(table)} In which state is it after reading ${x}, letter by letter?`,
    (x, { table }) => `Start in state 0 and read ${x} from left to right. ${described(table)} What is the last state?`,
  ],
  solve(word, { table }) {
    let state = 0;
    for (const letter of word) state = table[state]?.[letter as 'a' | 'b'] ?? 0;
    return state;
  },
  // From the end: where each state would lead.
  bruteForce(word, { table }) {
    let leads = table.map((_, state) => state);
    for (const letter of [...word].toReversed()) {
      const later = leads;
      leads = table.map(row => later[row[letter as 'a' | 'b']] as number);
    }
    return leads[0] as number;
  },
});

const states = byLevel(3, 4, 6);
const length = byLevel(5, 10, 25);

function described(table: readonly { readonly a: number; readonly b: number }[]): string {
  return table.map(({ a, b }, state) => `From state ${state}, a leads to ${a} and b to ${b}.`).join(' ');
}
