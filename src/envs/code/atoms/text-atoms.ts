import { collect, defineAtoms } from './atom.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';

export const textConstraints = defineAtoms({ role: 'constraint', from: 'text', to: 'text' }, [
  {
    name: 'keep-vowels',
    words: 'keep only the vowels (a, e, i, o, u)',
    solve: text => [...text].filter(c => 'aeiou'.includes(c)).join(''),
    solveAgain: text => text.replaceAll(/[^aeiou]/g, ''),
  },
  {
    name: 'drop-vowels',
    words: 'drop the vowels (a, e, i, o, u)',
    solve: text => [...text].filter(c => !'aeiou'.includes(c)).join(''),
    solveAgain: text => text.replaceAll(/[aeiou]/g, ''),
  },
  {
    name: 'drop-repeated-letters',
    words: 'drop every letter that came before',
    solve: text => [...text].filter((c, i) => text.indexOf(c) === i).join(''),
    solveAgain: text => [...new Set(text)].join(''),
  },
  {
    name: 'keep-every-other-letter',
    words: 'keep only the first, third, fifth letter and so on',
    solve: text => [...text].filter((_, i) => i % 2 === 0).join(''),
    solveAgain: text => text.replaceAll(/(.)./g, '$1'),
  },
  {
    name: 'first-letters',
    parameter: [3, 8],
    words: k => `keep only the first ${k} letters, or all if there are fewer`,
    solve: (text, k) => text.slice(0, k),
    solveAgain: (text, k) => [...text].toSpliced(k).join(''),
  },
]);

export const textOperations = defineAtoms({ from: 'text', to: 'text' }, [
  {
    name: 'reverse-letters',
    words: 'reverse the letters',
    solve: text => [...text].reduce((all, c) => c + all, ''),
    solveAgain: text => [...text].toReversed().join(''),
  },
  {
    name: 'sort-letters',
    words: 'sort the letters from a to z',
    solve: text => [...text].toSorted((a, b) => (a < b ? -1 : 1)).join(''),
    solveAgain: text => [...letters].map(letter => letter.repeat(text.split(letter).length - 1)).join(''),
  },
  {
    name: 'shift-letters',
    parameter: [1, 12],
    words: k =>
      `replace each letter by the one ${k} ${k === 1 ? 'place' : 'places'} later in the alphabet, where a follows z`,
    solve: (text, k) => [...text].map(c => String.fromCharCode(((c.charCodeAt(0) - 97 + k) % 26) + 97)).join(''),
    solveAgain: (text, k) => text.replaceAll(/./g, c => (letters + letters)[letters.indexOf(c) + k] as string),
  },
  {
    name: 'double-letters',
    words: 'write each letter twice',
    solve: text => [...text].map(c => c + c).join(''),
    solveAgain: text => text.replaceAll(/(.)/g, '$1$1'),
  },
  {
    name: 'rotate-letters',
    parameter: [1, 4],
    words: k => `move the first letter to the end${k === 1 ? '' : `, ${k} times`}`,
    solve: (text, k) => [...text].map((_, i) => text[(i + k) % text.length]).join(''),
    solveAgain(text, k) {
      let result = text;
      for (let time = 0; time < k; time++) result = result.slice(1) + result.slice(0, 1);
      return result;
    },
  },
]);

export const textMeasures = defineAtoms({ from: 'text', to: 'number' }, [
  {
    name: 'text-length',
    words: 'count the letters',
    solve: text => text.length,
    solveAgain: text => [...text].reduce(count => count + 1, 0),
  },
  {
    name: 'count-vowels',
    words: 'count the vowels (a, e, i, o, u)',
    solve: text => [...text].filter(c => 'aeiou'.includes(c)).length,
    solveAgain: text => (text.match(/[aeiou]/g) ?? []).length,
  },
  {
    name: 'count-letters',
    words: 'count how many different letters there are',
    solve: text => [...text].filter((c, i) => text.indexOf(c) === i).length,
    solveAgain: text => new Set(text).size,
  },
]);

export const textLists = defineAtoms({ from: 'text', to: 'numbers' }, [
  {
    name: 'letter-places',
    words: 'list the places of the letters in the alphabet, where a is 1',
    solve: text => [...text].map(c => c.charCodeAt(0) - 96),
    solveAgain: text => [...text].map(c => letters.indexOf(c) + 1),
  },
]);

