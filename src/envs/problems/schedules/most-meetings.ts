import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list, pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const mostMeetings = defineProblem({
  name: 'most-meetings',
  subject: 'schedules',
  about: 'How many meetings one person can attend.',
  input: list(pair(integer({ low: 0, high: 1000 }), integer({ low: 0, high: 1000 })), { shortest: 1, longest: 12 }),
  output: integer({ low: 1, high: 12 }),
  canonical: inAnyOrder,
  sample: (random, level) =>
    Array.from({ length: count[level] }, () => {
      const start = random.between(0, 20);
      return [start, start + random.between(1, 6)] as const;
    }),
  parameters: given => (given.every(([start, end]) => start < end) ? {} : null),
  wordings: [
    x =>
      `Meetings begin and end at the hours in ${x}. How many can one person attend in full? One may begin when another ends.`,
    x =>
      `Choose as many intervals of ${x} as possible so that no two overlap; touching at an end is allowed. How many are that?`,
  ],
  // The one that ends first is always a good choice.
  solve(given) {
    let [free, chosen] = [Number.NEGATIVE_INFINITY, 0];
    for (const [start, end] of given.toSorted(([, one], [, other]) => one - other)) {
      if (start < free) continue;
      free = end;
      chosen++;
    }
    return chosen;
  },
  bruteForce(given) {
    const most = (left: readonly (readonly [number, number])[]): number => {
      const [first, ...rest] = left;
      if (first === undefined) return 0;
      const compatible = rest.filter(([start, end]) => end <= first[0] || start >= first[1]);
      return Math.max(1 + most(compatible), most(rest));
    };
    return most(given);
  },
});

const count = byLevel(4, 7, 11);
