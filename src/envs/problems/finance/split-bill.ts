import { defineProblem, byLevel } from '../problem.ts';
import { list } from '../types/collections.ts';
import { minus, plus, ratio, type Rational } from '../types/fraction.ts';
import { integer, rational } from '../types/numbers.ts';

export const splitBill = defineProblem({
  name: 'split-bill',
  subject: 'finance',
  about: 'Who owes how much when a bill is shared.',
  input: list(integer({ low: 0, high: 10_000 }), { shortest: 2, longest: 8 }),
  output: rational({ unit: { name: 'dollars', aliases: ['$', 'usd', 'dollar'] } }),
  sample: (random, level) => Array.from({ length: people[level] }, () => random.between(0, 60)),
  parameters: (paid, random) => ({ person: random.between(1, paid.length) }),
  wordings: [
    (x, { person }) =>
      `Some friends paid ${x} dollars, in order, and want to share everything equally. How many dollars must person ${person} still pay? A negative number means that the person gets money back.`,
    (x, { person }) =>
      `The payments of a group are ${x} dollars. All of them should have paid the same. What is that share minus what person ${person} has paid, in dollars?`,
  ],
  solve: (paid, { person }) =>
    minus(
      ratio(
        paid.reduce((sum, amount) => sum + amount, 0),
        paid.length,
      ),
      paid[person - 1] as number,
    ),
  bruteForce: (paid, { person }) =>
    paid.reduce<Rational>((owed, amount) => plus(owed, ratio(amount - (paid[person - 1] as number), paid.length)), 0),
});

const people = byLevel(2, 4, 7);
