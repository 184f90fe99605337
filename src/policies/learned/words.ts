/** Lower-case words, without their endings: what names and instructions are compared by. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const word of text.toLowerCase().split(/[^\p{L}\p{N}]+/u)) if (word !== '') words.push(stem(word));
  return words;
}

/** Words that carry no meaning by themselves. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

/** Cuts endings off, so that "starred" and "star", "assigned" and "assignee" meet. Rough, but the same for both sides. */
function stem(word: string): string {
  if (word.length < 4) return word;
  const bare = word.replace(/(?:ings?|ed|ees?|es|s|e|ment|ation)$/, '');
  if (bare.length < 3) return word;
  return /([^aeiouls])\1$/.test(bare) ? bare.slice(0, -1) : bare;
}

const stopWords: ReadonlySet<string> = new Set(
  'a an and are as at be by do for from have i in into is it its me my of on or out so that the then there them thi this to up us with you your'.split(
    ' ',
  ),
);
