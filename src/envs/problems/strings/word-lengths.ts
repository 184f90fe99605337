import { defineProblem, byLevel } from '../problem.ts';
import { list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';
import { text } from '../types/words.ts';

export const wordLengths = defineProblem({
  name: 'word-lengths',
  subject: 'strings',
  about: 'The lengths of the texts in a list.',
  input: list(text({ longest: 60 }), { shortest: 1, longest: 20 }),
  output: list(integer({ low: 1, high: 60 }), { shortest: 1, longest: 20 }),
  sample: (random, level) =>
    Array.from(
      { length: count[level] },
      () => random.pick([...'abcxyz']).repeat(random.between(1, 3)) + random.pick(words),
    ),
  wordings: [
    x => `How many letters does each text in ${x} have? List the numbers in the same order.`,
    x => `List the lengths of the texts in ${x}, in order.`,
  ],
  solve: texts => texts.map(word => word.length),
  bruteForce: texts => texts.map(word => [...word].reduce(sum => sum + 1, 0)),
});

const count = byLevel(3, 5, 9);
const words = ['tree', 'river', 'stone', 'cloud', 'of', 'lantern', 'window', 'sea'];
