import { defineProblem, byLevel } from '../problem.ts';
import { text } from '../types/words.ts';

export const firstUniqueLetter = defineProblem({
  name: 'first-unique-letter',
  subject: 'strings',
  about: 'The first letter of a text that stands there once.',
  input: text({ longest: 60 }),
  output: text({ longest: 1, example: 'k', of: 'one small letter' }),
  sample(random, level) {
    const letters = random.sample([...'abcdefghijklmnop'], kinds[level]);
    const alone = random.between(1, letters.length - 1);
    return random
      .shuffle(
        letters.flatMap((letter, index) => (index === alone || random.chance(0.2) ? [letter] : [letter, letter])),
      )
      .join('');
  },
  parameters: word => ([...word].some(letter => word.indexOf(letter) === word.lastIndexOf(letter)) ? {} : null),
  wordings: [
    x => `Which is the first letter of ${x} that stands there exactly once?`,
    x => `Read ${x} from the left. Which letter is the first that is not repeated anywhere in it?`,
  ],
  solve: word => [...word].find(letter => word.indexOf(letter) === word.lastIndexOf(letter)) ?? '',
  bruteForce(word) {
    const counts = new Map<string, number>();
    for (const letter of word) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    for (const letter of word) if (counts.get(letter) === 1) return letter;
    return '';
  },
});

const kinds = byLevel(4, 7, 12);
