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

/** Nouns whose plural follows no rule, or a rule that others of the same ending do not follow. */
const irregular: Readonly<Record<string, string>> = {
  child: 'children',
  person: 'people',
  man: 'men',
  woman: 'women',
  goose: 'geese',
  mouse: 'mice',
  foot: 'feet',
  tooth: 'teeth',
  shelf: 'shelves',
  knife: 'knives',
  leaf: 'leaves',
  loaf: 'loaves',
  calf: 'calves',
  half: 'halves',
  wolf: 'wolves',
  hero: 'heroes',
  potato: 'potatoes',
  tomato: 'tomatoes',
  quiz: 'quizzes',
  gas: 'gases',
  lens: 'lenses',
  alias: 'aliases',
  canvas: 'canvases',
  atlas: 'atlases',
  iris: 'irises',
  axis: 'axes',
  crisis: 'crises',
  analysis: 'analyses',
  diagnosis: 'diagnoses',
  criterion: 'criteria',
  movie: 'movies',
  cookie: 'cookies',
  brownie: 'brownies',
  calorie: 'calories',
  tie: 'ties',
  pie: 'pies',
  cache: 'caches',
  series: 'series',
  species: 'species',
  sheep: 'sheep',
  fish: 'fish',
  aircraft: 'aircraft',
};
const irregularPlurals: ReadonlyMap<string, string> = new Map(Object.entries(irregular));
const irregularSingulars = new Map(Object.entries(irregular).map(([one, many]) => [many, one]));

/** The other form of the last word, where the list has it: "field mouse" gives "field mice". */
function otherForm(words: string, forms: ReadonlyMap<string, string>): string | null {
  const start = words.lastIndexOf(' ') + 1;
  const form = forms.get(words.slice(start));
  return form === undefined ? null : `${words.slice(0, start)}${form}`;
}

/** `books`, `addresses`, `replies`. A noun that is plural already must not be given. */
export function pluralOf(noun: string): string {
  const listed = otherForm(noun, irregularPlurals);
  if (listed !== null) return listed;
  if (/[^aeiou]y$/i.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(noun) ? `${noun}es` : `${noun}s`;
}

/** "Buses" and "viruses" lose two letters, "houses" and "excuses" one. */
const endsInUs = /[^aeou ]uses$/;
const endsInUse = /(?:^| )(?:exc|f|m|r|ref|recl)uses$/;

/** `books` gives "book", `addresses` "address"; null when the words are no plural. */
export function singularOf(words: string): string | null {
  const listed = otherForm(words, irregularSingulars);
  if (listed !== null) return listed;
  if (/(?:ss|x|sh|ch|tz)es$/.test(words) || (endsInUs.test(words) && !endsInUse.test(words))) return words.slice(0, -2);
  if (words.endsWith('men')) return `${words.slice(0, -3)}man`;
  if (words.endsWith('ies')) return `${words.slice(0, -3)}y`;
  return words.endsWith('s') && !words.endsWith('ss') ? words.slice(0, -1) : null;
}
