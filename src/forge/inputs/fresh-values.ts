import type { Random } from '../../core/random.ts';
import { inWords } from '../data/tables.ts';
import { shapeOf as shapeOfText } from './strange-value.ts';

const adjectives = [
  'Amber',
  'Brisk',
  'Coastal',
  'Distant',
  'Early',
  'Faint',
  'Golden',
  'Hollow',
  'Inner',
  'Jade',
  'Kind',
  'Lunar',
  'Mellow',
  'Narrow',
  'Open',
  'Plain',
  'Quick',
  'Rustic',
  'Silver',
  'Tidy',
  'Urban',
  'Vivid',
  'Western',
  'Young',
];
const nouns = [
  'anchor',
  'bridge',
  'candle',
  'delta',
  'ember',
  'forest',
  'garden',
  'harvest',
  'island',
  'journey',
  'kettle',
  'lantern',
  'meadow',
  'notebook',
  'orchard',
  'pebble',
  'quarry',
  'ribbon',
  'summit',
  'timber',
  'valley',
  'willow',
];
const given = ['Anouk', 'Bram', 'Carla', 'Deniz', 'Elif', 'Fritz', 'Greta', 'Hamid', 'Ivo', 'Jolie', 'Karim', 'Leah'];
const family = [
  'Abel',
  'Brandt',
  'Costa',
  'Dahl',
  'Egger',
  'Falk',
  'Gomes',
  'Hauser',
  'Ito',
  'Jansen',
  'Kovac',
  'Lund',
];
const cities = [
  'Arnhem',
  'Bergen',
  'Cadiz',
  'Dresden',
  'Esbjerg',
  'Faro',
  'Ghent',
  'Haarlem',
  'Innsbruck',
  'Jena',
  'Kiel',
  'Leeds',
];
const hosts = ['harbour.example', 'meadow.example', 'northmail.example'];
const sentences = [
  'Please look at the first page again.',
  'The meeting moved to the small room.',
  'It works well and looks good.',
  'We need two more chairs by Monday.',
  'Thank you for the quick answer.',
  'The second draft is much clearer.',
  'Bring the printed list with you.',
  'This should be done before the weekend.',
  'The numbers do not add up yet.',
  'I will be back next week.',
  'It took longer than we hoped.',
  'Everything arrived in one piece.',
];

/** A text that stands nowhere yet, shaped like those that are there: an address, a date, a name, a sentence. */
export function freshText(key: string, examples: readonly string[], random: Random): string {
  const shape = shapeOf(key, examples);
  const alike = shape === 'title' || shape === 'person' ? likeExamples(key, examples, random) : null;
  return alike ?? writers[shape](random, examples);
}

const nameKey = /(?:^| )(?:name|title|label|headline)$/;
const fewest = 3;
const mixes = 6;

const firstOf = (text: string): string => text.slice(0, text.indexOf(' '));
const restOf = (text: string): string => text.slice(text.indexOf(' ') + 1);

/** The examples of two or three words that look alike: "Costa and Reed", "Amari and Usher". */
function mostAlike(examples: readonly string[]): readonly string[] {
  const shapes = Map.groupBy(
    examples.filter(text => /^\S+(?: \S+){1,2}$/.test(text)),
    shapeOfText,
  );
  return [...shapes.values()].toSorted((one, other) => other.length - one.length)[0] ?? [];
}

/** Names of two words and more are mixed from those that are there; what names nothing may be there already: a breed, an agent. */
function likeExamples(key: string, examples: readonly string[], random: Random): string | null {
  if (examples.length < fewest) return null;
  const words = examples.map(text => text.split(' '));
  const isName = nameKey.test(inWords(key));
  const alike = mostAlike(examples);
  // "Natural light" and "Two takes" are no names: "Two light" says nothing.
  const isMixed = isName || alike.every(text => /\p{Lu}\S*$/u.test(text));
  if (isMixed && alike.length >= Math.max(fewest, examples.length / 2)) {
    for (let attempt = 0; attempt < mixes; attempt++) {
      const mixed = `${firstOf(random.pick(alike))} ${restOf(random.pick(alike))}`;
      if (!examples.includes(mixed)) return mixed;
    }
    return null;
  }
  if (!isName) return random.pick(examples);
  return words.every(([first = '', ...rest]) => rest.length === 0 && /^\p{Lu}\p{Ll}+$/u.test(first))
    ? random.pick(given)
    : null;
}

