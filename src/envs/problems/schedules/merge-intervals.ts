import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list, pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const mergeIntervals = defineProblem({
  name: 'merge-intervals',
  subject: 'schedules',
  about: 'Overlapping times joined into blocks.',
  input: list(pair(integer({ low: 0, high: 300 }), integer({ low: 0, high: 300 })), { shortest: 1, longest: 20 }),
  output: list(pair(integer({ low: 0, high: 300 }), integer({ low: 0, high: 300 })), { shortest: 1, longest: 20 }),
  canonical: inAnyOrder,
  sample: (random, level) =>
    Array.from({ length: count[level] }, () => {
      const start = random.between(0, 12 * count[level]);
      return [start, start + random.between(1, 14)] as const;
    }),
  parameters: given => (given.every(([start, end]) => start < end) ? {} : null),
  wordings: [
    x =>
      `A machine runs during the times ${x} (start, end). Join times that overlap or touch. During which blocks does it run? List them from the earliest on.`,
    x => `Merge the intervals ${x}: those that overlap or share an end become one. List the result by start.`,
  ],
  solve(given) {
    const blocks: [number, number][] = [];
    for (const [start, end] of given.toSorted(([one], [other]) => one - other)) {
      const last = blocks.at(-1);
      if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
      else blocks.push([start, end]);
    }
    return blocks;
  },
  // Colours every unit of time.
  bruteForce(given) {
    const isBusy = (time: number): boolean => given.some(([start, end]) => start <= time && time < end);
    const blocks: [number, number][] = [];
    for (let time = 0; time <= 300; time++) {
      if (isBusy(time) && (time === 0 || !isBusy(time - 1))) blocks.push([time, time]);
      const last = blocks.at(-1);
      if (isBusy(time) && last !== undefined) last[1] = time + 1;
    }
    return blocks;
  },
});

const count = byLevel(3, 5, 10);
