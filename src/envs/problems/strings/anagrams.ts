import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, pair } from '../types/collections.ts';
import { boolean, text } from '../types/words.ts';

export const anagrams = defineProblem({
  name: 'anagrams',
  subject: 'strings',
  about: 'Whether two texts have the same letters.',
  input: pair(text({ longest: 40 }), text({ longest: 40 })),
  output: boolean,
  canonical: inAnyOrder,
  sample(random, level) {
    const letters = Array.from({ length: length[level] }, () => random.pick([...'aeglnrst']));
    const other = random.shuffle(letters);
    if (random.chance(0.5)) other[random.between(0, other.length - 1)] = random.pick([...'ou']);
    return [letters.join(''), other.join('')] as const;
  },
  wordings: [
    x => `Can the second text of ${x} be made by putting the letters of the first in another order, using each once?`,
    x => `Are the two texts in ${x} anagrams of each other?`,
  ],
  solve: ([one, other]) => [...one].toSorted().join('') === [...other].toSorted().join(''),
  bruteForce([one, other]) {
    let rest = other;
    for (const letter of one) {
      if (!rest.includes(letter)) return false;
      rest = rest.replace(letter, '');
    }
    return rest === '';
  },
});

const length = byLevel(4, 7, 13);
