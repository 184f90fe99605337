import { defineProblem, byLevel } from '../problem.ts';
import { pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';
import { text } from '../types/words.ts';

export const robotWalk = defineProblem({
  name: 'robot-walk',
  subject: 'mazes',
  about: 'Where a robot stands after some commands.',
  input: text({ characters: 'FLR', longest: 60, of: 'the letters F, L and R', example: 'FFLFR' }),
  output: pair(integer({ low: -60, high: 60 }), integer({ low: -60, high: 60 })),
  sample: (random, level) => Array.from({ length: length[level] }, () => random.pick([...'FFFLR'])).join(''),
  wordings: [
    x =>
      `A robot stands at (0, 0) and looks north, where y grows. F moves it one step forward, L and R turn it by 90 degrees to the left and to the right. Where does it stand after ${x}? Give (x, y).`,
    x =>
      `Follow the commands ${x} from (0, 0), at first facing north (greater y): F is a step forward, L a quarter turn left, R a quarter turn right. What is the final position (x, y)?`,
  ],
  solve(commands) {
    let [x, y, right, up] = [0, 0, 0, 1];
    for (const command of commands) {
      if (command === 'F') [x, y] = [x + right, y + up];
      else [right, up] = command === 'L' ? [-up, right] : [up, -right];
    }
    return [x + 0, y + 0] as const;
  },
  // Counts steps by compass direction.
  bruteForce(commands) {
    const steps = [0, 0, 0, 0];
    let direction = 0;
    for (const command of commands) {
      if (command === 'R') direction = (direction + 1) % 4;
      else if (command === 'L') direction = (direction + 3) % 4;
      else steps[direction] = (steps[direction] ?? 0) + 1;
    }
    const [north = 0, east = 0, south = 0, west = 0] = steps;
    return [east - west, north - south] as const;
  },
});

const length = byLevel(6, 14, 35);
