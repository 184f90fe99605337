import type { Kind } from './names.ts';

/** `event`: happened in one year. `interval`: held from one year to another. `none`: holds without a time. */
type Timing = 'event' | 'interval' | 'none';

export interface Relation {
  readonly name: string;
  readonly subject: Kind;
  readonly object: Kind;
  readonly timing: Timing;
  /** Sentences of documents; each says the whole fact and nothing else. */
  readonly sentences: readonly [string, string];
  /** Sentences that name both and say nothing. */
  readonly denial: string;
  /** The object in words, of a subject {x}; {t} is where a time stands. */
  readonly forward: string;
  /** The subject in words, of an object {x}; null where questions do not go this way. */
  readonly backward: string | null;
  /** A word of the questions that documents have, too. */
  readonly keyword: string;
  /** The year of an event in words, for questions that refer to it. */
  readonly year?: string;
}

export const relations: readonly Relation[] = [
  {
    name: 'born-in',
    subject: 'person',
    object: 'city',
    timing: 'event',
    sentences: ['{s} was born in {o} in {from}.', 'In {from}, {s} was born in the city of {o}.'],
    denial: 'A plaque in {o} claims {s}, though nobody knows why.',
    forward: 'the city in which {x} was born',
    backward: null,
    keyword: 'born',
    year: 'in the year in which {x} was born',
  },
  {
    name: 'taught-by',
    subject: 'person',
    object: 'person',
    timing: 'none',
    sentences: ['{s} was taught by {o}.', 'The teacher who taught {s} was {o}.'],
    denial: 'That {s} was taught by {o} is a legend.',
    forward: 'the person who taught {x}',
    backward: 'the person whom {x} taught',
    keyword: 'taught',
  },
  {
    name: 'worked-for',
    subject: 'person',
    object: 'company',
    timing: 'interval',
    sentences: ['From {from} to {to}, {s} worked for {o}.', '{s} worked in an office of {o} between {from} and {to}.'],
    denial: '{s} turned down an offer of {o} and never worked there.',
    forward: 'the company for which, {t}, {x} worked',
    backward: null,
    keyword: 'worked',
  },
  {
    name: 'founded-by',
    subject: 'company',
    object: 'person',
    timing: 'event',
    sentences: ['{s} was founded by {o} in {from}.', 'In {from}, {o} founded {s}.'],
    denial: 'It is untrue that {s} was founded by {o}.',
    forward: 'the person who founded {x}',
    backward: 'the company that {x} founded',
    keyword: 'founded',
    year: 'in the year in which {x} was founded',
  },
  {
    name: 'based-in',
    subject: 'company',
    object: 'city',
    timing: 'interval',
    sentences: [
      'From {from} to {to}, {s} was based in {o}.',
      '{s} was based in a house in {o} between {from} and {to}.',
    ],
    denial: '{s} bought land in {o}, but was never based there.',
    forward: 'the city in which, {t}, {x} was based',
    backward: null,
    keyword: 'based',
  },
  {
    name: 'led-by',
    subject: 'company',
    object: 'person',
    timing: 'interval',
    sentences: ['{o} led {s} from {from} to {to}.', 'Between {from} and {to}, {s} was led by {o}.'],
    denial: 'A newspaper once reported that {o} led {s}, and withdrew it.',
    forward: 'the person who, {t}, led {x}',
    backward: 'the company that, {t}, {x} led',
    keyword: 'led',
  },
  {
    name: 'owned-by',
    subject: 'company',
    object: 'company',
    timing: 'none',
    sentences: ['{s} is owned by {o}.', 'All shares of {s} are owned by {o}.'],
    denial: 'Talks about {s} becoming owned by {o} failed.',
    forward: 'the company by which {x} is owned',
    backward: 'the company that is owned by {x}',
    keyword: 'owned',
  },
  {
    name: 'written-by',
    subject: 'book',
    object: 'person',
    timing: 'event',
    sentences: ['The book {s} by {o} was published in {from}.', 'In {from}, {o} published the book {s}.'],
    denial: 'Critics compare {s} with the letters of {o}.',
    forward: 'the person who published the book {x}',
    backward: 'the book that {x} published',
    keyword: 'published',
    year: 'in the year in which the book {x} was published',
  },
  {
    name: 'set-in',
    subject: 'book',
    object: 'city',
    timing: 'none',
    sentences: ['The story of {s} is set in {o}.', '{s} is set in the streets of {o}.'],
    denial: 'A film of {s} was to be made in {o}, and was not.',
    forward: 'the city in which the book {x} is set',
    backward: 'the book that is set in {x}',
    keyword: 'set',
  },
  {
    name: 'mayor',
    subject: 'city',
    object: 'person',
    timing: 'interval',
    sentences: ['{o} was mayor of {s} from {from} to {to}.', 'Between {from} and {to}, the mayor of {s} was {o}.'],
    denial: '{o} wanted to be mayor of {s} and lost the vote.',
    forward: 'the person who, {t}, was mayor of {x}',
    backward: 'the city of which, {t}, {x} was mayor',
    keyword: 'mayor',
  },
  {
    name: 'named-after',
    subject: 'city',
    object: 'person',
    timing: 'none',
    sentences: ['{s} is named after {o}.', 'The name of {s} was chosen to honour {o}, after whom it is named.'],
    denial: 'No street of {s} is named for {o}.',
    forward: 'the person after whom {x} is named',
    backward: 'the city that is named after {x}',
    keyword: 'named',
  },
];

/** Sentences about one entity that say nothing that a question asks for. */
export const fillers: readonly string[] = [
  'Several chronicles mention {s}.',
  'Letters about {s} are kept in the national archive.',
  'A short entry on {s} was printed in an old almanac.',
  '{s} appears in school books.',
  'Little else is recorded about {s}.',
  'Visitors ask about {s} more often than one would think.',
  'The entry on {s} was revised twice.',
  'An exhibition about {s} toured the country.',
];

export function relationNamed(name: string): Relation {
  const found = relations.find(relation => relation.name === name);
  if (found === undefined) throw new RangeError(`there is no relation ${name}`);
  return found;
}
