/** Whether a text stands in another, not merely as a part of a word. */
export function standsIn(whole: string, text: string): boolean {
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1)) {
    const cutBefore = isWord(text[0]) && isWord(whole[at - 1]);
    const cutAfter = isWord(text.at(-1)) && isWord(whole[at + text.length]);
    if (!cutBefore && !cutAfter) return true;
  }
  return false;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

/** A text on one line, so that it cannot look like two. */
export function onLine(text: string): string {
  return text.includes('\n') ? text.replaceAll('\n', ' ⏎ ') : text;
}

/** 1 step, 2 steps. */
export function count(number: number, noun: string, plural = pluralOf(noun)): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}

const irregularPlurals: Readonly<Record<string, string>> = {
  child: 'children',
  person: 'people',
  goose: 'geese',
  mouse: 'mice',
  foot: 'feet',
  tooth: 'teeth',
};

/** `books`, `addresses`, `replies`. A noun that is plural already must not be given. */
export function pluralOf(noun: string): string {
  const [whole, last = ''] = /(?:^| )(child|person|goose|mouse|foot|tooth)$/.exec(noun) ?? [];
  if (whole !== undefined) return `${noun.slice(0, -last.length)}${irregularPlurals[last]}`;
  if (/[^aeiou]y$/i.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(noun) ? `${noun}es` : `${noun}s`;
}
