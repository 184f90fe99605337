import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';

export const queueOrder = defineProblem({
  name: 'queue-order',
  subject: 'machines',
  about: 'Who is left when every so many-th person leaves a circle.',
  input: integer({ low: 1, high: 300 }),
  output: integer({ low: 1, high: 300 }),
  sample: (random, level) => random.between(3, people[level]),
  parameters: (_, random, level) => ({ step: random.between(2, step[level]) }),
  wordings: [
    (x, { step: every }) =>
      `${x} people stand in a circle, numbered from 1. Counting begins with person 1, and every ${every}th person leaves until one is left (with 2 that is every second one). Which number has that person?`,
    (x, { step: every }) =>
      `The numbers from 1 to ${x} form a circle. Count round it from 1 and strike each number on which the count reaches ${every}, then count on from the next one at 1 again. Which number is never struck, when one is left over?`,
  ],
  // Josephus, from the end.
  solve(count, { step: every }) {
    let place = 0;
    for (let size = 2; size <= count; size++) place = (place + every) % size;
    return place + 1;
  },
  bruteForce(count, { step: every }) {
    const circle = Array.from({ length: count }, (_, index) => index + 1);
    while (circle.length > 1) {
      for (let turn = 1; turn < every; turn++) circle.push(circle.shift() as number);
      circle.shift();
    }
    return circle[0] as number;
  },
});

const people = byLevel(12, 25, 80);
const step = byLevel(3, 5, 9);
