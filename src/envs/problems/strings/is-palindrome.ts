import { defineProblem, byLevel } from '../problem.ts';
import { boolean, text } from '../types/words.ts';

export const isPalindrome = defineProblem({
  name: 'is-palindrome',
  subject: 'strings',
  about: 'Whether a text reads the same backwards.',
  input: text({ longest: 60 }),
  output: boolean,
  sample(random, level) {
    const half = Array.from({ length: length[level] }, () => random.pick([...'abcde']));
    const whole = [...half, ...half.toReversed()];
    if (random.chance(0.5)) whole[random.between(0, whole.length - 1)] = random.pick([...'fgh']);
    return whole.join('');
  },
  wordings: [x => `Does ${x} read the same backwards?`, x => `Is ${x} a palindrome?`],
  solve: word => word === [...word].toReversed().join(''),
  bruteForce(word) {
    for (let index = 0; index < word.length / 2; index++)
      if (word[index] !== word[word.length - 1 - index]) return false;
    return true;
  },
});

const length = byLevel(3, 5, 10);