export const textPieces = defineAtoms({ from: 'text', to: 'words' }, [
  {
    name: 'pieces',
    parameter: [2, 4],
    words: k => `cut it into pieces of ${k} letters from the left (the last may be shorter)`,
    solve: (text, k) => [...text].map((_, i) => text.slice(i, i + k)).filter((_, i) => i % k === 0),
    solveAgain: (text, k) => text.match(new RegExp(`.{1,${k}}`, 'g')) ?? [],
  },
]);

export const wordConstraints = defineAtoms({ role: 'constraint', from: 'words', to: 'words' }, [
  {
    name: 'keep-long-words',
    parameter: [2, 5],
    words: k => `keep only the words of more than ${k} letters`,
    solve: (words, k) => words.filter(word => word.length > k),
    solveAgain: (words, k) =>
      collect(push => {
        for (const word of words) if (word.slice(k) !== '') push(word);
      }),
  },
  {
    name: 'keep-vowel-words',
    words: 'keep only the words that begin with a vowel (a, e, i, o, u)',
    solve: words => words.filter(word => 'aeiou'.includes(word.slice(0, 1))),
    solveAgain: words => [...words].filter(word => /^[aeiou]/.test(word)),
  },
  {
    name: 'drop-repeated-words',
    words: 'drop every word that came before',
    solve: words => words.filter((word, i) => words.indexOf(word) === i),
    solveAgain: words => [...new Set(words)],
  },
]);

export const wordOperations = defineAtoms({ from: 'words', to: 'words' }, [
  {
    name: 'sort-words',
    words: 'sort the words in alphabetical order',
    solve: words => [...words].toSorted((a, b) => (a < b ? -1 : 1)),
    solveAgain: words => words.toSorted(),
  },
  {
    name: 'sort-by-length',
    words: 'sort the words by length, shortest first; words of the same length stay in order',
    solve: words => [...words].toSorted((a, b) => a.length - b.length),
    solveAgain(words) {
      const longest = Math.max(0, ...words.map(({ length }) => length));
      return Array.from({ length: longest + 1 }, (_, length) => words.filter(word => word.length === length)).flat();
    },
  },
  {
    name: 'reverse-order',
    words: 'reverse the order of the words',
    solve: words => words.map((_, i) => words[words.length - 1 - i] ?? ''),
    solveAgain: words => words.toReversed(),
  },
  {
    name: 'reverse-each-word',
    words: 'reverse the letters of each word',
    solve: words => words.map(word => [...word].reduce((all, c) => c + all, '')),
    solveAgain: words => [...words].map(word => [...word].toReversed().join('')),
  },
]);

export const wordLists = defineAtoms({ from: 'words', to: 'numbers' }, [
  {
    name: 'word-lengths',
    words: 'list the lengths of the words',
    solve: words => words.map(word => word.length),
    solveAgain: words => [...words].map(word => [...word].reduce(count => count + 1, 0)),
  },
  {
    name: 'vowels-of-words',
    words: 'list how many vowels (a, e, i, o, u) each word has',
    solve: words => words.map(word => [...word].filter(c => 'aeiou'.includes(c)).length),
    solveAgain: words => [...words].map(word => (word.match(/[aeiou]/g) ?? []).length),
  },
]);

export const wordJoins = defineAtoms({ from: 'words', to: 'text' }, [
  {
    name: 'initials',
    words: 'join the first letters of the words',
    solve: words => words.map(word => word.slice(0, 1)).join(''),
    solveAgain: words => [...words].reduce((all, [first = '']) => all + first, ''),
  },
  {
    name: 'join',
    words: 'join the words to one',
    solve: words => words.join(''),
    solveAgain: words => [...words].reduce((all, word) => all + word, ''),
  },
  {
    name: 'longest-word',
    words: 'take the longest word, the first of them if several are (an empty text if there is none)',
    solve: words => words.reduce((a, b) => (b.length > a.length ? b : a), ''),
    solveAgain: words => words.toSorted((a, b) => b.length - a.length)[0] ?? '',
  },
]);
