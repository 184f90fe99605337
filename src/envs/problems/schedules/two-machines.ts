import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const twoMachines = defineProblem({
  name: 'two-machines',
  subject: 'schedules',
  about: 'When two machines are done with some jobs at the earliest.',
  input: list(integer({ low: 1, high: 100 }), { shortest: 1, longest: 12 }),
  output: integer({ low: 1, high: 1200 }),
  canonical: inAnyOrder,
  sample: (random, level) => Array.from({ length: count[level] }, () => random.between(1, 12)),
  wordings: [
    x =>
      `Jobs take ${x} minutes. Two equal machines work in parallel, each on one job at a time. After how many minutes can all jobs be done at the earliest?`,
    x =>
      `Divide the numbers of ${x} into two groups so that the greater of the two sums is as small as possible. What is that sum?`,
  ],
  // All sums that one machine can have.
  solve(jobs) {
    const total = jobs.reduce((sum, job) => sum + job, 0);
    let sums = new Set([0]);
    for (const job of jobs) sums = new Set([...sums].flatMap(sum => [sum, sum + job]));
    return Math.min(...[...sums].map(sum => Math.max(sum, total - sum)));
  },
  bruteForce(jobs) {
    const finish = (index: number, one: number, other: number): number => {
      const job = jobs[index];
      return job === undefined
        ? Math.max(one, other)
        : Math.min(finish(index + 1, one + job, other), finish(index + 1, one, other + job));
    };
    return finish(0, 0, 0);
  },
});

const count = byLevel(4, 6, 9);
