import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { text } from '../types/words.ts';

export const countLetter = defineProblem({
  name: 'count-letter',
  subject: 'strings',
  about: 'How often a letter stands in a text.',
  input: text({ longest: 80 }),
  output: integer({ low: 0, high: 80 }),
  sample: (random, level) => Array.from({ length: length[level] }, () => random.pick(few)).join(''),
  parameters: (word, random) => ({ letter: random.pick([...word]) }),
  wordings: [
    (x, { letter }) => `How many times does the letter ${letter} stand in ${x}?`,
    (x, { letter }) => `Count the letters ${letter} in ${x}.`,
  ],
  solve: (word, { letter }) => [...word].filter(other => other === letter).length,
  bruteForce: (word, { letter }) => word.split(letter).length - 1,
});

const length = byLevel(8, 16, 40);
const few = [...'aeinrst'];
