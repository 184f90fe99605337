/** Lower-case words, without their endings: what names and instructions are compared by. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  const lower = text.toLowerCase();
  let start = -1;
  for (let at = 0; at <= lower.length; at++) {
    if (at < lower.length && isInWord(lower, at)) {
      if (start < 0) start = at;
    } else if (start >= 0) {
      words.push(stem(lower.slice(start, at)));
      start = -1;
    }
  }
  return words;
}

const beyondAscii = /[\p{L}\p{N}\p{Cs}]/u;

function isInWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  return beyondAscii.test(text[at] as string);
}

/** Words that carry no meaning by themselves. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

/** Longest first where one ends like another. */
const endings = ['ation', 'ment', 'ings', 'ing', 'ees', 'ee', 'ed', 'es', 's', 'e'] as const;

/** Cuts endings off, so that "starred" and "star", "assigned" and "assignee" meet. Rough, but the same for both sides. */
function stem(word: string): string {
  if (word.length < 4) return word;
  const ending = endings.find(candidate => word.endsWith(candidate));
  const length = word.length - (ending?.length ?? 0);
  if (length < 3) return word;
  const isDoubled = word[length - 1] === word[length - 2] && !'aeiouls'.includes(word[length - 1] as string);
  return word.slice(0, isDoubled ? length - 1 : length);
}

const stopWords: ReadonlySet<string> = new Set(
  'a an and are as at be by do for from have i in into is it its me my of on or out so that the then there them thi this to up us with you your'.split(
    ' ',
  ),
);
