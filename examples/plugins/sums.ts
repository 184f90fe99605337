import { createProblemEnvironment, defineProblem, problemTypes, type Family, type Problem } from 'espalier';

const { integer, list } = problemTypes;

/** Environments of sums: `./sums.ts:3` asks for sums of three numbers. */
export const family: Family = {
  name: 'sums:',
  usage: 'sums:<how many numbers>',
  about: 'Sums of so many numbers.',
  async open(name) {
    const count = Number(name.slice('sums:'.length));
    if (!Number.isInteger(count) || count < 2 || count > 9) throw new Error(`"${name}" is not 2 to 9 numbers.`);
    const problems = [sumOf(count)];
    return {
      environment: createProblemEnvironment({ id: `sums-${count}`, title: `Sums of ${count} numbers`, problems }),
    };
  },
};

function sumOf(count: number): Problem {
  return defineProblem({
    name: `sum-of-${count}`,
    subject: 'mine',
    about: `The sum of ${count} numbers.`,
    input: list(integer({ low: 1, high: 999 }), { shortest: count, longest: count }),
    output: integer({ low: 1, high: 10_000 }),
    sample: random => Array.from({ length: count }, () => random.between(1, 999)),
    wordings: [numbers => `What is the sum of ${numbers}?`, numbers => `Add these numbers: ${numbers}.`],
    solve: numbers => numbers.reduce((sum, number) => sum + number, 0),
    bruteForce(numbers) {
      let sum = 0;
      for (const number of numbers) sum += number;
      return sum;
    },
  });
}
