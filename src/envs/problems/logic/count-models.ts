import { defineProblem, byLevel } from '../problem.ts';
import { list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const countModels = defineProblem({
  name: 'count-models',
  subject: 'logic',
  about: 'How many assignments make all clauses true.',
  input: list(list(integer({ low: -6, high: 6 }), { shortest: 1, longest: 3 }), { shortest: 1, longest: 20 }),
  output: integer({ low: 0, high: 64 }),
  sample: (random, level) =>
    Array.from({ length: clauses[level] }, () =>
      random
        .sample(
          Array.from({ length: variables[level] }, (_, index) => index + 1),
          random.between(2, 3),
        )
        .map(number => (random.chance(0.5) ? number : -number)),
    ),
  parameters: given => (given.flat().includes(0) ? null : { variables: Math.max(...given.flat().map(Math.abs)) }),
  wordings: [
    (x, { variables: count }) =>
      `There are ${count} statements, numbered from 1, each true or false. Every list in ${x} says that at least one of its entries holds: 2 means that statement 2 is true, -2 that it is false. How many ways are there to make all lists hold?`,
    (x, { variables: count }) =>
      `How many of the ${2 ** count} assignments of ${count} Boolean variables satisfy all clauses of ${x}? A negative number stands for a negated variable.`,
  ],
  solve(given, { variables: count }) {
    let models = 0;
    for (let code = 0; code < 2 ** count; code++) {
      const holds = (literal: number): boolean =>
        Math.floor(code / 2 ** (Math.abs(literal) - 1)) % 2 === (literal > 0 ? 1 : 0);
      if (given.every(clause => clause.some(holds))) models++;
    }
    return models;
  },
  // Splits on one variable after the other.
  bruteForce(given, { variables: count }) {
    const models = (left: readonly (readonly number[])[], next: number): number => {
      if (left.some(clause => clause.length === 0)) return 0;
      if (next > count) return 1;
      const assume = (literal: number): number =>
        models(
          left.filter(clause => !clause.includes(literal)).map(clause => clause.filter(other => other !== -literal)),
          next + 1,
        );
      return assume(next) + assume(-next);
    };
    return models(given, 1);
  },
});

const variables = byLevel(3, 4, 6);
const clauses = byLevel(3, 5, 9);
