import type { Random } from '../../../core/random.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list, pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const meetingRooms = defineProblem({
  name: 'meeting-rooms',
  subject: 'schedules',
  about: 'How many rooms some meetings need.',
  input: list(pair(integer({ low: 0, high: 1000 }), integer({ low: 0, high: 1000 })), { shortest: 1, longest: 20 }),
  output: integer({ low: 0, high: 20 }),
  canonical: inAnyOrder,
  sample: (random, level) => meetings(random, count[level]),
  parameters: given => (given.every(([start, end]) => start < end) ? {} : null),
  wordings: [
    x =>
      `Meetings begin and end at the hours in ${x}. How many rooms are needed at least? A room is free again at the very hour a meeting ends.`,
    x =>
      `What is the greatest number of meetings of ${x} (start, end) that take place at the same time? One that ends when another begins does not overlap with it.`,
  ],
  // Sweeps over starts and ends.
  solve(given) {
    const events = given
      .flatMap(([start, end]) => [[start, 1] as const, [end, -1] as const])
      .toSorted(([one, a], [other, b]) => one - other || a - b);
    let [now, most] = [0, 0];
    for (const [, change] of events) {
      now += change;
      most = Math.max(most, now);
    }
    return most;
  },
  bruteForce: given =>
    Math.max(...given.map(([hour]) => given.filter(([start, end]) => start <= hour && hour < end).length)),
});

const count = byLevel(4, 7, 13);

function meetings(random: Random, many: number): [number, number][] {
  return Array.from({ length: many }, () => {
    const start = random.between(0, 20);
    return [start, start + random.between(1, 6)];
  });
}
