import type { Json } from '../../../core/json.ts';
import type { Random } from '../../../core/random.ts';
import { isDate, readDate, type CalendarDate } from '../../../worlds/verdict/written-date.ts';
import { unreadable, type Type } from './type.ts';

export interface TextOptions {
  /** Characters that may stand in it, as the inside of a character class; `a-z` when left out. */
  readonly characters?: string;
  readonly shortest?: number;
  readonly longest?: number;
  /** In words, as in "a text of small letters". */
  readonly of?: string;
  /** What a text looks like, for the answer. */
  readonly example?: string;
}

const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

export function text(options: TextOptions = {}): Type<string> {
  const { characters = 'a-z', shortest = 1, longest = 200, of = 'small letters', example = 'abc' } = options;
  const pattern = new RegExp(`^[${characters}]{${shortest},${longest}}$`);
  const anyLength = new RegExp(`^[${characters}]*$`);
  const holds = (value: Json): boolean => typeof value === 'string' && pattern.test(value);
  return {
    kind: 'text',
    name: `text of ${of}, ${shortest} to ${longest} long`,
    form: `a text of ${of}, such as ${example}`,
    elements: [],
    alphabet: ascii.filter(character => anyLength.test(character)).join(''),
    holds,
    write: value => (value === '' ? '""' : String(value)),
    read(given) {
      const bare = given.replace(/^"(.*)"$/, '$1');
      // Where the type has letters of one case only, the other case is dress.
      const value = [bare, bare.toUpperCase(), bare.toLowerCase()].find(one => anyLength.test(one)) ?? null;
      if (value !== null) return { value };
      return unreadable('wrong-form', `expected a text of ${of}, but it is "${bare.slice(0, 40)}"`);
    },
    near: (value, random) => nearText(String(value), random),
  };
}

function nearText(value: string, random: Random): string {
  if (value === '') return 'a';
  const at = random.between(0, value.length - 1);
  const letters = /[A-Z]/.test(value[at] as string) ? ['A', 'B', 'Z'] : ['a', 'b', 'z'];
  const others = letters.filter(letter => letter !== value[at]);
  const changed = value.slice(0, at) + random.pick(others) + value.slice(at + 1);
  const candidates = [value.length > 1 ? value.slice(1) : changed, `${value}${value.at(-1) as string}`, changed];
  return random.pick(candidates.filter(candidate => candidate !== value));
}

/** One of a few words: a weekday, the name of a player. Capital letters do not count. */
export function choice<const W extends string>(options: readonly [W, W, ...W[]]): Type<W> {
  return {
    kind: 'text',
    name: `one of ${options.join(', ')}`,
    form: `one of: ${options.join(', ')}`,
    elements: [],
    options,
    holds: value => options.includes(value as W),
    write: value => String(value),
    read(given) {
      const said = given.replace(/^"(.*)"$/, '$1').toLowerCase();
      const value = options.find(option => option.toLowerCase() === said);
      if (value !== undefined) return { value };
      return unreadable('wrong-form', `expected one of ${options.join(', ')}, but it is "${given.slice(0, 40)}"`);
    },
    near: (value, random) => random.pick(options.filter(option => option !== value)),
  };
}

export const boolean: Type<boolean> = {
  kind: 'boolean',
  name: 'yes or no',
  form: 'yes or no',
  elements: [],
  holds: value => typeof value === 'boolean',
  write: value => (value === true ? 'yes' : 'no'),
  read(given) {
    if (/^(?:yes|true)$/i.test(given)) return { value: true };
    if (/^(?:no|false)$/i.test(given)) return { value: false };
    return unreadable('wrong-form', `expected yes or no, but it is "${given.slice(0, 40)}"`);
  },
  near: value => value !== true,
};

export const date: Type<CalendarDate> = {
  kind: 'date',
  name: 'date',
  form: 'a date, such as 2024-03-05',
  elements: [],
  holds: value => isDate(value as CalendarDate),
  write: value => writeDate(value as CalendarDate),
  read(given) {
    const value = readDate(given);
    if (value !== null) return { value };
    return unreadable('wrong-form', `expected a date such as 2024-03-05, but it is "${given.slice(0, 40)}"`);
  },
  near(value, random) {
    const { year, month, day } = value as CalendarDate;
    return random.pick([
      { year, month, day: day === 1 ? 2 : day - 1 },
      { year, month: month === 1 ? 2 : month - 1, day: Math.min(day, 28) },
      { year: year + 1, month, day: Math.min(day, 28) },
    ]);
  },
};

function writeDate({ year, month, day }: CalendarDate): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