type Shape =
  | 'address'
  | 'phone'
  | 'date'
  | 'time'
  | 'person'
  | 'sentence'
  | 'number'
  | 'title'
  | 'street'
  | 'code'
  | 'city'
  | 'mark';

const writers: Record<Shape, (random: Random, examples: readonly string[]) => string> = {
  address: random => `${random.pick(given)}.${random.pick(family)}@${random.pick(hosts)}`.toLowerCase(),
  phone: random => `+${random.between(30, 49)} ${random.between(100, 999)} ${random.between(1000, 9999)}`,
  date: (random, examples) => {
    const year = Number(/^\d{4}/.exec(examples[0] ?? '')?.[0] ?? 2026);
    return `${year}-${padded(random.between(1, 12))}-${padded(random.between(1, 28))}`;
  },
  time: random => `${padded(random.between(8, 19))}:${random.pick(['00', '15', '30', '45'])}`,
  person: random => `${random.pick(given)} ${random.pick(family)}`,
  sentence: random => random.pick(sentences),
  number: random => String(random.between(1, 40)),
  title: random => `${random.pick(adjectives)} ${random.pick(nouns)}`,
  street: random => `${random.pick(adjectives)} Street ${random.between(1, 99)}`,
  code: random => String(random.between(10_000, 99_999)),
  city: random => random.pick(cities),
  // Like those that are there: the same letters, other digits.
  mark: (random, examples) => (examples[0] ?? 'A-100').replaceAll(/\d/g, () => String(random.between(1, 9))),
};

function padded(number: number): string {
  return String(number).padStart(2, '0');
}

const byKey: readonly (readonly [RegExp, Shape])[] = [
  [/\b(?:e ?mail|mail|to|cc|from|recipient|sender)\b/, 'address'],
  [/\b(?:phone|mobile|fax)\b/, 'phone'],
  [/\btime\b/, 'time'],
  [/\b(?:date|day|due|start|end|deadline|expires?)\b/, 'date'],
  [
    /\b(?:person|reader|customer|owner|author|guest|patient|student|member|borrower|reporter|tenant|driver|coach|keeper|contact|director|teacher|manager)\b/,
    'person',
  ],
  [/\b(?:body|text|message|note|comment|description|details|goal|signature|content|reply|review|gift)\b/, 'sentence'],
  [/\b(?:capacity|count|amount|quantity|points|number|price|limit|size)\b/, 'number'],
  [/\b(?:street|address)\b/, 'street'],
  [/\b(?:city|town)\b/, 'city'],
  [/\b(?:postcode|zip|code)\b/, 'code'],
];

/** Whether a text may stand under a member: no subject of a message where addresses belong. */
export function fitsMember(key: string, examples: readonly string[], text: string): boolean {
  return shapeOf(key, examples) !== 'address' || text.includes('@');
}

/** Whether the name of a member says what its texts look like. */
export function hasShape(key: string): boolean {
  return byKey.some(([pattern]) => pattern.test(inWords(key)));
}

function shapeOf(key: string, examples: readonly string[]): Shape {
  const filled = examples.filter(text => text !== '').slice(0, 4);
  const all = (pattern: RegExp): boolean => filled.length > 0 && filled.every(text => pattern.test(text));
  if (all(/^\S+@\S+\.\S+$/)) return 'address';
  if (all(/^\d{4}-\d\d-\d\d/)) return 'date';
  if (all(/^\d\d:\d\d$/)) return 'time';
  if (all(/^\+?[\d ()-]{7,}$/)) return 'phone';
  if (all(/^\d+$/)) return 'number';
  if (all(/^.*[.!?]$/)) return 'sentence';
  if (
    all(/^\p{Lu}\p{L}+ \p{Lu}[\p{L}-]+$/u) &&
    /name|person|reader|reporter|contact|buyer|setter|sender|lead/.test(key)
  )
    return 'person';
  if (all(/^[A-Z]{1,4}[- ]?\d{2,}$/)) return 'mark';
  const words = inWords(key);
  return byKey.find(([pattern]) => pattern.test(words))?.[1] ?? 'title';
}
